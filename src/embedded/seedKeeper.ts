import { ControllerConfig } from '../api/controllerConfig.ts'
import type { Kind } from '../api/kind.ts'
import { MachineConfig } from '../api/machineConfig.ts'
import { MachineConfigPool } from '../api/machineConfigPool.ts'
import { MachineConfiguration } from '../api/machineConfiguration.ts'
import type { KubernetesObject } from '../api/meta.ts'
import { type Controller, settled, watching } from '../kube/controller.ts'
import type { ControllerPorts } from './productControllers.ts'
import { type BuildIdentity, seededNames, seedOperatorObjects } from './seed.ts'

/** Brings back what the operator owns when somebody deletes it: without these objects nothing is rendered any more. */
export function seedKeeper(
  { kube, clock, log }: Pick<ControllerPorts, 'kube' | 'clock' | 'log'>,
  build: BuildIdentity,
): Controller {
  return {
    name: 'seed-keeper',
    watches: [
      deletionsOf(ControllerConfig),
      deletionsOf(MachineConfiguration),
      deletionsOf(MachineConfigPool),
      deletionsOf(MachineConfig),
    ],
    async reconcile(name) {
      log.info('an object that the operator owns was deleted and is made again', { name })
      await seedOperatorObjects(kube, build, clock.now())
      return settled
    },
  }
}

function deletionsOf<T extends KubernetesObject>(kind: Kind<T>) {
  return watching(kind, ({ old, now }) => {
    const name = old?.metadata.name ?? ''
    return !now && seededNames.has(name) ? [name] : []
  })
}

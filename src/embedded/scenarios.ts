import { Deployment } from '../api/apps.ts'
import { Namespace } from '../api/core.ts'
import { poolName } from '../api/names.ts'
import { PodDisruptionBudget } from '../api/policy.ts'
import { isAlreadyExists, type KubeApi } from '../kube/kubeApi.ts'
import { type FleetPlan, planFleet } from './fleet.ts'

/** A situation to look at: a fleet, and what runs on it. */
export interface Scenario {
  readonly description: string
  readonly fleet: FleetPlan
  prepare(kube: KubeApi): Promise<void>
}

/**
 * A router with a budget on the only worker: its replacement can run nowhere else, since control-plane nodes take no
 * ordinary pods. A drain must hold and say why.
 */
const pdbDeadlock: Scenario = {
  description:
    'three control-plane nodes that take no pods and one worker that runs a router with a PodDisruptionBudget',
  fleet: planFleet(
    new Map([
      [poolName.master, 3],
      [poolName.worker, 1],
    ]),
  ),
  async prepare(kube) {
    const namespace = 'ingress'
    const labels = { app: 'router' }
    await ignoreExisting(kube.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }))
    await ignoreExisting(
      kube.create(Deployment, {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'router', namespace, labels },
        spec: {
          replicas: 1,
          selector: { matchLabels: labels },
          template: {
            metadata: { labels },
            spec: { containers: [{ name: 'router', image: 'registry.example.com/router:1' }] },
          },
        },
      }),
    )
    await ignoreExisting(
      kube.create(PodDisruptionBudget, {
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: { name: 'router', namespace },
        spec: { minAvailable: 1, selector: { matchLabels: labels } },
      }),
    )
  },
}

export const scenarios: ReadonlyMap<string, Scenario> = new Map([['pdb-deadlock', pdbDeadlock]])

async function ignoreExisting(creation: Promise<unknown>): Promise<void> {
  await creation.catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error
  })
}

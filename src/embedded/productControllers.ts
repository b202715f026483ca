import { randomBytes } from 'node:crypto'
import type { ControllerConfig } from '../api/controllerConfig.ts'
import { certificateBundleController } from '../certificates/bundles/certificateBundleController.ts'
import { serverCertificateController } from '../certificates/serverCertificateController.ts'
import { drainController } from '../drain/drainController.ts'
import type { DrainMetrics } from '../drain/drainMetrics.ts'
import { drainIndices } from '../drain/drainWatches.ts'
import { pauseController } from '../forecast/pauseController.ts'
import { historyController } from '../history/historyController.ts'
import type { Random } from '../kube/backOff.ts'
import type { Clock } from '../kube/clock.ts'
import type { Controller } from '../kube/controller.ts'
import type { EventRecorder } from '../kube/events.ts'
import type { Informers } from '../kube/informers.ts'
import type { KubeApi } from '../kube/kubeApi.ts'
import type { Log } from '../kube/log.ts'
import { disruptionPolicyController } from '../operator/disruptionPolicyController.ts'
import { renderController } from '../render/renderController.ts'
import { controlPlaneController } from '../rollout/controlPlaneController.ts'
import { machineConfigNodeController } from '../rollout/machineConfigNodeController.ts'
import { overdueRebootController } from '../rollout/overdueRebootController.ts'
import { rolloutController } from '../rollout/rolloutController.ts'
import { rolloutIndices } from '../rollout/rolloutWatches.ts'
import { endpointOf, type ServerEndpoint } from '../server/pointer/endpoint.ts'
import { tokenCleanupController } from '../server/tokens/tokenCleanup.ts'
import { userDataController } from '../server/userData/userDataController.ts'
import type { BuildIdentity } from './seed.ts'

export interface ControllerPorts {
  readonly kube: KubeApi
  readonly informers: Informers
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** One recorder per source component, as users know them from `kubectl describe`. */
  readonly eventsOf: (component: string) => EventRecorder
  readonly configServer?: ConfigServerPlace
  readonly drainMetrics?: DrainMetrics
}

/** Where machines reach the config server, for clusters whose Infrastructure does not say it. */
export interface ConfigServerPlace {
  /** What its certificate names. */
  readonly names: readonly string[]
  /** `HOST:PORT` for pointers; absent while nothing listens. */
  readonly endpoint?: string
}

/** The product's controllers, the same that a real cluster runs. */
export function productControllers(ports: ControllerPorts, build: BuildIdentity): readonly Controller[] {
  const { kube, informers, clock, log, eventsOf, configServer } = ports
  const { cache } = informers
  for (const { kind, name, valuesOf } of rolloutIndices) informers.addIndex(kind, name, valuesOf)
  informers.addIndex(drainIndices[0].kind, drainIndices[0].name, drainIndices[0].valuesOf)
  informers.addIndex(drainIndices[1].kind, drainIndices[1].name, drainIndices[1].valuesOf)
  const serverEvents = eventsOf('machineconfigcontroller-machineconfigservercontroller')
  const rolloutEvents = eventsOf('machineconfigcontroller-nodecontroller')
  return [
    renderController({
      cache,
      kube,
      clock,
      log,
      events: eventsOf('machineconfigcontroller-rendercontroller'),
      ...build,
    }),
    rolloutController({ cache, kube, clock, log, events: rolloutEvents }),
    drainController({
      cache,
      kube,
      clock,
      log,
      events: rolloutEvents,
      ...(ports.drainMetrics && { metrics: ports.drainMetrics }),
    }),
    machineConfigNodeController({ cache, kube, clock, log }),
    historyController({ cache, kube, clock, log, events: rolloutEvents }),
    pauseController({ cache, kube, clock, log, events: rolloutEvents }),
    overdueRebootController({ cache, kube, clock, log, events: rolloutEvents }),
    controlPlaneController({ cache, kube, log }),
    disruptionPolicyController({ cache, kube }),
    certificateBundleController({ cache, kube, clock, log, events: serverEvents, hash: build.hash }),
    serverCertificateController({
      cache,
      kube,
      clock,
      log,
      events: serverEvents,
      names: (config) => [
        ...new Set([...(infrastructureEndpoint(config)?.names ?? []), ...(configServer?.names ?? [])]),
      ],
    }),
    userDataController({
      cache,
      kube,
      clock,
      log,
      events: serverEvents,
      randomBytes,
      endpoint: (config) => placeToEndpoint(configServer) ?? infrastructureEndpoint(config),
    }),
    tokenCleanupController({ cache, kube, clock, log }),
  ]
}

const infrastructureEndpoint = (config: ControllerConfig | undefined): ServerEndpoint | undefined =>
  endpointOf(config?.spec.infra)

const placeToEndpoint = (place: ConfigServerPlace | undefined): ServerEndpoint | undefined =>
  place?.endpoint === undefined ? undefined : { endpoint: place.endpoint, names: place.names }

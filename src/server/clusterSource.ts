import { ControllerConfig } from '../api/controllerConfig.ts'
import { ConfigMap, Secret, Service } from '../api/core.ts'
import { defineKind, type Kind } from '../api/kind.ts'
import { MachineConfig } from '../api/machineConfig.ts'
import { MachineConfigPool } from '../api/machineConfigPool.ts'
import { MachineOSBuild, MachineOSConfig } from '../api/machineOSConfig.ts'
import type { KubernetesObject } from '../api/meta.ts'
import { operatorNamespace, singletonName } from '../api/names.ts'
import { Retryable } from '../kube/errors.ts'
import type { Informers } from '../kube/informers.ts'
import type { Scope } from '../kube/reflector.ts'
import { type ApiBundles, type JoinChoice, joinFilesNow } from './joinSource.ts'
import { choosePoolSnapshot } from './poolSnapshot.ts'
import type { PoolSnapshot, SnapshotSource } from './preparedBodies.ts'
import { failure, type ServeFailure } from './serveFailure.ts'

export interface ClusterSourceOptions {
  readonly informers: Informers
  readonly join: JoinChoice
}

export interface ClusterSource extends SnapshotSource {
  /** Everything that documents are made of is known. */
  isSynced(): boolean
  /** The pools of the cluster; undefined before they are known. */
  pools(): readonly string[] | undefined
  onChange(listener: () => void): void
}

/** Snapshots from the caches of a running cluster. Reads only. */
export function clusterSource({ informers, join }: ClusterSourceOptions): ClusterSource {
  const { cache } = informers
  let generation = 0
  const listeners: (() => void)[] = []
  const changed = (): void => {
    generation += 1
    for (const listener of listeners) listener()
  }
  for (const kind of watchedKinds) informers.subscribe(kind, changed)
  if (join.kind === 'credentials') join.credentials.onChange(changed)
  let wasSynced = false
  const isSynced = (): boolean => watchedKinds.every((kind) => informers.hasSynced(kind))

  function choose(pool: string): PoolSnapshot | ServeFailure {
    const controllerConfig = cache.get(ControllerConfig, { name: singletonName.controllerConfig })
    const machineOSConfigs = cache.list(MachineOSConfig)
    const access = joinFilesNow(join, apiBundles(informers))
    const chosen = choosePoolSnapshot({
      poolName: pool,
      pool: cache.get(MachineConfigPool, { name: pool }),
      configOf: (name) => cache.get(MachineConfig, { name }),
      bundles: controllerConfig?.spec ?? {},
      machineOSConfigs,
      machineOSBuilds: cache.list(MachineOSBuild),
      internalRegistries: internalRegistries(informers),
      joinFiles: access.kind === 'files' ? access.files : [],
    })
    if (chosen.kind === 'failed') return chosen
    if (!controllerConfig) {
      return failure('ClusterFactsMissing', `there is no controllerconfig ${singletonName.controllerConfig} yet`)
    }
    if (access.kind === 'failed') return access
    const { rendered, config, image = '' } = chosen.snapshot
    const versions = [rendered, controllerConfig].map(({ metadata }) => `${metadata.uid}/${metadata.resourceVersion}`)
    return { ...chosen, key: [config, ...versions, image, access.stamp].join(' ') }
  }

  return {
    generation() {
      // A kind without objects becomes complete without a change that would tell.
      if (!wasSynced && isSynced()) {
        wasSynced = true
        changed()
      }
      return generation
    },
    isSynced,
    pools: () =>
      informers.hasSynced(MachineConfigPool)
        ? cache.list(MachineConfigPool).map(({ metadata }) => metadata.name ?? '')
        : undefined,
    onChange: (listener) => void listeners.push(listener),
    snapshotOf(pool) {
      try {
        return choose(pool)
      } catch (error) {
        if (error instanceof Retryable) return failure('NotSynchronised', error.message, 503)
        throw error
      }
    },
  }
}

interface Route extends KubernetesObject {
  readonly spec?: { readonly host?: string }
}
const Route = defineKind<Route>('route.openshift.io', 'v1', 'Route', 'routes', { namespaced: true })

// biome-ignore lint/suspicious/noExplicitAny: kinds of different shapes
const watchedKinds: readonly Kind<any>[] = [
  MachineConfigPool,
  MachineConfig,
  ControllerConfig,
  MachineOSConfig,
  MachineOSBuild,
  ConfigMap,
  Service,
  Route,
]

/** Kinds that a cluster may do without. */
export const isOptionalKind = ({ kind }: Kind<KubernetesObject>): boolean =>
  [MachineOSConfig.kind, MachineOSBuild.kind, Route.kind].includes(kind)

const registryNamespace = 'openshift-image-registry'

/** The least that the server must see of the namespaced kinds. */
export function scopeOfKind({ kind }: Kind<KubernetesObject>): Scope | undefined {
  if (kind === ConfigMap.kind || kind === Secret.kind) return { namespace: operatorNamespace }
  return kind === Service.kind || kind === Route.kind ? { namespace: registryNamespace } : undefined
}

/** The operator's bundle for kubelets, and the authority that every namespace of a cluster is given. */
function apiBundles({ cache }: Informers): ApiBundles {
  const own = cache.get(ConfigMap, { namespace: operatorNamespace, name: 'kubeconfig-data' })
  const everywhere = cache.get(ConfigMap, { namespace: operatorNamespace, name: 'kube-root-ca.crt' })
  const base64 = own?.binaryData?.['ca-bundle.crt']
  const pem = everywhere?.data?.['ca.crt']
  return {
    own: base64 ? Buffer.from(base64, 'base64') : undefined,
    everywhere: pem ? Buffer.from(pem) : undefined,
  }
}

/** Nothing of the cluster's own registry can be pulled before a machine has joined. */
function internalRegistries({ cache }: Informers): readonly string[] {
  const services = cache.list(Service).map(({ metadata, spec }) => {
    const port = spec?.ports?.[0]?.port
    return `${metadata.name}.${registryNamespace}.svc${port === undefined ? '' : `:${port}`}`
  })
  const routes = cache.list(Route).flatMap(({ spec }) => (spec?.host ? [spec.host] : []))
  return [...services, ...routes]
}

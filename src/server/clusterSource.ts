import { ControllerConfig } from '../api/controllerConfig.ts'
import { ConfigMap, Secret, Service } from '../api/core.ts'
import { defineKind, type Kind } from '../api/kind.ts'
import { MachineConfig } from '../api/machineConfig.ts'
import { MachineConfigPool } from '../api/machineConfigPool.ts'
import { MachineOSBuild, MachineOSConfig } from '../api/machineOSConfig.ts'
import type { KubernetesObject } from '../api/meta.ts'
import { joinToken, operatorNamespace, singletonName } from '../api/names.ts'
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
  const registries = registryHosts(informers, changed)
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
      internalRegistries: machineOSConfigs.length > 0 ? registries.current() : [],
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
      if (registries.becameKnown()) changed()
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
]

/** Kinds that a cluster may do without. */
export const isOptionalKind = ({ kind }: Kind<KubernetesObject>): boolean =>
  [MachineOSConfig.kind, MachineOSBuild.kind, Route.kind].includes(kind)

const registryNamespace = 'openshift-image-registry'

/** The least that the server must see of the namespaced kinds; of Secrets only the tokens, unless its certificate is one too. */
export function scopeOfKind(
  { kind }: Kind<KubernetesObject>,
  { tokenNamespace, onlyTokens }: { readonly tokenNamespace: string; readonly onlyTokens: boolean },
): Scope | undefined {
  if (kind === ConfigMap.kind) return { namespace: operatorNamespace }
  if (kind === Secret.kind) {
    const tokens = onlyTokens ? { fieldSelector: `type=${joinToken.secretType}` } : {}
    return { namespace: tokenNamespace, ...tokens }
  }
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

/**
 * Hosts of the cluster's own registry, of which nothing can be pulled before a machine has joined. Asked for only where images are
 * built; undefined while they are not known, because it may not be allowed to look.
 */
function registryHosts(informers: Informers, changed: () => void): RegistryHosts {
  const { cache } = informers
  let state: 'unasked' | 'asked' | 'known' = 'unasked'
  const isSynced = (): boolean => informers.hasSynced(Service) && informers.hasSynced(Route)
  return {
    current() {
      if (state === 'unasked') {
        state = 'asked'
        informers.subscribe(Service, changed)
        informers.subscribe(Route, changed)
      }
      if (!isSynced()) return undefined
      const services = cache.list(Service).map(({ metadata, spec }) => {
        const port = spec?.ports?.[0]?.port
        return `${metadata.name}.${registryNamespace}.svc${port === undefined ? '' : `:${port}`}`
      })
      const routes = cache.list(Route).flatMap(({ spec }) => (spec?.host ? [spec.host] : []))
      return [...services, ...routes]
    },
    becameKnown() {
      if (state !== 'asked' || !isSynced()) return false
      state = 'known'
      return true
    },
  }
}

interface RegistryHosts {
  current(): readonly string[] | undefined
  /** True once: a kind without objects becomes complete without a change that would tell. */
  becameKnown(): boolean
}

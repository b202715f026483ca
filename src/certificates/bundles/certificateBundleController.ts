import { ControllerConfig } from '../../api/controllerConfig.ts'
import { ConfigMap, Secret } from '../../api/core.ts'
import { MachineConfig } from '../../api/machineConfig.ts'
import { MachineConfigPool } from '../../api/machineConfigPool.ts'
import type { KubernetesObject } from '../../api/meta.ts'
import { machineConfigAnnotation, operatorNamespace, poolName, singletonName } from '../../api/names.ts'
import { equalValue } from '../../ignition/equalValue.ts'
import type { Clock } from '../../kube/clock.ts'
import { again, type Cache, type Controller, type Outcome, settled, watching } from '../../kube/controller.ts'
import type { EventRecorder } from '../../kube/events.ts'
import { isAlreadyExists, type KubeApi } from '../../kube/kubeApi.ts'
import type { Log } from '../../kube/log.ts'
import { type BundleSource, bundleCatalogue, bundlePoliciesAnnotation, readBundlePolicies } from './bundleCatalogue.ts'
import { changeText } from './bundleChange.ts'
import { controllerCertificates } from './bundleFields.ts'
import { bundleStateAnnotation, readBundleState } from './bundleState.ts'
import { type BundlesDecision, decideBundles } from './decideBundles.ts'
import { heldCertificates, heldCertificatesName } from './heldCertificates.ts'
import { type BundleSettings, bundleSettingsName, parseBundleSettings } from './parseBundleSettings.ts'

export interface CertificateBundlePorts {
  readonly cache: Cache
  readonly kube: KubeApi
  readonly clock: Clock
  readonly events: EventRecorder
  readonly log: Log
  /** Build hash of this program, which generated configs carry. */
  readonly hash: string
  readonly namespace?: string
}

/** Reasons of events on the ControllerConfig; the second is also about a mistake in the settings. */
const bundleEventReason = { changed: 'CertificateBundleChanged', kept: 'CertificateBundleKept' } as const

/** On the ControllerConfig: the generation before the controller changed authorities, to acknowledge its own change. */
const generationAnnotation = 'machineconfig.io/certificates-from-generation'

const key = singletonName.controllerConfig
const fieldManager = 'certificate-bundles'
/** An end of a certificate changes what may be replaced by what: looked at without an event too. */
const lookAgainMs = 3_600_000

/**
 * Keeps the authorities of the ControllerConfig at what their sources say, lists their certificates in status, and makes
 * the MachineConfigs by which held bundles reach nodes.
 */
export function certificateBundleController(ports: CertificateBundlePorts): Controller {
  const { cache, kube, clock, events, log, hash, namespace = operatorNamespace } = ports
  let toldSettings = ''
  // What is configured may name any object: the settings of the last pass tell which.
  let configured: readonly BundleSource[] = []
  const isSource = ({ old, now }: { readonly old?: KubernetesObject; readonly now?: KubernetesObject }): string[] => {
    const { namespace: at, name } = (now ?? old)?.metadata ?? {}
    const isNamed = (source: Pick<BundleSource, 'namespace' | 'name'>) =>
      source.namespace === at && source.name === name
    return isNamed({ namespace, name: bundleSettingsName }) || [...defaultSources, ...configured].some(isNamed)
      ? [key]
      : []
  }

  return {
    name: 'certificate-bundles',
    watches: [
      watching(ControllerConfig, () => [key]),
      watching(ConfigMap, isSource),
      watching(Secret, isSource),
      watching(MachineConfig, ({ old, now }) => (generatedNames.has((now ?? old)?.metadata.name ?? '') ? [key] : [])),
      watching(MachineConfigPool, ({ old, now }) => (old && now ? [] : [key])),
    ],
    workers: 1,
    coalesceMs: 20,

    async reconcile(_key, signal): Promise<Outcome> {
      const config = cache.get(ControllerConfig, { name: key })
      if (!config || config.metadata.deletionTimestamp) return settled
      const inForce = readBundlePolicies(config.metadata.annotations)
      const settings = parseBundleSettings(cache.get(ConfigMap, { namespace, name: bundleSettingsName })?.data, inForce)
      configured = Object.values(settings.sources).flat()
      const now = clock.now()
      const state = readBundleState(config.metadata.annotations)
      const decision = decideBundles({ spec: config.spec, state, settings, find, now })
      const written = await writeConfig(config, decision, settings, signal)
      await writeStatus(written, signal)
      await keepGenerated(written, settings, signal)
      tell(written, decision, settings)
      return again(new Date(now.getTime() + lookAgainMs))
    },
  }

  function find({ kind, namespace: at, name }: BundleSource): Readonly<Record<string, string>> | undefined {
    if (kind === 'ConfigMap') {
      const object = cache.get(ConfigMap, { namespace: at, name })
      return object && (object.data ?? {})
    }
    const object = cache.get(Secret, { namespace: at, name })
    if (!object) return undefined
    const texts = Object.entries(object.data ?? {}).map(
      ([member, data]) => [member, Buffer.from(data, 'base64').toString('latin1')] as const,
    )
    return Object.fromEntries(texts)
  }

  /** One write: the bundles and what is known about them are never apart. */
  async function writeConfig(
    config: ControllerConfig,
    { spec, state }: BundlesDecision,
    { policies }: BundleSettings,
    signal: AbortSignal,
  ): Promise<ControllerConfig> {
    const changesSpec = Object.keys(spec).length > 0
    const annotations = {
      ...config.metadata.annotations,
      [bundleStateAnnotation]: JSON.stringify(state),
      [bundlePoliciesAnnotation]: JSON.stringify(policies),
      ...(changesSpec && { [generationAnnotation]: String(config.metadata.generation ?? 0) }),
    }
    if (!changesSpec && equalValue(annotations, config.metadata.annotations)) return config
    const next = { ...config, metadata: { ...config.metadata, annotations }, spec: { ...config.spec, ...spec } }
    return kube.update(ControllerConfig, next, { signal, fieldManager })
  }

  /**
   * The list of certificates, and with it that the generation is taken care of, when our own change is all that is new
   * since the last that was: pools wait for that.
   */
  async function writeStatus(config: ControllerConfig, signal: AbortSignal): Promise<void> {
    const { metadata, status } = config
    const generation = metadata.generation ?? 0
    const isOurs =
      metadata.annotations?.[generationAnnotation] === String(status?.observedGeneration ?? 0) &&
      generation === (status?.observedGeneration ?? 0) + 1
    const next = {
      ...status,
      ...(isOurs && { observedGeneration: generation }),
      controllerCertificates: controllerCertificates(config.spec),
    }
    if (equalValue(next, status)) return
    await kube.updateStatus(ControllerConfig, { ...config, status: next }, { signal, fieldManager })
  }

  async function keepGenerated(config: ControllerConfig, { policies }: BundleSettings, signal: AbortSignal) {
    for (const role of roles) {
      const name = heldCertificatesName(role)
      const found = cache.get(MachineConfig, { name })
      const wanted = cache.get(MachineConfigPool, { name: role })
        ? heldCertificates(role, config.spec, policies, hash)
        : undefined
      if (wanted) await put(found, wanted, signal)
      else if (found && isGenerated(found)) {
        log.info('a config of held certificates is not needed any more', { name })
        await kube.delete(MachineConfig, { name }, { signal, preconditions: preconditionsOf(found) })
      }
    }
  }

  async function put(found: MachineConfig | undefined, wanted: MachineConfig, signal: AbortSignal): Promise<void> {
    const options = { signal, fieldManager }
    if (!found) {
      await kube.create(MachineConfig, wanted, options).catch((error: unknown) => {
        // The cache was behind: the next change of it brings this controller back.
        if (!isAlreadyExists(error)) throw error
      })
      return
    }
    const labels = { ...found.metadata.labels, ...wanted.metadata.labels }
    const annotations = { ...found.metadata.annotations, ...wanted.metadata.annotations }
    const next = {
      ...found,
      metadata: { ...found.metadata, labels, annotations },
      spec: { ...found.spec, ...wanted.spec },
    }
    if (equalValue(next.spec, found.spec) && equalValue(next.metadata, found.metadata)) return
    await kube.update(MachineConfig, next, options)
  }

  function tell(config: ControllerConfig, { changes, problems }: BundlesDecision, settings: BundleSettings): void {
    for (const change of changes) {
      events.event(config, 'Normal', bundleEventReason.changed, changeText(change))
      const { bundle, added, removed } = change
      log.info('a certificate bundle changed', { bundle, added: added.length, removed: removed.length })
    }
    for (const { bundle, problem } of problems)
      events.event(config, 'Warning', bundleEventReason.kept, `bundle ${bundle}: ${problem.reason}: ${problem.message}`)
    const said = settings.problems.join('; ')
    if (said !== '' && said !== toldSettings)
      events.event(config, 'Warning', bundleEventReason.kept, `ConfigMap ${namespace}/${bundleSettingsName}: ${said}`)
    toldSettings = said
  }
}

const defaultSources = Object.values(bundleCatalogue).flatMap(({ sources }) => sources)
const roles = Object.values(poolName)
const generatedNames: ReadonlySet<string> = new Set(roles.map(heldCertificatesName))

const isGenerated = ({ metadata }: MachineConfig): boolean =>
  (metadata.annotations?.[machineConfigAnnotation.generatedByControllerVersion] ?? '') !== ''

const preconditionsOf = ({ metadata: { uid, resourceVersion } }: MachineConfig) => ({
  ...(uid !== undefined && { uid }),
  ...(resourceVersion !== undefined && { resourceVersion }),
})

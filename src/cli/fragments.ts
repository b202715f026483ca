import { ControllerConfig } from '../api/controllerConfig.ts'
import { MachineConfig } from '../api/machineConfig.ts'
import { MachineConfigPool } from '../api/machineConfigPool.ts'
import { MachineConfiguration } from '../api/machineConfiguration.ts'
import { controllerConfigAnnotation, machineConfigLabel, poolName } from '../api/names.ts'
import type { InputDocument } from './input.ts'

/** Offline input by what it is; each entry knows the document that it came from. */
export interface OfflineObjects {
  readonly machineConfigs: readonly Sourced<MachineConfig>[]
  readonly pools: readonly Sourced<MachineConfigPool>[]
  readonly controllerConfig: ControllerConfig | undefined
  readonly machineConfiguration: MachineConfiguration | undefined
  /** Kinds that are not used offline. */
  readonly others: readonly Sourced<{ readonly kind: string }>[]
}

export interface Sourced<T> {
  readonly object: T
  readonly document: InputDocument
}

export type DocumentKind =
  | { readonly kind: 'ignition' }
  | { readonly kind: 'object'; readonly name: string }
  | { readonly kind: 'unknown'; readonly found: string }

/** Ignition has a member `ignition` and no kind; Kubernetes objects say their kind. */
export function kindOfDocument(value: unknown): DocumentKind {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return {
      kind: 'unknown',
      found: Array.isArray(value) ? 'a list' : value === null ? 'nothing' : `a ${typeof value}`,
    }
  if ('kind' in value && typeof value.kind === 'string') return { kind: 'object', name: value.kind }
  if ('ignition' in value) return { kind: 'ignition' }
  return { kind: 'unknown', found: `an object with ${Object.keys(value).slice(0, 5).join(', ') || 'no members'}` }
}

/** Sorts documents by kind. Plain Ignition becomes a MachineConfig of `role`, named after its file. */
export function collectObjects(documents: readonly InputDocument[], role: string): OfflineObjects {
  const of = <T>(name: string): Sourced<T>[] =>
    documents.filter(({ value }) => isKind(value, name)).map((document) => ({ object: document.value as T, document }))
  const ignition = documents
    .filter(({ value }) => kindOfDocument(value).kind === 'ignition')
    .map((document): Sourced<MachineConfig> => ({ object: wrapIgnition(document, role), document }))
  const used = new Set([MachineConfig.kind, MachineConfigPool.kind, ControllerConfig.kind, MachineConfiguration.kind])
  return {
    machineConfigs: [...of<MachineConfig>(MachineConfig.kind), ...ignition],
    pools: of<MachineConfigPool>(MachineConfigPool.kind),
    controllerConfig: of<ControllerConfig>(ControllerConfig.kind)[0]?.object,
    machineConfiguration: of<MachineConfiguration>(MachineConfiguration.kind)[0]?.object,
    others: documents.flatMap((document) => {
      const kind = kindOfDocument(document.value)
      return kind.kind === 'object' && !used.has(kind.name) ? [{ object: { kind: kind.name }, document }] : []
    }),
  }
}

function isKind(value: unknown, name: string): boolean {
  const kind = kindOfDocument(value)
  return kind.kind === 'object' && kind.name === name
}

function wrapIgnition({ file, value }: InputDocument, role: string): MachineConfig {
  const name = (file === '-' ? 'stdin' : (file.split('/').at(-1) ?? file)).replace(/\.(ya?ml|json|ign)$/, '')
  return {
    apiVersion: 'machineconfiguration.openshift.io/v1',
    kind: MachineConfig.kind,
    metadata: { name, labels: { [machineConfigLabel.role]: role } },
    spec: { config: value as Readonly<Record<string, unknown>> },
  }
}

/** The pool as the input has it, or as the built-in or inheriting pool of that name would be. */
export function poolFor(name: string, pools: readonly Sourced<MachineConfigPool>[]): MachineConfigPool {
  const given = pools.find(({ object }) => object.metadata.name === name)
  if (given) return given.object
  const roles =
    name === poolName.worker || name === poolName.master || name === poolName.arbiter ? [name] : [poolName.worker, name]
  return {
    apiVersion: 'machineconfiguration.openshift.io/v1',
    kind: MachineConfigPool.kind,
    metadata: { name },
    spec: {
      machineConfigSelector: { matchExpressions: [{ key: machineConfigLabel.role, operator: 'In', values: roles }] },
    },
  }
}

/** Offline there is no installed operator: its version is whatever the given ControllerConfig says. */
export function controllerConfigFor(
  given: ControllerConfig | undefined,
  version: string,
): Pick<ControllerConfig, 'metadata'> & {
  readonly spec: { readonly baseOSContainerImage: string; readonly baseOSExtensionsContainerImage: string }
} {
  const annotations = {
    [controllerConfigAnnotation.releaseImageVersion]: '',
    ...given?.metadata.annotations,
    [controllerConfigAnnotation.generatedByVersion]: version,
  }
  return {
    metadata: { name: ControllerConfig.kind, ...given?.metadata, annotations },
    spec: {
      baseOSContainerImage: given?.spec.baseOSContainerImage ?? '',
      baseOSExtensionsContainerImage: given?.spec.baseOSExtensionsContainerImage ?? '',
    },
  }
}

import type { MachineConfig } from '../api/machineConfig.ts'
import { machineConfigAnnotation, machineConfigLabel } from '../api/names.ts'
import type { Issue } from '../ignition/issues.ts'
import { ignitionFromValue, mergeWireError } from '../ignition/parseIgnition.ts'
import type { IgnitionConfig } from '../ignition/types.ts'
import { renderedPrefix } from './renderedName.ts'
import { secretPathsOf } from './secretPaths.ts'
import { whyInvalidSpec } from './validateMachineConfig.ts'

/** The Ignition part of a MachineConfig, read once. */
type FragmentIgnition =
  | { readonly kind: 'none' }
  | { readonly kind: 'parsed'; readonly config: IgnitionConfig; readonly warnings: readonly Issue[] }
  | { readonly kind: 'refused'; readonly mergeError: string; readonly issues: readonly Issue[] }

/** One MachineConfig as the merge, the validation and the reconcile check need it. */
export interface Fragment {
  readonly name: string
  /** An object without a labels map is refused by the merge; an empty map is not. */
  readonly labelled: boolean
  readonly role: string | undefined
  /** Build hash of the controller that generated it; empty for a MachineConfig of a user. */
  readonly generatedBy: string
  /** Paths that its author marked as secret. */
  readonly secretPaths: readonly string[]
  readonly ignition: FragmentIgnition
  /** Why the spec is not accepted; `undefined` when it is. */
  readonly invalid: string | undefined
  readonly osImageURL: string
  readonly extensionsImage: string
  readonly kernelArguments: readonly string[]
  readonly extensions: readonly string[]
  readonly fips: boolean
  readonly kernelType: string
}

/** Reads MachineConfigs and remembers what it read: a MachineConfig that did not change is not parsed again. */
export interface FragmentParser {
  parse(config: MachineConfig): Fragment
  /** How many specs were really parsed so far. */
  readonly parsedCount: number
}

/**
 * Remembers by identity, which caches keep for an unchanged object, and by uid and resourceVersion for objects that were
 * listed anew. An unchanged object gives the same fragment, so fragments can be compared by identity.
 */
export function fragmentParser({ maxRemembered = 1000 }: { maxRemembered?: number } = {}): FragmentParser {
  const byObject = new WeakMap<MachineConfig, Fragment>()
  const bySpec = new WeakMap<object, SpecPart>()
  const byUid = new Map<string, { readonly resourceVersion: string; readonly part: SpecPart }>()
  let parsedCount = 0

  function specPartOf({ metadata, spec }: MachineConfig): SpecPart {
    const known = spec && bySpec.get(spec)
    if (known) return known
    const { uid, resourceVersion } = metadata
    const listed = uid === undefined ? undefined : byUid.get(uid)
    const part = listed && listed.resourceVersion === resourceVersion ? listed.part : parseSpec(spec)
    if (part !== listed?.part) parsedCount++
    if (spec) bySpec.set(spec, part)
    // A rendered config is as large as all its fragments and read once: only its holder keeps it in memory.
    const isRendered = metadata.name?.startsWith(renderedPrefix) ?? false
    if (uid !== undefined && resourceVersion !== undefined && !isRendered) remember(uid, resourceVersion, part)
    return part
  }

  function remember(uid: string, resourceVersion: string, part: SpecPart): void {
    byUid.delete(uid)
    byUid.set(uid, { resourceVersion, part })
    const [oldest] = byUid.keys()
    if (byUid.size > maxRemembered && oldest !== undefined) byUid.delete(oldest)
  }

  return {
    parse(config) {
      const known = byObject.get(config)
      if (known) return known
      const fragment = { ...metadataPart(config), ...specPartOf(config) }
      byObject.set(config, fragment)
      return fragment
    },
    get parsedCount() {
      return parsedCount
    },
  }
}

type MetadataPart = Pick<Fragment, 'name' | 'labelled' | 'role' | 'generatedBy' | 'secretPaths'>
type SpecPart = Omit<Fragment, keyof MetadataPart>

function metadataPart({ metadata }: MachineConfig): MetadataPart {
  return {
    name: metadata.name ?? '',
    labelled: metadata.labels !== undefined && metadata.labels !== null,
    role: metadata.labels?.[machineConfigLabel.role],
    generatedBy: metadata.annotations?.[machineConfigAnnotation.generatedByControllerVersion] ?? '',
    secretPaths: secretPathsOf([{ metadata }]),
  }
}

/** A spec that lost its lines to a wrong indentation arrives as null. */
function parseSpec(given: MachineConfig['spec'] | null): SpecPart {
  const spec = given ?? {}
  const parsed = spec.config === undefined || spec.config === null ? undefined : ignitionFromValue(spec.config)
  const fields = {
    osImageURL: spec.osImageURL ?? '',
    extensionsImage: spec.baseOSExtensionsContainerImage ?? '',
    kernelArguments: spec.kernelArguments ?? [],
    extensions: spec.extensions ?? [],
    fips: spec.fips ?? false,
    kernelType: spec.kernelType ?? '',
  }
  return { ...fields, ignition: fragmentIgnition(parsed), invalid: whyInvalidSpec(fields, parsed) }
}

function fragmentIgnition(parsed: ReturnType<typeof ignitionFromValue> | undefined): FragmentIgnition {
  if (!parsed) return { kind: 'none' }
  if (parsed.value) return { kind: 'parsed', config: parsed.value, warnings: parsed.issues }
  return { kind: 'refused', mergeError: mergeWireError(parsed) ?? '', issues: parsed.issues }
}

import type { MachineConfig } from '../api/machineConfig.ts'
import { machineOsConfigAnnotation, nodeAnnotation, nodeState } from '../api/names.ts'
import { nodeAnnotationsPath } from '../daemon/hostPaths.ts'
import { convertConfig } from '../ignition/convert.ts'
import { encodePercentDataUrl } from '../ignition/dataUrl.ts'
import { ignitionFromValue } from '../ignition/parseIgnition.ts'
import type { File, IgnitionConfig } from '../ignition/types.ts'
import type { ServedVersion } from './acceptHeader.ts'
import { machineConfigText } from './machineConfigText.ts'
import { migrateKernelArguments } from './migrateKernelArguments.ts'
import { type ClusterBundles, refreshCertificates } from './refreshCertificates.ts'
import { secretFilesOf } from './secretFiles.ts'
import { failure, type ServeFailure } from './serveFailure.ts'

/** Everything that one pool's document is made of. The objects come from a cache and are never changed. */
export interface ServeSnapshot {
  readonly pool: string
  /** The rendered config's name, as the pool says it. */
  readonly config: string
  readonly rendered: MachineConfig
  readonly bundles: ClusterBundles
  /** The image built for the pool, when a new machine shall start with it. */
  readonly image?: string
  /** What lets the machine ask for its identity: a kubeconfig, or the file that the distribution uses instead. */
  readonly joinFiles: readonly JoinFile[]
  readonly registryCertificates?: readonly RegistryCertificate[]
}

/** Written to the machine as it is; the text holds a credential. */
export interface JoinFile {
  readonly path: string
  readonly text: string
}

export interface RegistryCertificate {
  /** `host` or `host:port`. */
  readonly registry: string
  readonly pem: string
}

export interface ServeStyle {
  /** The version inside the encapsulated MachineConfig; the requested one when absent. */
  readonly encapsulatedVersion?: ServedVersion
  /** Of the files that hold credentials or the whole config. The original's is 0644: every user of the machine reads them. */
  readonly secretFileMode: number
}

export type Assembled =
  | {
      readonly kind: 'assembled'
      readonly config: IgnitionConfig
      /** Paths whose contents not everybody may have; what every machine gets to join is not among them. */
      readonly secretPaths: readonly string[]
    }
  | ServeFailure

/**
 * A new machine's config in the internal form: the rendered config, fresh certificates, and the files that make the machine a
 * member. The encapsulated MachineConfig comes last, because it holds what the steps before it changed.
 */
export function assembleConfig(
  snapshot: ServeSnapshot,
  version: ServedVersion | undefined,
  { encapsulatedVersion, secretFileMode }: ServeStyle,
): Assembled {
  const { rendered, bundles, joinFiles, registryCertificates = [] } = snapshot
  const { spec: source = {} } = rendered
  const parsed = ignitionFromValue(source.config)
  if (parsed.value === undefined) return failure('ConfigUnusable', `${parsePrefix}${parsed.wireError}`)
  const migrated = migrateKernelArguments(parsed.value, source, version)
  if (migrated.kind === 'refused') return failure('VersionCannotExpressConfig', migrated.message)
  const spec = snapshot.image ? { ...migrated.spec, osImageURL: snapshot.image } : migrated.spec
  const image = rendered.metadata.annotations?.[machineOsConfigAnnotation.preBuiltImage] || snapshot.image
  const config = refreshCertificates(migrated.config, bundles)
  const appended: readonly File[] = [
    file(nodeAnnotationsPath, nodeAnnotationsText(snapshot.config, image)),
    ...joinFiles.map(({ path, text }) => file(path, text, secretFileMode)),
    file(contentDumpPath, machineConfigText({ ...rendered, spec }, 4), secretFileMode),
    ...registryCertificates.map(({ registry, pem }) => file(`/etc/docker/certs.d/${registry}/ca.crt`, pem)),
    file(
      encapsulatedPath,
      machineConfigText({
        ...rendered,
        spec: { ...spec, config: { ignition: { version: encapsulatedVersion ?? version ?? newestVersion } } },
      }),
      secretFileMode,
    ),
  ]
  const given = config.storage?.files ?? []
  const taken = given.find(({ path }) => appended.some((own) => own.path === path))
  if (taken) return failure('ConfigUnusable', `the config holds ${taken.path}, which only the server may write`)
  return {
    kind: 'assembled',
    config: { ...config, storage: { ...config.storage, files: [...given, ...appended] } },
    secretPaths: secretFilesOf(rendered, parsed.value),
  }
}

export type ServedDocument =
  | { readonly kind: 'document'; readonly text: string; readonly secretPaths: readonly string[] }
  | ServeFailure

/** The exact bytes for a client that asked for `version`. */
export function serveDocument(snapshot: ServeSnapshot, version: ServedVersion, style: ServeStyle): ServedDocument {
  const assembled = assembleConfig(snapshot, version, style)
  if (assembled.kind === 'failed') return assembled
  const converted = convertConfig(assembled.config, version.replace(/\.0$/, ''))
  return 'error' in converted
    ? failure('VersionCannotExpressConfig', converted.error)
    : { kind: 'document', text: converted.text, secretPaths: assembled.secretPaths }
}

/** Readable by everybody, as the original writes all of them. */
export const compatibleStyle: ServeStyle = { secretFileMode: 0o644 }
export const privateStyle: ServeStyle = { secretFileMode: 0o600 }

/** Holds the whole config, for people who look for differences later. */
const contentDumpPath = '/etc/mcs-machine-config-content.json'
/** While it is there, the first boot is not finished. */
const encapsulatedPath = '/etc/ignition-machine-config-encapsulated.json'
const newestVersion: ServedVersion = '3.5.0'
const parsePrefix = 'parsing Ignition config failed with error: failed to parse Ignition config: '

const file = (path: string, text: string, mode = 0o644): File => ({
  overwrite: true,
  path,
  contents: { source: encodePercentDataUrl(Buffer.from(text)) },
  mode,
})

/** What the daemon copies to its Node when that is new, keys sorted. */
function nodeAnnotationsText(rendered: string, image: string | undefined): string {
  const annotations: Readonly<Record<string, string>> = {
    [nodeAnnotation.currentConfig]: rendered,
    [nodeAnnotation.desiredConfig]: rendered,
    [nodeAnnotation.firstPivotConfig]: rendered,
    [nodeAnnotation.state]: nodeState.done,
    ...(image && { [nodeAnnotation.currentImage]: image, [nodeAnnotation.desiredImage]: image }),
  }
  return JSON.stringify(Object.fromEntries(Object.entries(annotations).sort(([a], [b]) => (a < b ? -1 : 1))))
}

import { apiVersionOf } from '../api/kind.ts'
import { MachineConfig } from '../api/machineConfig.ts'
import type { MachineOSConfig } from '../api/machineOSConfig.ts'
import { machineConfigLabel, machineOsConfigAnnotation, machineOsConfigCondition } from '../api/names.ts'

export type PreBuiltImages =
  | { readonly kind: 'made'; readonly machineConfigs: readonly MachineConfig[] }
  /** All faults of all objects, joined. */
  | { readonly kind: 'refused'; readonly message: string }

/**
 * At installation a pool may start from an OS image that was built before: each MachineOSConfig names it in an annotation,
 * and becomes a MachineConfig that overrides the pool's OS image (spec: render 15).
 */
export function preBuiltImageConfigs(
  configs: readonly MachineOSConfig[],
  poolNames: ReadonlySet<string>,
): PreBuiltImages {
  const faults: string[] = []
  const machineConfigs: MachineConfig[] = []
  for (const config of configs) {
    const { name = '', annotations = {} } = config.metadata
    const image = annotations[machineOsConfigAnnotation.preBuiltImage]
    if (isBuilt(config)) continue
    const pool = config.spec.machineConfigPool.name
    const fault = whyRefused(name, image, pool, poolNames)
    if (fault !== undefined) faults.push(fault)
    else if (image !== undefined) machineConfigs.push(overrideImage(pool, image))
  }
  if (faults.length === 0) return { kind: 'made', machineConfigs }
  return { kind: 'refused', message: `validation failed for MachineOSConfigs: ${faults.join('; ')}` }
}

const isBuilt = ({ metadata, status }: MachineOSConfig): boolean =>
  metadata.annotations?.[machineOsConfigAnnotation.currentMachineOsBuild] !== undefined ||
  (status?.conditions ?? []).some(({ type, status }) => type === machineOsConfigCondition.seeded && status === 'True')

function whyRefused(
  name: string,
  image: string | undefined,
  pool: string,
  poolNames: ReadonlySet<string>,
): string | undefined {
  const annotation = machineOsConfigAnnotation.preBuiltImage
  if (image === undefined) {
    return `MachineOSConfig "${name}" is missing required annotation "${annotation}" - this is required for install-time OCL`
  }
  if (!poolNames.has(pool)) return `MachineOSConfig "${name}" references non-existent pool "${pool}"`
  const fault = preBuiltImageFault(image)
  return fault && `MachineOSConfig "${name}": ${fault}`
}

/** Why an image reference cannot be used at installation: it must name one image for ever, by its SHA-256 digest. */
export function preBuiltImageFault(image: string): string | undefined {
  if (image === '') return 'pre-built image spec cannot be empty'
  const at = image.indexOf('@')
  if (at <= 0) return `pre-built image must use digested format (image@sha256:digest), got: ${JSON.stringify(image)}`
  const [algorithm = '', digest = ''] = image.slice(at + 1).split(':', 2)
  if (algorithm === 'md5') return `unsupported digest algorithm in ${JSON.stringify(image)}: use sha256`
  if (algorithm !== 'sha256')
    return `pre-built image must use SHA256 digest, got ${algorithm}: ${JSON.stringify(image)}`
  if (/^[0-9a-fA-F]{64}$/.test(digest) && /[A-F]/.test(digest)) {
    return `invalid checksum digest format in ${JSON.stringify(image)}: write the digest in lower case`
  }
  if (!/^[0-9a-f]{64}$/.test(digest))
    return `invalid reference format: ${JSON.stringify(image)} needs 64 hex digits behind sha256:`
  return undefined
}

function overrideImage(pool: string, image: string): MachineConfig {
  return {
    apiVersion: apiVersionOf(MachineConfig),
    kind: MachineConfig.kind,
    metadata: {
      name: `10-prebuiltimage-osimageurl-${pool}`,
      labels: { [machineConfigLabel.role]: pool },
      annotations: { [machineOsConfigAnnotation.preBuiltImage]: image },
    },
    spec: { osImageURL: image },
  }
}

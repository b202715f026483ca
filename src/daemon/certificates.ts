import { nodeAnnotation } from '../api/names.ts'
import { registryCaDirectory } from '../certificates/bundles/bundleCatalogue.ts'
import { certificatesIn } from '../certificates/pemCertificates.ts'
import type { Host, HostFiles } from '../host/host.ts'
import { makeDirectories } from '../host/makeDirectories.ts'
import { type DeliveredFile, deliveredFiles, isDelivered } from './clusterCertificates.ts'
import { deliveredRegistriesPath, parentOf } from './hostPaths.ts'
import { annotationsOf, type NodeContext } from './nodeContext.ts'

/** Reason of events on a paused pool: a certificate reached a node past the pause. */
const certificateDeliveredReason = 'CertificateDelivered'

/**
 * Writes the authorities of the ControllerConfig to this host, also while its pool is paused: then the pool says so. Looks
 * at the disk once in the life of the process and after every change; a call that ends half way is repeated whole.
 */
export async function deliverCertificates({ ports, memory }: NodeContext): Promise<void> {
  const { cluster, host, log, nodeName, report, metrics } = ports
  const certificates = cluster.certificates()
  if (!certificates) return
  const { resourceVersion } = certificates
  const stamp = nodeAnnotation.lastSyncedControllerConfigResourceVersion
  if (memory.certificatesAt === resourceVersion && annotationsOf({ ports, memory })[stamp] === resourceVersion) return
  const files = deliveredFiles(certificates)
  const written = await writeDelivered(host, files, isDelivered('imageRegistryCas', certificates.policies))
  const node = report.node()
  const isPaused = node !== undefined && cluster.poolOf(node).pool?.spec.paused === true
  for (const path of written) {
    const file = files.get(path)
    if (!file) continue
    metrics.certificateDelivered(file.bundle, isPaused)
    log.info('a certificate bundle was delivered', { node: nodeName, path, bundle: file.bundle, paused: isPaused })
    if (isPaused) report.poolEvent('Normal', certificateDeliveredReason, deliveredText(nodeName, path, file))
  }
  memory.certificatesAt = resourceVersion
  report.annotateLater({ [stamp]: resourceVersion })
}

function deliveredText(node: string, path: string, { bundle, text }: DeliveredFile): string {
  const ends = certificatesIn(text).certificates.map(({ notAfter }) => notAfter.getTime())
  const until = ends.length === 0 ? '' : `, the last of them until ${new Date(Math.max(...ends)).toISOString()}`
  return `node ${node}: ${path} has the new bundle ${bundle} (${ends.length} certificates${until}), written past the pause of this pool because the policy of the bundle is Deliver`
}

/** Only what differs. Answers the paths that were written. */
async function writeDelivered(
  host: Host,
  files: ReadonlyMap<string, DeliveredFile>,
  takesRegistries: boolean,
): Promise<readonly string[]> {
  const registries = [...files.keys()].filter((path) => path.startsWith(`${registryCaDirectory}/`)).map(parentOf)
  const earlier = takesRegistries ? await readDelivered(host.files) : []
  // Noted before they are made: a directory that is ours and not known as such would stay for ever.
  if (takesRegistries) await noteDelivered(host.files, earlier, [...earlier, ...registries])
  const written: string[] = []
  for (const [path, { text }] of files) {
    if (await writeChanged(host.files, path, Buffer.from(text, 'latin1'))) written.push(path)
  }
  if (!takesRegistries) return written
  for (const directory of earlier.filter((known) => !registries.includes(known))) {
    await host.files.remove(`${directory}/ca.crt`)
    // Client certificates that somebody put beside it stay, and so does their directory.
    await host.files.removeDirectory(directory)
  }
  await noteDelivered(host.files, [...earlier, ...registries], registries)
  return written
}

async function writeChanged(files: HostFiles, path: string, content: Buffer): Promise<boolean> {
  const present = await files.status(path)
  if (present?.kind === 'directory')
    throw new Error(`${path} is a directory, expected a file with certificates; move it away`)
  if (present?.kind === 'file' && content.equals(await files.read(path, present.sizeBytes))) return false
  const { mode, uid, gid } = present?.kind === 'file' ? present : { mode: 0o644, uid: 0, gid: 0 }
  await makeDirectories(files, parentOf(path), { mode: 0o755, uid: 0, gid: 0 })
  await replace(files, path, content, { mode, uid, gid })
  return true
}

async function replace(
  files: HostFiles,
  path: string,
  content: Buffer,
  attributes: Parameters<HostFiles['create']>[2],
) {
  const fresh = `${path}.mco-new`
  // Left behind by a daemon that was killed here.
  await files.remove(fresh)
  await files.create(fresh, content, attributes)
  await files.rename(fresh, path)
}

/** Directories that this daemon has made. Only these it may take away: others may hold keys of a person. */
async function readDelivered(files: HostFiles): Promise<readonly string[]> {
  const status = await files.status(deliveredRegistriesPath)
  if (!status) return []
  const text = (await files.read(deliveredRegistriesPath, status.sizeBytes)).toString('utf8')
  return text.split('\n').filter((line) => new RegExp(`^${registryCaDirectory}/[^/]+$`).test(line))
}

async function noteDelivered(files: HostFiles, known: readonly string[], next: readonly string[]): Promise<void> {
  const lines = [...new Set(next)].sort()
  if (lines.join('\n') === [...new Set(known)].sort().join('\n')) return
  await makeDirectories(files, parentOf(deliveredRegistriesPath), { mode: 0o755, uid: 0, gid: 0 })
  const content = Buffer.from(lines.map((line) => `${line}\n`).join(''))
  await replace(files, deliveredRegistriesPath, content, { mode: 0o644, uid: 0, gid: 0 })
}

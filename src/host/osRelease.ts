import type { HostFiles, OsIdentity } from './host.ts'
import { resolveLink } from './resolveLink.ts'

/** os-release(5): the administrator's file first, then the vendor's. */
export async function readOsIdentity(files: HostFiles): Promise<OsIdentity> {
  for (const path of ['/etc/os-release', '/usr/lib/os-release']) {
    const text = await readText(files, path)
    if (text !== undefined) return osIdentity(parseOsRelease(text))
  }
  return { id: 'unknown', variantId: '', versionId: '', like: [], imageBased: false }
}

function parseOsRelease(text: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  for (const line of text.split('\n')) {
    const match = /^\s*([A-Z0-9_]+)=(.*?)\s*$/.exec(line)
    if (match?.[1] !== undefined) values.set(match[1], unquote(match[2] ?? ''))
  }
  return values
}

/** Enterprise Linux is image based by its id, or by variant coreos; Fedora by variant coreos (spec: daemon 14). */
function osIdentity(values: ReadonlyMap<string, string>): OsIdentity {
  const id = values.get('ID') ?? 'linux'
  const variantId = values.get('VARIANT_ID') ?? ''
  const versionId = values.get('RHEL_VERSION') ?? values.get('VERSION_ID') ?? ''
  const like = (values.get('ID_LIKE') ?? '').split(/\s+/).filter((word) => word !== '')
  return { id, variantId, versionId, like, imageBased: variantId === 'coreos' || id === 'rhcos' || id === 'scos' }
}

const unquote = (value: string): string =>
  /^(".*"|'.*')$/.test(value) ? value.slice(1, -1).replace(/\\(["$`\\])/g, '$1') : value

async function readText(files: HostFiles, path: string): Promise<string | undefined> {
  // os-release is a link on most systems, and reads do not follow the last component.
  const found = await resolveLink(files, path)
  return found?.status.kind === 'file' ? (await files.read(found.path)).toString('utf8') : undefined
}

import type { HostFiles } from './host.ts'
import { listOrNone } from './listOrNone.ts'
import { resolveLink } from './resolveLink.ts'
import { presetRule } from './unitFile.ts'

const presetPath = [
  '/etc/systemd/system-preset',
  '/run/systemd/system-preset',
  '/usr/local/lib/systemd/system-preset',
  '/usr/lib/systemd/system-preset',
  '/lib/systemd/system-preset',
]

/** What the host's preset files say about a unit; a file hides those of the same name in later directories. */
export async function readPresetRule(files: HostFiles, unit: string): Promise<'enable' | 'disable' | 'none'> {
  const byName = new Map<string, string>()
  for (const directory of presetPath) {
    for (const name of await listOrNone(files, directory)) {
      if (!name.endsWith('.preset') || byName.has(name)) continue
      const found = await resolveLink(files, `${directory}/${name}`)
      // A link to /dev/null is how an administrator takes a vendor's file away.
      byName.set(name, found?.status.kind === 'file' ? (await files.read(found.path)).toString('utf8') : '')
    }
  }
  const inOrder = [...byName].sort(([a], [b]) => (a < b ? -1 : 1))
  return presetRule(
    unit,
    inOrder.map(([, text]) => text),
  )
}

import { deepEqual, match } from 'node:assert/strict'
import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { MachineConfig } from '../../src/api/machineConfig.ts'
import { decodeContents } from '../../src/ignition/contents.ts'
import { ignitionFromValue } from '../../src/ignition/parseIgnition.ts'
import { execute } from '../e2e/harness.ts'

/** Which files of a config are on a disk as it says, which of its units are enabled, which keys are there. */
export async function compareWithConfig(root: string, { spec }: MachineConfig): Promise<void> {
  const { value: config, wireError } = ignitionFromValue(spec?.config)
  if (!config) throw new Error(wireError ?? 'the rendered config has no Ignition part')
  for (const file of config.storage?.files ?? []) {
    const path = join(root, file.path)
    const { mode, uid, gid } = await lstat(path)
    const content = file.contents ? decodeContents(file.contents).value : new Uint8Array()
    deepEqual(
      { path: file.path, mode: mode & 0o7777, uid, gid, content: await readFile(path, 'utf8') },
      {
        path: file.path,
        mode: file.mode ?? 0o644,
        uid: file.user?.id ?? 0,
        gid: file.group?.id ?? 0,
        content: Buffer.from(content ?? []).toString(),
      },
    )
  }
  for (const unit of config.systemd?.units ?? []) {
    const path = join(root, 'etc/systemd/system', unit.name)
    if (unit.contents) deepEqual(await readFile(path, 'utf8'), unit.contents)
    for (const { name, contents = '' } of unit.dropins ?? [])
      deepEqual(await readFile(join(`${path}.d`, name), 'utf8'), contents)
    if (unit.enabled !== undefined) {
      const { stdout } = await execute('systemctl', [`--root=${root}`, 'is-enabled', unit.name])
      deepEqual([unit.name, stdout.trim()], [unit.name, unit.enabled ? 'enabled' : 'disabled'])
    }
  }
  for (const { name, sshAuthorizedKeys = [] } of config.passwd?.users ?? []) {
    match(await readFile(join(root, 'etc/passwd'), 'utf8'), new RegExp(`^${name}:`, 'm'))
    const keys = await readFile(join(root, 'home', name, '.ssh/authorized_keys.d/ignition'), 'utf8')
    deepEqual(keys.trim().split('\n'), sshAuthorizedKeys)
  }
}

/** Each file with what a write would change; to be compared with a later look. */
export async function filesOn(root: string): Promise<Readonly<Record<string, string>>> {
  const files: Record<string, string> = {}
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isDirectory()) continue
    const { ino, mtimeMs, ctimeMs } = await lstat(path)
    files[path.slice(root.length)] = `${ino} ${mtimeMs} ${ctimeMs}`
  }
  return files
}

/** What changed from one look to the other, without the daemon's own records. */
export function changedFiles(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): readonly string[] {
  const paths = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...paths].filter((path) => before[path] !== after[path] && !isRecord(path)).sort()
}

const isRecord = (path: string): boolean =>
  ['/run/', '/var/lib/mco/', '/etc/machine-config-daemon/'].some((folder) => path.startsWith(folder))

import { equal, ok } from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { MachineConfig } from '../../src/api/machineConfig.ts'
import { loadConfig } from '../../src/daemon/loadConfig.ts'
import { decodeContents } from '../../src/ignition/contents.ts'
import type { TestHost } from './testHost.ts'

/** Every file, unit, drop-in and key of a rendered config is on the machine, byte for byte; units are enabled as it says. */
export async function isOnDisk(host: TestHost, rendered: MachineConfig): Promise<void> {
  const { storage, systemd, passwd } = loadConfig(rendered).view.ignition
  const text = (path: string): Promise<string> => readFile(join(host.root, path), 'utf8')
  for (const { path, contents } of storage?.files ?? []) {
    const { value } = decodeContents(contents)
    ok(value !== undefined, path)
    equal(await text(path), Buffer.from(value).toString('utf8'), path)
  }
  for (const { name, contents, enabled, dropins = [] } of systemd?.units ?? []) {
    if (contents) equal(await text(`/etc/systemd/system/${name}`), contents, name)
    for (const dropin of dropins)
      equal(await text(`/etc/systemd/system/${name}.d/${dropin.name}`), dropin.contents ?? '', dropin.name)
    if (enabled !== undefined)
      equal((await host.run('systemctl', ['is-enabled', name])).stdout.trim(), enabled ? 'enabled' : 'disabled', name)
  }
  const keys = (passwd?.users ?? []).flatMap(({ sshAuthorizedKeys = [] }) => sshAuthorizedKeys)
  const found = keys.length === 0 ? '' : await text('/home/core/.ssh/authorized_keys2')
  for (const key of keys) ok(found.split('\n').includes(key), 'a key is missing')
}

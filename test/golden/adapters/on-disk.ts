import { emptyConfig } from '../../../src/daemon/change.ts'
import { checkDisk, nearestDirectories, watchedDirectories } from '../../../src/daemon/checkDisk.ts'
import { dropinOf } from '../../../src/daemon/hostPaths.ts'
import { managedPaths } from '../../../src/daemon/managedPaths.ts'
import { defaultAuthorizedKeysFile, defaultSshUser } from '../../../src/daemon/plan.ts'
import { ignitionFromValue } from '../../../src/ignition/parseIgnition.ts'
import type { Adapter, Input } from '../adapter.ts'
import { recordedMachine } from '../recordedMachine.ts'

const options = { sshUser: defaultSshUser, authorizedKeysFile: defaultAuthorizedKeysFile }

export const adapter: Adapter = {
  run: (topic, input) => (topic === 'dropin-path' ? dropinPath(input) : onDisk(topic, atRoot(input))),
  /** `/ROOT` is the root of the machine; a config that cannot be read never reaches a comparison of disks. */
  recorded: (_topic, _input, expected) =>
    atRoot(expected.kind === 'other' ? { ...expected, error: 'unreadable' } : expected),
}

const atRoot = (value: Input): Input => JSON.parse(JSON.stringify(value).replaceAll('/ROOT/', '/'))

function dropinPath({ path }: { readonly path: string }): unknown {
  const dropin = dropinOf(path)
  return { dropin: dropin !== undefined, unit: dropin?.unit ?? '', name: dropin?.name ?? '' }
}

async function onDisk(topic: string, { config, disk, enabled }: Input): Promise<unknown> {
  const { value } = ignitionFromValue(config)
  if (!value) return { error: 'unreadable', kind: 'other' }
  const view = { ...emptyConfig, name: 'rendered', ignition: value }
  const machine = await recordedMachine({ disk, enabled })
  try {
    if (topic === 'watch-paths') {
      const directories = await watchedDirectories(machine.host, view, options)
      return { files: [...managedPaths(view)].sort(), dirs: await nearestDirectories(machine.host, directories) }
    }
    const [first] = await checkDisk(machine.host, view, options)
    return first ? { error: first.message, kind: first.kind } : { error: null }
  } finally {
    machine.close()
  }
}

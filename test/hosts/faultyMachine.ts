import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { journalDirectory } from '../../src/daemon/hostPaths.ts'
import type { SingleProcessCluster } from '../../src/embedded/singleProcess.ts'
import type { ConfigInput } from '../daemon/builders.ts'
import { until } from '../e2e/harness.ts'
import { clusterNode, faulty, reader, readerNote } from './clusterNode.ts'
import { differingPaths, leftoversOf, readDiskState } from './diskState.ts'
import type { TestHost } from './testHost.ts'

const file = `${faulty.directory}/a`
const at = (path: string) => path.replaceAll('/', '\\/')
const temporary = `${at(faulty.directory)}\\/\\.mco-\\S+`
const service = (...lines: readonly string[]) => ({
  name: faulty.unit,
  enabled: true,
  contents: ['[Service]', ...lines, '[Install]', 'WantedBy=multi-user.target', ''].join('\n'),
})

/**
 * What can be wrong on a machine, with the daemon that serves it. Each ends Degraded with a sentence that names the step,
 * the path or unit, the cause and what to do; the disk as it was; the machine uncordoned; and nothing tried in a loop.
 */
export function faultyMachine(cluster: SingleProcessCluster, host: TestHost): Record<string, () => Promise<void>> {
  const node = clusterNode(cluster, host)
  const good = { config: '' }
  const outside = (path: string): string => join(host.root, path)
  const directory = outside(faulty.directory)
  const journal = outside(`${journalDirectory}/current`)
  let configs = 0

  const render = (input: ConfigInput): Promise<string> => {
    configs += 1
    // The good config's own fragment stays: only what is added fails.
    const files = { ...input.files, '/etc/mco-new/number': String(configs) }
    return node.render('80-worker-fault', { ...input, files })
  }
  const degraded = async (): Promise<string> => {
    await until(async () => (await node.told()).state === 'Degraded', 'the state Degraded', 60_000)
    return (await node.told()).reason
  }
  const isQuiet = async (): Promise<void> => {
    const before = await node.activity()
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    equal(await node.activity(), before, 'it is tried in a loop')
  }
  /** Sent to a config that cannot be applied, and back. */
  const fails = async (input: ConfigInput, reason: RegExp): Promise<void> => {
    const disk = readDiskState(host.root)
    await node.desire(await render(input))
    match(await degraded(), reason)
    await until(async () => !(await node.isCordoned()), 'the machine to be given back', 20_000)
    const found = readDiskState(host.root)
    deepEqual(differingPaths(disk, found), [])
    deepEqual(leftoversOf(found, host.root), [])
    await isQuiet()
    await back()
  }
  const back = async (): Promise<void> => {
    await node.desire(good.config)
    await node.settled(good.config)
  }
  const succeeds = async (input: ConfigInput): Promise<void> => {
    const config = await render(input)
    await node.desire(config)
    await node.settled(config)
    await back()
  }
  const mounted = async (options: string, check: () => Promise<void>): Promise<void> => {
    await host.must('mkdir', ['-p', faulty.directory])
    await host.must('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', faulty.directory])
    await check()
    await host.must('umount', [faulty.directory])
  }
  const big: ConfigInput = { files: { [`${faulty.directory}/big`]: 'x'.repeat(200_000) } }

  return {
    'a full disk; with room it goes on': async () => {
      good.config = (await node.twoConfigs())[0]
      await node.settled(good.config)
      await mounted('size=64k', async () => {
        await fails(
          big,
          new RegExp(`^write ${at(faulty.directory)}/big .*: write ${temporary}: ENOSPC, no space is left; free some`),
        )
        await host.must('mount', ['-o', 'remount,size=1m', faulty.directory])
        await succeeds(big)
      })
    },
    'a read-only filesystem; writable it goes on': async () => {
      await mounted('ro', async () => {
        await fails(
          { files: { [file]: 'x' } },
          new RegExp(`^write ${at(file)} .*EROFS, the filesystem is read-only; mount it writable`),
        )
        await host.must('mount', ['-o', 'remount,rw', faulty.directory])
        await succeeds({ files: { [file]: 'x' } })
      })
    },
    'an immutable file; without the attribute it goes on': async () => {
      await mkdir(directory, { recursive: true })
      await writeFile(outside(file), 'kept')
      await host.must('chattr', ['+i', file])
      await fails({ files: { [file]: 'x' } }, new RegExp(`^write ${at(file)} .*EPERM, not permitted; .*chattr -i`))
      equal(node.text(file), 'kept')
      await host.must('chattr', ['-i', file])
      await succeeds({ files: { [file]: 'x' } })
    },
    'a directory where a file should be, an owner that does not exist': async () => {
      await mkdir(join(directory, 'dir'))
      await fails(
        { files: { [`${faulty.directory}/dir`]: 'x' } },
        /mco-fault\/dir should be a file but is a directory; move it away/,
      )
      const owned = (owner: object): ConfigInput => ({ files: { [file]: { text: 'x', ...owner } } })
      await fails(owned({ user: { name: 'ghost' } }), /file "\/etc\/mco-fault\/a": .*UserID for username: ghost/)
      await fails(owned({ group: { name: 'ghosts' } }), /file "\/etc\/mco-fault\/a": .*GroupID for group: ghosts/)
    },
    'a unit that does not start: its last log lines are in the reason': async () => {
      const unit = service('Type=oneshot', 'ExecStart=/bin/sh -c "echo the disk is on fire; exit 1"')
      await fails(
        { units: [unit] },
        /Restarting mco-faulty\.service service failed\..*last log lines:.*the disk is on fire/,
      )
      equal((await host.run('systemctl', ['is-failed', faulty.unit])).stdout.trim(), 'inactive')
    },
    'a drop-in that breaks a unit: it runs again as before': async () => {
      const dropins = [{ name: '90-broken.conf', contents: '[Service]\nExecStart=\nExecStart=/does/not/exist\n' }]
      await fails(
        { units: [{ name: reader.unit, dropins }] },
        /Restarting mco-reader\.service service failed\..*last log lines:.*\/does\/not\/exist/,
      )
      equal((await host.must('systemctl', ['is-active', reader.unit])).trim(), 'active')
      equal(node.text(readerNote), node.text(reader.reads))
    },
    'a reload that hangs: its own limit ends it, and all is taken back': async () => {
      const unit = service('TimeoutStartSec=2', 'ExecStart=/bin/sleep 1000', 'ExecReload=/bin/sleep 1000')
      const started = await render({ units: [unit] })
      await node.desire(started)
      await node.settled(started)
      good.config = started
      await fails(
        { units: [unit], files: { '/etc/mco-reload/a': 'x' } },
        /Reloading mco-faulty\.service service failed\..*timed out/,
      )
      equal((await host.must('systemctl', ['is-active', faulty.unit])).trim(), 'active')
    },
    'a second daemon is refused in one sentence, and the first goes on': async () => {
      const args = ['/opt/mco/dist/mco.mjs', 'daemon', '--node-name', host.name, '--root-mount', '/']
      const { code, stderr } = await host.run('node', [...args, '--kubeconfig', '/etc/mco-test/daemon.conf'])
      equal(code, 3, stderr)
      match(stderr, /already works on this host/)
      ok(await node.isRunning())
    },
    'SIGTERM in the middle: the update is brought to its end first': async () => {
      const names = Array.from({ length: 400 }, (_, index) => `${faulty.directory}/many-${index}`)
      const config = await render({ files: Object.fromEntries(names.map((name) => [name, name.repeat(50)])) })
      await node.desire(config)
      await until(() => existsSync(`${journal}/records`), 'the update to begin', 30_000)
      await node.stop()
      const records = await readFile(`${journal}/records`, 'utf8').catch(() => 'ended')
      ok(/"applied"|ended/.test(records), `it was cut off: ${records.slice(-200)}`)
      for (const name of names) equal(node.text(name), name.repeat(50))
      await node.start()
      await node.settled(config)
      await back()
    },
    'a damaged journal: what to do is said, and done it goes on': async () => {
      await node.stop()
      await mkdir(journal, { recursive: true })
      await writeFile(join(journal, 'records'), '{"version":2,\n{"kind":"applied"}\n')
      await node.start()
      match(await degraded(), /records is not readable as JSON; the disk may be damaged\. Move \S+ away to start over$/)
      await rm(journal, { recursive: true })
      await node.settled(good.config)
    },
    'a damaged currentconfig, likewise': async () => {
      const path = '/etc/machine-config-daemon/currentconfig'
      await node.stop()
      await writeFile(outside(path), '{"metadata":{"na')
      await node.start()
      match(
        await degraded(),
        /currentconfig is not JSON; the disk may be damaged\. Remove it to let the node's annotations decide$/,
      )
      await rm(outside(path))
      await node.settled(good.config)
      equal(JSON.parse(node.text(path)).metadata.name, good.config)
    },
  }
}

import { equal, match, ok } from 'node:assert/strict'
import { copyFile, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import type { MachineConfig } from '../../src/api/machineConfig.ts'
import { nodeAnnotation } from '../../src/api/names.ts'
import { reservePort } from '../../src/embedded/configServer.ts'
import { execute, kubectlFor, mco, suite, until } from '../e2e/harness.ts'
import { bundleInside } from '../hosts/bundleInside.ts'
import { whatIsMissing } from '../hosts/requirements.ts'
import { compareWithConfig } from '../join/disk.ts'
import { machineConfig, nodeUnits, startConfigServer, startControlPlane } from './cluster.ts'
import { makeDisk, makeProgramDisk, partitionOffset } from './image.ts'
import { hostAddress, type Machine, startMachine } from './machine.ts'
import { printProgress } from './progress.ts'

/**
 * Whole machines, by software emulation: Debian boots with the real Ignition in its initramfs, fetches from our server, comes
 * up as its config says, ends its installation and joins. Needs root; says what is missing otherwise.
 */
const missing = whatIsMissing({
  debootstrap: 'debootstrap',
  mke2fs: 'e2fsprogs',
  debugfs: 'e2fsprogs',
  unshare: 'util-linux',
  'qemu-system-x86_64': 'qemu-system-x86',
})
if (missing !== undefined) {
  console.error(`cannot boot whole machines: ${missing}`)
  process.exit(2)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
const minutes = 60_000
setTimeout(() => {
  console.error('whole machines: not done after 40 minutes')
  process.exit(1)
}, 40 * minutes).unref()
// Kept, for those who look why a machine did not boot.
const logs = resolve('node_modules', '.cache', 'mco', 'boot')
await mkdir(logs, { recursive: true })
const directory = await mkdtemp(join(tmpdir(), 'mco-boot-'))
const leave: (() => Promise<unknown>)[] = [() => rm(directory, { recursive: true, force: true })]

try {
  const pristine = join(directory, 'pristine.disk')
  await makeDisk(pristine)
  const programs = join(directory, 'programs.disk')
  await makeProgramDisk(programs, await programFolder())
  const cluster = await startControlPlane(join(directory, 'cluster'))
  leave.unshift(() => cluster.close())
  const kubectl = kubectlFor({ kubeconfig: cluster.kubeconfigPath })
  await cluster.updated(AbortSignal.timeout(2 * minutes))
  const port = await reservePort(0)
  const server = await startConfigServer(directory, cluster, kubectl, port)
  leave.unshift(() => server.stop())
  const machines = new Map<string, Machine>()

  const annotationsOf = async (name: string): Promise<Readonly<Record<string, string>>> => {
    const { code, stdout } = await kubectl.result(['get', 'node', name, '-ojsonpath={.metadata.annotations}'])
    return code === 0 && stdout !== '' ? JSON.parse(stdout) : {}
  }
  const renderedOf = async (pool: string): Promise<MachineConfig> =>
    kubectl.json(['get', 'mc', await kubectl.run(['get', 'mcp', pool, '-ojsonpath={.spec.configuration.name}'])])

  /** The pointer as a user makes it, for one boot, and what only this machine has. */
  const pointerFor = async (name: string, pool: string): Promise<{ path: string; token: string }> => {
    const wish = ['--pool', pool, '--server', `${hostAddress}:${port}`, '--ignition-version', '3.3']
    const limits = ['--new-token', '--expires', '1h', '--uses', '1', '--kubeconfig', cluster.kubeconfigPath]
    const pointer = JSON.parse((await mco(['pointer', ...wish, ...limits])).stdout)
    const hostname = { path: '/etc/hostname', overwrite: true, mode: 0o644, contents: { source: `data:,${name}%0A` } }
    const path = join(directory, `${name}.ign`)
    await writeFile(path, JSON.stringify({ ...pointer, storage: { files: [hostname] } }), { mode: 0o600 })
    const token: string = pointer.ignition.config.merge[0].httpHeaders[0].value.replace('Bearer ', '')
    return { path, token }
  }

  const joins = async (name: string, pool: string, boots: number): Promise<void> => {
    const { path, token } = await pointerFor(name, pool)
    const disk = join(directory, `${name}.disk`)
    await copyFile(pristine, disk)
    const machine = startMachine({
      name,
      consoleLog: join(logs, `${name}.log`),
      disk,
      programs,
      pointer: path,
      control: join(directory, `${name}.qmp`),
    })
    machines.set(name, machine)
    leave.unshift(() => machine.kill())
    const stopPrinting = printProgress(name, machine)
    try {
      const { metadata } = await renderedOf(pool)
      await machine.until(
        async () => {
          const { [nodeAnnotation.state]: state, [nodeAnnotation.currentConfig]: current } = await annotationsOf(name)
          return state === 'Done' && current === metadata.name
        },
        `node ${name} to be Done at ${metadata.name}`,
        15 * minutes,
      )
      await kubectl.run(['wait', `mcp/${pool}`, '--for=condition=Updated', '--timeout=120s'], { timeoutMs: 130_000 })
      const console = await machine.console()
      equal(await machine.boots(), boots)
      match(
        console,
        new RegExp(`ignition\\[\\d+\\]: GET https://${hostAddress.replaceAll('.', '\\.')}:${port}/config/${pool}`),
      )
      match(console, /ignition\[\d+\]: GET result: OK/)
      ok(!console.includes(token), 'the token is on the console')
      ok(!server.output().includes(token), "the token is in the server's log")
    } finally {
      await stopPrinting()
    }
  }

  const isOnDisk = async (name: string, pool: string): Promise<void> => {
    const machine = machines.get(name)
    if (!machine) throw new Error(`${name} was not started`)
    await machine.powerOff()
    // Neither while it joined nor while everything was stopped.
    equal((await machine.console()).match(/"level":"error".*/g)?.join('\n'), undefined)
    const root = join(directory, `${name}.root`)
    await mkdir(root)
    const disk = `${join(directory, `${name}.disk`)}?offset=${partitionOffset}`
    for (const folder of ['/etc', '/home', '/boot', '/usr/local', '/var/lib/mco']) {
      const { stderr } = await execute('debugfs', ['-R', `rdump ${folder} ${root}`, disk])
      ok(!/not found|Bad/.test(stderr), stderr)
    }
    const rendered = await renderedOf(pool)
    await compareWithConfig(root, rendered)
    equal(await readFile(join(root, 'etc/hostname'), 'utf8'), `${name}\n`)
    const files = await readdir(join(root, 'etc'))
    ok(!files.includes('ignition-machine-config-encapsulated.json'), 'the installation has not ended')
    ok(files.includes('ignition-machine-config-encapsulated.json.bak'))
    ok(!(await readdir(join(root, 'boot'))).includes('ignition.firstboot'))
  }

  await suite('boot', {
    'the pools have files, units, keys, and one a kernel argument': async () => {
      for (const example of ['chrony', 'sysctl', 'ssh-key', 'unit-with-dropin'])
        await kubectl.run(['apply', '-f', `examples/${example}.yaml`])
      const role = { path: '/etc/default/role', mode: 0o644, contents: { source: 'data:,ROLE=infra%0A' } }
      const infra = {
        kernelArguments: ['audit=0'],
        config: { ignition: { version: '3.5.0' }, storage: { files: [role] } },
      }
      for (const object of [await nodeUnits(), machineConfig('99-infra-kernel', 'infra', infra)])
        await kubectl.run(['apply', '-f', '-'], { input: JSON.stringify(object) })
      await until(async () => {
        const texts = [JSON.stringify(await renderedOf('worker')), JSON.stringify(await renderedOf('infra'))]
        return texts.every((text) => text.includes('mco-daemon')) && texts.join().includes('audit=0')
      }, 'the pools to be rendered')
      await kubectl.run(['wait', 'mcp', '--all', '--for=condition=Updated', '--timeout=120s'], { timeoutMs: 130_000 })
    },
    'a bare worker boots once and joins Updated': () => joins('boot-worker', 'worker', 1),
    'its disk is as its config says': () => isOnDisk('boot-worker', 'worker'),
    'a machine with a kernel argument reboots once before it joins': async () => {
      await joins('boot-infra', 'infra', 2)
      const lines = (await machines.get('boot-infra')?.console())?.match(/Command line: .*/g) ?? []
      equal(lines.length, 2)
      ok(!lines[0]?.includes('audit=0') && lines[0]?.includes('ignition.firstboot'), lines[0])
      ok(lines[1]?.includes('audit=0') && !lines[1]?.includes('ignition.firstboot'), lines[1])
    },
    'its disk is as its config says too': () => isOnDisk('boot-infra', 'infra'),
    'the config server has seen each of them fetch and join': async () => {
      const lines = server
        .output()
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line): Readonly<Record<string, unknown>> => JSON.parse(line))
      for (const pool of ['worker', 'infra']) {
        const served = lines.filter(({ msg, pool: of, method }) => msg === 'request' && of === pool && method === 'GET')
        equal(served.length, 1, `${pool} was fetched ${served.length} times`)
        const joined = lines.filter(({ msg, pool: of }) => msg === 'first boot completed' && of === pool)
        equal(joined.map(({ node }) => node).join(), `boot-${pool}`)
        console.log(`      ${pool}: ${JSON.stringify(served[0])}\n      ${pool}: ${JSON.stringify(joined[0])}`)
      }
    },
  })
} finally {
  for (const step of leave) await step()
  console.log(`what the machines said: ${logs}`)
}

/** Node.js, mco, and what plays the kubelet. */
async function programFolder(): Promise<string> {
  // Builds dist/mco.mjs when a source is newer.
  await execute('bin/mco', ['--version'])
  const folder = join(directory, 'programs')
  await mkdir(folder)
  await copyFile(process.execPath, join(folder, 'node'))
  await cp('dist', join(folder, 'dist'), { recursive: true, filter: (path) => !path.endsWith('.map') })
  await bundleInside(join(folder, 'inside'))
  return folder
}

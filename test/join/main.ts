import { equal, match, ok } from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { parse } from 'yaml'
import type { MachineConfig } from '../../src/api/machineConfig.ts'
import { nodeAnnotation } from '../../src/api/names.ts'
import { kubectlFor, mco, suite, textOf, until, up } from '../e2e/harness.ts'
import { changedFiles, compareWithConfig, filesOn } from './disk.ts'
import { freePort } from './freePort.ts'
import { openFileLimit, openIdleConnections } from './idleConnections.ts'
import { type Installed, installMachine, objections } from './ignition.ts'
import { fetchConfig, joinPlace, secretsBy, serverFolder, startServer } from './joinCluster.ts'
import { rotationChecks } from './rotations.ts'

/**
 * Machines that join, from the pointer config to the Updated node: Debian's Ignition fetches from our server and writes an
 * empty disk, our daemon starts on that disk and finds nothing to write.
 */
const directory = await mkdtemp(join(tmpdir(), 'mco-join-'))
// Ignition writes a user's keys as that user.
await chmod(directory, 0o711)
const cluster = await up({ args: ['--pools', 'master=1,worker=1,infra=1'] })
const kubectl = kubectlFor(cluster)
const secrets = secretsBy(kubectl)
const daemons: ChildProcess[] = []

const roles = { master: 'control-plane', worker: 'worker', infra: 'infra' } as const
type Pool = keyof typeof roles

const settled = (): Promise<string> =>
  kubectl.run(['wait', 'mcp', '--all', '--for=condition=Updated', '--timeout=120s'], { timeoutMs: 130_000 })

const renderedOf = async (pool: string): Promise<MachineConfig> => {
  const name = await kubectl.run(['get', 'mcp', pool, '-ojsonpath={.status.configuration.name}'])
  return kubectl.json<MachineConfig>(['get', 'machineconfig', name])
}

const complaints = (log: string): string =>
  log
    .split('\n')
    .filter((line) => /^(CRITICAL|ERR|WARNING|EMERG)/.test(line))
    .join('\n')

const install = async (name: string, pointer: string): Promise<Installed> => {
  const installed = await installMachine(join(directory, name), pointer)
  equal(installed.failedStage, undefined, complaints(installed.log))
  return installed
}

/** As the kubelet does when its certificate is there. */
const register = (name: string, pool: Pool): Promise<string> =>
  kubectl.run(['create', '-f', '-'], {
    input: JSON.stringify({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: {
        name,
        labels: {
          [`node-role.kubernetes.io/${roles[pool]}`]: '',
          // Nodes of a custom pool are workers too.
          ...(pool !== 'master' && { 'node-role.kubernetes.io/worker': '' }),
          ...(pool === 'master' && { 'node-role.kubernetes.io/master': '' }),
          'kubernetes.io/os': 'linux',
        },
      },
    }),
  })

const startDaemon = (name: string, root: string): void => {
  const quiet = ['--kubelet-healthz-endpoint', '', '--metrics-url', '127.0.0.1:0', '--log-level', 'warn']
  const args = ['daemon', '--node-name', name, '--kubeconfig', cluster.kubeconfig, '--root-mount', root]
  daemons.push(
    spawn(process.execPath, ['dist/mco.mjs', ...args, ...quiet], { stdio: ['ignore', 'inherit', 'inherit'] }),
  )
}

const annotationsOf = async (name: string): Promise<Readonly<Record<string, string>>> =>
  (await kubectl.json<{ metadata: { annotations?: Record<string, string> } }>(['get', 'node', name])).metadata
    .annotations ?? {}

interface CloudConfig {
  readonly users: readonly [string, { readonly name: string }]
  readonly write_files: readonly { readonly path: string; readonly content: string }[]
  readonly runcmd: readonly [readonly string[]]
}

const writeDisk = async (root: string, files: Readonly<Record<string, string>>): Promise<void> => {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
}

const joins = async (pool: Pool): Promise<void> => {
  const name = `joiner-${pool}`
  const { root } = await install(name, (await joinPlace(secrets, pool)).pointer)
  const rendered = await renderedOf(pool)
  await compareWithConfig(root, rendered)
  const annotations = JSON.parse(await readFile(join(root, 'etc/machine-config-daemon/node-annotations.json'), 'utf8'))
  equal(annotations[nodeAnnotation.desiredConfig], rendered.metadata.name)
  match((await textOf(join(root, 'etc/kubernetes/kubeconfig'))) ?? '', /current-context/)
  const before = await filesOn(root)
  await register(name, pool)
  startDaemon(name, root)
  await until(async () => {
    const { [nodeAnnotation.state]: state, [nodeAnnotation.currentConfig]: current } = await annotationsOf(name)
    return state === 'Done' && current === rendered.metadata.name
  }, `node ${name} to be Done`)
  await settled()
  const encapsulated = '/etc/ignition-machine-config-encapsulated.json'
  const firstBoot = [encapsulated, `${encapsulated}.bak`, '/etc/systemd/system-preset/20-ignition.preset']
  const kernel = (rendered.spec?.kernelArguments ?? []).length > 0 ? ['/boot/mco-kernel-arguments'] : []
  equal(changedFiles(before, await filesOn(root)).join('\n'), [...firstBoot, ...kernel].sort().join('\n'))
}

const peakMbOf = async (pid: number): Promise<number> =>
  Math.round(Number(/^VmHWM:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024)

const machineConfig = (name: string, role: string, spec: object) => ({
  apiVersion: 'machineconfiguration.openshift.io/v1',
  kind: 'MachineConfig',
  metadata: { name, labels: { 'machineconfiguration.openshift.io/role': role } },
  spec,
})

try {
  await suite('join', {
    'every pool has something of its own': async () => {
      for (const example of ['chrony', 'sysctl', 'ssh-key', 'unit-with-dropin'])
        await kubectl.run(['apply', '-f', `examples/${example}.yaml`])
      const secret = {
        path: '/etc/app/secret',
        mode: 0o600,
        user: { id: 12 },
        group: { id: 34 },
        contents: { source: 'data:;base64,aHVzaA==' },
      }
      const config = { ignition: { version: '3.5.0' }, storage: { files: [secret] } }
      for (const pool of Object.keys(roles)) {
        const object = machineConfig(`99-${pool}-join`, pool, { config })
        await kubectl.run(['apply', '-f', '-'], { input: JSON.stringify(object) })
      }
      const kernel = machineConfig('99-infra-kernel', 'infra', { kernelArguments: ['nosmt'] })
      await kubectl.run(['apply', '-f', '-'], { input: JSON.stringify(kernel) })
      await until(async () => JSON.stringify(await renderedOf('infra')).includes('nosmt'), 'infra to be rendered anew')
      await settled()
    },
    'a worker joins Updated, and nothing is written twice': () => joins('worker'),
    'so does a control-plane machine': () => joins('master'),
    'so does a machine of a custom pool, with one reboot for its kernel argument': () => joins('infra'),
    'an event on the pool names the machine and the token': async () => {
      const id = (await joinPlace(secrets, 'worker')).token.split('.')[0]
      const { metadata } = await renderedOf('worker')
      const query = ['get', 'events', '-A', '--field-selector', 'reason=ConfigServed,involvedObject.name=worker']
      await until(
        async () => (await kubectl.run([...query, '-ojsonpath={.items[*].message}'])) !== '',
        'the event to be written',
      )
      equal(
        await kubectl.run([...query, '-ojsonpath={.items[0].message}']),
        `${metadata.name} was served to 1 machine: 127.0.0.1 by token ${id}`,
      )
    },
    'a pointer that `mco pointer` makes is enough, and options that it would ignore are refused': async () => {
      const base = ['pointer', '--pool', 'worker', '--kubeconfig', cluster.kubeconfig]
      const pointer = await mco([...base, '--new-token', '--uses', '1', '--ignition-version', '3.3'])
      await compareWithConfig((await install('pointer', pointer.stdout)).root, await renderedOf('worker'))
      for (const idle of [
        ['--uses', '1'],
        ['--expires', '2h'],
        ['--machine', 'a'],
        ['--from', '10.0.0.0/8'],
      ]) {
        const { stderr } = await mco([...base, ...idle], { code: 2 })
        match(stderr, /is for a new token: give --new-token too/)
      }
    },
    'so does a machine with cloud-init, by what its user data says': async () => {
      const name = 'joiner-cloud'
      const root = join(directory, name, 'root')
      const made = ['--pool', 'worker', '--new-token', '--uses', '1', '--expires', '1h', '--format', 'cloud-init']
      const { stdout } = await mco(['pointer', ...made, '--kubeconfig', cluster.kubeconfig])
      const data: CloudConfig = parse(stdout)
      // What cloud-init does: the users, the files, the commands.
      const [, user] = data.users
      await writeDisk(root, {
        'etc/passwd': `root:x:0:0::/root:/bin/sh\n${user.name}:x:1000:1000::/home/${user.name}:/bin/sh\n`,
        'etc/group': `root:x:0:\n${user.name}:x:1000:\n`,
        ...Object.fromEntries(data.write_files.map(({ path, content }) => [path, content])),
      })
      const [[program, verb = '', flag = '', pointer = '']] = data.runcmd
      equal(program, 'mco')
      const command = [verb, flag, join(root, pointer), '--root', root, '--no-reboot']
      match((await mco(command)).stdout, /a reboot completes the installation to rendered-worker-/)
      match((await mco(command)).stderr, /was set up before/)
      const rendered = await renderedOf('worker')
      await compareWithConfig(root, rendered)
      const before = await filesOn(root)
      await register(name, 'worker')
      startDaemon(name, root)
      await until(async () => {
        const { [nodeAnnotation.state]: state, [nodeAnnotation.currentConfig]: current } = await annotationsOf(name)
        return state === 'Done' && current === rendered.metadata.name
      }, `node ${name} to be Done`)
      equal(changedFiles(before, await filesOn(root)).join('\n'), '')
    },
    'everything that is served is accepted by ignition-validate': async () => {
      for (const pool of Object.keys(roles)) {
        const place = await joinPlace(secrets, pool)
        for (const version of ['3.0.0', '3.1.0', '3.2.0', '3.3.0']) {
          const { status, body, headers } = await fetchConfig(place, version)
          equal(status, 200, `${pool} ${version}: ${headers['x-machine-config-error']}`)
          equal(JSON.parse(body).ignition.version, version)
          equal(await objections(body), '', `${pool} ${version}`)
        }
      }
    },
    'Ignition gives up on a wrong token, and the answer says why': async () => {
      const place = await joinPlace(secrets, 'worker')
      const wrong = place.token.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
      const { failedStage, log } = await installMachine(
        join(directory, 'wrong-token'),
        place.pointer.replace(place.token, wrong),
      )
      equal(failedStage, 'fetch')
      match(log, /GET result: Unauthorized/)
      const { status, body, headers } = await fetchConfig({ ...place, token: wrong }, '3.3.0')
      equal(status, 401)
      equal(body, '')
      ok(headers['x-machine-config-error'])
    },
    'without a token a config is served in open mode only, with a warning': async () => {
      const place = await joinPlace(secrets, 'worker')
      equal((await fetchConfig({ ...place, token: '' }, '3.3.0')).status, 401)
      const server = await startServer(await serverFolder(directory, secrets), cluster, {
        port: await freePort(),
        access: 'open',
      })
      try {
        const pointer = place.pointer.replace(place.url, `${server.url}/worker`).replace(/"httpHeaders":\[.*?\],/, '')
        ok(!pointer.includes(place.token))
        const { root } = await install('open', pointer)
        await compareWithConfig(root, await renderedOf('worker'))
        match(server.output(), /"level":"warn"[^\n]*open/)
      } finally {
        await server.stop()
      }
    },
    'Ignition waits for a server that is not there yet': async () => {
      const port = await freePort()
      const place = await joinPlace(secrets, 'worker')
      const installing = installMachine(
        join(directory, 'early'),
        place.pointer.replace(place.url, `https://127.0.0.1:${port}/config/worker`),
      )
      await new Promise((resolve) => setTimeout(resolve, 1500))
      const server = await startServer(await serverFolder(directory, secrets), cluster, { port, access: 'token' })
      try {
        const { failedStage, log } = await installing
        equal(failedStage, undefined, complaints(log))
        match(log, /attempt #[2-9]/)
      } finally {
        await server.stop()
      }
    },
    ...rotationChecks(cluster, kubectl),
    'ten thousand connections that say nothing keep nobody from joining': async () => {
      const [count, spare] = [10_000, 1000]
      if ((await openFileLimit()) < count + spare) {
        console.log(`NOT RUN: ${count} connections, more than this process may open`)
        return
      }
      const port = await freePort()
      const place = await joinPlace(secrets, 'worker')
      const server = await startServer(await serverFolder(directory, secrets), cluster, { port, access: 'token' })
      const idle = await openIdleConnections(port, count)
      try {
        ok(idle.open() > 5000, `${idle.open()} are open`)
        await install('crowded', place.pointer.replace(place.url, `https://127.0.0.1:${port}/config/worker`))
        match(server.output(), /"reason":"IdleGaveWay"/)
        ok(idle.open() > 5000, `${idle.open()} are still open`)
        console.log(`      server: ${await peakMbOf(server.pid)} MB at most`)
      } finally {
        idle.end()
        await server.stop()
      }
    },
    'machines join while the API server is away, also after a restart of the config server': async () => {
      const port = await freePort()
      const folder = await serverFolder(directory, secrets)
      const place = await joinPlace(secrets, 'worker')
      const rendered = await renderedOf('worker')
      const kubeconfig = join(directory, 'kubeconfig')
      await copyFile(cluster.kubeconfig, kubeconfig)
      const pointer = place.pointer.replace(place.url, `https://127.0.0.1:${port}/config/worker`)
      const before = await startServer(folder, { kubeconfig }, { port, access: 'token' })
      try {
        await install('with-api', pointer)
        for (const daemon of daemons.splice(0)) daemon.kill('SIGTERM')
        await cluster.stop()
        await compareWithConfig((await install('api-away', pointer)).root, rendered)
      } finally {
        await before.stop()
      }
      const after = await startServer(folder, { kubeconfig }, { port, access: 'token' })
      try {
        await compareWithConfig((await install('restarted', pointer)).root, rendered)
        // By then it has tried to tell of it.
        await new Promise((resolve) => setTimeout(resolve, 1500))
        const { status } = await fetchConfig(
          { ...place, url: `https://127.0.0.1:${port}/config/worker`, token: '' },
          '3.3.0',
        )
        equal(status, 401)
      } finally {
        await after.stop()
      }
    },
  })
} finally {
  for (const daemon of daemons) daemon.kill('SIGTERM')
  await cluster.stop()
  await rm(directory, { recursive: true, force: true })
}

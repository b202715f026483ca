import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Node } from '../../src/api/core.ts'
import { kubectlFor, mco, suite, textOf, until, up } from './harness.ts'

/** `mco daemon` as a process of its own, joined to a cluster over the network. */
const cluster = await up({ args: ['--nodes', '2'] })
const root = await mkdtemp(join(tmpdir(), 'mco-daemon-e2e-'))
const kubectl = kubectlFor(cluster)
const node = 'outside-0'
const prefix = 'machineconfiguration.openshift.io'
let daemon: Daemon | undefined

interface Daemon {
  readonly process: ChildProcess
  readonly status: string
  output(): string
}

async function annotation(name: string): Promise<string> {
  const { metadata } = await kubectl.json<Node>(['get', 'node', node])
  return metadata.annotations?.[`${prefix}/${name}`] ?? ''
}

const daemonArgs = (port: number): string[] => [
  ...['daemon', '--node-name', node, '--kubeconfig', cluster.kubeconfig, '--root-mount', root],
  ...['--drift-mode', 'repair', '--kubelet-healthz-endpoint', '', '--metrics-url', `127.0.0.1:${port}`],
]

async function startDaemon(): Promise<Daemon> {
  const child = spawn('bin/mco', daemonArgs(0), { stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await until(() => output.includes('"msg":"daemon started"'), `the daemon to start; it printed:\n${output}`)
  const line = output.split('\n').find((text) => text.includes('"msg":"daemon started"')) ?? '{}'
  return { process: child, status: JSON.parse(line).status, output: () => output }
}

await suite('daemon', {
  'a new Node is adopted, and comes to its config within the rollout': async () => {
    const labels = { 'node-role.kubernetes.io/worker': '' }
    await kubectl.run(['create', '-f', '-'], {
      input: JSON.stringify({ apiVersion: 'v1', kind: 'Node', metadata: { name: node, labels } }),
    })
    daemon = await startDaemon()
    await until(
      async () => (await annotation('currentConfig')).startsWith('rendered-worker-'),
      'its first config',
      60_000,
    )
    await until(async () => (await annotation('state')) === 'Done', 'the state Done', 30_000)
    const record = (await textOf(join(root, 'etc/machine-config-daemon/currentconfig'))) ?? '{}'
    assert.equal(JSON.parse(record).metadata.name, await annotation('currentConfig'))
  },
  'it answers /healthz and /metrics with the names of the original': async () => {
    assert.equal(await (await fetch(`${daemon?.status}/healthz`)).text(), 'ok')
    const metrics = await (await fetch(`${daemon?.status}/metrics`)).text()
    assert.match(metrics, /^mcd_state\{state="Done",reason=""\} \d+$/m)
    assert.match(metrics, /^mcd_config_drift 0$/m)
  },
  'a change reaches it, and a change by hand is repaired in seconds': async () => {
    await kubectl.run(['apply', '-f', 'examples/chrony.yaml'])
    const path = join(root, 'etc/chrony.conf')
    await until(async () => (await textOf(path))?.startsWith('pool time') ?? false, 'the file', 90_000)
    await until(async () => (await annotation('state')) === 'Done', 'the state Done', 60_000)
    await writeFile(path, 'by hand')
    await until(async () => (await textOf(path))?.startsWith('pool time') ?? false, 'the repair', 10_000)
    assert.equal((await mco(['drift', '--root', root])).code, 0)
  },
  'a second daemon, and mco apply, are refused while it runs': async () => {
    const second = await mco(daemonArgs(0), { code: 3 })
    assert.match(second.stderr, /already works on this host/)
    const apply = await mco(['apply', 'examples/chrony.yaml', '--root', root, '--yes'], { code: 3 })
    assert.match(apply.stderr, /already works on this host/)
  },
  'SIGTERM ends it with exit code 0 and without a lock': async () => {
    const ended = new Promise<number | null>((resolve) => daemon?.process.once('exit', (code) => resolve(code)))
    daemon?.process.kill('SIGTERM')
    assert.equal(await ended, 0)
    assert.match(daemon?.output() ?? '', /"msg":"daemon stopped"/)
    assert.equal(await textOf(join(root, 'run/mco/host.lock')), undefined)
  },
})
daemon?.process.kill('SIGKILL')
await cluster.stop()
await rm(root, { recursive: true, force: true })

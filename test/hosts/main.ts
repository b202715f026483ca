import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { execute, suite } from '../e2e/harness.ts'
import { baseTree } from './baseTree.ts'
import { openBridge } from './bridge.ts'
import { bundleInside } from './bundleInside.ts'
import { imageInside } from './containerBundle.ts'
import { containerDaemon } from './containerDaemon.ts'
import { containerImage } from './containerImage.ts'
import { crashMatrix } from './crashMatrix.ts'
import { containDaemon, mountServiceAccount } from './daemonContainer.ts'
import { faultyMachine } from './faultyMachine.ts'
import { firstBootUnit } from './firstBootUnit.ts'
import { joinCluster } from './joinCluster.ts'
import { keptMachine } from './keptMachine.ts'
import { keyFiles } from './keyFiles.ts'
import { killedDaemon } from './killedDaemon.ts'
import { oneMachine } from './oneMachine.ts'
import { otherSystems } from './otherSystems.ts'
import { whatIsMissing } from './requirements.ts'
import { type TestHost, testHost } from './testHost.ts'
import { startControlPlane, threeMachines } from './threeMachines.ts'

/**
 * Proofs on Debian machines with their own systemd, booted in containers: `main.ts [one] [crash] [kill] [faults] [three]`. Needs root; says
 * what is missing otherwise.
 */
const missing = whatIsMissing()
if (missing !== undefined) {
  console.error(`cannot boot test hosts: ${missing}`)
  process.exit(2)
}
// So that mounts and containers go too.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
const wanted = process.argv.slice(2)
const directory = await mkdtemp(join(tmpdir(), 'mco-hosts-'))
const leave: (() => Promise<unknown>)[] = [() => rm(directory, { recursive: true, force: true })]
try {
  // Builds dist/mco.mjs when a source is newer.
  await execute('bin/mco', ['--version'])
  const modules = await realpath('node_modules')
  const binds = {
    '/usr/bin/node': process.execPath,
    '/opt/mco': process.cwd(),
    '/opt/mco-test': await bundleInside(join(directory, 'programs')),
    [imageInside]: await containerImage(join(directory, 'image')),
    // Where node_modules is a link, the link has to lead somewhere inside too.
    ...(modules === join(process.cwd(), 'node_modules') ? {} : { [modules]: modules }),
  }
  const common = { base: await baseTree(), directory, binds }
  const open = async (options: Parameters<typeof testHost>[0]) => {
    const host = await testHost(options)
    leave.unshift(() => host.dispose())
    return host
  }
  if (wanted.length === 0 || wanted.includes('one')) {
    const host = await open({ ...common, name: 'mco-one' })
    await host.start()
    await suite('one machine', oneMachine(host))
    await suite('kept at a directory', keptMachine(host))
    await suite('key files', keyFiles(host))
    await suite('other systems', otherSystems(host))
    await suite('first boot', firstBootUnit(host))
    await host.loosePower()
  }
  if (wanted.length === 0 || wanted.includes('crash')) {
    const host = await open({ ...common, name: 'mco-crash' })
    await host.start()
    await suite('crash matrix', crashMatrix(host))
    await host.loosePower()
  }
  if (wanted.length === 0 || wanted.includes('kill') || wanted.includes('faults')) {
    const bridge = await openBridge()
    leave.unshift(() => bridge.dispose())
    const cluster = await startControlPlane(join(directory, 'kill-cluster'), bridge.address)
    leave.unshift(() => cluster.close())
    const network = { bridge: bridge.name, address: bridge.addressOf(0) }
    const host = await open({ ...common, name: wanted.includes('faults') ? 'mco-faults' : 'mco-killed', network })
    const preload = '/opt/mco-test/killPoints.mjs'
    await joinCluster(host, network.address, cluster, { preload, driftMode: 'degrade', restarts: false })
    await host.start()
    if (!wanted.includes('faults')) await suite('killed daemon', explained(killedDaemon(cluster, host), [host]))
    if (!wanted.includes('kill')) await suite('faults', explained(faultyMachine(cluster, host), [host]))
    for (const step of leave.splice(0, 3)) await step()
  }
  if (wanted.length === 0 || wanted.includes('three')) {
    const bridge = await openBridge()
    leave.unshift(() => bridge.dispose())
    const cluster = await startControlPlane(join(directory, 'cluster'), bridge.address)
    leave.unshift(() => cluster.close())
    // The daemon as a service of the node on two, as a container on the third.
    const forms = ['service', 'service', 'container'] as const
    const hosts = await Promise.all(
      forms.map(async (form, index) => {
        const network = { bridge: bridge.name, address: bridge.addressOf(index) }
        const host = await open({ ...common, name: `mco-worker-${index}`, network })
        await joinCluster(host, network.address, cluster)
        if (form === 'container') await containDaemon(host, cluster)
        await host.start()
        if (form === 'container') await mountServiceAccount(host, cluster)
        return host
      }),
    )
    await suite('three machines', explained(threeMachines(cluster, hosts), hosts))
    const contained = hosts.filter((_, index) => forms[index] === 'container')
    for (const host of contained)
      await suite('daemon as a container', explained(containerDaemon(cluster, host), contained))
  }
} finally {
  for (const step of leave) await step()
}

/** A failed check says what the machines' daemons said last. */
function explained(
  checks: Readonly<Record<string, () => Promise<void>>>,
  hosts: readonly TestHost[],
): Record<string, () => Promise<void>> {
  const units = ['--unit=mco-daemon', '--unit=mco-test-kubelet']
  const explain = async (error: unknown): Promise<never> => {
    const said = await Promise.all(
      hosts.map(async (host) => {
        const { stdout } = await host.run('journalctl', ['--no-pager', '--lines=12', '--output=cat', ...units])
        return `${host.name}:\n${stdout}`
      }),
    ).catch((reason: unknown) => [String(reason)])
    throw new Error(`${error instanceof Error ? error.stack : String(error)}\n${said.join('\n')}`)
  }
  return Object.fromEntries(Object.entries(checks).map(([title, check]) => [title, () => check().catch(explain)]))
}

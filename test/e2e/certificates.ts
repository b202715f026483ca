import assert from 'node:assert/strict'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createAuthority } from '../../src/certificates/issueCertificate.ts'
import { execute, kubectlFor, mco, suite, textOf, until, up } from './harness.ts'

/** The story of a signer that is renewed while a pool is paused, in minutes instead of months, with both policies. */
const cluster = await up({ args: ['--metrics-port', '0'] })
const { run, json } = kubectlFor(cluster)
const workers = (
  await run(['get', 'nodes', '-l', 'node-role.kubernetes.io/worker', '-o', 'jsonpath={.items[*].metadata.name}'])
).split(' ')

const dayMs = 24 * 3_600_000
const inDays = (days: number): Date => new Date(Math.floor(Date.now() / 1000) * 1000 + days * dayMs)

/** A signer as OpenShift names them: the number behind the `@` counts its rotations. */
async function signer(rotation: number, days: number) {
  const notAfter = inDays(days)
  const { certificatePem } = await createAuthority(`kube-apiserver-to-kubelet-signer@${rotation}`, new Date(), {
    notAfter,
  })
  return { pem: certificatePem, notAfter, day: notAfter.toISOString().slice(0, 10) }
}

const source = ['-n', 'kube-system', 'configmap', 'extension-apiserver-authentication']
const publish = (pem: string) =>
  run(['patch', ...source, '--type=merge', '-p', JSON.stringify({ data: { 'client-ca-file': pem } })])

const policy = async (name: 'Hold' | 'Deliver') => {
  const settings = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: 'openshift-machine-config-operator', name: 'machine-config-certificate-sources' },
    data: { kubeletClientCa: JSON.stringify({ policy: name }) },
  }
  await run(['apply', '-f', '-'], { input: JSON.stringify(settings) })
}

const onNode = (node: string) => textOf(join(cluster.nodeRoot(node), 'etc/kubernetes/kubelet-ca.crt'))
const haveOnDisk = async (pem: string) => (await Promise.all(workers.map(onNode))).every((text) => text === pem)
const pause = (paused: boolean) =>
  run(['patch', 'mcp/worker', '--type=merge', '-p', JSON.stringify({ spec: { paused } })])

interface Pool {
  readonly spec: { readonly configuration: { readonly name: string } }
  readonly status: {
    readonly configuration: { readonly name: string }
    readonly certExpirys?: readonly { readonly subject: string; readonly expiry: string }[]
  }
}
const pool = () => json<Pool>(['get', 'mcp/worker'])
const isWaiting = async () => {
  const { spec, status } = await pool()
  return spec.configuration.name !== status.configuration.name
}
const desired = () =>
  run([
    'get',
    'nodes',
    '-l',
    'node-role.kubernetes.io/worker',
    '-o',
    'jsonpath={.items[*].metadata.annotations.machineconfiguration\\.openshift\\.io/desiredConfig}',
  ])
const bootIds = () => run(['get', 'nodes', '-o', 'jsonpath={.items[*].status.nodeInfo.bootID}'])
const eventsOf = async (reason: string) =>
  (
    await json<{ readonly items: readonly { readonly message: string }[] }>([
      'get',
      'events',
      '-A',
      '--field-selector',
      `reason=${reason}`,
    ])
  ).items.map(({ message }) => message)
const status = async () => (await mco(['status', '--kubeconfig', cluster.kubeconfig])).stdout
/** The value of a series, after the time for which the page may be as it was. */
async function metric(series: string): Promise<number> {
  const url = /^metrics +(\S+)$/m.exec(cluster.output())?.[1] ?? ''
  const line = (await (await fetch(url)).text()).split('\n').find((text) => text.startsWith(`${series} `))
  return Number(line?.split(' ')[1] ?? 0)
}
/** What explain prints about the pool; code 1 tells that it found something. */
const explained = async () =>
  (await execute('bin/mco', ['explain', 'mcp/worker', '--kubeconfig', cluster.kubeconfig])).stdout

const [first, second, third, fourth] = await Promise.all([signer(1, 20), signer(2, 10), signer(3, 300), signer(4, 400)])

await suite('certificates', {
  'the bundle of the control plane is on every node from the start': async () => {
    const published = await run(['get', ...source, '-o', 'jsonpath={.data.client-ca-file}'])
    await until(() => haveOnDisk(published), 'kubelet-ca.crt on the workers')
    const expirys = (await pool()).status.certExpirys ?? []
    assert.deepEqual(
      expirys.map(({ subject }) => subject),
      ['CN=mco-cluster'],
    )
  },
  'held, the bundle travels in the rendered config, and disturbs no node': async () => {
    const boots = await bootIds()
    await publish(first.pem)
    await until(() => haveOnDisk(first.pem), 'the first signer by delivery')
    await policy('Hold')
    await until(
      async () => (await run(['get', 'mc', '--no-headers'])).includes('01-worker-certificates'),
      'the generated config',
    )
    await until(async () => !(await isWaiting()), 'the pool to have it')
    assert.ok(await haveOnDisk(first.pem))
    assert.equal(await bootIds(), boots, 'no reboot')
  },
  'the generated config comes back when somebody deletes it': async () => {
    await run(['delete', 'mc', '01-worker-certificates'])
    await until(
      async () => (await run(['get', 'mc', '--no-headers'])).includes('01-worker-certificates'),
      'the generated config again',
    )
    await until(async () => !(await isWaiting()), 'the pool to settle')
    assert.ok(await haveOnDisk(first.pem))
  },
  'held, a rotation waits behind the pause, and its deadline is named': async () => {
    await pause(true)
    const before = await desired()
    await publish(second.pem)
    await until(isWaiting, 'the new bundle to wait')
    assert.ok(await haveOnDisk(first.pem), 'the nodes keep what they have')
    assert.equal(await desired(), before)
    const told = await eventsOf('CertificateBundleChanged')
    assert.ok(
      told.some((text) => text.includes('signer@2') && text.includes(second.day)),
      told.join('\n'),
    )
    const text = await explained()
    assert.match(text, /warning/i)
    assert.ok(text.includes(first.day), text)
  },
  'resumed, every node has the new signer, without a reboot': async () => {
    const boots = await bootIds()
    await pause(false)
    await until(() => haveOnDisk(second.pem), 'the second signer')
    await until(async () => !(await isWaiting()), 'the pool to settle')
    assert.equal(await bootIds(), boots, 'no reboot')
  },
  'under 14 days the deadline is critical': async () => {
    await pause(true)
    await publish(third.pem)
    await until(isWaiting, 'the third signer to wait')
    const text = await explained()
    assert.match(text, /critical/i)
    const end = third.notAfter > second.notAfter ? second.notAfter.getTime() / 1000 : Number.NaN
    const paused = 'machine_config_controller_paused_pool_kubelet_ca{pool="worker"}'
    await until(async () => (await metric(paused)) === end, 'the metric to name the end of the second signer', 10_000)
    assert.ok(text.includes(second.day), text)
    const shown = await status()
    assert.ok(shown.includes(second.day), shown)
  },
  'garbage and a missing source replace nothing, and are named': async () => {
    await publish('garbage')
    await until(
      async () => (await eventsOf('CertificateBundleKept')).some((text) => /Unreadable/.test(text)),
      'the event',
    )
    await run(['delete', ...source])
    await until(
      async () => (await eventsOf('CertificateBundleKept')).some((text) => /SourceMissing/.test(text)),
      'the event',
    )
    assert.match(await status(), /bundle kubeletClientCa is not renewed since \S+ \(SourceMissing\)/)
    assert.match((await pool()).status.certExpirys?.[0]?.subject ?? '', /signer@3/)
    await run([
      'create',
      'configmap',
      '-n',
      'kube-system',
      'extension-apiserver-authentication',
      `--from-literal=client-ca-file=${third.pem}`,
    ])
  },
  'delivered, the bundle passes the pause: an event says so, and no config moves': async () => {
    const before = await desired()
    await policy('Deliver')
    await until(() => haveOnDisk(third.pem), 'the third signer past the pause')
    await publish(fourth.pem)
    await until(() => haveOnDisk(fourth.pem), 'the fourth signer past the pause')
    await until(async () => {
      const told = await eventsOf('CertificateDelivered')
      return workers.every((node) => told.some((text) => text.includes(`node ${node}: `)))
    }, 'an event on the pool for each node')
    assert.equal(await desired(), before)
    const delivered = 'mco_certificate_deliveries_total{bundle="kubeletClientCa",paused="true"}'
    assert.ok((await metric(delivered)) >= 2 * workers.length, `${await metric(delivered)} deliveries`)
    const { annotations } = (
      await json<{ metadata: { annotations: Record<string, string> } }>(['get', 'node', workers[0] ?? ''])
    ).metadata
    assert.match(
      annotations['machineconfiguration.openshift.io/lastSyncedControllerConfigResourceVersion'] ?? '',
      /^\d+$/,
    )
  },
  'the change of policy loses no bundle: resumed, nodes keep the newest': async () => {
    await pause(false)
    await until(async () => !(await isWaiting()), 'the pool to settle')
    assert.ok(await haveOnDisk(fourth.pem))
    assert.ok(!(await run(['get', 'mc', '--no-headers'])).includes('01-worker-certificates'))
    await run(['wait', 'mcp/worker', '--for=condition=Updated', '--timeout=60s'])
    const { subject } = (await pool()).status.certExpirys?.[0] ?? { subject: '' }
    assert.match(subject, /signer@4/)
  },
  'what stands in the way is named on the node, and the delivery goes on when it is gone': async () => {
    const [node = ''] = workers
    const path = join(cluster.nodeRoot(node), 'etc/kubernetes/kubelet-ca.crt')
    await rm(path)
    await mkdir(path)
    await publish(fourth.pem + third.pem)
    const annotation = (key: string) =>
      run(['get', 'node', node, '-o', `jsonpath={.metadata.annotations.machineconfiguration\\.openshift\\.io/${key}}`])
    await until(
      async () => /kubelet-ca\.crt is a directory/.test(await annotation('reason')),
      'the node to say so',
      60_000,
    )
    assert.equal(await annotation('state'), 'Degraded')
    await rm(path, { recursive: true })
    await until(() => haveOnDisk(fourth.pem + third.pem), 'the bundle', 90_000)
    await until(async () => (await annotation('state')) === 'Done', 'the node to be Done', 60_000)
  },
})

await cluster.stop()

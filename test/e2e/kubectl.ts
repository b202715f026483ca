import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execute, kubectlFor, suite, until, up } from './harness.ts'
import { inquiryChecks } from './kubectl/inquiryChecks.ts'
import { objectChecks } from './kubectl/objectChecks.ts'
import type { Tools } from './kubectl/tools.ts'
import { workloadChecks } from './kubectl/workloadChecks.ts'

/**
 * Proof 1: daily work with kubectl against `mco up`, every answer checked. The program is $KUBECTL (default: the one on
 * PATH); CI runs it with Debian's 1.20 and with a newer one.
 */
const cluster = await up()
const kubectl = kubectlFor(cluster)
const { run, json, result } = kubectl
const files = await mkdtemp(join(tmpdir(), 'mco-kubectl-'))
const version = await minorVersion()

interface NodeList {
  readonly items: readonly { readonly metadata: { readonly name: string; readonly labels: Record<string, string> } }[]
}

const nodes = (await json<NodeList>(['get', 'nodes'])).items.map((node) => node.metadata.name)
const worker =
  (await json<NodeList>(['get', 'nodes', '-l', 'node-role.kubernetes.io/worker'])).items[0]?.metadata.name ?? ''

const configMap = (data: Readonly<Record<string, string>>) =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'proof', labels: { app: 'proof' } }, data })

const tools: Tools = { ...kubectl, cluster, program: process.env.KUBECTL ?? 'kubectl', version, worker, nodes, files }

await suite(`kubectl 1.${version}`, {
  'version names the server': async () => {
    assert.match(await run(['version']), /Server Version/)
  },
  'get nodes prints the server-side table, wide and with labels': async () => {
    const table = await run(['get', 'nodes'])
    assert.match(table, /^NAME +STATUS +ROLES +AGE +VERSION\n/)
    for (const node of nodes) assert.match(table, new RegExp(`^${node} +Ready +\\S+ +\\S+ +v`, 'm'))
    assert.match(await run(['get', 'nodes', '-o', 'wide']), /INTERNAL-IP.*OS-IMAGE.*KERNEL-VERSION.*CONTAINER-RUNTIME/)
    assert.match(await run(['get', 'nodes', '--show-labels']), /kubernetes\.io\/hostname=/)
  },
  'get mcp prints the upstream columns': async () => {
    const table = await run(['get', 'mcp'])
    assert.match(
      table,
      /^NAME +CONFIG +UPDATED +UPDATING +DEGRADED +MACHINECOUNT +READYMACHINECOUNT +UPDATEDMACHINECOUNT +DEGRADEDMACHINECOUNT +AGE\n/,
    )
    assert.match(table, /^worker +rendered-worker-[0-9a-f]{32} +True +False +False +\d+/m)
  },
  'get mc prints generated-by, Ignition version and age': async () => {
    const table = await run(['get', 'mc'])
    assert.match(table, /^NAME +GENERATEDBYCONTROLLER +IGNITIONVERSION +AGE\n/)
    assert.match(table, /^rendered-worker-[0-9a-f]{32} +\S+ +3\.5\.0 +\S+/m)
  },
  'get machineconfignodes, also wide': async () => {
    assert.match(
      await run(['get', 'machineconfignodes']),
      /^NAME +POOLNAME +DESIREDCONFIG +CURRENTCONFIG +UPDATED +AGE\n/,
    )
    assert.match(await run(['get', 'machineconfignodes', '-o', 'wide']), /UPDATEPREPARED.*UNCORDONEDNODE/)
  },
  'get -o yaml, json, jsonpath, name, custom-columns': async () => {
    assert.match(
      await run(['get', 'mcp', 'worker', '-o', 'yaml']),
      /^apiVersion: machineconfiguration\.openshift\.io\/v1\nkind: MachineConfigPool\n/m,
    )
    assert.equal(await run(['get', 'mcp', 'worker', '-o', 'jsonpath={.metadata.name}']), 'worker')
    assert.match(
      await run(['get', 'mcp', '-o', 'name']),
      /machineconfigpool\.machineconfiguration\.openshift\.io\/worker/,
    )
    assert.match(
      await run(['get', 'nodes', '-o', 'custom-columns=N:.metadata.name']),
      new RegExp(`^N\\n(.*\\n)*${worker}`),
    )
  },
  'describe a node and a pool with events': async () => {
    assert.match(await run(['describe', 'node', worker]), /Conditions:[\s\S]*Ready +True[\s\S]*Allocatable:/)
    assert.match(await run(['describe', 'mcp', 'worker']), /Machine Count:[\s\S]*Events:/)
  },
  'apply client-side creates, then is unchanged, then configured': async () => {
    assert.match(await run(['apply', '-f', '-'], { input: configMap({ a: '1' }) }), /configmap\/proof created/)
    assert.match(await run(['apply', '-f', '-'], { input: configMap({ a: '1' }) }), /configmap\/proof unchanged/)
    assert.match(
      await run(['apply', '-f', '-'], { input: configMap({ a: '2', b: '1' }) }),
      /configmap\/proof configured/,
    )
    assert.match(await run(['apply', '-f', '-'], { input: configMap({ b: '1' }) }), /configmap\/proof configured/)
    assert.deepEqual((await json<{ data: unknown }>(['get', 'configmap', 'proof'])).data, { b: '1' })
  },
  'apply server-side: ownership, conflict, force': async () => {
    const body = (value: string) =>
      JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'owned' }, data: { key: value } })
    assert.match(
      await run(['apply', '--server-side', '--field-manager=one', '-f', '-'], { input: body('1') }),
      /serverside-applied/,
    )
    const conflict = await result(['apply', '--server-side', '--field-manager=two', '-f', '-'], { input: body('2') })
    assert.notEqual(conflict.code, 0)
    assert.match(conflict.stderr, /conflict with "one".*\.data\.key/s)
    assert.match(
      await run(['apply', '--server-side', '--force-conflicts', '--field-manager=two', '-f', '-'], {
        input: body('2'),
      }),
      /serverside-applied/,
    )
    assert.equal(await run(['get', 'configmap', 'owned', '-o', 'jsonpath={.data.key}']), '2')
  },
  'diff is empty without a change and exits 1 with one': async () => {
    await run(['apply', '-f', '-'], { input: configMap({ b: '1' }) })
    assert.equal((await result(['diff', '-f', '-'], { input: configMap({ b: '1' }) })).code, 0)
    const changed = await result(['diff', '-f', '-'], { input: configMap({ b: '2' }) })
    assert.equal(changed.code, 1)
    assert.match(changed.stdout, /^-.*b: "1"[\s\S]*^\+.*b: "2"/m)
    assert.equal(await run(['get', 'configmap', 'proof', '-o', 'jsonpath={.data.b}']), '1')
  },
  'patch of every type': async () => {
    await run(['patch', 'configmap', 'proof', '--type=merge', '-p', '{"data":{"m":"1"}}'])
    await run(['patch', 'configmap', 'proof', '--type=json', '-p', '[{"op":"add","path":"/data/j","value":"1"}]'])
    await run(['patch', 'configmap', 'proof', '-p', '{"data":{"s":"1"}}'])
    assert.deepEqual((await json<{ data: unknown }>(['get', 'configmap', 'proof'])).data, {
      b: '1',
      m: '1',
      j: '1',
      s: '1',
    })
    await run(['patch', 'mcp', 'worker', '--type=merge', '-p', '{"spec":{"maxUnavailable":1}}'])
    const strategic = await result([
      'patch',
      'mcp',
      'worker',
      '--type=strategic',
      '-p',
      '{"spec":{"maxUnavailable":1}}',
    ])
    assert.notEqual(strategic.code, 0)
  },
  'label, annotate, and select by label': async () => {
    assert.match(await run(['label', 'configmap', 'proof', 'tier=gold']), /proof labeled/)
    assert.match(await run(['annotate', 'configmap', 'proof', 'note=hello']), /proof annotated/)
    assert.match(await run(['get', 'configmap', '-l', 'tier in (gold),app', '-o', 'name']), /configmap\/proof/)
    assert.match(await run(['label', 'configmap', 'proof', 'tier-']), /proof (un)?labeled/)
    assert.doesNotMatch(await run(['get', 'configmap', '-l', 'tier=gold', '-o', 'name']), /proof/)
  },
  'explain built-in kinds and custom resources': async () => {
    assert.match(await run(['explain', 'pod.spec.nodeName']), /FIELD:\s+nodeName/)
    assert.match(await run(['explain', 'mcp.spec.maxUnavailable']), /maxUnavailable|unavailable at once/)
    assert.match(await run(['explain', 'machineconfig.spec']), /kernelArguments/)
  },
  'create is validated: an unknown field and a wrong type are refused': async () => {
    const wrong = await result(['apply', '-f', '-'], {
      input: JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'wrong' }, dataa: { a: '1' } }),
    })
    assert.notEqual(wrong.code, 0)
    assert.match(wrong.stderr, /dataa/)
    const pool = await result(['apply', '--validate=false', '-f', '-'], {
      input: JSON.stringify({
        apiVersion: 'machineconfiguration.openshift.io/v1',
        kind: 'MachineConfigPool',
        metadata: { name: 'bad' },
        spec: { paused: 'yes' },
      }),
    })
    assert.notEqual(pool.code, 0)
    assert.match(pool.stderr, /spec\.paused.*boolean/)
  },
  'wait returns when the condition holds and times out otherwise': async () => {
    assert.match(await run(['wait', 'mcp/worker', '--for=condition=Updated', '--timeout=30s']), /condition met/)
    assert.match(await run(['wait', 'node', '--all', '--for=condition=Ready', '--timeout=30s']), /condition met/)
    const never = await result(['wait', 'mcp/worker', '--for=condition=Degraded', '--timeout=1s'])
    assert.notEqual(never.code, 0)
    assert.match(never.stderr, /timed out waiting/)
  },
  'watch shows changes as they happen': async () => {
    const watching = execute('timeout', [
      '4',
      process.env.KUBECTL ?? 'kubectl',
      '--kubeconfig',
      cluster.kubeconfig,
      'get',
      'configmap',
      'proof',
      '-w',
      '-o',
      'jsonpath={.data.w}{"\\n"}',
    ])
    await until(
      async () => {
        await run(['patch', 'configmap', 'proof', '--type=merge', '-p', `{"data":{"w":"${Date.now()}"}}`])
        return Date.now() % 7 === 0
      },
      'some patches',
      20_000,
    )
    assert.match((await watching).stdout, /^\d{13}$/m)
  },
  'events list, by involved object': async () => {
    assert.match(await run(['get', 'events', '-A']), /LAST SEEN +TYPE +REASON +OBJECT +MESSAGE/)
    const selected = await run([
      'get',
      'events',
      '-A',
      '--field-selector',
      'involvedObject.kind=MachineConfigPool,involvedObject.name=worker',
    ])
    assert.match(selected, /RenderedConfigGenerated/)
    if (version >= 26) assert.match(await run(['events', '-A']), /RenderedConfigGenerated/)
  },
  'api-resources and api-versions': async () => {
    const resources = await run(['api-resources'])
    assert.match(
      resources,
      /^machineconfigpools +mcp +machineconfiguration\.openshift\.io\/v1 +false +MachineConfigPool/m,
    )
    assert.match(resources, /^pods +po +v1 +true +Pod/m)
    assert.match(await run(['api-versions']), /^machineconfiguration\.openshift\.io\/v1$/m)
  },
  'cordon and uncordon show in the table': async () => {
    await run(['cordon', worker])
    assert.match(await run(['get', 'node', worker]), /SchedulingDisabled/)
    await run(['uncordon', worker])
    assert.doesNotMatch(await run(['get', 'node', worker]), /SchedulingDisabled/)
  },
  'drain evicts pods, respects a PodDisruptionBudget and skips daemons': async () => {
    await run(['create', 'deployment', 'web', '--image=example.com/web:1', '--replicas=2'])
    await run(['wait', 'deployment/web', '--for=condition=Available', '--timeout=30s'])
    const node = await run(['get', 'pods', '-l', 'app=web', '-o', 'jsonpath={.items[0].spec.nodeName}'])
    const flags = version >= 20 ? ['--delete-emptydir-data'] : ['--delete-local-data']
    await run(['drain', node, '--ignore-daemonsets', ...flags, '--timeout=60s'])
    assert.equal(
      await run(['get', 'pods', '-l', 'app=web', '--field-selector', `spec.nodeName=${node}`, '-o', 'name']),
      '',
    )
    await run(['uncordon', node])
    await run(['delete', 'deployment', 'web'])
  },
  'delete removes, also by selector and with a grace period': async () => {
    assert.match(await run(['delete', 'configmap', 'proof', 'owned']), /"proof" deleted/)
    const gone = await result(['get', 'configmap', 'proof'])
    assert.match(gone.stderr, /Error from server \(NotFound\): configmaps "proof" not found/)
    await run(['create', 'namespace', 'short-lived'])
    await run(['-n', 'short-lived', 'create', 'configmap', 'inside'])
    await run(['delete', 'namespace', 'short-lived', '--timeout=30s'])
    assert.notEqual((await result(['-n', 'short-lived', 'get', 'configmap', 'inside'])).code, 0)
  },
  'dry-run changes nothing': async () => {
    assert.match(await run(['create', 'configmap', 'dry', '--dry-run=server']), /created \(server dry run\)/)
    assert.notEqual((await result(['get', 'configmap', 'dry'])).code, 0)
  },
  'auth can-i answers': async () => {
    assert.match(await run(['auth', 'can-i', 'delete', 'machineconfigs']), /yes/)
  },
  ...workloadChecks(tools),
  ...objectChecks(tools),
  ...inquiryChecks(tools),
})
await cluster.stop()
await rm(files, { recursive: true, force: true })

async function minorVersion(): Promise<number> {
  const text = await execute(process.env.KUBECTL ?? 'kubectl', ['version', '--client', '-o', 'json'])
  return Number.parseInt(JSON.parse(text.stdout).clientVersion.minor, 10)
}

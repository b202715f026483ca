import assert from 'node:assert/strict'
import { appendFile, cp, mkdir, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { connect } from '../../src/cli/connect.ts'
import { explain } from '../../src/forecast/explain/explain.ts'
import type { Finding } from '../../src/forecast/finding.ts'
import { readSnapshot } from '../../src/forecast/readSnapshot.ts'
import { checkFacts, explained, namesCause, runRemedy } from './explain/explained.ts'
import { customPool, fileConfig, machineConfig, motd, setDiskPressure, startLab } from './faults/lab.ts'
import { execute, suite, until } from './harness.ts'

/** Causes that a person meets: each is named within seconds with true facts, and ends by the remedy that was named. */
const lab = await startLab('--pools master=1,worker=2,infra=1')
const { cluster, run } = lab
const at = (node: string, path: string) => join(cluster.nodeRoot(node), path)

/** Nothing is left to say: what was broken is well again. */
async function quiet(): Promise<void> {
  await lab.converged('worker', 'infra')
  let findings = await explained(cluster)
  await until(
    async () => {
      findings = await explained(cluster)
      return findings.length === 0
    },
    'nothing to explain',
    15_000,
  ).catch((error: unknown) => {
    throw new Error(`${error instanceof Error ? error.message : String(error)}: ${JSON.stringify(findings)}`)
  })
}

await suite('explain', {
  'a cluster in which all is well': async () => {
    assert.deepEqual(await explained(cluster), [])
  },
  'a rollout that goes well, with drains and reboots: nothing is said at any moment of it': async () => {
    const kube = await connect({ kubeconfig: cluster.kubeconfig })
    const said: Finding[] = []
    let looks = 0
    let ended = false
    const looking = (async () => {
      for (; !ended; looks++) said.push(...explain(await readSnapshot(kube), new Date()))
    })()
    try {
      await lab.retarget('worker', () => lab.apply(motd('well')))
      await lab.converged('worker', 'infra')
    } finally {
      ended = true
      await looking
    }
    assert.deepEqual(said, [])
    assert.ok(looks > 20, `${looks} looks`)
  },
  'a fragment that cannot be rendered: which one; taken back by the command': async () => {
    await lab.apply(machineConfig('70-data', 'worker', { storage: { directories: [{ path: '/srv/data' }] } }))
    const finding = await namesCause(cluster, 'mcp/worker', 'RenderFailed')
    await checkFacts(lab, finding)
    assert.equal(finding.severity, 'critical')
    assert.match(finding.what, /"70-data": ignition directories section contains changes/)
    assert.equal(finding.command, 'kubectl delete mc 70-data')
    assert.ok((await explained(cluster, 'mc/70-data')).some(({ code }) => code === 'RenderFailed'))
    await runRemedy(cluster, finding)
    await quiet()
  },
  'a file that no node can write: which node, which fragment, who waits; taken back by the command': async () => {
    await lab.apply(
      fileConfig('95-bad', 'worker', {
        path: '/etc/kubernetes/kubelet-config.yaml/sub',
        contents: { source: 'data:,x' },
      }),
    )
    const capacity = await namesCause(cluster, 'mcp/worker', 'CapacityUsedUp')
    await checkFacts(lab, capacity)
    assert.equal(capacity.command, undefined, 'more nodes at once are no way out of a config that fails')
    const node = /(worker-\d) \(degraded\)/.exec(capacity.why)?.[1]
    const finding = await namesCause(cluster, `node/${node}`, 'UpdateFailed')
    await checkFacts(lab, finding)
    assert.match(finding.what, /kubelet-config\.yaml\/sub cannot be written/)
    assert.match(finding.why, /MachineConfig .*95-bad asks for it/)
    assert.equal(finding.command, 'kubectl delete mc 95-bad')
    await runRemedy(cluster, finding)
    await quiet()
  },
  'a service that cannot be restarted: which unit, which fragment': async () => {
    for (const node of ['worker-0', 'worker-1', 'infra-0']) {
      await mkdir(at(node, 'etc/systemd/system'), { recursive: true })
      await symlink('/dev/null', at(node, 'etc/systemd/system/app.service'))
    }
    const policy = { path: '/etc/app.conf', actions: [{ type: 'Restart', restart: { serviceName: 'app.service' } }] }
    await run([
      ...['patch', 'machineconfiguration', 'cluster', '--type=merge', '-p'],
      JSON.stringify({ spec: { nodeDisruptionPolicy: { files: [policy] } } }),
    ])
    await lab.apply(fileConfig('80-app', 'worker', { path: '/etc/app.conf', contents: { source: 'data:,x' } }))
    const capacity = await namesCause(cluster, 'mcp/worker', 'CapacityUsedUp')
    const node = /(worker-\d) \(degraded\)/.exec(capacity.why)?.[1]
    const finding = await namesCause(cluster, `node/${node}`, 'UnitFailed')
    await checkFacts(lab, finding)
    assert.match(finding.what, /Restarting app\.service service failed/)
    assert.match(finding.remedy, /journalctl -u app\.service/)
    for (const each of ['worker-0', 'worker-1', 'infra-0']) await rm(at(each, 'etc/systemd/system/app.service'))
    await run(['delete', 'mc', '80-app'])
    await run([
      'patch',
      'machineconfiguration',
      'cluster',
      '--type=merge',
      '-p',
      '{"spec":{"nodeDisruptionPolicy":null}}',
    ])
    await quiet()
  },
  'a file that somebody changed: which path, which fragment; put back': async () => {
    const kept = at('worker-0', 'etc/kubernetes/kubelet-config.yaml')
    await cp(kept, `${kept}.kept`)
    await appendFile(kept, 'tampered')
    const finding = await namesCause(cluster, 'node/worker-0', 'ConfigDrift')
    await checkFacts(lab, finding)
    assert.match(finding.what, /content mismatch for file "\/etc\/kubernetes\/kubelet-config\.yaml"/)
    assert.match(finding.why, /it comes from MachineConfig \d\d-/)
    assert.ok(!JSON.stringify(await explained(cluster)).includes('tampered'), 'contents are never shown')
    await cp(`${kept}.kept`, kept)
    await rm(`${kept}.kept`)
    await quiet()
  },
  'a node of two custom pools: which; left by the command': async () => {
    await lab.apply(customPool('edge'))
    await run(['label', 'node', 'infra-0', 'node-role.kubernetes.io/edge='])
    const finding = await namesCause(cluster, 'node/infra-0', 'CustomRoleConflict')
    await checkFacts(lab, finding)
    assert.match(finding.why, /edge and infra both select it/)
    await run(['label', 'node', 'infra-0', 'node-role.kubernetes.io/edge-'])
    await run(['label', 'node', 'master-0', 'node-role.kubernetes.io/edge='])
    const ignored = await namesCause(cluster, 'node/master-0', 'ControlPlaneCustomRole')
    await checkFacts(lab, ignored)
    await runRemedy(cluster, ignored)
    await run(['delete', 'mcp', 'edge'])
    await quiet()
  },
  'a node that a person cordoned uses up the budget: who did it, who waits; given back by the command': async () => {
    await run(['cordon', 'worker-0'])
    await lab.apply(motd('cordoned'))
    const capacity = await namesCause(cluster, 'mcp/worker', 'CapacityUsedUp')
    await checkFacts(lab, capacity)
    assert.match(capacity.why, /worker-0 \(cordoned by somebody else\)/)
    const finding = await namesCause(cluster, 'node/worker-0', 'NodeCordoned')
    await checkFacts(lab, finding)
    assert.match(finding.what, /was cordoned by kubectl\S* at 20/)
    await runRemedy(cluster, finding)
    await quiet()
  },
  'a kubelet in trouble: which condition; it holds up the others, and goes': async () => {
    await setDiskPressure(lab, 'worker-1', 'True')
    await lab.apply(motd('pressed'))
    const finding = await namesCause(cluster, 'node/worker-1', 'NodeNotReady')
    await checkFacts(lab, finding)
    assert.match(finding.what, /OutOfDisk=True/)
    await namesCause(cluster, 'mcp/worker', 'CapacityUsedUp')
    await setDiskPressure(lab, 'worker-1', 'False')
    await quiet()
  },
  'a node is sent to a config that does not exist, behind a pause': async () => {
    await run(['patch', 'mcp', 'worker', '--type=merge', '-p', '{"spec":{"paused":true}}'])
    const nowhere = `rendered-worker-${'0'.repeat(32)}`
    await run([
      'annotate',
      'node',
      'worker-1',
      '--overwrite',
      `machineconfiguration.openshift.io/desiredConfig=${nowhere}`,
    ])
    const finding = await namesCause(cluster, 'node/worker-1', 'MissingRenderedConfig')
    await checkFacts(lab, finding)
    assert.equal(finding.severity, 'critical')
    const paused = await namesCause(cluster, 'mcp/worker', 'PausedWithBacklog')
    await checkFacts(lab, paused)
    await lab.degraded('worker-1', /not found/)
    const about = (await explained(cluster)).filter(({ subject }) => subject.name === 'worker-1')
    assert.deepEqual(
      about.map(({ code }) => code),
      ['MissingRenderedConfig'],
      'its symptoms are not repeated',
    )
    await runRemedy(cluster, paused)
    await quiet()
  },
  'a value that cannot be read: which; corrected by the command': async () => {
    await run(['annotate', 'mcp', 'worker', 'machineconfig.io/drain-skip-selector=app in database'])
    const finding = await namesCause(cluster, 'mcp/worker', 'InvalidAnnotation')
    await checkFacts(lab, finding)
    await runRemedy(cluster, finding)
    await quiet()
  },
  'objects that do not exist, and words that name none': async () => {
    for (const [object, exit, message] of [
      ['--watch -o json', 2, /--watch prints for people only/],
      ['node/nobody', 3, /node\/nobody does not exist/],
      ['pod/web-0', 2, /"pod\/web-0" names no object; write mcp\/NAME, node\/NAME or mc\/NAME/],
      ['worker', 2, /names no object/],
    ] as const) {
      const { code, stderr } = await execute('bin/mco', [
        'explain',
        ...object.split(' '),
        '--kubeconfig',
        cluster.kubeconfig,
      ])
      assert.equal(code, exit, stderr)
      assert.match(stderr, message)
    }
  },
})
lab.history.stop()
await cluster.stop()

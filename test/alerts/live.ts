import assert from 'node:assert/strict'
import process from 'node:process'
import { alerts, runbookOf } from '../../scripts/generate/monitoring/alerts.ts'
import { dashboardRows } from '../../scripts/generate/monitoring/dashboardRows.ts'
import { createAuthority } from '../../src/certificates/issueCertificate.ts'
import { kubectlFor, mco, suite, until, up } from '../e2e/harness.ts'
import { startPrometheus } from './prometheus.ts'

/** A real Prometheus with our rules beside a real cluster: what it reads, what it asks, and whom it would wake. */
interface Rules {
  readonly groups: readonly {
    readonly rules: readonly { readonly name: string; readonly health: string; readonly lastError?: string }[]
  }[]
}
interface ActiveAlerts {
  readonly alerts: readonly {
    readonly labels: Readonly<Record<string, string>>
    readonly annotations: Readonly<Record<string, string>>
    readonly state: string
  }[]
}
interface Answer {
  readonly result: readonly { readonly metric: Readonly<Record<string, string>> }[]
}

const cluster = await up()
const { run } = kubectlFor(cluster)
const target = /^metrics +http:\/\/([^/]+)/m.exec(cluster.output())?.[1]
assert.ok(target, cluster.output())
const prometheus = await startPrometheus(process.env.PROMETHEUS ?? 'prometheus', target)

const active = async (name: string) =>
  (await prometheus.ask<ActiveAlerts>('alerts')).alerts.filter(({ labels }) => labels.alertname === name)

await suite('prometheus', {
  'it reads the page, and evaluates every rule without an error': async () => {
    const count = async () =>
      (await prometheus.ask<Answer>('query', { query: 'mco_machine_count' })).result.map(({ metric }) => metric.pool)
    await until(async () => (await count()).length === 2, 'both pools to be scraped', 20_000)
    const rules = async () => (await prometheus.ask<Rules>('rules')).groups.flatMap((group) => group.rules)
    await until(
      async () => (await rules()).every(({ health }) => health !== 'unknown'),
      'all rules to be evaluated',
      20_000,
    )
    const found = await rules()
    assert.equal(found.length, alerts.length)
    assert.deepEqual(
      found.filter(({ health }) => health !== 'ok'),
      [],
    )
  },
  'it answers every query of the dashboard': async () => {
    for (const { panels } of dashboardRows)
      for (const { queries } of panels)
        for (const { expr } of queries) await prometheus.ask('query', { query: expr.replaceAll('$pool', '.*') })
  },
  'a settled cluster alerts nobody, but for the config server, which it does not scrape': async () => {
    const names = async () =>
      (await prometheus.ask<ActiveAlerts>('alerts')).alerts.map(({ labels }) => labels.alertname)
    // Before its first scrape it had seen no controller either.
    await until(async () => !(await names()).includes('MCOControllerDown'), 'the first scrape to be evaluated', 20_000)
    assert.deepEqual(await names(), ['MCOServerDown'])
  },
  'a pause that has outlived its end is about to alert, with pool, day, backlog and runbook': async () => {
    const until10 = '2026-01-31T10:00:00Z'
    const annotations = {
      'machineconfig.io/paused-at': '2026-01-31T08:00:00Z',
      'machineconfig.io/pause-until': until10,
    }
    const patch = JSON.stringify({ metadata: { annotations }, spec: { paused: true } })
    await run(['patch', 'mcp', 'worker', '--type=merge', '-p', patch])
    await run(['apply', '-f', 'examples/chrony.yaml'])
    await until(
      async () => (await active('MCOPausePastUntil'))[0]?.annotations.description?.includes('wait 1 changes') === true,
      'the alert to name what waits',
      30_000,
    )
    const [alert, ...more] = await active('MCOPausePastUntil')
    assert.deepEqual(more, [])
    assert.equal(alert?.state, 'pending')
    assert.equal(alert?.labels.pool, 'worker')
    assert.match(alert?.annotations.description ?? '', /pool worker was to last until 2026-01-31 10:00:00 \+0000 UTC/)
    assert.equal(alert?.annotations.runbook_url, runbookOf('MCOPausePastUntil'))
  },
  'resuming takes it back within the five minutes that a restart may take': async () => {
    const annotations = { 'machineconfig.io/paused-at': null, 'machineconfig.io/pause-until': null }
    await run([
      'patch',
      'mcp',
      'worker',
      '--type=merge',
      '-p',
      JSON.stringify({ metadata: { annotations }, spec: { paused: false } }),
    ])
    const now = async () =>
      (await prometheus.ask<Answer>('query', { query: 'mco_pool_pause_until_timestamp_seconds' })).result
    await until(async () => (await now()).length === 0, 'the series to end', 20_000)
    await run(['wait', 'mcp/worker', '--for=condition=Updated', '--timeout=90s'])
  },
  'a kubelet signer that waits behind a pause warns, is critical, names the day, and ends with the pause': async () => {
    const signer = 'kube-apiserver-to-kubelet-signer'
    const ends = new Date(Date.now() + 10 * 86_400_000)
    const { certificatePem: old } = await createAuthority(`${signer}@1`, new Date(), { notAfter: ends })
    const { certificatePem: next } = await createAuthority(`${signer}@2`, new Date())
    await run(['apply', '-f', '-'], { input: kubeletCa(old) })
    await mco(['wait', 'mc/98-kubelet-ca', '--kubeconfig', cluster.kubeconfig])
    await run(['patch', 'mcp', 'worker', '--type=merge', '-p', '{"spec":{"paused":true}}'])
    await run(['apply', '-f', '-'], { input: kubeletCa(old + next) })
    const name = 'MachineConfigControllerPausedPoolKubeletCA'
    await until(async () => (await active(name)).length === 2, 'both severities of the alert', 30_000)
    const found = await active(name)
    assert.deepEqual(found.map(({ labels }) => `${labels.pool} ${labels.severity}`).sort(), [
      'worker critical',
      'worker warning',
    ])
    // The certificate is exact to the second, and so is the day that is named.
    const day = ends.toISOString().slice(0, 19).replace('T', ' ')
    for (const { annotations } of found)
      assert.match(annotations.description ?? '', new RegExp(`at ${day} \\+0000 UTC`))
    await run(['patch', 'mcp', 'worker', '--type=merge', '-p', '{"spec":{"paused":false}}'])
    await until(async () => (await active(name)).length === 0, 'the alert to end with the pause', 30_000)
  },
})
await prometheus.stop()
await cluster.stop()

/** A fragment with the bundle by which a kubelet knows the API server. */
function kubeletCa(text: string): string {
  const source = `data:;base64,${Buffer.from(text).toString('base64')}`
  const files = [{ path: '/etc/kubernetes/kubelet-ca.crt', mode: 0o644, overwrite: true, contents: { source } }]
  return JSON.stringify({
    apiVersion: 'machineconfiguration.openshift.io/v1',
    kind: 'MachineConfig',
    metadata: { name: '98-kubelet-ca', labels: { 'machineconfiguration.openshift.io/role': 'worker' } },
    spec: { config: { ignition: { version: '3.2.0' }, storage: { files } } },
  })
}

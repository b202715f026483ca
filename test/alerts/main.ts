import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { stringify } from 'yaml'
import { alerts, runbookOf } from '../../scripts/generate/monitoring/alerts.ts'
import { dashboardRows } from '../../scripts/generate/monitoring/dashboardRows.ts'
import { staleMonitoringFiles } from '../../scripts/generate/monitoring/files.ts'
import { execute } from '../e2e/harness.ts'
import type { AlertCase, Firing } from './alertCase.ts'
import { nodeCases } from './nodeCases.ts'
import { originalCases } from './originalCases.ts'
import { poolCases } from './poolCases.ts'
import { serviceCases } from './serviceCases.ts'

/**
 * Checks the committed rules and runs every case with promtool. Fails also when an alert has no case in which it fires and
 * one in which it does not, for each of its severities, or no runbook.
 */
const rules = resolve('deploy/alerts/machine-config.rules.yaml')
const promtool = process.env.PROMTOOL ?? 'promtool'
const cases: readonly AlertCase[] = [...originalCases, ...poolCases, ...nodeCases, ...serviceCases]

assert.deepEqual(await staleMonitoringFiles(), [], 'run: node scripts/run.mjs scripts/generate-monitoring.ts')
await requireCasesAndRunbooks()
const folder = await mkdtemp(join(tmpdir(), 'mco-alerts-'))
try {
  await run(['check', 'rules', rules])
  const queries = join(folder, 'dashboard.yaml')
  await writeFile(queries, stringify(dashboardQueries(), { lineWidth: 0 }))
  await run(['check', 'rules', queries])
  const file = join(folder, 'alerts.yaml')
  await writeFile(
    file,
    stringify({ rule_files: [rules], evaluation_interval: '1m', tests: cases.map(promtoolTest) }, { lineWidth: 0 }),
  )
  await run(['test', 'rules', file])
} finally {
  await rm(folder, { recursive: true })
}
console.log(`${new Set(alerts.map(({ name }) => name)).size} alerts, ${cases.length} cases: as expected`)

async function requireCasesAndRunbooks(): Promise<void> {
  const lacking: string[] = []
  for (const { name, severity } of alerts) {
    const moments = cases.filter(({ alert }) => alert === name).flatMap(({ at }) => Object.values(at))
    const fires = (firing: readonly Firing[]): boolean => firing.some((one) => one.severity === severity)
    if (!moments.some(fires)) lacking.push(`${name} (${severity}): no case in which it fires`)
    if (moments.every(fires)) lacking.push(`${name} (${severity}): no case in which it does not fire`)
    const page = await readFile(runbookOf(name), 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
    if (page === undefined) lacking.push(`${name}: no ${runbookOf(name)}`)
  }
  const names = new Set(alerts.map(({ name }) => name))
  const strangers = cases.filter(({ alert }) => !names.has(alert)).map(({ alert }) => `${alert}: no such alert`)
  assert.deepEqual([...lacking, ...strangers], [])
}

/** The queries of the dashboard as recording rules: what promtool cannot read, Grafana could not ask either. */
function dashboardQueries(): object {
  const queries = dashboardRows.flatMap(({ panels }) => panels.flatMap((panel) => panel.queries))
  const rule = ({ expr }: { readonly expr: string }, index: number): object => ({
    record: `dashboard:query:${index}`,
    expr: expr.replaceAll('$pool', '.*'),
  })
  return { groups: [{ name: 'dashboard', rules: queries.map(rule) }] }
}

function promtoolTest({ alert, name, series, at }: AlertCase): object {
  return {
    name: `${alert}: ${name}`,
    interval: '1m',
    input_series: Object.entries(series).map(([key, values]) => ({ series: key, values })),
    alert_rule_test: Object.entries(at).map(([time, firing]) => ({
      eval_time: time,
      alertname: alert,
      exp_alerts: firing.map((one) => expected(alert, one)),
    })),
  }
}

function expected(alert: string, { severity, labels = {}, says }: Firing): object {
  const rule = alerts.find((one) => one.name === alert && one.severity === severity)
  assert.ok(rule, `there is no alert ${alert} of severity ${severity}`)
  return {
    exp_labels: { severity, ...labels },
    exp_annotations: { summary: rule.summary, description: says, runbook_url: runbookOf(alert) },
  }
}

async function run(args: readonly string[]): Promise<void> {
  const { code, stdout, stderr } = await execute(promtool, args)
  assert.equal(code, 0, `promtool ${args.slice(0, 2).join(' ')}\n${stdout}${stderr}`)
}

import { readFile } from 'node:fs/promises'
import { stringify } from 'yaml'
import { operatorNamespace } from '../../../src/api/names.ts'
import { ruleDocument } from './alerts.ts'
import { dashboardDocument } from './dashboard.ts'

const header = '# Generated from scripts/generate/monitoring by scripts/generate-monitoring.ts. Do not edit.\n'
const yaml = (value: unknown): string => `${header}${stringify(value, { lineWidth: 0 })}`

/** Path and text of every generated file. */
export function monitoringFiles(): ReadonlyMap<string, string> {
  return new Map([
    ['deploy/alerts/machine-config.rules.yaml', yaml(ruleDocument())],
    [
      'deploy/alerts/prometheusrule.yaml',
      yaml({
        apiVersion: 'monitoring.coreos.com/v1',
        kind: 'PrometheusRule',
        metadata: { name: 'machine-config', namespace: operatorNamespace },
        spec: ruleDocument(),
      }),
    ],
    ['deploy/dashboards/machine-config.json', `${JSON.stringify(dashboardDocument(), undefined, 2)}\n`],
  ])
}

/** Those whose committed text is another, or that are not there. */
export async function staleMonitoringFiles(): Promise<readonly string[]> {
  const stale: string[] = []
  for (const [path, text] of monitoringFiles()) {
    const present = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
    if (present !== text) stale.push(path)
  }
  return stale
}

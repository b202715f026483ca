import type { Alert, AlertGroup } from './alert.ts'
import { nodeAlerts } from './nodeAlerts.ts'
import { originalAlerts } from './originalAlerts.ts'
import { poolAlerts } from './poolAlerts.ts'
import { serviceAlerts } from './serviceAlerts.ts'

const alertGroups: readonly AlertGroup[] = [originalAlerts, poolAlerts, nodeAlerts, serviceAlerts]

export const alerts: readonly Alert[] = alertGroups.flatMap((group) => group.alerts)

/** Relative to this repository; whoever installs the rules puts the place in front of it where the pages can be read. */
export const runbookOf = (alert: string): string => `docs/runbooks/${alert}.md`

/** The document of `promtool` and of a plain Prometheus, also the `spec` of a PrometheusRule. */
export const ruleDocument = (): { readonly groups: readonly object[] } => ({
  groups: alertGroups.map(({ name, alerts: rules }) => ({
    name,
    rules: rules.map(({ name: alert, expr, for: hold, severity, summary, description }) => ({
      alert,
      expr,
      ...(hold !== undefined && { for: hold }),
      labels: { severity },
      annotations: { summary, description, runbook_url: runbookOf(alert) },
    })),
  })),
})

/** One alerting rule. Its runbook is docs/runbooks/NAME.md; its tests are in test/alerts. */
export interface Alert {
  readonly name: string
  readonly severity: 'info' | 'warning' | 'critical'
  readonly expr: string
  /** How long the expression must hold. */
  readonly for?: string
  readonly summary: string
  /** With the names and numbers of the case, as Prometheus templates. */
  readonly description: string
}

export interface AlertGroup {
  readonly name: string
  readonly alerts: readonly Alert[]
}

/**
 * The value of a gauge, whichever process told it in the last five minutes: a controller that restarts is another
 * instance after a gap, and must not begin an alert anew.
 */
export const steady = (selector: string): string => `max without (instance, pod) (last_over_time(${selector}[5m]))`

export const days = (count: number): number => count * 86_400
export const minutes = (count: number): number => count * 60

/** In a description: the value of another series that has the same labels, in the given form; also over a restart. */
export const otherValue = (metric: string, labels: readonly string[], form = 'printf "%.0f"'): string =>
  `{{ with query ${selectorOf(metric, labels, 'max(last_over_time(', '[5m]))')} }}{{ . | first | value | ${form} }}{{ else }}unknown{{ end }}`

/** In a description: one label of at most five other series, separated by spaces. */
export const namesOf = (metric: string, labels: readonly string[], name: string): string =>
  `{{ range query ${selectorOf(metric, labels, 'topk(5, ', ')')} }} {{ .Labels.${name} }}{{ end }}`

function selectorOf(metric: string, labels: readonly string[], before: string, after: string): string {
  const matchers = labels.map((label) => `${label}=%q`).join(',')
  const text = JSON.stringify(`${before}${metric}{${matchers}}${after}`)
  return labels.length === 0 ? text : `(printf ${text} ${labels.map((label) => `$labels.${label}`).join(' ')})`
}

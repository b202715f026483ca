import type { LabelSelector, LabelSelectorRequirement } from './meta.ts'

/**
 * Label selectors as API objects carry them (meta/v1 LabelSelector). What an absent or an empty selector means is the
 * caller's business: here an empty one matches everything, as in apimachinery.
 */
export type Labels = Readonly<Record<string, string>>

export type LabelMatcher =
  | { readonly kind: 'matcher'; readonly matches: (labels: Labels) => boolean }
  | { readonly kind: 'invalid'; readonly message: string }

/** Checks a selector once and returns its test. The refusals are worded as the API server words them. */
export function labelMatcher(selector: LabelSelector): LabelMatcher {
  const requirements = [...fromMatchLabels(selector), ...(selector.matchExpressions ?? [])]
  for (const requirement of requirements) {
    const message = whyInvalid(requirement)
    if (message) return { kind: 'invalid', message }
  }
  return { kind: 'matcher', matches: (labels) => requirements.every((requirement) => meets(labels, requirement)) }
}

export const isEmptySelector = (selector: LabelSelector | undefined): boolean =>
  !selector || (Object.keys(selector.matchLabels ?? {}).length === 0 && (selector.matchExpressions ?? []).length === 0)

function fromMatchLabels({ matchLabels }: LabelSelector): LabelSelectorRequirement[] {
  return Object.entries(matchLabels ?? {})
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => ({ key, operator: 'In', values: [value] }))
}

function meets(labels: Labels, { key, operator, values }: LabelSelectorRequirement): boolean {
  const value = labels[key]
  if (operator === 'Exists') return value !== undefined
  if (operator === 'DoesNotExist') return value === undefined
  const listed = value !== undefined && (values ?? []).includes(value)
  return operator === 'In' ? listed : !listed
}

const namePattern = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/
const prefixPattern = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const character = "alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character"
const nameRule =
  `name part must consist of ${character} (e.g. 'MyName',  or 'my.name',  or '123-abc', ` +
  `regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`
const valueRule =
  `a valid label must be an empty string or consist of ${character} (e.g. 'MyValue',  or 'my_value',  or '12345', ` +
  `regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`
const prefixRule =
  "prefix part a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must " +
  "start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is " +
  "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"

function whyInvalid({ key, operator, values = [] }: LabelSelectorRequirement): string | undefined {
  if (!['In', 'NotIn', 'Exists', 'DoesNotExist'].includes(operator)) {
    return `${JSON.stringify(operator)} is not a valid label selector operator`
  }
  const problems = [keyProblem(key), valuesProblem(operator, values), ...values.map((v, i) => valueProblem(key, v, i))]
  const found = problems.filter((problem) => problem !== undefined)
  return found.length > 1 ? `[${found.join(', ')}]` : found[0]
}

function keyProblem(key: string): string | undefined {
  const [prefix, name] = key.includes('/')
    ? [key.slice(0, key.indexOf('/')), key.slice(key.indexOf('/') + 1)]
    : ['', key]
  if (key.includes('/') && !(prefixPattern.test(prefix) && prefix.length <= 253)) return invalidKey(key, prefixRule)
  if (name.length > 63) return invalidKey(key, 'name part must be no more than 63 bytes')
  return namePattern.test(name) ? undefined : invalidKey(key, name === '' ? 'name part must be non-empty' : nameRule)
}

const invalidKey = (key: string, rule: string): string => `key: Invalid value: ${JSON.stringify(key)}: ${rule}`

function valuesProblem(operator: string, values: readonly string[]): string | undefined {
  if (operator === 'In' || operator === 'NotIn') {
    return values.length > 0
      ? undefined
      : "values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty"
  }
  return values.length === 0
    ? undefined
    : `values: Invalid value: ${JSON.stringify(values)}: values set must be empty for exists and does not exist`
}

function valueProblem(key: string, value: string, index: number): string | undefined {
  const where = `values[${index}][${key}]: Invalid value: ${JSON.stringify(value)}: `
  if (value.length > 63) return `${where}must be no more than 63 bytes`
  return value === '' || namePattern.test(value) ? undefined : where + valueRule
}

import { labelValueErrors, qualifiedNameErrors } from '../schema/names.ts'
import type { LabelSelector } from './meta.ts'

/**
 * Label and field selectors: the string form of `kubectl -l` and `--field-selector`, and the LabelSelector objects of specs
 * (Kubernetes documentation, "Labels and Selectors" and "Field Selectors").
 */

export type LabelOperator = '=' | '!=' | 'in' | 'notin' | 'exists' | '!' | '>' | '<'

export interface LabelRequirement {
  readonly key: string
  readonly operator: LabelOperator
  /** Sorted; one for `=`, `!=`, `>`, `<`; at least one for `in`, `notin`; none for `exists`, `!`. */
  readonly values: readonly string[]
}

/** Requirements are and-ed; an empty list selects everything. */
export type LabelQuery =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'all'; readonly requirements: readonly LabelRequirement[] }

export type Parsed<T> = { readonly value: T } | { readonly error: string }

export type Labels = Readonly<Record<string, string>>

const selectsNothing: LabelQuery = { kind: 'nothing' }
const selectsEverything: LabelQuery = { kind: 'all', requirements: [] }

export function matchesLabels(query: LabelQuery, labels: Labels | undefined): boolean {
  return query.kind === 'all' && query.requirements.every((requirement) => meets(requirement, labels ?? {}))
}

function meets({ key, operator, values }: LabelRequirement, labels: Labels): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined
  switch (operator) {
    case '=':
    case 'in':
      return value !== undefined && values.includes(value)
    // A label that is absent is "not in" any set.
    case '!=':
    case 'notin':
      return value === undefined || !values.includes(value)
    case 'exists':
      return value !== undefined
    case '!':
      return value === undefined
    case '>':
    case '<':
      return value !== undefined && comparesAs(operator, value, values[0] ?? '')
    default:
      operator satisfies never
      return false
  }
}

function comparesAs(operator: '>' | '<', left: string, right: string): boolean {
  if (!isInteger(left) || !isInteger(right)) return false
  return operator === '>' ? BigInt(left) > BigInt(right) : BigInt(left) < BigInt(right)
}

const isInteger = (text: string): boolean => /^-?\d+$/.test(text)

/**
 * The query of a LabelSelector object. Absent or null selects nothing and `{}` everything, as in apimachinery; a pool
 * treats `{}` as nothing too, which is the pool's own rule.
 */
export function labelSelectorToQuery(selector: LabelSelector | null | undefined): Parsed<LabelQuery> {
  if (selector === undefined || selector === null) return { value: selectsNothing }
  const requirements: LabelRequirement[] = Object.entries(selector.matchLabels ?? {}).map(([key, value]) => ({
    key,
    operator: '=',
    values: [value],
  }))
  for (const { key, operator, values = [] } of selector.matchExpressions ?? []) {
    const own = operatorOfExpression(operator)
    if (own === undefined) return { error: `"${operator}" is not a valid label selector operator` }
    requirements.push({ key, operator: own, values: [...values].sort() })
  }
  for (const requirement of requirements) {
    const error = whyInvalid(requirement)
    if (error !== undefined) return { error }
  }
  return { value: { kind: 'all', requirements: requirements.sort(byKey) } }
}

function operatorOfExpression(operator: string): LabelOperator | undefined {
  switch (operator) {
    case 'In':
      return 'in'
    case 'NotIn':
      return 'notin'
    case 'Exists':
      return 'exists'
    case 'DoesNotExist':
      return '!'
    default:
      return undefined
  }
}

/** True when the object form has no term at all: absent, null or `{}`. */
export function isEmptyLabelSelector(selector: LabelSelector | null | undefined): boolean {
  return Object.keys(selector?.matchLabels ?? {}).length === 0 && (selector?.matchExpressions ?? []).length === 0
}

/** Parses `a=b,c in (d,e),!f,g notin (h),i,j>1`. Spaces around terms are ignored; the empty text selects everything. */
export function parseLabelSelector(text: string): Parsed<LabelQuery> {
  const requirements: LabelRequirement[] = []
  if (text.trim() === '') return { value: selectsEverything }
  for (const term of splitOutsideParentheses(text)) {
    const requirement = parseTerm(term.trim())
    if (requirement === undefined) {
      return {
        error: `unable to parse requirement: found '${term.trim()}', expected: a=b, a!=b, a in (b,c), a notin (b,c), a or !a`,
      }
    }
    const error = whyInvalid(requirement)
    if (error !== undefined) return { error: `unable to parse requirement: ${error}` }
    requirements.push(requirement)
  }
  return { value: { kind: 'all', requirements: requirements.sort(byKey) } }
}

function splitOutsideParentheses(text: string): readonly string[] {
  const terms: string[] = []
  let depth = 0
  let start = 0
  for (let i = 0; i < text.length; i++) {
    const character = text[i]
    if (character === '(') depth++
    else if (character === ')') depth--
    else if (character === ',' && depth === 0) {
      terms.push(text.slice(start, i))
      start = i + 1
    }
  }
  return [...terms, text.slice(start)]
}

function parseTerm(term: string): LabelRequirement | undefined {
  const absent = /^!\s*([^\s=!<>(),]+)$/.exec(term)?.[1]
  if (absent !== undefined) return { key: absent, operator: '!', values: [] }
  const set = /^([^\s=!<>(),]+)\s+(in|notin)\s*\(([^()]*)\)$/.exec(term)
  if (set) {
    const values = (set[3] ?? '').split(',').map((value) => value.trim())
    return { key: set[1] ?? '', operator: set[2] === 'in' ? 'in' : 'notin', values: [...new Set(values)].sort() }
  }
  const comparison = /^([^\s=!<>(),]+)\s*(==|=|!=|>|<)\s*([^\s=!<>(),]*)$/.exec(term)
  if (comparison) {
    const [, key = '', operator = '=', value = ''] = comparison
    return { key, operator: operator === '==' ? '=' : (operator as '=' | '!=' | '>' | '<'), values: [value] }
  }
  return /^[^\s=!<>(),]+$/.test(term) ? { key: term, operator: 'exists', values: [] } : undefined
}

function whyInvalid({ key, operator, values }: LabelRequirement): string | undefined {
  const keyError = qualifiedNameErrors(key)[0]
  if (keyError !== undefined) return `key: Invalid value: ${JSON.stringify(key)}: ${keyError}`
  if ((operator === 'in' || operator === 'notin') && values.length === 0) {
    return "values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty"
  }
  if ((operator === 'exists' || operator === '!') && values.length > 0) {
    return `values: Invalid value: ${JSON.stringify(values)}: values set must be empty for exists and does not exist`
  }
  if (operator === '>' || operator === '<') {
    const [value = ''] = values
    return isInteger(value)
      ? undefined
      : `values[0]: Invalid value: ${JSON.stringify(value)}: for 'Gt', 'Lt' operators, the value must be an integer`
  }
  for (const [index, value] of values.entries()) {
    const error = labelValueErrors(value)[0]
    if (error !== undefined) return `values[${index}][${key}]: Invalid value: ${JSON.stringify(value)}: ${error}`
  }
  return undefined
}

/** The canonical text: sorted by key, sets sorted. `<none>` never occurs; "nothing" has no text and gives undefined. */
export function formatLabelQuery(query: LabelQuery): string | undefined {
  return query.kind === 'nothing' ? undefined : query.requirements.map(formatRequirement).join(',')
}

function formatRequirement({ key, operator, values }: LabelRequirement): string {
  switch (operator) {
    case 'exists':
      return key
    case '!':
      return `!${key}`
    case 'in':
    case 'notin':
      return `${key} ${operator} (${values.join(',')})`
    case '=':
    case '!=':
    case '>':
    case '<':
      return `${key}${operator}${values[0] ?? ''}`
    default:
      return operator satisfies never
  }
}

const byKey = (a: LabelRequirement, b: LabelRequirement): number => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)

export interface FieldRequirement {
  readonly field: string
  readonly operator: '=' | '!='
  readonly value: string
}

/** Parses `metadata.name=a,status.phase!=Running`; `\,`, `\=` and `\\` stand for themselves in values. */
export function parseFieldSelector(text: string): Parsed<readonly FieldRequirement[]> {
  const requirements: FieldRequirement[] = []
  for (const term of text.match(/(?:\\.|[^,\\])+/gs) ?? []) {
    const parts = /^((?:[^=!\\])+)(==|!=|=)((?:\\.|[^\\=])*)$/s.exec(term)
    const value = parts ? unescapeField(parts[3] ?? '') : undefined
    if (!parts || value === undefined) {
      return { error: `invalid selector: '${text}'; can't understand '${term}'` }
    }
    requirements.push({ field: parts[1] ?? '', operator: parts[2] === '!=' ? '!=' : '=', value })
  }
  return { value: requirements }
}

function unescapeField(text: string): string | undefined {
  return /^(?:[^\\]|\\[\\,=])*$/s.test(text) ? text.replace(/\\([\\,=])/g, '$1') : undefined
}

export function matchesFields(
  requirements: readonly FieldRequirement[],
  fieldValue: (field: string) => string,
): boolean {
  return requirements.every(({ field, operator, value }) => (fieldValue(field) === value) === (operator === '='))
}

export function formatFieldSelector(requirements: readonly FieldRequirement[]): string {
  return requirements
    .map(
      ({ field, operator, value }) => `${field}${operator}${value.replace(/[\\,=]/g, (character) => `\\${character}`)}`,
    )
    .join(',')
}

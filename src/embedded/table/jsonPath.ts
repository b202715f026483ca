/**
 * The part of kubectl's JSONPath that printer columns use (public docs, "JSONPath Support"): members with `\.` escapes,
 * `['name']`, positions, `*`, and filters such as `[?(@.type=="Ready")]`. Parsed once per column.
 */
export type JsonPath = readonly Step[]

type Step =
  | { readonly kind: 'member'; readonly name: string }
  | { readonly kind: 'position'; readonly index: number }
  | { readonly kind: 'all' }
  | { readonly kind: 'filter'; readonly path: JsonPath; readonly operator: string; readonly value: unknown }

/** Undefined for a path that uses something else. */
export function parseJsonPath(text: string): JsonPath | undefined {
  const trimmed = text
    .trim()
    .replace(/^\{(.*)\}$/s, '$1')
    .replace(/^\$/, '')
  const steps: Step[] = []
  let rest = trimmed
  while (rest !== '') {
    const next = parseStep(rest)
    if (!next) return undefined
    if (next.step) steps.push(next.step)
    rest = rest.slice(next.length)
  }
  return steps
}

/** All values that the path leads to; empty when it leads nowhere. */
export function findAll(value: unknown, path: JsonPath): readonly unknown[] {
  return path.reduce<readonly unknown[]>((values, step) => values.flatMap((each) => follow(each, step)), [value])
}

interface Parsed {
  readonly step?: Step
  readonly length: number
}

const memberSyntax = /^\.((?:\\.|[^.[\]\\])+)/s
const bracketSyntax = /^\[(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|(-?\d+)|(\*))\]/s
const filterSyntax =
  /^\[\?\(\s*@([^=!<>]*?)\s*(?:(==|!=|<=|>=|<|>)\s*('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^)\s]+)\s*)?\)\]/s

function parseStep(text: string): Parsed | undefined {
  if (text === '.') return { length: 1 }
  const member = memberSyntax.exec(text)
  if (member) {
    const name = unescaped(member[1] ?? '')
    return { step: name === '*' ? { kind: 'all' } : { kind: 'member', name }, length: member[0].length }
  }
  const bracket = bracketSyntax.exec(text)
  if (bracket) {
    const [whole, single, double, index] = bracket
    const name = single ?? double
    if (name !== undefined) return { step: { kind: 'member', name: unescaped(name) }, length: whole.length }
    const step: Step = index === undefined ? { kind: 'all' } : { kind: 'position', index: Number(index) }
    return { step, length: whole.length }
  }
  return parseFilter(text)
}

function parseFilter(text: string): Parsed | undefined {
  const filter = filterSyntax.exec(text)
  if (!filter) return undefined
  const [whole, inner = '', operator = 'exists', literal = ''] = filter
  const path = parseJsonPath(inner)
  return path && { step: { kind: 'filter', path, operator, value: parseLiteral(literal) }, length: whole.length }
}

const unescaped = (text: string): string => text.replace(/\\(.)/gs, '$1')

function parseLiteral(text: string): unknown {
  if (/^['"]/.test(text)) return unescaped(text.slice(1, -1))
  if (text === 'true' || text === 'false') return text === 'true'
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text
}

function follow(value: unknown, step: Step): readonly unknown[] {
  switch (step.kind) {
    case 'member':
      return isRecord(value) && Object.hasOwn(value, step.name) ? [value[step.name]] : []
    case 'position':
      return Array.isArray(value) ? value.slice(step.index).slice(0, 1) : []
    case 'all':
      return Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : []
    case 'filter':
      return Array.isArray(value) ? value.filter((item) => passes(item, step)) : []
    default:
      return step satisfies never
  }
}

function passes(item: unknown, { path, operator, value }: Extract<Step, { kind: 'filter' }>): boolean {
  const found = findAll(item, path)
  if (operator === 'exists') return found.length > 0
  return found.some((each) => compare(each, operator, value))
}

function compare(left: unknown, operator: string, right: unknown): boolean {
  if (operator === '==') return left === right
  if (operator === '!=') return left !== right
  if (typeof left !== 'number' || typeof right !== 'number') return false
  switch (operator) {
    case '<':
      return left < right
    case '<=':
      return left <= right
    case '>':
      return left > right
    default:
      return left >= right
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

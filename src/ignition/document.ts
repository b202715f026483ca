import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  LineCounter,
  type Node,
  parseAllDocuments,
  type ScalarTag,
  stringify,
  type Tags,
} from 'yaml'
import type { Issue } from './issues.ts'
import { parseJson } from './jsonText.ts'
import { lineColumn, Positions } from './positions.ts'

/**
 * The documents of a YAML or JSON text, read as the Kubernetes tools read them: YAML 1.1 booleans and octal numbers
 * (`mode: 0644` is 420), dates and times stay strings. Repeated keys and alias bombs are refused, integers beyond 2^53
 * are bigint. Never throws. Documents without content are left out.
 */
export function parseDocuments(text: string, { fileName }: { readonly fileName?: string } = {}): ParsedDocuments {
  try {
    return looksLikeJson(text, fileName)
      ? (fromJson(text, fileName) ?? fromYaml(text, fileName))
      : fromYaml(text, fileName)
  } catch (error) {
    // The library limits aliases by throwing; whatever it throws is about this text.
    return {
      documents: [],
      issues: [issue(`cannot be read: ${error instanceof Error ? error.message : String(error)}`, fileName)],
    }
  }
}

export interface ParsedDocuments {
  readonly documents: readonly LocatedDocument[]
  readonly issues: readonly Issue[]
}

export interface LocatedDocument {
  readonly value: unknown
  /** Line and column of a member, counted from 1; undefined when the text does not hold it. */
  locate(path: readonly (string | number)[]): { readonly line: number; readonly column: number } | undefined
}

/** Like kubectl's output: sorted keys, lists at the column of their key, nothing folded. */
export const formatYaml = (value: unknown): string =>
  stringify(value, { indentSeq: false, sortMapEntries: true, lineWidth: 0, compat: 'yaml-1.1' })

const issue = (message: string, fileName: string | undefined, place?: { line: number; column: number }): Issue => ({
  severity: 'error',
  path: '$',
  message: fileName === undefined ? message : `${fileName}: ${message}`,
  ...place,
})

const looksLikeJson = (text: string, fileName: string | undefined): boolean =>
  fileName?.endsWith('.json') === true || /^\s*[{[]/.test(text)

/** Undefined when it is no JSON but may be YAML, which knows braces too. */
function fromJson(text: string, fileName: string | undefined): ParsedDocuments | undefined {
  const issues: Issue[] = []
  const parsed = parseJson(text, {
    onRepeatedKey: (key, offset) => {
      const { line, column } = lineColumn(text, offset)
      issues.push(
        issue(`the key ${JSON.stringify(key)} stands twice in one object; remove one`, fileName, { line, column }),
      )
    },
  })
  if (parsed.ok) {
    if (issues.length > 0) return { documents: [], issues }
    const positions = new Positions(text)
    return { documents: [{ value: parsed.value, locate: (path) => locateJson(positions, path) }], issues }
  }
  if (fileName?.endsWith('.json') !== true) return undefined
  const { line, column } = lineColumn(text, Math.max(0, parsed.offset - 1))
  return { documents: [], issues: [issue(`not JSON: ${parsed.message}`, fileName, { line, column })] }
}

function locateJson(
  positions: Positions,
  path: readonly (string | number)[],
): { line: number; column: number } | undefined {
  const { place, exact } = positions.nearest(path)
  if (!exact) return undefined
  const { line, column } = positions.lineColumn(place.start)
  return { line, column }
}

/** More aliases than this expand to one document is an attack, not a config. */
const maxAliasCount = 100

function fromYaml(text: string, fileName: string | undefined): ParsedDocuments {
  const lines = new LineCounter()
  const parsed = parseAllDocuments(text, {
    version: '1.1',
    merge: true,
    lineCounter: lines,
    prettyErrors: false,
    stringKeys: false,
    customTags,
  })
  const documents: LocatedDocument[] = []
  const issues: Issue[] = []
  for (const document of Array.isArray(parsed) ? parsed : []) {
    for (const error of document.errors) {
      const { line, col } = lines.linePos(error.pos[0])
      issues.push(issue(explain(error.code, error.message), fileName, { line, column: col }))
    }
    if (document.errors.length > 0 || document.contents === null) continue
    const value: unknown = document.toJS({ maxAliasCount })
    if (value === null || value === undefined) continue
    documents.push({ value, locate: (path) => locateYaml(document, lines, path) })
  }
  return { documents: issues.length > 0 ? [] : documents, issues }
}

const explain = (code: string, message: string): string =>
  code === 'DUPLICATE_KEY' ? `a key stands twice in one mapping; remove one (${message})` : `not YAML: ${message}`

function locateYaml(
  document: Document.Parsed,
  lines: LineCounter,
  path: readonly (string | number)[],
): { line: number; column: number } | undefined {
  let node: unknown = document.contents
  for (const step of path) {
    if (isAlias(node)) node = node.resolve(document)
    if (!isCollection(node)) return undefined
    node = isMap(node) && typeof step === 'string' ? memberNode(node, step) : node.get(step, true)
  }
  const start = (node as Node | undefined)?.range?.[0]
  if (start === undefined) return undefined
  const { line, col } = lines.linePos(start)
  return { line, column: col }
}

/** Keys are strings in the value, whatever they are in the text. */
const memberNode = (map: { items: readonly { key: unknown; value: unknown }[] }, name: string): unknown =>
  map.items.find(({ key }) => (isScalar(key) ? String(key.value) : String(key)) === name)?.value

/** Go's readers know no dates and no base-60 numbers, but `0o644`. */
function customTags(tags: Tags): Tags {
  const kept = tags.filter(
    (tag) => typeof tag !== 'string' && !unwantedTags.has(`${tag.tag} ${'format' in tag ? tag.format : ''}`.trim()),
  )
  return [...kept.map((tag) => (isPlainInteger(tag) ? exactInteger(tag) : tag)), octalTag]
}

const unwantedTags = new Set([
  'tag:yaml.org,2002:timestamp',
  'tag:yaml.org,2002:int TIME',
  'tag:yaml.org,2002:float TIME',
])

const isPlainInteger = (tag: Tags[number]): tag is ScalarTag =>
  typeof tag !== 'string' && tag.tag === 'tag:yaml.org,2002:int' && 'test' in tag && tag.resolve !== undefined

/** The library's own tag, with bigint for what a double cannot hold. */
const exactInteger = (tag: ScalarTag): ScalarTag => ({
  ...tag,
  resolve: (text, onError, options) => {
    const exact = tag.resolve(text, onError, { ...options, intAsBigInt: true })
    return typeof exact === 'bigint' && Number.isSafeInteger(Number(exact)) ? Number(exact) : exact
  },
})

const octalTag: ScalarTag = {
  tag: 'tag:yaml.org,2002:int',
  default: true,
  format: 'OCT',
  test: /^[-+]?0o[0-7_]+$/,
  resolve: (text) => {
    const digits = text.replaceAll('_', '').replace(/^[-+]/, '')
    const exact = (text.startsWith('-') ? -1n : 1n) * BigInt(digits)
    return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact
  },
}

import {
  Composer,
  type CST,
  type Document,
  isAlias,
  isCollection,
  LineCounter,
  type Node,
  Parser,
  type ScalarTag,
  stringify,
  type Tags,
} from 'yaml'
import type { Issue } from './issues.ts'
import { parseJson, smallestNumber } from './jsonText.ts'
import { lineColumn, Positions } from './positions.ts'

/**
 * The documents of a YAML or JSON text, read as the Kubernetes tools read them: YAML 1.1 booleans and octal numbers
 * (`mode: 0644` is 420), dates and times stay strings. Repeated keys and alias bombs are refused, integers beyond 2^53
 * are bigint. Never throws. Documents without content are left out.
 */
export function parseDocuments(text: string, { fileName }: { readonly fileName?: string } = {}): ParsedDocuments {
  const json = looksLikeJson(text, fileName) ? fromJson(text, fileName) : undefined
  return json ?? fromYaml(text, fileName)
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
    const positions = new Positions(() => text)
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
  const place = (offset: number): { line: number; column: number } => {
    const { line, col } = lines.linePos(offset)
    return { line, column: col }
  }
  const documents: LocatedDocument[] = []
  const issues: Issue[] = []
  const parsed = parseYaml(text, lines)
  if (parsed === undefined) return { documents: [], issues: [issue('nested too deeply to be read', fileName)] }
  for (const document of parsed) {
    for (const { code, message, pos } of [...document.errors, ...document.warnings]) {
      issues.push(issue(explain(code, message), fileName, place(pos[0])))
    }
    if (issues.length > 0 || document.contents === null) continue
    const read = toValue(document)
    if ('fault' in read) issues.push(issue(`cannot be read: ${read.fault}`, fileName, place(document.range[0])))
    else if (read.value !== null && read.value !== undefined) {
      documents.push({ value: read.value, locate: (path) => locateYaml(document, lines, path) })
    }
  }
  return { documents: issues.length > 0 ? [] : documents, issues }
}

/** Undefined when the document is nested too deeply. */
function parseYaml(text: string, lines: LineCounter): readonly Document.Parsed[] | undefined {
  const tokens = [...new Parser(lines.addNewLine).parse(text)]
  if (isDeeper(tokens, maxDepth)) return undefined
  return [...new Composer(yamlOptions).compose(tokens)]
}

/**
 * Far beyond what people write. The library composes by recursion, and a regular expression that is compiled close to the
 * end of the stack aborts the whole process: this must be known before.
 */
const maxDepth = 200

/** Level by level, so that the check itself needs no stack. */
function isDeeper(tokens: readonly CST.Token[], limit: number): boolean {
  let level: readonly CST.Token[] = tokens
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > limit) return true
    level = level.flatMap(childTokens)
  }
  return false
}

function childTokens(token: CST.Token): readonly CST.Token[] {
  if (token.type === 'document') return token.value === undefined ? [] : [token.value]
  if (!('items' in token)) return []
  return token.items.flatMap((item) => [item.key, item.value].filter((part) => part !== undefined && part !== null))
}

const yamlOptions = {
  version: '1.1',
  merge: true,
  prettyErrors: false,
  // Keys of cluster objects are strings, also `on` and `1`.
  stringKeys: true,
  // Findings go into issues, not to the terminal.
  logLevel: 'error',
  customTags,
} as const

/** The library refuses alias bombs, aliases of nothing and merges of what is no mapping by throwing. */
function toValue(document: Document.Parsed): { readonly value: unknown } | { readonly fault: string } {
  try {
    return { value: document.toJS({ maxAliasCount }) }
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) }
  }
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
    node = node.get(step, true)
  }
  const start = (node as Node | undefined)?.range?.[0]
  if (start === undefined) return undefined
  const { line, col } = lines.linePos(start)
  return { line, column: col }
}

/** Go's readers know no dates and no base-60 numbers, but `0o644`. */
function customTags(tags: Tags): Tags {
  const kept = tags.filter(
    (tag) => typeof tag !== 'string' && !unwantedTags.has(`${tag.tag} ${'format' in tag ? tag.format : ''}`.trim()),
  )
  return [...kept.map((tag) => (isPlainInteger(tag) ? exactInteger(tag) : tag)), octalTag, binaryTag]
}

const unwantedTags = new Set([
  'tag:yaml.org,2002:binary',
  'tag:yaml.org,2002:omap',
  'tag:yaml.org,2002:pairs',
  'tag:yaml.org,2002:set',

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
    return typeof exact === 'bigint' ? smallestNumber(exact) : exact
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
    return smallestNumber(exact)
  },
}

/** Binary values are text in a cluster object, whatever they hold. */
const binaryTag: ScalarTag = {
  tag: 'tag:yaml.org,2002:binary',
  resolve: (text) => Buffer.from(text, 'base64').toString('utf8'),
}

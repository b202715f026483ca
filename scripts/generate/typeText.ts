import { isJsonObject, type JsonObject } from '../../src/schema/jsonSchemaProps.ts'
import { resolveReference, type SourceSchema } from './crdSource.ts'

/** Shared shapes that have a hand-written type. */
const sharedTypes: Readonly<Record<string, string>> = {
  Condition: '../meta.ts',
  LabelSelector: '../meta.ts',
  LooseCondition: '../meta.ts',
  ObjectReference: '../meta.ts',
}

/** The TypeScript module of one kind: `<Kind>Spec`, `<Kind>Status` and the types that the source names (`x-type-name`). */
export function typeModule(kind: string, root: SourceSchema, shared: JsonObject, sourceName: string): string {
  const writer = new TypeWriter(shared)
  for (const part of ['spec', 'status']) {
    const schema = membersOf(root)[part]
    if (isJsonObject(schema)) writer.declare(`${kind}${part === 'spec' ? 'Spec' : 'Status'}`, schema)
  }
  return `// Generated from src/api/crds/${sourceName} by scripts/generate-types.ts. Do not edit.\n${writer.text()}`
}

const membersOf = (schema: SourceSchema): JsonObject => (isJsonObject(schema.properties) ? schema.properties : {})

class TypeWriter {
  readonly #shared: JsonObject
  readonly #declarations = new Map<string, string>()
  readonly #imports = new Map<string, Set<string>>()

  constructor(shared: JsonObject) {
    this.#shared = shared
  }

  text(): string {
    const imports = [...this.#imports]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([from, names]) => `import type { ${[...names].sort().join(', ')} } from '${from}'\n`)
    return `${[...imports, ...this.#declarations.values()].join('\n').replaceAll("'\n\nimport", "'\nimport")}`
  }

  declare(name: string, schema: SourceSchema): void {
    // Reserve the place first: types stand in the order in which a reader meets them.
    const known = this.#declarations.get(name)
    this.#declarations.set(name, known ?? '')
    const text = `${comment(schema, '')}export interface ${name} ${this.#objectText(schema, '')}\n`
    if (known && withoutComment(known) !== withoutComment(text))
      throw new Error(`x-type-name: ${name} names two different shapes`)
    this.#declarations.set(name, known || text)
  }

  #typeText(source: SourceSchema, indent: string): string {
    const schema = resolveReference(source, this.#shared)
    const text = this.#bareText(source, schema, indent)
    return schema.nullable === true || schema['x-type-nullable'] === true ? `${text} | null` : text
  }

  #bareText(source: SourceSchema, schema: SourceSchema, indent: string): string {
    const known = typeof source.$ref === 'string' ? sharedTypes[source.$ref] : undefined
    if (known) return this.#import(String(source.$ref), known)
    const imported = schema['x-type-import']
    if (isJsonObject(imported)) return this.#import(String(imported.name), String(imported.from))
    if (schema['x-kubernetes-int-or-string'] === true) return this.#import('IntOrString', '../intOrString.ts')
    if (typeof schema['x-type-name'] === 'string') {
      this.declare(schema['x-type-name'], schema)
      return schema['x-type-name']
    }
    switch (schema.type) {
      case 'string':
        return Array.isArray(schema.enum) ? schema.enum.map((value) => `'${value}'`).join(' | ') : 'string'
      case 'integer':
      case 'number':
        return 'number'
      case 'boolean':
        return 'boolean'
      case 'array':
        return `readonly ${this.#itemText(schema, indent)}[]`
      case 'object':
        return this.#mapOrObjectText(schema, indent)
      default:
        throw new Error(`no TypeScript type for schema type ${JSON.stringify(schema.type)}`)
    }
  }

  #itemText(schema: SourceSchema, indent: string): string {
    if (!isJsonObject(schema.items)) throw new Error('an array needs items')
    const text = this.#typeText(schema.items, indent)
    return text.includes(' | ') && !text.startsWith('{') ? `(${text})` : text
  }

  #mapOrObjectText(schema: SourceSchema, indent: string): string {
    if (isJsonObject(schema.additionalProperties)) {
      return `Readonly<Record<string, ${this.#typeText(schema.additionalProperties, indent)}>>`
    }
    if (schema['x-kubernetes-preserve-unknown-fields'] === true) return 'Readonly<Record<string, unknown>>'
    if (Object.keys(membersOf(schema)).length === 0) return 'Readonly<Record<string, never>>'
    return this.#objectText(schema, indent)
  }

  #objectText(schema: SourceSchema, indent: string): string {
    const inner = `${indent}  `
    const required = Array.isArray(schema.required) ? schema.required : []
    const members = Object.entries(membersOf(schema)).map(([name, member]) => {
      if (!isJsonObject(member)) throw new Error(`the schema of ${name} is not a mapping`)
      const mark = required.includes(name) ? '' : '?'
      return `${comment(member, inner)}${inner}readonly ${name}${mark}: ${this.#typeText(member, inner)}\n`
    })
    return `{\n${members.join('')}${indent}}`
  }

  #import(name: string, from: string): string {
    const names = this.#imports.get(from) ?? new Set()
    this.#imports.set(from, names.add(name))
    return name
  }
}

function comment(schema: SourceSchema, indent: string): string {
  return typeof schema.description === 'string' ? `${indent}/** ${schema.description} */\n` : ''
}

const withoutComment = (text: string): string => text.replace(/^\/\*\*.*\*\/\n/, '')

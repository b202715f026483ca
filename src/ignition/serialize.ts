import { configShape } from './configShape.ts'
import { goJsonString } from './goText.ts'
import type { ListShape, Shape, StructShape } from './shape.ts'
import type { IgnitionConfig } from './types.ts'

/**
 * The exact JSON text of the original: members in the order of the specification's types, Go's escapes, empty objects and
 * lists left out, optional scalars kept even when they are empty (spec: render 8.1).
 */
export const ignitionToJson = (config: IgnitionConfig): string => toJson(configShape, config)

/** The same for another shape; members that specification 3.`minor`.0 does not know are left out. */
export const toJson = (shape: StructShape, value: object, minor = newestMinor): string =>
  structText(shape, value as Record<string, unknown>, minor) ?? '{}'

const newestMinor = 5

function structText(shape: StructShape, struct: Readonly<Record<string, unknown>>, minor: number): string | undefined {
  let written = ''
  for (const { name, shape: memberShape, plain, since } of shape.members) {
    const value = struct[name]
    if (since > minor) continue
    if (plain === 'sparse' && (value === '' || value === 0)) continue
    const text =
      value === undefined || value === null
        ? plain === 'always'
          ? zeroText(memberShape)
          : undefined
        : valueText(memberShape, value, minor)
    if (text !== undefined) written += `${written === '' ? '' : ','}"${name}":${text}`
  }
  return written === '' ? undefined : `{${written}}`
}

const zeroText = (shape: Shape): string => (shape.kind === 'string' ? '""' : '0')

function valueText(shape: Shape, value: unknown, minor: number): string | undefined {
  switch (shape.kind) {
    case 'struct':
      return structText(shape, value as Record<string, unknown>, minor)
    case 'list':
      return listText(shape, value as readonly unknown[], minor)
    case 'string':
      return goJsonString(String(value))
    default:
      return String(value)
  }
}

function listText(shape: ListShape, items: readonly unknown[], minor: number): string | undefined {
  if (items.length === 0) return undefined
  return `[${items.map((item) => valueText(shape.item, item, minor) ?? '{}').join(',')}]`
}

import type { Path } from './decode.ts'
import type { Report } from './report.ts'
import type { Shape, StructShape } from './shape.ts'

/** Items of a keyed list that name the same thing; also across the lists of a shared namespace (file and directory). */
export function reportDuplicates(report: Report, shape: StructShape, config: object): void {
  visit(report, shape, config, [])
}

function visit(report: Report, shape: Shape, value: unknown, path: Path): void {
  if (value === undefined) return
  if (shape.kind === 'list') {
    if (shape.item.kind !== 'struct') return
    for (const [index, item] of (value as readonly unknown[]).entries())
      visit(report, shape.item, item, [...path, index])
    return
  }
  if (shape.kind !== 'struct') return
  const struct = value as Readonly<Record<string, unknown>>
  reportOwn(report, shape, struct, path)
  for (const { name, shape: memberShape } of shape.members) {
    if (memberShape.kind === 'struct' || memberShape.kind === 'list')
      visit(report, memberShape, struct[name], [...path, name])
  }
}

function reportOwn(report: Report, shape: StructShape, struct: Readonly<Record<string, unknown>>, path: Path): void {
  const shared = new Map<string, string>()
  for (const { name, shape: listShape } of shape.members) {
    const items = struct[name]
    if (listShape.kind !== 'list' || listShape.key === 'append' || !Array.isArray(items)) continue
    const seen = shape.sharedKeys?.includes(name) ? shared : new Map<string, string>()
    for (const [index, item] of items.entries()) {
      const key = listShape.key(item)
      const first = seen.get(key)
      if (first === undefined) seen.set(key, `${name}[${index}]`)
      else
        report.error([...path, name, index], 'duplicate entry defined', `${first} is the same; remove one of the two`)
    }
  }
}

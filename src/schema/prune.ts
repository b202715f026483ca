import { isJsonObject, type JSONSchemaProps, type JsonObject } from './jsonSchemaProps.ts'

/** Returns the value without unknown members; tells `report` the path of each. The same reference when nothing is unknown. */
export type Prune = (value: unknown, path: string, report: (path: string) => void) => unknown

const keep: Prune = (value) => value
const resourceMembers: Readonly<Record<string, Prune>> = { apiVersion: keep, kind: keep, metadata: keep }

/**
 * Compiles the pruning of a structural schema (Kubernetes documentation, "Field pruning"): members without a schema are
 * dropped, except below `x-kubernetes-preserve-unknown-fields`, where members *with* a schema are still pruned by it.
 */
export function compilePrune(schema: JSONSchemaProps, { isRoot = false }: { isRoot?: boolean } = {}): Prune {
  if (schema['x-kubernetes-int-or-string']) return keep
  const items = schema.items ? compilePrune(schema.items) : undefined
  const members = new Map<string, Prune>(
    Object.entries(schema.properties ?? {}).map(([name, member]) => [name, compilePrune(member)]),
  )
  if (isRoot || schema['x-kubernetes-embedded-resource']) {
    for (const [name, prune] of Object.entries(resourceMembers)) members.set(name, prune)
  }
  const rest = compileRest(schema)
  return (value, path, report) => {
    if (Array.isArray(value)) return items ? pruneList(value, items, path, report) : value
    return isJsonObject(value) ? pruneObject(value, members, rest, path, report) : value
  }
}

/** What happens to members that have no property schema: undefined drops them. */
function compileRest(schema: JSONSchemaProps): Prune | undefined {
  const { additionalProperties } = schema
  if (typeof additionalProperties === 'object') return compilePrune(additionalProperties)
  return additionalProperties === true || schema['x-kubernetes-preserve-unknown-fields'] ? keep : undefined
}

function pruneList(
  list: readonly unknown[],
  items: Prune,
  path: string,
  report: (path: string) => void,
): readonly unknown[] {
  const pruned = list.map((item, index) => items(item, `${path}[${index}]`, report))
  return pruned.some((item, index) => item !== list[index]) ? pruned : list
}

function pruneObject(
  object: JsonObject,
  members: ReadonlyMap<string, Prune>,
  rest: Prune | undefined,
  path: string,
  report: (path: string) => void,
): JsonObject {
  let changed = false
  const result: [string, unknown][] = []
  for (const [name, value] of Object.entries(object)) {
    const memberPath = path === '' ? name : `${path}.${name}`
    const prune = members.get(name) ?? rest
    if (prune === undefined) {
      report(memberPath)
      changed = true
      continue
    }
    const pruned = prune(value, memberPath, report)
    if (pruned !== value) changed = true
    result.push([name, pruned])
  }
  return changed ? Object.fromEntries(result) : object
}

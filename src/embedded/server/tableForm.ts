import type { Entry } from '../store/entry.ts'
import type { IncludeObject } from './outputForm.ts'
import type { ResourceDefinition } from './resource.ts'

/** meta.k8s.io Table. */
export interface Table {
  readonly kind: 'Table'
  readonly apiVersion: string
  readonly metadata: Readonly<Record<string, unknown>>
  readonly columnDefinitions: readonly unknown[]
  readonly rows: readonly unknown[]
}

export function tableOf(
  _resource: ResourceDefinition,
  entries: readonly Entry[],
  { includeObject, version }: { readonly includeObject: IncludeObject; readonly version: string; readonly now: Date },
): Table {
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${version}`,
    metadata: {},
    columnDefinitions: [{ name: 'Name', type: 'string', format: 'name', description: '', priority: 0 }],
    rows: entries.map(({ object }) => ({
      cells: [object.metadata.name],
      ...(includeObject === 'None' ? {} : { object }),
    })),
  }
}

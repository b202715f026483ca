import type { Entry } from '../store/entry.ts'
import { type IncludeObject, tableOf } from '../table/table.ts'
import type { OutputForm } from './negotiate.ts'
import type { ResourceDefinition } from './resource.ts'
import { served } from './served.ts'

/** How one object is written: as it is, as a one-row table, or as its metadata only. */
export interface ObjectWriter {
  /** Equal for writers with equal output: what is written once is shared between watches. */
  readonly key: string
  /** `first` is true for the first object of a stream: only that one carries column definitions. */
  write(entry: Entry, first: boolean): Buffer
}

export function objectWriter(
  resource: ResourceDefinition,
  form: OutputForm,
  includeObject: IncludeObject,
  now: () => Date,
): ObjectWriter {
  const address = `${resource.group}/${resource.version}/${resource.plural}`
  switch (form.kind) {
    case 'object':
      return { key: address, write: (entry) => served(resource, entry).json }
    case 'metadata':
      return {
        key: `${address} metadata ${form.version}`,
        write: (entry) => json(partialObject(served(resource, entry), form.version)),
      }
    case 'table':
      return {
        key: `${address} table ${form.version} ${includeObject}`,
        write: (entry, first) => {
          const { columnDefinitions, ...table } = tableOf(resource, [served(resource, entry).object], {
            includeObject,
            version: form.version,
            now: now(),
          })
          const metadata = { resourceVersion: String(entry.revision) }
          return json({ ...table, metadata, columnDefinitions: first ? columnDefinitions : [] })
        },
      }
    default:
      return form satisfies never
  }
}

export function partialObject(entry: Entry, version: string) {
  return { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${version}`, metadata: entry.object.metadata }
}

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))

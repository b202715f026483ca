import type { ApiObject, StorageMapping } from '../server/resource.ts'
import { isObject, type JsonObject } from './jsonObject.ts'

/** events.k8s.io/v1 and core/v1 show the same stored events under different field names (API reference, Event). */
export const storedAsCoreEvent: StorageMapping = { group: '', plural: 'events', toStored, fromStored }

const newName: Readonly<Record<string, string>> = {
  involvedObject: 'regarding',
  message: 'note',
  reportingComponent: 'reportingController',
  source: 'deprecatedSource',
  firstTimestamp: 'deprecatedFirstTimestamp',
  lastTimestamp: 'deprecatedLastTimestamp',
  count: 'deprecatedCount',
}
const oldName = Object.fromEntries(Object.entries(newName).map(([old, now]) => [now, old]))

function toStored(event: ApiObject): ApiObject {
  const { series, ...rest } = renamed(event, oldName)
  const stored = { involvedObject: {}, ...rest, ...(isObject(series) ? { series } : {}) }
  return { ...stored, apiVersion: 'v1', kind: 'Event', metadata: event.metadata }
}

function fromStored(event: ApiObject): ApiObject {
  const shown = renamed(event, newName)
  return { ...shown, apiVersion: 'events.k8s.io/v1', kind: 'Event', metadata: event.metadata }
}

const renamed = (object: JsonObject, names: Readonly<Record<string, string>>): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [names[name] ?? name, value]))

import type { ApiObject, SelectableField } from '../server/resource.ts'
import { isObject } from './jsonObject.ts'

/** Which fields a field selector may name, by kind (public docs, "Field Selectors", and each kind's reference). */
const field = (label: string, fallback = ''): SelectableField => ({
  label,
  value: (object) => textAt(object, label.split('.')) ?? fallback,
})

function textAt(object: ApiObject, path: readonly string[]): string | undefined {
  let value: unknown = object
  for (const name of path) value = isObject(value) ? value[name] : undefined
  return value === undefined || value === null ? undefined : String(value)
}

export const podFields: readonly SelectableField[] = [
  field('spec.nodeName'),
  field('spec.restartPolicy'),
  field('spec.schedulerName'),
  field('spec.serviceAccountName'),
  field('spec.hostNetwork', 'false'),
  field('status.phase'),
  field('status.podIP'),
  field('status.nominatedNodeName'),
]
export const nodeFields: readonly SelectableField[] = [field('spec.unschedulable', 'false')]
export const namespaceFields: readonly SelectableField[] = [field('status.phase')]
export const secretFields: readonly SelectableField[] = [field('type')]
export const replicaFields: readonly SelectableField[] = [field('status.replicas', '0')]
export const jobFields: readonly SelectableField[] = [field('status.successful', '0')]
export const serviceFields: readonly SelectableField[] = [field('spec.clusterIP'), field('spec.type')]

const references = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath']
export const coreEventFields: readonly SelectableField[] = [
  ...references.map((name) => field(`involvedObject.${name}`)),
  field('reason'),
  field('reportingComponent'),
  {
    label: 'source',
    value: (event) => textAt(event, ['source', 'component']) ?? textAt(event, ['reportingComponent']) ?? '',
  },
  field('type'),
]
export const eventsEventFields: readonly SelectableField[] = [
  ...references.map((name) => field(`regarding.${name}`)),
  field('reason'),
  field('reportingController'),
  field('type'),
]

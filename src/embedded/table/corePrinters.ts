import { storedAsCoreEvent } from '../builtins/eventConversion.ts'
import { isObject } from '../builtins/jsonObject.ts'
import type { ApiObject } from '../server/resource.ts'
import { ageOf } from './age.ts'
import {
  age,
  ageColumn,
  at,
  column,
  count,
  items,
  listOrNone,
  type Printer,
  printer,
  size,
  text,
  texts,
  wide,
} from './printer.ts'
import { selectorText } from './workloadPrinters.ts'

/** The small kinds as kubectl shows them. */
const number = (name: string, description: string) => column(name, description, { type: 'integer' })
const createdColumn = column('Created At', 'When the object was created.', { type: 'date' })
const createdAt = (object: ApiObject): string => text(object.metadata.creationTimestamp, '<unknown>')

/** Kinds without columns of their own. */
export const plainPrinter: Printer = printer([createdColumn], (object) => [createdAt(object)])

export const namespacePrinter: Printer = printer(
  [column('Status', 'Active or Terminating.'), ageColumn],
  (object, now) => [text(at(object, 'status', 'phase')), age(object, now)],
)

export const configMapPrinter: Printer = printer([number('Data', 'Number of values.'), ageColumn], (object, now) => [
  size(object.data) + size(object.binaryData),
  age(object, now),
])

export const secretPrinter: Printer = printer(
  [column('Type', 'What the values are for.'), number('Data', 'Number of values.'), ageColumn],
  (object, now) => [text(object.type), size(object.data), age(object, now)],
)

export const serviceAccountPrinter: Printer = printer(
  [number('Secrets', 'Number of secrets.'), ageColumn],
  (object, now) => [items(object.secrets).length, age(object, now)],
)

export const servicePrinter: Printer = printer(
  [
    column('Type', 'How the service is reached.'),
    column('Cluster-IP', 'Address inside the cluster.'),
    column('External-IP', 'Address outside the cluster.'),
    column('Port(s)', 'Ports of the service.'),
    ageColumn,
    wide('Selector', 'Labels of the pods.'),
  ],
  (object, now) => [
    text(at(object, 'spec', 'type')),
    text(at(object, 'spec', 'clusterIP'), '<none>'),
    externalAddress(object),
    listOrNone(items(at(object, 'spec', 'ports')).map(servicePort)),
    age(object, now),
    selectorText({ matchLabels: at(object, 'spec', 'selector') }),
  ],
)

function servicePort({ port, nodePort, protocol }: Readonly<Record<string, unknown>>): string {
  return `${text(port)}${count(nodePort) > 0 ? `:${text(nodePort)}` : ''}/${text(protocol, 'TCP')}`
}

function externalAddress(service: ApiObject): string {
  const own = texts(at(service, 'spec', 'externalIPs'))
  switch (at(service, 'spec', 'type')) {
    case 'ExternalName':
      return text(at(service, 'spec', 'externalName'), '<none>')
    case 'LoadBalancer': {
      const ingress = items(at(service, 'status', 'loadBalancer', 'ingress')).map(({ ip, hostname }) =>
        text(ip ?? hostname),
      )
      const all = [...ingress, ...own]
      return all.length === 0 ? '<pending>' : all.join(',')
    }
    default:
      return listOrNone(own)
  }
}

export const endpointsPrinter: Printer = printer(
  [column('Endpoints', 'Addresses and ports.'), ageColumn],
  (object, now) => {
    const all = items(object.subsets).flatMap(({ addresses, ports }) =>
      items(addresses).flatMap(({ ip }) => {
        const numbers = items(ports).map(({ port }) => text(port))
        return numbers.length === 0 ? [text(ip)] : numbers.map((port) => `${text(ip)}:${port}`)
      }),
    )
    const shown = all.slice(0, 3).join(',')
    return [
      all.length === 0 ? '<none>' : all.length > 3 ? `${shown} + ${all.length - 3} more...` : shown,
      age(object, now),
    ]
  },
)

const eventColumns = [
  column('Last Seen', 'When it last happened.'),
  column('Type', 'Normal or Warning.'),
  column('Reason', 'One word for programs.'),
  column('Object', 'The object that it happened to.'),
  wide('Subobject', 'Part of the object.'),
  wide('Source', 'Who reported.'),
  column('Message', 'Details for people.'),
  wide('First Seen', 'When it first happened.'),
  column('Count', 'How often it happened.', { wide: true, type: 'integer' }),
  column('Name', 'Name of the event.', { wide: true, format: 'name' }),
]

/** Events are known by what happened, not by their name; both API groups look the same. */
export const eventsPrinter: Printer = {
  columns: eventColumns,
  cells: (object, now) => {
    const event = object.apiVersion === 'v1' ? object : storedAsCoreEvent.toStored(object)
    const { involvedObject, series } = event
    const first = ageOf(event.firstTimestamp ?? event.eventTime, now)
    const repeated = isObject(series)
    const last = repeated
      ? ageOf(series.lastObservedTime, now)
      : event.lastTimestamp
        ? ageOf(event.lastTimestamp, now)
        : first
    const name = text(at(involvedObject, 'name'))
    const kind = text(at(involvedObject, 'kind')).toLowerCase()
    return [
      last,
      text(event.type),
      text(event.reason),
      name === '' ? kind : `${kind}/${name}`,
      text(at(involvedObject, 'fieldPath')),
      eventSource(event),
      text(event.message).trim(),
      first,
      repeated ? count(series.count) : count(event.count) || 1,
      text(event.metadata.name),
    ]
  },
}

function eventSource(event: ApiObject): string {
  const component = text(at(event, 'source', 'component'))
  const who = component === '' ? text(event.reportingComponent) : component
  const where = component === '' ? text(event.reportingInstance) : text(at(event, 'source', 'host'))
  return where === '' ? who : `${who}, ${where}`
}

const shortModes: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
}
const accessModes = (value: unknown): string =>
  texts(value)
    .map((mode) => shortModes[mode] ?? mode)
    .join(',')

export const claimPrinter: Printer = printer(
  [
    column('Status', 'Pending, Bound or Lost.'),
    column('Volume', 'Volume of the claim.'),
    column('Capacity', 'What the volume holds.'),
    column('Access Modes', 'How the volume can be mounted.'),
    column('StorageClass', 'Class of the storage.'),
    column('VolumeAttributesClass', 'Class of the attributes.'),
    ageColumn,
    wide('VolumeMode', 'Filesystem or Block.'),
  ],
  (claim, now) => {
    const bound = text(at(claim, 'spec', 'volumeName')) !== ''
    return [
      claim.metadata.deletionTimestamp === undefined ? text(at(claim, 'status', 'phase')) : 'Terminating',
      text(at(claim, 'spec', 'volumeName')),
      bound ? text(at(claim, 'status', 'capacity', 'storage')) : '',
      bound ? accessModes(at(claim, 'status', 'accessModes')) : '',
      text(at(claim, 'spec', 'storageClassName')),
      text(at(claim, 'spec', 'volumeAttributesClassName'), '<unset>'),
      age(claim, now),
      text(at(claim, 'spec', 'volumeMode'), '<unset>'),
    ]
  },
)

export const volumePrinter: Printer = printer(
  [
    column('Capacity', 'What the volume holds.'),
    column('Access Modes', 'How the volume can be mounted.'),
    column('Reclaim Policy', 'What becomes of the volume.'),
    column('Status', 'What the volume is doing.'),
    column('Claim', 'Claim of the volume.'),
    column('StorageClass', 'Class of the storage.'),
    column('VolumeAttributesClass', 'Class of the attributes.'),
    column('Reason', 'Why the volume failed.'),
    ageColumn,
    wide('VolumeMode', 'Filesystem or Block.'),
  ],
  (volume, now) => {
    const claim = at(volume, 'spec', 'claimRef')
    return [
      text(at(volume, 'spec', 'capacity', 'storage')),
      accessModes(at(volume, 'spec', 'accessModes')),
      text(at(volume, 'spec', 'persistentVolumeReclaimPolicy')),
      volume.metadata.deletionTimestamp === undefined ? text(at(volume, 'status', 'phase')) : 'Terminating',
      claim === undefined ? '' : `${text(at(claim, 'namespace'))}/${text(at(claim, 'name'))}`,
      text(at(volume, 'spec', 'storageClassName')),
      text(at(volume, 'spec', 'volumeAttributesClassName'), '<unset>'),
      text(at(volume, 'status', 'reason')),
      age(volume, now),
      text(at(volume, 'spec', 'volumeMode'), '<unset>'),
    ]
  },
)

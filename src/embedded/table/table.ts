import type { ApiObject, ResourceDefinition } from '../server/resource.ts'
import * as core from './corePrinters.ts'
import { customPrinter } from './customPrinter.ts'
import { nodePrinter } from './nodePrinter.ts'
import { podPrinter } from './podPrinter.ts'
import * as policy from './policyPrinters.ts'
import type { Column, Printer } from './printer.ts'
import * as workload from './workloadPrinters.ts'

export type IncludeObject = 'None' | 'Metadata' | 'Object'

export interface TableOptions {
  /** What each row carries of its object; clients ask for metadata unless they say otherwise. */
  readonly includeObject: IncludeObject
  /** Version of meta.k8s.io that the client asked for. */
  readonly version: string
  readonly now: Date
}

/** meta.k8s.io Table, without list metadata. */
export interface Table {
  readonly kind: 'Table'
  readonly apiVersion: string
  readonly metadata: Readonly<Record<string, unknown>>
  readonly columnDefinitions: readonly Column[]
  readonly rows: readonly Row[]
}

interface Row {
  readonly cells: readonly unknown[]
  readonly conditions?: readonly unknown[]
  readonly object?: unknown
}

/** Objects as rows, the way `kubectl get` prints them (public docs, "Receiving resources as Tables"). */
export function tableOf(resource: ResourceDefinition, objects: readonly ApiObject[], options: TableOptions): Table {
  const { version, includeObject, now } = options
  const printer = printerFor(resource)
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${version}`,
    metadata: {},
    columnDefinitions: printer.columns,
    rows: objects.map((object) => {
      const conditions = printer.conditions?.(object) ?? []
      return {
        cells: printer.cells(object, now),
        ...(conditions.length > 0 ? { conditions } : {}),
        ...included(object, includeObject, version),
      }
    }),
  }
}

function included(object: ApiObject, includeObject: IncludeObject, version: string): { readonly object?: unknown } {
  switch (includeObject) {
    case 'None':
      return {}
    case 'Metadata':
      return {
        object: { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${version}`, metadata: object.metadata },
      }
    case 'Object':
      return { object }
    default:
      return includeObject satisfies never
  }
}

const printers: Readonly<Record<string, Printer>> = {
  '/ConfigMap': core.configMapPrinter,
  '/Endpoints': core.endpointsPrinter,
  '/Event': core.eventsPrinter,
  '/Namespace': core.namespacePrinter,
  '/Node': nodePrinter,
  '/PersistentVolume': core.volumePrinter,
  '/PersistentVolumeClaim': core.claimPrinter,
  '/Pod': podPrinter,
  '/ReplicationController': workload.replicationControllerPrinter,
  '/Secret': core.secretPrinter,
  '/Service': core.servicePrinter,
  '/ServiceAccount': core.serviceAccountPrinter,
  'admissionregistration.k8s.io/ValidatingAdmissionPolicy': policy.admissionPolicyPrinter,
  'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding': policy.admissionBindingPrinter,
  'apps/ControllerRevision': workload.controllerRevisionPrinter,
  'apps/DaemonSet': workload.daemonSetPrinter,
  'apps/Deployment': workload.deploymentPrinter,
  'apps/ReplicaSet': workload.replicaSetPrinter,
  'apps/StatefulSet': workload.statefulSetPrinter,
  'batch/CronJob': workload.cronJobPrinter,
  'batch/Job': workload.jobPrinter,
  'coordination.k8s.io/Lease': policy.leasePrinter,
  'events.k8s.io/Event': core.eventsPrinter,
  'networking.k8s.io/Ingress': policy.ingressPrinter,
  'networking.k8s.io/NetworkPolicy': policy.networkPolicyPrinter,
  'policy/PodDisruptionBudget': policy.budgetPrinter,
  'rbac.authorization.k8s.io/ClusterRoleBinding': policy.bindingPrinter,
  'rbac.authorization.k8s.io/RoleBinding': policy.bindingPrinter,
  'storage.k8s.io/StorageClass': policy.storageClassPrinter,
}

const customPrinters = new WeakMap<ResourceDefinition, Printer>()

function printerFor(resource: ResourceDefinition): Printer {
  if (!resource.custom) return printers[`${resource.group}/${resource.kind}`] ?? core.plainPrinter
  const known = customPrinters.get(resource)
  if (known) return known
  const printer = customPrinter(resource)
  customPrinters.set(resource, printer)
  return printer
}

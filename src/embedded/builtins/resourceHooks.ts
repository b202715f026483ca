import type { ApiObject, StorageHooks } from '../server/resource.ts'
import { assignClusterIP, defaultNamespace, defaultServiceSpec } from './coreDefaults.ts'
import { edit, fill, isObject, type JsonObject } from './jsonObject.ts'
import { assignNodePorts } from './nodePorts.ts'
import { defaultPod, qosClass } from './podDefaults.ts'
import * as defaults from './workloadDefaults.ts'

/**
 * What built-in kinds do on their way to storage: defaults that depend on other fields, and a first status. This one
 * completes an object in the same way on create and on update.
 */
export const always = (complete: (object: JsonObject) => JsonObject): StorageHooks => ({
  prepareForCreate: (object) => completed(object, complete),
  prepareForUpdate: (object) => completed(object, complete),
})
export const specHook = (complete: (spec: JsonObject) => JsonObject): StorageHooks =>
  always((object) => edit(object, 'spec', complete))

function completed(object: ApiObject, complete: (object: JsonObject) => JsonObject): ApiObject {
  const { apiVersion, kind, metadata } = object
  return { apiVersion, kind, metadata, ...complete(object) }
}

const asObject = (value: unknown): JsonObject => (isObject(value) ? value : {})

export const podHooks: StorageHooks = {
  prepareForCreate: (pod) => {
    const withSpec = completed(pod, (object) => edit(object, 'spec', defaultPod))
    return { ...withSpec, status: { phase: 'Pending', qosClass: qosClass(asObject(withSpec.spec)) } }
  },
  prepareForUpdate: (pod) => completed(pod, (object) => edit(object, 'spec', defaultPod)),
}

export const namespaceHooks: StorageHooks = {
  prepareForCreate: (namespace) => ({
    ...completed(namespace, defaultNamespace),
    spec: fill(asObject(namespace.spec), { finalizers: ['kubernetes'] }),
    status: { phase: 'Active' },
  }),
  prepareForUpdate: (namespace) => completed(namespace, defaultNamespace),
}

export const serviceHooks: StorageHooks = {
  prepareForCreate: (service) => ({
    ...completed(service, (object) =>
      edit(object, 'spec', (value) => assignAddresses(value, service.metadata.uid ?? '')),
    ),
    status: { loadBalancer: {} },
  }),
  prepareForUpdate: (service, old) =>
    completed(service, (object) =>
      edit(object, 'spec', (value) => {
        const { clusterIP, clusterIPs } = asObject(old.spec)
        const kept = value.clusterIP === undefined ? fill(value, { clusterIP, clusterIPs }) : value
        return assignAddresses(kept, old.metadata.uid ?? '', asObject(old.spec))
      }),
    ),
}

function assignAddresses(spec: JsonObject, uid: string, old?: JsonObject): JsonObject {
  return assignNodePorts(assignClusterIP(defaultServiceSpec(spec), uid), uid, old)
}

export const jobHooks: StorageHooks = {
  prepareForCreate: (job) =>
    completed(job, (object) =>
      edit(object, 'spec', (value) =>
        defaults.selectJobPods(defaults.defaultJobSpec(value), job.metadata.name ?? '', job.metadata.uid ?? ''),
      ),
    ),
  prepareForUpdate: (job) => completed(job, (object) => edit(object, 'spec', defaults.defaultJobSpec)),
}

/** Starts in a phase that the (absent) volume controller would move it out of. */
export const pendingHooks = (complete: (spec: JsonObject) => JsonObject): StorageHooks => ({
  prepareForCreate: (object) => ({
    ...completed(object, (value) => edit(value, 'spec', complete)),
    status: { phase: 'Pending' },
  }),
  prepareForUpdate: (object) => completed(object, (value) => edit(value, 'spec', complete)),
})

export const cronJobHooks = specHook((value) =>
  edit(value, 'jobTemplate', (template) => edit(template, 'spec', defaults.defaultJobSpec)),
)

/** An event is in the namespace of what it is about; about a cluster-scoped object that names none, in `default`. */
export const eventHooks: StorageHooks = {
  validate: ({ metadata, involvedObject }) => {
    const { namespace = '' } = asObject(involvedObject)
    if (namespace === metadata.namespace || (namespace === '' && metadata.namespace === 'default')) return []
    const message = `Invalid value: ${JSON.stringify(namespace)}: does not match event.namespace`
    return [{ reason: 'FieldValueInvalid', field: 'involvedObject.namespace', message }]
  },
}

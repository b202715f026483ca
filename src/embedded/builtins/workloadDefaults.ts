import { edit, editEach, fill, isObject, type JsonObject } from './jsonObject.ts'
import { defaultPodSpec } from './podDefaults.ts'

/** Defaults of workloads that depend on other fields (Kubernetes API reference, apps/v1 and batch/v1). */
const defaultTemplate = (spec: JsonObject): JsonObject =>
  edit(spec, 'template', (template) => edit(edit(template, 'metadata', withCreationTime), 'spec', defaultPodSpec))

/** Templates are never created, and the API server shows just that; manifests made from its output say the same. */
const withCreationTime = (metadata: JsonObject): JsonObject =>
  'creationTimestamp' in metadata ? metadata : { ...metadata, creationTimestamp: null }

export function defaultDeploymentSpec(spec: JsonObject): JsonObject {
  return defaultTemplate(rolling(spec, 'strategy', { maxUnavailable: '25%', maxSurge: '25%' }))
}

export function defaultDaemonSetSpec(spec: JsonObject): JsonObject {
  return defaultTemplate(rolling(spec, 'updateStrategy', { maxUnavailable: 1, maxSurge: 0 }))
}

export function defaultStatefulSetSpec(spec: JsonObject): JsonObject {
  const filled = fill(spec, { persistentVolumeClaimRetentionPolicy: {} })
  const retaining = edit(filled, 'persistentVolumeClaimRetentionPolicy', (policy) =>
    fill(policy, { whenDeleted: 'Retain', whenScaled: 'Retain' }),
  )
  const claims = editEach(retaining, 'volumeClaimTemplates', (claim) =>
    fill(claim, { apiVersion: 'v1', kind: 'PersistentVolumeClaim', status: { phase: 'Pending' } }),
  )
  return defaultTemplate(rolling(claims, 'updateStrategy', { partition: 0 }))
}

export const defaultReplicaSetSpec = (spec: JsonObject): JsonObject => defaultTemplate(spec)

/** The selector and the labels of a ReplicationController default to the labels of its template. */
export function defaultReplicationControllerSpec(spec: JsonObject): JsonObject {
  const template = isObject(spec.template) ? spec.template : {}
  const metadata = isObject(template.metadata) ? template.metadata : {}
  return defaultTemplate(fill(spec, { selector: metadata.labels }))
}

/** One completion, unless the job is a work queue (parallelism without completions). */
export function defaultJobSpec(spec: JsonObject): JsonObject {
  const counts = spec.completions === undefined && spec.parallelism === undefined ? { completions: 1 } : {}
  const perIndex = spec.backoffLimitPerIndex !== undefined
  return defaultTemplate(
    fill(spec, {
      ...counts,
      parallelism: 1,
      backoffLimit: perIndex ? 2_147_483_647 : 6,
      podReplacementPolicy: isObject(spec.podFailurePolicy) ? 'Failed' : 'TerminatingOrFailed',
    }),
  )
}

/** The labels and the selector by which a job finds its pods, made from its UID. */
export function selectJobPods(spec: JsonObject, name: string, uid: string): JsonObject {
  if (spec.manualSelector === true || spec.selector !== undefined) return spec
  const labels = {
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': name,
    'controller-uid': uid,
    'job-name': name,
  }
  const labelled = edit(spec, 'template', (template) => {
    const metadata = isObject(template.metadata) ? template.metadata : {}
    const own = isObject(metadata.labels) ? metadata.labels : {}
    return { ...template, metadata: { ...metadata, labels: { ...labels, ...own } } }
  })
  return { ...labelled, selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': uid } } }
}

/** An update strategy is rolling unless it says otherwise, and only a rolling one has a pace. */
function rolling(spec: JsonObject, name: string, pace: JsonObject): JsonObject {
  const strategy = fill(isObject(spec[name]) ? spec[name] : {}, { type: 'RollingUpdate' })
  if (strategy.type !== 'RollingUpdate') return { ...spec, [name]: strategy }
  const rollingUpdate = fill(isObject(strategy.rollingUpdate) ? strategy.rollingUpdate : {}, pace)
  return { ...spec, [name]: { ...strategy, rollingUpdate } }
}

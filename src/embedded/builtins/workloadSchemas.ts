import { ObjectReference, PersistentVolumeClaim } from './coreSchemas.ts'
import { intOrString, kindSchema, LabelSelector, ObjectMeta, time } from './metaSchemas.ts'
import { PodTemplateSpec } from './podSchemas.ts'
import {
  bool,
  define,
  int32,
  int64,
  json,
  list,
  listMap,
  type Properties,
  ref,
  set,
  str,
  stringMap,
} from './schemaBuilder.ts'

// Long: a catalogue of the apps and batch types, member by member.

/** Schemas of workloads (Kubernetes API reference, apps/v1, batch/v1 and core/v1 ReplicationController). */
const apps = 'io.k8s.api.apps.v1.'
const batch = 'io.k8s.api.batch.v1.'
const core = 'io.k8s.api.core.v1.'

const selector = ref(LabelSelector, 'Pods that belong to the workload. Cannot be changed.')
const template = ref(PodTemplateSpec, 'The pods to make.')
const replicas = int32('Number of pods.', { default: 1 })
const minReadySeconds = int32('Seconds that a pod must be ready to count as available.')
const revisionHistoryLimit = int32('Number of old revisions that are kept.', { default: 10 })

const condition = (name: string, times: readonly string[] = []) =>
  define(
    name,
    'One observed aspect of the workload.',
    {
      ...Object.fromEntries(times.map((field) => [field, time('When it was last looked at.')])),
      lastTransitionTime: time('When the status last changed.'),
      message: str('Details for people.'),
      reason: str('One word for programs.'),
      status: str('True, False or Unknown.'),
      type: str('Which aspect.'),
    },
    { required: ['type', 'status'] },
  )
const conditions = (prefix: string, kind: string, times: readonly string[] = []) =>
  listMap(condition(`${prefix}${kind}Condition`, times), ['type'], 'Observed aspects.')

const workload = (
  kind: string,
  description: string,
  spec: Properties,
  status: Properties,
  required: readonly string[],
  zeroed: readonly string[] = [],
) =>
  kindSchema(
    apps,
    description,
    {
      spec: ref(define(`${apps}${kind}Spec`, 'What is wanted.', spec, { required }), 'What is wanted.'),
      status: ref(define(`${apps}${kind}Status`, 'What is known.', status, { zeroed }), 'What is known.'),
    },
    { group: 'apps', version: 'v1', kind },
  )

const DeploymentStrategy = define(`${apps}DeploymentStrategy`, 'How old pods are replaced.', {
  rollingUpdate: ref(
    define(`${apps}RollingUpdateDeployment`, 'Pace of a rolling update.', {
      maxSurge: intOrString('Pods above the wanted number; default 25%.'),
      maxUnavailable: intOrString('Pods that may be missing; default 25%.'),
    }),
    'Pace of a rolling update.',
  ),
  type: str('Recreate or RollingUpdate.'),
})
export const Deployment = workload(
  'Deployment',
  'A number of equal pods that is updated step by step.',
  {
    minReadySeconds,
    paused: bool('Changes are not rolled out.'),
    progressDeadlineSeconds: int32('Seconds without progress that count as failure.', { default: 600 }),
    replicas,
    revisionHistoryLimit,
    selector,
    strategy: ref(DeploymentStrategy, 'How old pods are replaced.', { 'x-kubernetes-patch-strategy': 'retainKeys' }),
    template,
  },
  {
    availableReplicas: int32('Pods that are available.'),
    collisionCount: int32('Collisions of names so far.'),
    conditions: conditions(apps, 'Deployment', ['lastUpdateTime']),
    observedGeneration: int64('Generation that the status is about.'),
    readyReplicas: int32('Pods that are ready.'),
    replicas: int32('Pods that exist.'),
    terminatingReplicas: int32('Pods that are stopping.'),
    unavailableReplicas: int32('Pods that are missing.'),
    updatedReplicas: int32('Pods that have the wanted template.'),
  },
  ['selector', 'template'],
)

const replicaSetStatus: Properties = {
  availableReplicas: int32('Pods that are available.'),
  fullyLabeledReplicas: int32('Pods that have the labels of the template.'),
  observedGeneration: int64('Generation that the status is about.'),
  readyReplicas: int32('Pods that are ready.'),
  replicas: int32('Pods that exist.'),
}
export const ReplicaSet = workload(
  'ReplicaSet',
  'A number of equal pods.',
  { minReadySeconds, replicas, selector, template },
  {
    ...replicaSetStatus,
    conditions: conditions(apps, 'ReplicaSet'),
    terminatingReplicas: int32('Pods that are stopping.'),
  },
  ['selector'],
  ['replicas'],
)

const DaemonSetUpdateStrategy = define(`${apps}DaemonSetUpdateStrategy`, 'How old pods are replaced.', {
  rollingUpdate: ref(
    define(`${apps}RollingUpdateDaemonSet`, 'Pace of a rolling update.', {
      maxSurge: intOrString('Nodes that may run an old and a new pod; default 0.'),
      maxUnavailable: intOrString('Nodes whose pod may be missing; default 1.'),
    }),
    'Pace of a rolling update.',
  ),
  type: str('RollingUpdate or OnDelete.'),
})
export const DaemonSet = workload(
  'DaemonSet',
  'One pod on each node.',
  {
    minReadySeconds,
    revisionHistoryLimit,
    selector,
    template,
    updateStrategy: ref(DaemonSetUpdateStrategy, 'How old pods are replaced.'),
  },
  {
    collisionCount: int32('Collisions of names so far.'),
    conditions: conditions(apps, 'DaemonSet'),
    currentNumberScheduled: int32('Nodes that have the pod and should.'),
    desiredNumberScheduled: int32('Nodes that should have the pod.'),
    numberAvailable: int32('Nodes whose pod is available.'),
    numberMisscheduled: int32('Nodes that have the pod and should not.'),
    numberReady: int32('Nodes whose pod is ready.'),
    numberUnavailable: int32('Nodes whose pod is missing.'),
    observedGeneration: int64('Generation that the status is about.'),
    updatedNumberScheduled: int32('Nodes that have the wanted template.'),
  },
  ['selector', 'template'],
  ['currentNumberScheduled', 'numberMisscheduled', 'desiredNumberScheduled', 'numberReady'],
)

const StatefulSetUpdateStrategy = define(`${apps}StatefulSetUpdateStrategy`, 'How old pods are replaced.', {
  rollingUpdate: ref(
    define(`${apps}RollingUpdateStatefulSetStrategy`, 'Pace of a rolling update.', {
      maxUnavailable: intOrString('Pods that may be missing.'),
      partition: int32('Pods below this ordinal are left alone.'),
    }),
    'Pace of a rolling update.',
  ),
  type: str('RollingUpdate or OnDelete.'),
})
export const StatefulSet = workload(
  'StatefulSet',
  'Pods with fixed names and storage of their own.',
  {
    minReadySeconds,
    ordinals: ref(
      define(`${apps}StatefulSetOrdinals`, 'Numbering of the pods.', { start: int32('First number.') }),
      'Numbering of the pods.',
    ),
    persistentVolumeClaimRetentionPolicy: ref(
      define(`${apps}StatefulSetPersistentVolumeClaimRetentionPolicy`, 'What becomes of claims.', {
        whenDeleted: str('Retain or Delete.'),
        whenScaled: str('Retain or Delete.'),
      }),
      'What becomes of claims.',
    ),
    podManagementPolicy: str('OrderedReady or Parallel.', { default: 'OrderedReady' }),
    replicas,
    revisionHistoryLimit,
    selector,
    serviceName: str('Service that gives the pods their names.', { default: '' }),
    template,
    updateStrategy: ref(StatefulSetUpdateStrategy, 'How old pods are replaced.'),
    volumeClaimTemplates: list(PersistentVolumeClaim, 'Claims to make for each pod.'),
  },
  {
    availableReplicas: int32('Pods that are available.'),
    collisionCount: int32('Collisions of names so far.'),
    conditions: conditions(apps, 'StatefulSet'),
    currentReplicas: int32('Pods of the current revision.'),
    currentRevision: str('Revision that pods are moved from.'),
    observedGeneration: int64('Generation that the status is about.'),
    readyReplicas: int32('Pods that are ready.'),
    replicas: int32('Pods that exist.'),
    updateRevision: str('Revision that pods are moved to.'),
    updatedReplicas: int32('Pods of the wanted revision.'),
  },
  ['selector', 'template'],
  ['replicas'],
)

export const ControllerRevision = kindSchema(
  apps,
  'A kept state of a workload.',
  { data: json('The state.'), revision: int64('Number of the revision.') },
  { group: 'apps', version: 'v1', kind: 'ControllerRevision' },
)

export const ReplicationController = kindSchema(
  core,
  'A number of equal pods; the older form of a ReplicaSet.',
  {
    spec: ref(
      define(`${core}ReplicationControllerSpec`, 'What is wanted.', {
        minReadySeconds,
        replicas,
        selector: { ...stringMap('Labels of the pods.'), 'x-kubernetes-map-type': 'atomic' },
        template,
      }),
      'What is wanted.',
    ),
    status: ref(
      define(
        `${core}ReplicationControllerStatus`,
        'What is known.',
        { ...replicaSetStatus, conditions: conditions(core, 'ReplicationController') },
        { zeroed: ['replicas'] },
      ),
      'What is known.',
    ),
  },
  { group: '', version: 'v1', kind: 'ReplicationController' },
)

const JobSpec = define(
  `${batch}JobSpec`,
  'What is wanted.',
  {
    activeDeadlineSeconds: int64('Seconds after which the job is failed.'),
    backoffLimit: int32('Retries before the job is failed; default 6.'),
    backoffLimitPerIndex: int32('Retries of one index.'),
    completionMode: str('NonIndexed or Indexed.', { default: 'NonIndexed' }),
    completions: int32('Pods that must succeed.'),
    managedBy: str('Controller that runs the job.'),
    manualSelector: bool('The selector is given, not made by the server.'),
    maxFailedIndexes: int32('Indexes that may fail.'),
    parallelism: int32('Pods that may run at once; default 1.'),
    podFailurePolicy: json('What is done about failed pods.'),
    podReplacementPolicy: str('TerminatingOrFailed or Failed.'),
    selector: ref(LabelSelector, 'Pods of the job.'),
    successPolicy: json('When the job has succeeded.'),
    suspend: bool('No pods are made.', { default: false }),
    template,
    ttlSecondsAfterFinished: int32('Seconds after its end that the job is deleted.'),
  },
  { required: ['template'] },
)
const JobStatus = define(`${batch}JobStatus`, 'What is known.', {
  active: int32('Pods that run.'),
  completedIndexes: str('Indexes that have succeeded.'),
  completionTime: time('When the job succeeded.'),
  conditions: {
    ...list(condition(`${batch}JobCondition`, ['lastProbeTime']), 'Observed aspects.'),
    'x-kubernetes-patch-strategy': 'merge',
    'x-kubernetes-patch-merge-key': 'type',
  },
  failed: int32('Pods that have failed.'),
  failedIndexes: str('Indexes that have failed.'),
  ready: int32('Pods that are ready.'),
  startTime: time('When the job was started.'),
  succeeded: int32('Pods that have succeeded.'),
  terminating: int32('Pods that are stopping.'),
  uncountedTerminatedPods: ref(
    define(`${batch}UncountedTerminatedPods`, 'Pods that have ended and are not counted yet.', {
      failed: { ...set('Failed pods.'), 'x-kubernetes-patch-strategy': 'replace' },
      succeeded: { ...set('Succeeded pods.'), 'x-kubernetes-patch-strategy': 'replace' },
    }),
    'Pods that have ended and are not counted yet.',
  ),
})
export const Job = kindSchema(
  batch,
  'Pods that run to their end.',
  { spec: ref(JobSpec, 'What is wanted.'), status: ref(JobStatus, 'What is known.') },
  { group: 'batch', version: 'v1', kind: 'Job' },
)

export const CronJob = kindSchema(
  batch,
  'Jobs at given times.',
  {
    spec: ref(
      define(
        `${batch}CronJobSpec`,
        'What is wanted.',
        {
          concurrencyPolicy: str('Allow, Forbid or Replace.', { default: 'Allow' }),
          failedJobsHistoryLimit: int32('Failed jobs that are kept.', { default: 1 }),
          jobTemplate: ref(
            define(`${batch}JobTemplateSpec`, 'The jobs to make.', {
              metadata: ref(ObjectMeta, 'Labels and annotations of the jobs.'),
              spec: ref(JobSpec, 'What is wanted of the jobs.'),
            }),
            'The jobs to make.',
          ),
          schedule: str('When, in cron form.'),
          startingDeadlineSeconds: int64('How late a job may start.'),
          successfulJobsHistoryLimit: int32('Successful jobs that are kept.', { default: 3 }),
          suspend: bool('No jobs are made.', { default: false }),
          timeZone: str('Time zone of the schedule.'),
        },
        { required: ['schedule', 'jobTemplate'] },
      ),
      'What is wanted.',
    ),
    status: ref(
      define(`${batch}CronJobStatus`, 'What is known.', {
        active: list(ObjectReference, 'Jobs that run.'),
        lastScheduleTime: time('When a job was last started.'),
        lastSuccessfulTime: time('When a job last succeeded.'),
      }),
      'What is known.',
    ),
  },
  { group: 'batch', version: 'v1', kind: 'CronJob' },
)

const Scale = 'io.k8s.api.autoscaling.v1.'
export const ScaleKind = kindSchema(
  Scale,
  'The number of pods of a workload.',
  {
    spec: ref(
      define(`${Scale}ScaleSpec`, 'What is wanted.', { replicas: int32('Number of pods.') }),
      'What is wanted.',
    ),
    status: ref(
      define(
        `${Scale}ScaleStatus`,
        'What is known.',
        { replicas: int32('Pods that exist.'), selector: str('Labels of the pods.') },
        { zeroed: ['replicas'] },
      ),
      'What is known.',
    ),
  },
  { group: 'autoscaling', version: 'v1', kind: 'Scale' },
)

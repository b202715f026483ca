import { formatLabelQuery, labelSelectorToQuery } from '../../api/selectors.ts'
import { isObject } from '../builtins/jsonObject.ts'
import type { ApiObject } from '../server/resource.ts'
import { ageOf, formatDuration } from './age.ts'
import {
  age,
  ageColumn,
  at,
  column,
  conditionOf,
  count,
  items,
  listOrNone,
  type Printer,
  printer,
  text,
  wide,
} from './printer.ts'

/** Workloads as kubectl shows them (apps/v1, batch/v1, ReplicationController). */
const number = (name: string, description: string) => column(name, description, { type: 'integer' })
const containerColumns = [wide('Containers', 'Names of the containers.'), wide('Images', 'Images of the containers.')]
const selectorColumn = wide('Selector', 'Labels of the pods.')

function containerCells(object: ApiObject, ...path: readonly string[]): readonly string[] {
  const containers = items(at(object, 'spec', ...path, 'template', 'spec', 'containers'))
  return [containers.map(({ name }) => text(name)).join(','), containers.map(({ image }) => text(image)).join(',')]
}

export function selectorText(selector: unknown): string {
  if (!isObject(selector)) return '<none>'
  const query = labelSelectorToQuery(selector)
  return 'value' in query ? formatLabelQuery(query.value) || '<none>' : '<invalid>'
}

const mapText = (map: unknown): string =>
  listOrNone(
    isObject(map)
      ? Object.entries(map)
          .map(([key, value]) => `${key}=${text(value)}`)
          .sort()
      : [],
  )

export const deploymentPrinter: Printer = printer(
  [
    column('Ready', 'Pods that are ready, of those that are wanted.'),
    number('Up-to-date', 'Pods that have the wanted template.'),
    number('Available', 'Pods that are available.'),
    ageColumn,
    ...containerColumns,
    selectorColumn,
  ],
  (object, now) => [
    `${count(at(object, 'status', 'readyReplicas'))}/${count(at(object, 'spec', 'replicas'))}`,
    count(at(object, 'status', 'updatedReplicas')),
    count(at(object, 'status', 'availableReplicas')),
    age(object, now),
    ...containerCells(object),
    selectorText(at(object, 'spec', 'selector')),
  ],
)

const replicas = (selector: (object: ApiObject) => string): Printer =>
  printer(
    [
      number('Desired', 'Pods that are wanted.'),
      number('Current', 'Pods that exist.'),
      number('Ready', 'Pods that are ready.'),
      ageColumn,
      ...containerColumns,
      selectorColumn,
    ],
    (object, now) => [
      count(at(object, 'spec', 'replicas')),
      count(at(object, 'status', 'replicas')),
      count(at(object, 'status', 'readyReplicas')),
      age(object, now),
      ...containerCells(object),
      selector(object),
    ],
  )
export const replicaSetPrinter = replicas((object) => selectorText(at(object, 'spec', 'selector')))
export const replicationControllerPrinter = replicas((object) => mapText(at(object, 'spec', 'selector')))

export const daemonSetPrinter: Printer = printer(
  [
    number('Desired', 'Nodes that should have the pod.'),
    number('Current', 'Nodes that have the pod.'),
    number('Ready', 'Nodes whose pod is ready.'),
    number('Up-to-date', 'Nodes that have the wanted template.'),
    number('Available', 'Nodes whose pod is available.'),
    column('Node Selector', 'Labels of the nodes.'),
    ageColumn,
    ...containerColumns,
    selectorColumn,
  ],
  (object, now) => [
    count(at(object, 'status', 'desiredNumberScheduled')),
    count(at(object, 'status', 'currentNumberScheduled')),
    count(at(object, 'status', 'numberReady')),
    count(at(object, 'status', 'updatedNumberScheduled')),
    count(at(object, 'status', 'numberAvailable')),
    mapText(at(object, 'spec', 'template', 'spec', 'nodeSelector')),
    age(object, now),
    ...containerCells(object),
    selectorText(at(object, 'spec', 'selector')),
  ],
)

export const statefulSetPrinter: Printer = printer(
  [column('Ready', 'Pods that are ready, of those that are wanted.'), ageColumn, ...containerColumns],
  (object, now) => [
    `${count(at(object, 'status', 'readyReplicas'))}/${count(at(object, 'spec', 'replicas'))}`,
    age(object, now),
    ...containerCells(object),
  ],
)

export const controllerRevisionPrinter: Printer = printer(
  [column('Controller', 'Workload of the revision.'), number('Revision', 'Number of the revision.'), ageColumn],
  (object, now) => {
    const owner = object.metadata.ownerReferences?.find(({ controller }) => controller === true)
    const group = owner?.apiVersion.includes('/') ? `.${owner.apiVersion.split('/')[0] ?? ''}` : ''
    return [
      owner ? `${owner.kind.toLowerCase()}${group}/${owner.name}` : '<none>',
      count(object.revision),
      age(object, now),
    ]
  },
)

export const jobPrinter: Printer = printer(
  [
    column('Status', 'What the job is doing.'),
    column('Completions', 'Pods that have succeeded, of those that must.'),
    column('Duration', 'How long the job has run.'),
    ageColumn,
    ...containerColumns,
    selectorColumn,
  ],
  (job, now) => [
    jobStatus(job),
    jobCompletions(job),
    jobDuration(job, now),
    age(job, now),
    ...containerCells(job),
    selectorText(at(job, 'spec', 'selector')),
  ],
)

function jobStatus(job: ApiObject): string {
  const holds = (type: string) => conditionOf(job, type)?.status === 'True'
  if (holds('Complete')) return 'Complete'
  if (holds('Failed')) return 'Failed'
  if (job.metadata.deletionTimestamp !== undefined) return 'Terminating'
  if (holds('Suspended')) return 'Suspended'
  if (holds('FailureTarget')) return 'FailureTarget'
  if (holds('SuccessCriteriaMet')) return 'SuccessCriteriaMet'
  return 'Running'
}

function jobCompletions(job: ApiObject): string {
  const succeeded = count(at(job, 'status', 'succeeded'))
  const completions = at(job, 'spec', 'completions')
  if (typeof completions === 'number') return `${succeeded}/${completions}`
  const parallelism = count(at(job, 'spec', 'parallelism'))
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`
}

function jobDuration(job: ApiObject, now: Date): string {
  const start = Date.parse(text(at(job, 'status', 'startTime')))
  if (Number.isNaN(start)) return ''
  const failed = conditionOf(job, 'Failed')
  const end = at(job, 'status', 'completionTime') ?? (failed?.status === 'True' ? failed.lastTransitionTime : undefined)
  return formatDuration((end === undefined ? now.getTime() : Date.parse(text(end))) - start)
}

export const cronJobPrinter: Printer = printer(
  [
    column('Schedule', 'When jobs are made.'),
    column('Timezone', 'Time zone of the schedule.'),
    column('Suspend', 'Whether jobs are made.', { type: 'boolean' }),
    number('Active', 'Jobs that run.'),
    column('Last Schedule', 'When a job was last made.'),
    ageColumn,
    ...containerColumns,
    selectorColumn,
  ],
  (object, now) => {
    const last = at(object, 'status', 'lastScheduleTime')
    return [
      text(at(object, 'spec', 'schedule')),
      text(at(object, 'spec', 'timeZone'), '<none>'),
      at(object, 'spec', 'suspend') === true ? 'True' : 'False',
      items(at(object, 'status', 'active')).length,
      last === undefined || last === null ? '<none>' : ageOf(last, now),
      age(object, now),
      ...containerCells(object, 'jobTemplate', 'spec'),
      selectorText(at(object, 'spec', 'jobTemplate', 'spec', 'selector')),
    ]
  },
)

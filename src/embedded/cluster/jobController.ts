import { Job } from '../../api/batch.ts'
import { type Controller, own, settled } from '../../kube/controller.ts'
import { secondsOf } from './podConditions.ts'
import { indexPodsByController, podFromTemplate, podsOf, podsOfKind, randomSuffix } from './podOwners.ts'
import { keyParts } from './podStates.ts'
import { PodWrites } from './podWrites.ts'
import { labelled } from './templateHash.ts'
import { type WorkloadPorts, workloadCoalesceMs } from './workloadPorts.ts'
import { writeStatus } from './writeStatus.ts'

type JobStatus = NonNullable<Job['status']>
type JobCondition = NonNullable<JobStatus['conditions']>[number]

/** Runs a Job's pods until as many have succeeded as it asks for, or one more has failed than it allows. */
export function jobController({ informers, kube, clock, random }: WorkloadPorts): Controller {
  const writes = new PodWrites(kube, clock)
  indexPodsByController(informers)
  return {
    name: 'job',
    coalesceMs: workloadCoalesceMs,
    watches: [own(Job), podsOfKind('Job')],
    async reconcile(key, signal) {
      const job = informers.cache.get(Job, keyParts(key))
      if (!job || job.metadata.deletionTimestamp !== undefined || isOver(job)) return settled
      const { uid = '', name = '' } = job.metadata
      const { completions = 1, parallelism = 1, backoffLimit = 6, suspend = false } = job.spec ?? {}
      const cached = podsOf(informers, job)
      const active = writes.active(uid, cached)
      const succeeded = cached.filter(({ status }) => status?.phase === 'Succeeded').length
      const failed = cached.filter(({ status }) => status?.phase === 'Failed').length
      const hasFailed = failed > backoffLimit
      const wanted = suspend || hasFailed ? 0 : Math.min(parallelism, completions - succeeded)
      for (let count = active.length; count < wanted; count++) {
        const labels = { 'batch.kubernetes.io/job-name': name, 'job-name': name }
        const template = labelled(job.spec?.template ?? {}, labels)
        await writes.create(uid, podFromTemplate(job, template, `${name}-${randomSuffix(random)}`), signal)
      }
      for (const pod of active.slice(Math.max(0, wanted))) await writes.delete(uid, pod, signal)
      const now = secondsOf(clock.now())
      const ending = endingOf({ succeeded, completions, hasFailed }, now)
      await writeStatus(
        kube,
        Job,
        job,
        {
          startTime: job.status?.startTime ?? now,
          active: Math.max(0, wanted),
          succeeded,
          failed,
          ...(ending && { conditions: [ending] }),
          ...(ending?.type === 'Complete' && { completionTime: now }),
        },
        signal,
      )
      return settled
    },
  }
}

function endingOf(
  { succeeded, completions, hasFailed }: { succeeded: number; completions: number; hasFailed: boolean },
  now: string,
): JobCondition | undefined {
  const times = { status: 'True', lastProbeTime: now, lastTransitionTime: now } as const
  if (succeeded >= completions)
    return {
      type: 'Complete',
      ...times,
      reason: 'CompletionsReached',
      message: 'Reached expected number of succeeded pods',
    }
  if (!hasFailed) return undefined
  return {
    type: 'Failed',
    ...times,
    reason: 'BackoffLimitExceeded',
    message: 'Job has reached the specified backoff limit',
  }
}

function isOver({ status }: Job): boolean {
  return (status?.conditions ?? []).some(
    ({ type, status: value }) => (type === 'Complete' || type === 'Failed') && value === 'True',
  )
}

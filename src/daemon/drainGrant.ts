import { drainRequest, eventReason, nodeAnnotation } from '../api/names.ts'
import type { Clock } from '../kube/clock.ts'
import { drainRequestedAnnotation, drainStep, drainTimeoutMs, uncordonTimeoutMs } from './drainStep.ts'
import type { NodeReport } from './nodeReport.ts'
import { uncordonRequestFor } from './nodeSync.ts'

export interface DrainPorts {
  readonly nodeName: string
  readonly report: NodeReport
  readonly clock: Clock
  /** Tells that a person should look; the request stays. */
  readonly degrade: (message: string) => Promise<void>
}

/** Not granted yet: look again at `again`, or at the next change of the Node. */
export type Grant = { readonly kind: 'granted' } | { readonly kind: 'waiting'; readonly again: Date | undefined }

/** Asks the drain controller for `drain-…` or `uncordon-…`, once, and tells where the request stands. */
export async function obtainGrant(
  { nodeName, report, clock, degrade }: DrainPorts,
  value: string,
  annotationsOfRequest: Readonly<Record<string, string>> = {},
): Promise<Grant> {
  const isDrain = value.startsWith(drainRequest.drainPrefix)
  const limitMs = isDrain ? drainTimeoutMs : uncordonTimeoutMs
  const annotations = report.node()?.metadata.annotations ?? {}
  const step = drainStep(annotations, value, limitMs, clock.now())
  switch (step.kind) {
    case 'granted':
      return step
    case 'wait':
      return { kind: 'waiting', again: step.until }
    case 'request': {
      if (isDrain && annotations[nodeAnnotation.desiredDrain] !== value) {
        report.event('Normal', eventReason.cordon, 'Cordoned node to apply update')
        report.event('Normal', eventReason.drain, 'Draining node to update config.')
      }
      await report.annotate({ ...annotationsOfRequest, ...requestOf(value, clock) })
      return { kind: 'waiting', again: new Date(clock.now().getTime() + limitMs) }
    }
    case 'overdue': {
      const [reason, message] = isDrain ? overdueDrain(nodeName) : overdueUncordon(nodeName)
      if (annotations[nodeAnnotation.reason] !== message) report.event('Warning', reason, message)
      await degrade(message)
      return { kind: 'waiting', again: undefined }
    }
    default:
      return step satisfies never
  }
}

/** Takes back a drain that we asked for: the node is at `config` and may take pods. */
export async function giveBackNode({ report, clock }: DrainPorts, config: string): Promise<void> {
  const wanted = report.node()?.metadata.annotations?.[nodeAnnotation.desiredDrain] ?? ''
  if (wanted.startsWith(drainRequest.drainPrefix)) await report.annotate(requestOf(uncordonRequestFor(config), clock))
}

const requestOf = (value: string, clock: Clock): Readonly<Record<string, string>> => ({
  [nodeAnnotation.desiredDrain]: value,
  [drainRequestedAnnotation]: clock.now().toISOString(),
})

const seeLogs = 'Please see machine-config-controller logs for more information'
const overdueDrain = (node: string): readonly [string, string] => [
  eventReason.failedToDrain,
  `failed to drain node: ${node} after 1 hour. ${seeLogs}`,
]
const overdueUncordon = (node: string): readonly [string, string] => [
  eventReason.failedToUncordon,
  `failed to uncordon node: ${node} after 10 minutes. ${seeLogs}`,
]

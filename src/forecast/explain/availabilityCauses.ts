import { nodeAnnotation, nodeState } from '../../api/names.ts'
import { isCordonedByOthers, isInFlight, isManaged, readinessError } from '../../rollout/nodePredicates.ts'
import { judgeReboot, overdueRebootAnnotation, rebootLimitOf } from '../../rollout/overdueReboot.ts'
import { fieldOwner } from '../fieldOwner.ts'
import type { Finding } from '../finding.ts'
import { annotationFact, conditionFact, fieldFact } from './evidence.ts'
import { type NodeSituation, nodeSubject, type Situation } from './situation.ts'

/** Nodes that do not come back from a reboot, are cordoned by somebody else, or whose kubelet is in trouble. */
export function availabilityCauses(situation: Situation): readonly Finding[] {
  return situation.nodes
    .filter(({ view, pool }) => pool !== undefined && isManaged(view))
    .flatMap((node) => {
      const cause = overdueReboot(situation, node) ?? cordoned(node) ?? notReady(situation, node)
      return cause ? [cause] : []
    })
}

function overdueReboot({ now }: Situation, node: NodeSituation): Finding | undefined {
  const limit = rebootLimitOf(node.pool?.metadata.annotations)
  const verdict = judgeReboot(node.view, node.report, limit, now)
  if (verdict.kind !== 'overdue') return undefined
  const began = node.report?.status?.conditions?.find(({ type }) => type === 'RebootedNode')?.lastTransitionTime
  return {
    code: 'RebootOverdue',
    severity: 'critical',
    subject: nodeSubject(node),
    ...(began !== undefined && { since: began }),
    what: verdict.message,
    why: `a reboot may take ${limit.ms / 60_000} minutes; the pool's annotation machineconfig.io/reboot-limit says otherwise`,
    remedy:
      'look at the machine: its console, its power, its network. When it is lost for good, delete the Node; a revert of the change (mco rollback) reaches it as soon as it is back',
    evidence: [
      annotationFact(`node/${node.name}`, node.node, nodeAnnotation.postConfigAction),
      conditionFact(`node/${node.name}`, node.node, 'Ready'),
      ...(node.report
        ? [conditionFact(`machineconfignode/${node.name}`, node.report, 'RebootedNode', 'lastTransitionTime')]
        : []),
      ...(node.view.annotations[overdueRebootAnnotation] === undefined
        ? []
        : [annotationFact(`node/${node.name}`, node.node, overdueRebootAnnotation)]),
    ],
  }
}

/** A cordon that is not ours. It matters to us where the node waits for a config, or holds others up. */
function cordoned(situated: NodeSituation): Finding | undefined {
  const { node, name, hold, pool } = situated
  if (!isCordonedByOthers(situated.view)) return undefined
  const owner = fieldOwner(node, ['spec', 'unschedulable'])
  const who = owner ? ` by ${owner.manager}` : ' by somebody else'
  const command = `kubectl uncordon ${name}`
  return {
    code: 'NodeCordoned',
    severity: hold ? 'warning' : 'info',
    subject: nodeSubject({ name }),
    ...(owner?.time !== undefined && { since: owner.time }),
    what: `node ${name} was cordoned${who}${owner?.time === undefined ? '' : ` at ${owner.time}`}${hold ? '; it waits until it is uncordoned' : ''}`,
    why: `no update of ours cordoned it: it is left alone, and counts as unavailable in pool ${pool?.metadata.name}`,
    remedy: `when it is fit again: ${command}`,
    command,
    evidence: [
      fieldFact(`node/${name}`, node, 'spec.unschedulable'),
      annotationFact(`node/${name}`, node, nodeAnnotation.desiredDrain),
    ],
  }
}

function notReady(situation: Situation, situated: NodeSituation): Finding | undefined {
  const { node, name, view, hold, pool } = situated
  const problem = readinessError({ ...view, unschedulable: false })
  if (!problem || isAwayForItsUpdate(situation, situated)) return undefined
  const type = /Ready=|OutOfDisk=|NetworkUnavailable=/.exec(problem)?.[0]
  const condition =
    type === 'OutOfDisk=' ? 'DiskPressure' : type === 'NetworkUnavailable=' ? 'NetworkUnavailable' : 'Ready'
  const found = node.status?.conditions?.find((each) => each.type === condition)
  const isMoving = isInFlight(view)
  return {
    code: 'NodeNotReady',
    severity: 'warning',
    subject: nodeSubject({ name }),
    ...(found?.lastTransitionTime && { since: found.lastTransitionTime }),
    what: `${problem}; ${hold ? 'it moves when it is ready again' : isMoving ? 'it is in the middle of its update' : 'it counts as unavailable'}`,
    why: `${found?.message ? `its kubelet says: ${found.message}` : 'its kubelet gives no message'}; the budget of pool ${pool?.metadata.name} counts it as unavailable`,
    remedy: `repair the node: kubectl describe node ${name}; on it: journalctl -u kubelet. If the last config broke it, go back (mco rollback mcp/${pool?.metadata.name}): a revert reaches nodes that are not ready`,
    evidence: [conditionFact(`node/${name}`, node, condition)],
  }
}

/** A kubelet that an update restarts is back within seconds. */
const restartLimitMs = 60_000

/** Not ready because of our own update, and not for longer than it may be: nothing is wrong. */
export function isAwayForItsUpdate({ now }: Situation, { node, view, report, pool }: NodeSituation): boolean {
  if (!isInFlight(view)) return false
  const limit = rebootLimitOf(pool?.metadata.annotations)
  if (judgeReboot(view, report, limit, now).kind === 'underWay') return true
  const isRebooting = view.annotations[nodeAnnotation.postConfigAction] === nodeState.rebooting
  const ready = node.status?.conditions?.find(({ type }) => type === 'Ready')
  const awayMs = now.getTime() - Date.parse(ready?.lastTransitionTime ?? '')
  // Without a time that can be read it is not known to be short.
  return ready?.status !== 'True' && awayMs < (isRebooting ? limit.ms : restartLimitMs)
}

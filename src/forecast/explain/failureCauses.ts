import type { MachineConfigPool } from '../../api/machineConfigPool.ts'
import { forceFilePath, nodeAnnotation, operatorNamespace } from '../../api/names.ts'
import { hasGivenUp, isUnreconcilable } from '../../rollout/nodePredicates.ts'
import { describeSilence } from '../../rollout/silentFailure.ts'
import type { Finding } from '../finding.ts'
import { isDriftReason } from '../nodeStatusLine.ts'
import { annotationFact, conditionFact } from './evidence.ts'
import { fragmentsBehind, type Origin } from './fragmentsBehind.ts'
import { namesOf } from './namesOf.ts'
import { type NodeSituation, nodeSubject, type Situation } from './situation.ts'

/** Nodes whose daemon gave up: what it found, which fragment asks for it, and the way back. */
export function failureCauses(situation: Situation): readonly Finding[] {
  return situation.nodes.filter(({ view }) => hasGivenUp(view)).map((node) => failureOf(situation, node))
}

function failureOf(situation: Situation, node: NodeSituation): Finding {
  const reason = reasonOf(node)
  const origin = fragmentsBehind(situation, node, reason)
  const degraded = node.report?.status?.conditions?.find(({ type }) => type === 'NodeDegraded')
  const object = `node/${node.name}`
  return {
    ...verdictOf(node, reason, origin),
    subject: nodeSubject(node),
    ...(degraded?.status === 'True' && { since: degraded.lastTransitionTime }),
    evidence: [
      ...[nodeAnnotation.state, nodeAnnotation.reason, nodeAnnotation.currentConfig, nodeAnnotation.desiredConfig].map(
        (key) => annotationFact(object, node.node, key),
      ),
      ...(node.report && degraded?.status === 'True'
        ? [conditionFact(`machineconfignode/${node.name}`, node.report, 'NodeDegraded')]
        : []),
    ],
  }
}

/** The annotation; some daemons only speak through the MachineConfigNode. */
function reasonOf({ view, report }: NodeSituation): string {
  const annotated = view.annotations[nodeAnnotation.reason] ?? ''
  if (annotated !== '') return annotated
  const degraded = report?.status?.conditions?.find(({ type }) => type === 'NodeDegraded')
  return degraded?.status === 'True' ? degraded.message : ''
}

type Verdict = Pick<Finding, 'code' | 'severity' | 'what' | 'why' | 'remedy' | 'command'>

function verdictOf(node: NodeSituation, reason: string, origin: Origin): Verdict {
  const current = node.view.annotations[nodeAnnotation.currentConfig] ?? ''
  const desired = node.view.annotations[nodeAnnotation.desiredConfig] ?? ''
  const asked = origin.names.length > 0 ? `MachineConfig ${namesOf(origin.names)} asks for it` : ''
  const takeBack = takeBackOf(origin, node.pool)
  if (reason === '') return silent(node)
  if (isDriftReason(reason)) {
    const source = origin.names.length > 0 ? `; it comes from MachineConfig ${namesOf(origin.names)}` : ''
    return {
      code: 'ConfigDrift',
      severity: 'warning',
      what: reason,
      why: `somebody or something on the node changed what ${current} manages${source}; until then the node takes no update`,
      remedy: `put it back, or create ${forceFilePath} on the node: everything is then written again, with a reboot`,
    }
  }
  if (isUnreconcilable(node.view)) {
    return {
      code: 'NotReconcilable',
      severity: 'critical',
      what: reason,
      why: `this machine can never go from ${current} to ${desired}${asked ? `; ${asked}` : ''}`,
      remedy: `${takeBack.remedy}; then the node goes on by itself`,
      ...(takeBack.command !== undefined && { command: takeBack.command }),
    }
  }
  const unit = unitIn(reason)
  if (unit !== undefined) {
    return {
      code: 'UnitFailed',
      severity: 'critical',
      what: reason,
      why: `systemd could not do with ${unit} what the update needs${asked ? `; ${asked}` : ''}; the change was taken back`,
      remedy: `see on the node why: journalctl -u ${unit} -n 50; then ${takeBack.remedy}`,
      ...(takeBack.command !== undefined && { command: takeBack.command }),
    }
  }
  const moving = current !== desired
  return {
    code: moving ? 'UpdateFailed' : 'NodeDegraded',
    severity: 'critical',
    what: reason,
    why: moving
      ? `the update from ${current || 'nothing'} to ${desired} failed${asked ? `; ${asked}` : ''}`
      : `the daemon cannot confirm that the node is at ${current}`,
    remedy: `put right on the node what the reason names: the daemon tries again by itself${origin.removable !== undefined ? `; or ${takeBack.remedy}` : ''}`,
    ...(takeBack.command !== undefined && { command: takeBack.command }),
  }
}

/** A node that gave up without a word: what its objects still tell. */
function silent(node: NodeSituation): Verdict {
  return {
    code: 'NodeDegraded',
    severity: 'critical',
    what: `node ${node.name} is ${describeSilence(node.view, node.report)}`,
    why: 'a daemon that is killed, or another program that writes the state annotation, leaves no reason',
    remedy: `read the daemon's log: journalctl -u machine-config-daemon on the node, or that of its pod: kubectl -n ${operatorNamespace} get pods -o wide --field-selector spec.nodeName=${node.name}`,
  }
}

const unitIn = (reason: string): string | undefined =>
  /(?:Reloading|Restarting) (\S+) service failed/.exec(reason)?.[1] ??
  /(?:start|restart|reload|enable|stop)\w* (?:unit |of )?"?([\w@.:-]+\.(?:service|socket|timer|mount|path|target))"?/i.exec(
    reason,
  )?.[1]

/** Fragments of a person can be taken back; those that a controller made come again. A rollback knows what was there before. */
function takeBackOf(
  { names, removable }: Origin,
  pool: MachineConfigPool | undefined,
): { readonly remedy: string; readonly command?: string } {
  const back = pool ? `; mco rollback mcp/${pool.metadata.name} proposes the way back to what the pool ran before` : ''
  if (removable === undefined) {
    const which = names.length > 0 ? `MachineConfig ${namesOf(names)}` : 'the MachineConfig that asks for it'
    return { remedy: `change ${which}${back}` }
  }
  const command = `kubectl delete mc ${removable}`
  return { remedy: `correct MachineConfig ${removable}, or take it back: ${command}${back}`, command }
}

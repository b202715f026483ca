import type { Pod } from '../../api/core.ts'
import { isHeldByFinalizers, terminatingPod } from '../../drain/drainBlockers.ts'
import { isReady } from '../../rollout/nodePredicates.ts'
import type { Finding } from '../finding.ts'
import { fieldFact } from './evidence.ts'
import { type NodeSituation, nodeSubject, type Situation } from './situation.ts'

/** The deletion time already includes the grace period; a little more is the kubelet's to report. */
const leewayMs = 10_000

/** Pods of a draining node that were to be gone by now. */
export function terminatingCauses(
  { now }: Situation,
  node: NodeSituation,
  pods: readonly Pod[],
): readonly Omit<Finding, 'since'>[] {
  return pods
    .filter(
      (pod) => isHeldByFinalizers(pod) || Date.parse(pod.metadata.deletionTimestamp ?? '') + leewayMs <= now.getTime(),
    )
    .map((pod) => stuck(node, pod))
}

function stuck(node: NodeSituation, pod: Pod): Omit<Finding, 'since'> {
  const { namespace = '', name = '', finalizers = [] } = pod.metadata
  const claims = (pod.spec?.volumes ?? []).flatMap(
    ({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? [],
  )
  const object = `pod/${namespace}/${name}`
  return {
    code: 'PodStuckTerminating',
    severity: 'warning',
    subject: nodeSubject(node),
    what: terminatingPod(pod).message,
    ...wayOut(node, pod, finalizers, claims),
    evidence: [
      fieldFact(object, pod, 'metadata.deletionTimestamp'),
      fieldFact(object, pod, 'metadata.finalizers'),
      fieldFact(object, pod, 'spec.nodeName'),
    ],
  }
}

function wayOut(
  node: NodeSituation,
  { metadata }: Pod,
  finalizers: readonly string[],
  claims: readonly string[],
): Pick<Finding, 'why' | 'remedy' | 'command'> {
  const pod = `-n ${metadata.namespace}`
  if (finalizers.length > 0) {
    const command = `kubectl ${pod} patch pod ${metadata.name} --type=merge -p '{"metadata":{"finalizers":null}}'`
    return {
      why: `an object with finalizers (${finalizers.join(', ')}) stays until their owners have taken them off`,
      remedy: `repair what owns ${finalizers.join(', ')}; if it is gone for good, take them off by hand: ${command}`,
      command,
    }
  }
  const kubelet = isReady({ ...node.view, unschedulable: false })
    ? undefined
    : `the kubelet of node ${node.name} is not ready`
  if (kubelet) {
    const command = `kubectl ${pod} delete pod ${metadata.name} --grace-period=0 --force`
    return {
      why: `${kubelet}, so that nobody confirms the end of the pod`,
      remedy: `bring the node back; once it is certain that the machine is off: ${command}`,
      command,
    }
  }
  const volumes = claims.length > 0 ? `; it uses the claims ${claims.join(', ')}, which may not be unmountable` : ''
  return {
    why: `its grace period is over, and its kubelet has not reported its end${volumes}`,
    remedy: `see its events and its node's kubelet: kubectl ${pod} describe pod ${metadata.name}`,
  }
}

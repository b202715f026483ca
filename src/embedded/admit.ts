import {
  type AdmissionDecision,
  admitMachineConfig,
  admitMachineConfigNode,
  admitMachineConfigPool,
  admitMachineConfiguration,
  admitOSImageStreamDeletion,
  type MachineConfigVerdict,
} from '../api/admission.ts'
import type { Infrastructure } from '../api/config.ts'
import { MachineConfig } from '../api/machineConfig.ts'
import { MachineConfigNode } from '../api/machineConfigNode.ts'
import { MachineConfigPool } from '../api/machineConfigPool.ts'
import { MachineConfiguration } from '../api/machineConfiguration.ts'
import type { KubernetesObject } from '../api/meta.ts'
import { OSImageStream } from '../api/osImageStream.ts'
import { fragmentParser } from '../render/parseFragment.ts'
import { validateMachineConfig } from '../render/validateMachineConfig.ts'
import { maxUnavailableOf } from '../rollout/maxUnavailable.ts'
import type { AdmissionAnswer, AdmissionRequest, Admit } from './server/admission.ts'

/** What admission may look up: the stored objects at the moment of the write. */
export interface StoredObjects {
  infrastructure(): Infrastructure | undefined
  osImageStream(): OSImageStream | undefined
}

/** The policies that the install ships as ValidatingAdmissionPolicies, asked by the embedded API server itself. */
export function productAdmission(stored: StoredObjects): Admit {
  return (request) => {
    if (request.subresource !== '' && request.resource.kind !== MachineConfigNode.kind) return { allowed: true }
    const decision = decide(request, stored)
    return decision ? answerOf(decision) : { allowed: true }
  }
}

function decide(request: AdmissionRequest, stored: StoredObjects): AdmissionDecision | undefined {
  const { resource, operation, object, old, identity } = request
  const is = (kind: { readonly group: string; readonly kind: string }): boolean =>
    resource.group === kind.group && resource.kind === kind.kind
  if (operation === 'DELETE') return is(OSImageStream) ? admitOSImageStreamDeletion() : undefined
  if (is(MachineConfig)) return admitMachineConfig(as<MachineConfig>(object), old && as<MachineConfig>(old), verdictOf)
  if (is(MachineConfigPool)) return admitPool(as<MachineConfigPool>(object), stored)
  if (is(MachineConfiguration))
    return admitMachineConfiguration(as<MachineConfiguration>(object), stored.infrastructure())
  if (is(MachineConfigNode)) {
    const extra = Object.fromEntries(Object.entries(identity.extra ?? {}).map(([key, values]) => [key, [...values]]))
    return admitMachineConfigNode(as<MachineConfigNode>(object), {
      username: identity.name,
      groups: [...identity.groups],
      extra,
    })
  }
  return undefined
}

/** The shape was checked against the kind's schema before admission is asked. */
const as = <T extends KubernetesObject>(object: unknown): T => object as T

function admitPool(pool: MachineConfigPool, stored: StoredObjects): AdmissionDecision {
  const budget = maxUnavailableOf(pool.spec.maxUnavailable, 100)
  if (budget.kind === 'invalid') {
    const message = `spec.${budget.message}; write a number (1) or a percentage ("10%")`
    return { allowed: false, policy: 'machineconfigpool-max-unavailable', message, warnings: [] }
  }
  return admitMachineConfigPool(pool, stored.osImageStream())
}

/** The renderer's own answers, and contents that no node could decode: refused here, while a person still looks. */
function verdictOf(config: MachineConfig): MachineConfigVerdict {
  const { invalid, ignition } = fragmentParser().parse(config)
  const issues = validateMachineConfig(config)
  const undecodable = issues.find(({ severity, path }) => severity === 'error' && path.includes('.contents'))?.message
  const whyNotRendered = invalid ?? (ignition.kind === 'refused' ? ignition.mergeError : undecodable)
  return { issues, ...(whyNotRendered === undefined ? {} : { whyNotRendered }) }
}

function answerOf(decision: AdmissionDecision): AdmissionAnswer {
  if (decision.allowed) return { allowed: true, warnings: decision.warnings }
  const message = `ValidatingAdmissionPolicy '${decision.policy}' with binding '${decision.policy}-binding' denied request: ${decision.message}`
  return { allowed: false, reason: 'Invalid', message, warnings: decision.warnings }
}

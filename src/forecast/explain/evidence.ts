import type { KubernetesObject } from '../../api/meta.ts'
import type { Evidence } from '../finding.ts'

/** Stands for a value that is not there. */
export const absent = '(absent)'

/**
 * Facts as findings carry them. Each is read from the object here, so that a finding cannot claim what the object does not
 * say; the path is one that `kubectl get … -o jsonpath={.PATH}` takes.
 */
export const annotationFact = (object: string, { metadata }: KubernetesObject, key: string): Evidence => ({
  object,
  path: `metadata.annotations.${key.replaceAll('.', '\\.')}`,
  value: metadata.annotations?.[key] ?? absent,
})

export const labelFact = (object: string, { metadata }: KubernetesObject, key: string): Evidence => ({
  object,
  path: `metadata.labels.${key.replaceAll('.', '\\.')}`,
  value: metadata.labels?.[key] ?? absent,
})

/** A plain field, such as `spec.unschedulable`; a list or an object is its JSON. */
export function fieldFact(object: string, source: KubernetesObject, path: string): Evidence {
  let value: unknown = source
  for (const name of path.split('.')) {
    value =
      typeof value === 'object' && value !== null ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined
  }
  return { object, path, value: textOf(value) }
}

interface Conditioned {
  readonly status?:
    | { readonly conditions?: readonly { readonly type: string; readonly [member: string]: unknown }[] | null }
    | undefined
}

type ConditionMember = 'status' | 'message' | 'reason' | 'lastTransitionTime' | 'lastHeartbeatTime'

export function conditionFact(
  object: string,
  source: object,
  type: string,
  member: ConditionMember = 'status',
): Evidence {
  const found = (source as Conditioned).status?.conditions?.find((condition) => condition.type === type)
  return { object, path: `status.conditions[?(@.type=="${type}")].${member}`, value: textOf(found?.[member]) }
}

/** That an object of this name does not exist. */
export const missingFact = (object: string): Evidence => ({ object, path: 'metadata.name', value: absent })

function textOf(value: unknown): string {
  if (value === undefined || value === null) return absent
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

import type { Identity } from './apiRequest.ts'
import type { ApiObject, ResourceDefinition } from './resource.ts'
import { qualifiedResource } from './resource.ts'
import { StatusError } from './statusError.ts'

export interface AdmissionRequest {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE'
  readonly resource: ResourceDefinition
  /** Empty, or the subresource that is written. */
  readonly subresource: string
  readonly namespace: string
  readonly name: string
  /** Absent on DELETE. */
  readonly object?: ApiObject
  /** Absent on CREATE. */
  readonly old?: ApiObject
  readonly identity: Identity
  readonly dryRun: boolean
}

export interface AdmissionAnswer {
  readonly allowed: boolean
  /** Why not, as a ValidatingAdmissionPolicy words it; shown after `NAME is forbidden: `. */
  readonly message?: string
  /** Status reason of a refusal. Default `Forbidden`; policies answer `Invalid`. */
  readonly reason?: 'Forbidden' | 'Invalid'
  readonly warnings?: readonly string[]
}

/** Pure and synchronous: a write is decided in one step, between reading the present object and taking a revision. */
export type Admit = (request: AdmissionRequest) => AdmissionAnswer

export const admitAll: Admit = () => ({ allowed: true })

/** All of them must agree; warnings of all are kept. */
export function admitChain(hooks: readonly Admit[]): Admit {
  return (request) => {
    const answers = hooks.map((hook) => hook(request))
    const refusal = answers.find((answer) => !answer.allowed)
    const warnings = answers.flatMap((answer) => answer.warnings ?? [])
    return refusal ? { ...refusal, warnings } : { allowed: true, warnings }
  }
}

export function enforceAdmission(admit: Admit, request: AdmissionRequest, warnings: Set<string>): void {
  const answer = admit(request)
  for (const warning of answer.warnings ?? []) warnings.add(warning)
  if (answer.allowed) return
  const { resource, name } = request
  const message = answer.message ?? 'admission refused the request without a reason'
  const reason = answer.reason ?? 'Forbidden'
  throw new StatusError(
    reason === 'Invalid' ? 422 : 403,
    reason,
    `${qualifiedResource(resource)} "${name}" is forbidden: ${message}`,
    {
      name,
      ...(resource.group === '' ? {} : { group: resource.group }),
      kind: resource.plural,
      causes: [{ message }],
    },
  )
}

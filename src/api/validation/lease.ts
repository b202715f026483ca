import { type FieldError, invalid } from '../../schema/fieldError.ts'
import type { Lease } from '../coordination.ts'

/** A Lease's own rules (Kubernetes documentation, "Leases"). */
export function validateLease({ spec = {} }: Lease): readonly FieldError[] {
  const { leaseDurationSeconds, leaseTransitions } = spec
  return [
    ...(leaseDurationSeconds !== undefined && leaseDurationSeconds <= 0
      ? [invalid('spec.leaseDurationSeconds', leaseDurationSeconds, 'must be greater than 0')]
      : []),
    ...(leaseTransitions !== undefined && leaseTransitions < 0
      ? [invalid('spec.leaseTransitions', leaseTransitions, 'must be greater than or equal to 0')]
      : []),
  ]
}

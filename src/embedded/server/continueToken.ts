import { badRequest } from './statusError.ts'

/** Where the next page starts: after `afterKey`, in the state of `revision`. Opaque to clients. */
export interface ContinueToken {
  /** -1: whatever the state is by then (offered when the consistent one is gone). */
  readonly revision: number
  readonly afterKey: string
}

export function formatContinueToken({ revision, afterKey }: ContinueToken): string {
  return Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: revision, start: afterKey })).toString('base64url')
}

export function parseContinueToken(text: string): ContinueToken {
  const value = decode(text)
  if (value?.v !== 'meta.k8s.io/v1' || typeof value.rv !== 'number' || typeof value.start !== 'string') {
    throw badRequest('continue key is not valid: expected the value of metadata.continue of the previous page')
  }
  return { revision: value.rv, afterKey: value.start }
}

function decode(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch (error) {
    // Not JSON: not a token of ours, which the caller says.
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

import type { Status } from '../../api/meta.ts'
import type { FieldProblem } from './resource.ts'

/** An answer that is not a success, in the API server's own words; thrown anywhere below `handle`, written there once. */
export class StatusError extends Error {
  override readonly name = 'StatusError'
  readonly code: number
  readonly status: Status
  /** Extra response headers, e.g. Retry-After. */
  readonly headers: Readonly<Record<string, string>>
  constructor(
    code: number,
    reason: string,
    message: string,
    details?: Status['details'],
    { metadata = {}, ...options }: ErrorOptions & { metadata?: Status['metadata'] } = {},
  ) {
    super(message, options)
    this.code = code
    this.headers = details?.retryAfterSeconds ? { 'retry-after': String(details.retryAfterSeconds) } : {}
    this.status = {
      kind: 'Status',
      apiVersion: 'v1',
      metadata,
      status: 'Failure',
      message,
      ...(reason === '' ? {} : { reason }),
      ...(details ? { details } : {}),
      code,
    }
  }
}

/** How error messages and details name a resource. */
interface Named {
  readonly group: string
  readonly plural: string
}

const qualified = ({ group, plural }: Named): string => (group === '' ? plural : `${plural}.${group}`)

/** `details` of an error about a resource: kind holds the plural, as the API server does. */
function detailsOf({ group, plural }: Named, name: string): NonNullable<Status['details']> {
  return { ...(name === '' ? {} : { name }), ...(group === '' ? {} : { group }), kind: plural }
}

export const notFound = (resource: Named, name: string): StatusError =>
  new StatusError(404, 'NotFound', `${qualified(resource)} "${name}" not found`, detailsOf(resource, name))

export const noSuchResource = (): StatusError =>
  new StatusError(404, 'NotFound', 'the server could not find the requested resource', {})

export const alreadyExists = (resource: Named, name: string): StatusError =>
  new StatusError(409, 'AlreadyExists', `${qualified(resource)} "${name}" already exists`, detailsOf(resource, name))

export const conflict = (resource: Named, name: string, why: string): StatusError =>
  new StatusError(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${qualified(resource)} "${name}": ${why}`,
    detailsOf(resource, name),
  )

export const modified = (resource: Named, name: string): StatusError =>
  conflict(
    resource,
    name,
    'the object has been modified; please apply your changes to the latest version and try again',
  )

export const badRequest = (message: string): StatusError => new StatusError(400, 'BadRequest', message)

export const forbidden = (resource: Named, name: string, why: string): StatusError =>
  new StatusError(
    403,
    'Forbidden',
    `${qualified(resource)}${name === '' ? '' : ` "${name}"`} is forbidden: ${why}`,
    detailsOf(resource, name),
  )

export const unauthorized = (): StatusError => new StatusError(401, 'Unauthorized', 'Unauthorized')

export const methodNotSupported = (): StatusError =>
  new StatusError(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {})

export const notAcceptable = (accepted: readonly string[]): StatusError =>
  new StatusError(406, 'NotAcceptable', `only the following media types are accepted: ${accepted.join(', ')}`)

export const unsupportedMediaType = (accepted: readonly string[], why = ''): StatusError =>
  new StatusError(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}${why === '' ? '' : ` (${why})`}`,
  )

/** 422 with one cause per problem; one problem reads `x: Required value`, several are listed in brackets. */
export function invalid(
  kind: { readonly group: string; readonly kind: string },
  name: string,
  problems: readonly FieldProblem[],
): StatusError {
  const qualifiedKind = kind.group === '' ? kind.kind : `${kind.kind}.${kind.group}`
  const texts = [...new Set(problems.map((problem) => `${problem.field}: ${problem.message}`))]
  const summary = texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`
  return new StatusError(422, 'Invalid', `${qualifiedKind} "${name}" is invalid: ${summary}`, {
    name,
    ...(kind.group === '' ? {} : { group: kind.group }),
    kind: kind.kind,
    causes: problems.map(({ reason, message, field }) => ({ reason, message, field })),
  })
}

export const expired = (message: string): StatusError => new StatusError(410, 'Expired', message)

/** A version that this server has not reached; the client may come back. */
export function tooLargeResourceVersion(wanted: number, current: number): StatusError {
  return new StatusError(504, 'Timeout', `Too large resource version: ${wanted}, current: ${current}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  })
}

export const tooManyRequests = (
  message: string,
  { retryAfterSeconds, causes }: { retryAfterSeconds?: number; causes?: NonNullable<Status['details']>['causes'] } = {},
): StatusError =>
  new StatusError(429, 'TooManyRequests', message, {
    ...(causes ? { causes } : {}),
    ...(retryAfterSeconds ? { retryAfterSeconds } : {}),
  })

export const requestTooLarge = (limitBytes: number): StatusError =>
  new StatusError(413, 'RequestEntityTooLarge', `limit is ${limitBytes}`)

/** The body was small enough, the object that it makes is not. */
export const objectTooLarge = (sizeBytes: number, limitBytes: number): StatusError =>
  new StatusError(
    413,
    'RequestEntityTooLarge',
    `etcdserver: request is too large (the object would have ${sizeBytes} bytes, the limit is ${limitBytes})`,
  )

export const internalError = (message: string): StatusError =>
  new StatusError(500, 'InternalError', `Internal error occurred: ${message}`, {
    causes: [{ message }],
  })

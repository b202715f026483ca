import type { FieldValidation } from './context.ts'
import { isTrue } from './requestInfo.ts'
import type { FieldProblem } from './resource.ts'
import { badRequest, invalid } from './statusError.ts'
import { textOfValue } from './textOfValue.ts'

/** Query parameters of writes (meta/v1 CreateOptions, UpdateOptions, PatchOptions). */
export interface WriteOptions {
  readonly dryRun: boolean
  readonly fieldManager: string
  readonly fieldValidation: FieldValidation
  readonly force: boolean
}

export function parseWriteOptions(query: URLSearchParams, userAgent: string): WriteOptions {
  const fieldManager = query.get('fieldManager') ?? ''
  if (fieldManager.length > 128) {
    throw optionsError('fieldManager', 'FieldValueTooLong', 'Too long: may not be more than 128 bytes')
  }
  return {
    dryRun: parseDryRun(query.getAll('dryRun')),
    fieldManager: fieldManager === '' ? managerOfUserAgent(userAgent) : fieldManager,
    fieldValidation: parseFieldValidation(query.get('fieldValidation') ?? ''),
    force: query.has('force') && isTrue(query.get('force')),
  }
}

function parseDryRun(values: readonly string[]): boolean {
  const given = values.filter((value) => value !== '')
  const wrong = given.find((value) => value !== 'All')
  if (wrong !== undefined) {
    throw optionsError(
      'dryRun',
      'FieldValueNotSupported',
      `Unsupported value: ${JSON.stringify(wrong)}: supported values: "All"`,
    )
  }
  return given.length > 0
}

function parseFieldValidation(value: string): FieldValidation {
  switch (value) {
    case '':
    case 'Warn':
      return 'Warn'
    case 'Strict':
    case 'Ignore':
      return value
    default:
      throw optionsError(
        'fieldValidation',
        'FieldValueNotSupported',
        `Unsupported value: ${JSON.stringify(value)}: supported values: "Ignore", "Strict", "Warn"`,
      )
  }
}

/** `kubectl/v1.32 (linux/amd64)` owns fields as `kubectl`: the part before the first slash (server-side apply, "Field management"). */
export function managerOfUserAgent(userAgent: string): string {
  const name = userAgent.split('/')[0]?.trim() ?? ''
  return name === '' ? 'unknown' : name.slice(0, 128)
}

/** Query parameters of lists and watches (meta/v1 ListOptions). */
export interface ListOptions {
  readonly labelSelector: string
  readonly fieldSelector: string
  readonly limit: number
  readonly continueToken: string
  /** Empty: the most recent state. */
  readonly resourceVersion: string
  readonly resourceVersionMatch: '' | 'Exact' | 'NotOlderThan'
  readonly timeoutSeconds: number | undefined
  readonly allowWatchBookmarks: boolean
  readonly sendInitialEvents: boolean | undefined
}

export function parseListOptions(query: URLSearchParams, watch: boolean): ListOptions {
  const options: ListOptions = {
    labelSelector: query.get('labelSelector') ?? '',
    fieldSelector: query.get('fieldSelector') ?? '',
    limit: parseCount(query.get('limit'), 'limit') ?? 0,
    continueToken: query.get('continue') ?? '',
    resourceVersion: parseResourceVersion(query.get('resourceVersion') ?? '', 'ListOptions'),
    resourceVersionMatch: parseMatch(query.get('resourceVersionMatch') ?? '', watch),
    timeoutSeconds: parseCount(query.get('timeoutSeconds'), 'timeoutSeconds'),
    allowWatchBookmarks: query.has('allowWatchBookmarks') && isTrue(query.get('allowWatchBookmarks')),
    sendInitialEvents: query.has('sendInitialEvents') ? isTrue(query.get('sendInitialEvents')) : undefined,
  }
  const problem = watch ? watchProblem(options) : listProblem(options)
  if (problem) throw listOptionsError(problem.field, problem.reason, problem.message)
  if (!watch && options.continueToken !== '' && Number(options.resourceVersion) > 0) {
    throw badRequest('specifying resource version is not allowed when using continue')
  }
  return options
}

/** Empty, or a number that this server may have given out. */
export function parseResourceVersion(text: string, kind: 'GetOptions' | 'ListOptions'): string {
  if (/^\d*$/.test(text)) return text
  const message = `Invalid value: ${JSON.stringify(text)}: invalid resource version`
  throw invalid({ group: 'meta.k8s.io', kind }, '', [
    { reason: 'FieldValueInvalid', field: 'resourceVersion', message },
  ])
}

/** API concepts, "The resourceVersionMatch parameter". */
function listProblem(options: ListOptions): FieldProblem | undefined {
  const { resourceVersion, resourceVersionMatch: match, continueToken } = options
  if (options.sendInitialEvents !== undefined) {
    return forbids('sendInitialEvents', 'sendInitialEvents is forbidden for list')
  }
  if (match === '') return undefined
  if (continueToken !== '') {
    return forbids('resourceVersionMatch', 'resourceVersionMatch is forbidden when continue is provided')
  }
  if (resourceVersion === '') {
    return forbids('resourceVersionMatch', 'resourceVersionMatch is forbidden unless resourceVersion is provided')
  }
  if (match === 'Exact' && resourceVersion === '0') {
    return forbids('resourceVersionMatch', 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"')
  }
  return undefined
}

/** API concepts, "Streaming lists". */
function watchProblem(options: ListOptions): FieldProblem | undefined {
  const match = options.resourceVersionMatch
  if (options.sendInitialEvents === undefined) {
    if (match === '') return undefined
    return forbids(
      'resourceVersionMatch',
      'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
    )
  }
  if (match !== 'NotOlderThan') {
    return forbids('resourceVersionMatch', 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan')
  }
  return undefined
}

const forbids = (field: string, why: string): FieldProblem => ({
  reason: 'FieldValueForbidden',
  field,
  message: `Forbidden: ${why}`,
})

function parseMatch(value: string, watch: boolean): ListOptions['resourceVersionMatch'] {
  if (value === '' || value === 'NotOlderThan' || (value === 'Exact' && !watch)) return value
  throw listOptionsError(
    'resourceVersionMatch',
    'FieldValueNotSupported',
    `Unsupported value: ${JSON.stringify(value)}: supported values: ${watch ? '"NotOlderThan"' : '"Exact", "NotOlderThan", ""'}`,
  )
}

function parseCount(value: string | null, name: string): number | undefined {
  if (value === null || value === '') return undefined
  if (!/^-?\d+$/.test(value)) {
    throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(value)}: invalid syntax (query parameter ${name})`)
  }
  return Math.max(0, Number(value))
}

const listOptionsError = (field: string, reason: string, message: string) =>
  invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', [{ reason, field, message }])

const optionsError = (field: string, reason: string, message: string) =>
  invalid({ group: 'meta.k8s.io', kind: 'Options' }, '', [{ reason, field, message }])

/** DELETE carries meta/v1 DeleteOptions in the body, in the query, or both; the body wins. */
export interface DeleteOptions {
  readonly dryRun: boolean
  readonly gracePeriodSeconds: number | undefined
  readonly propagationPolicy: 'Orphan' | 'Background' | 'Foreground' | undefined
  readonly preconditions: { readonly uid?: string; readonly resourceVersion?: string }
}

export function parseDeleteOptions(body: Readonly<Record<string, unknown>>, query: URLSearchParams): DeleteOptions {
  const dryRun = Array.isArray(body.dryRun) ? body.dryRun.map(textOfValue) : query.getAll('dryRun')
  const grace = body.gracePeriodSeconds ?? parseSigned(query.get('gracePeriodSeconds'))
  if (grace !== undefined && grace !== null && !Number.isInteger(grace)) {
    throw badRequest('gracePeriodSeconds must be a whole number of seconds')
  }
  return {
    dryRun: parseDryRun(dryRun),
    gracePeriodSeconds: typeof grace === 'number' ? grace : undefined,
    propagationPolicy: parsePropagation(body, query),
    preconditions: parsePreconditions(body.preconditions),
  }
}

function parseSigned(value: string | null): number | undefined {
  if (value === null || value === '') return undefined
  if (!/^-?\d+$/.test(value))
    throw badRequest(`gracePeriodSeconds ${JSON.stringify(value)} is not a whole number of seconds`)
  return Number(value)
}

function parsePropagation(
  body: Readonly<Record<string, unknown>>,
  query: URLSearchParams,
): DeleteOptions['propagationPolicy'] {
  const legacy = body.orphanDependents ?? query.get('orphanDependents')
  const policy = body.propagationPolicy ?? query.get('propagationPolicy') ?? undefined
  if (policy === undefined || policy === '') {
    if (legacy === undefined || legacy === null) return undefined
    return legacy === true || legacy === 'true' ? 'Orphan' : 'Background'
  }
  if (policy === 'Orphan' || policy === 'Background' || policy === 'Foreground') return policy
  throw invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', [
    {
      reason: 'FieldValueNotSupported',
      field: 'propagationPolicy',
      message: `Unsupported value: ${JSON.stringify(policy)}: supported values: "Foreground", "Background", "Orphan", "nil"`,
    },
  ])
}

function parsePreconditions(value: unknown): DeleteOptions['preconditions'] {
  if (typeof value !== 'object' || value === null) return {}
  const { uid, resourceVersion } = value as Record<string, unknown>
  return {
    ...(typeof uid === 'string' ? { uid } : {}),
    ...(typeof resourceVersion === 'string' ? { resourceVersion } : {}),
  }
}

import { jsonText } from './jsonSchemaProps.ts'

/**
 * What the API server says about one wrong field: the same types, reasons and sentences as its own validation
 * (Kubernetes API conventions, "Status causes").
 */
export type FieldErrorType =
  | 'Required'
  | 'Invalid'
  | 'TypeInvalid'
  | 'NotSupported'
  | 'TooLong'
  | 'TooMany'
  | 'Duplicate'
  | 'Forbidden'
  | 'NotFound'

export interface FieldError {
  readonly type: FieldErrorType
  /** Path in the object, such as `spec.pools[0].name`; empty for the whole object. */
  readonly field: string
  /** Shown quoted when it is a string; absent when the sentence has no value. */
  readonly value?: unknown
  readonly detail: string
}

/** Appends what is wrong with `value`. `old` is the stored value at the same place, undefined when there is none. */
export type Check = (value: unknown, old: unknown, path: string, errors: FieldError[]) => void

/** One entry of `details.causes` in a Status. */
export interface StatusCause {
  readonly reason: string
  readonly message: string
  readonly field: string
}

const words: Readonly<Record<FieldErrorType, string>> = {
  Required: 'Required value',
  Invalid: 'Invalid value',
  TypeInvalid: 'Invalid value',
  NotSupported: 'Unsupported value',
  TooLong: 'Too long',
  TooMany: 'Too many',
  Duplicate: 'Duplicate value',
  Forbidden: 'Forbidden',
  NotFound: 'Not found',
}

export const required = (field: string, detail = ''): FieldError => ({ type: 'Required', field, detail })
export const invalid = (field: string, value: unknown, detail: string): FieldError => ({
  type: 'Invalid',
  field,
  value,
  detail,
})
export const typeInvalid = (field: string, value: unknown, detail: string): FieldError => ({
  type: 'TypeInvalid',
  field,
  value,
  detail,
})
export const forbidden = (field: string, detail: string): FieldError => ({ type: 'Forbidden', field, detail })
export const duplicate = (field: string, value: unknown): FieldError => ({
  type: 'Duplicate',
  field,
  value,
  detail: '',
})
export const notFound = (field: string, value: unknown): FieldError => ({ type: 'NotFound', field, value, detail: '' })
export const tooLong = (field: string, max: number): FieldError => ({
  type: 'TooLong',
  field,
  detail: `may not be more than ${max} bytes`,
})
export const tooMany = (field: string, actual: number, max: number): FieldError => ({
  type: 'TooMany',
  field,
  value: actual,
  detail: `must have at most ${max} ${max === 1 ? 'item' : 'items'}`,
})
export const notSupported = (field: string, value: unknown, supported: readonly unknown[]): FieldError => ({
  type: 'NotSupported',
  field,
  value,
  detail: `supported values: ${supported.map((each) => JSON.stringify(typeof each === 'string' ? each : JSON.stringify(each))).join(', ')}`,
})

/** The sentence without the field: `Unsupported value: "a": supported values: "b"`. */
export function fieldErrorBody({ type, value, detail }: FieldError): string {
  const quoted = value === undefined ? '' : `: ${typeof value === 'string' ? JSON.stringify(value) : inline(value)}`
  return `${words[type]}${quoted}${detail === '' ? '' : `: ${detail}`}`
}

/** The whole sentence: `spec.mode: Unsupported value: …`. An error about no field at all starts with `<nil>`, as there. */
export function formatFieldError(error: FieldError): string {
  return `${error.field === '' ? '<nil>' : error.field}: ${fieldErrorBody(error)}`
}

/** Several errors as one text: bare when single, bracketed otherwise, repetitions dropped. */
export function formatFieldErrors(errors: readonly FieldError[]): string {
  const texts = [...new Set(errors.map(formatFieldError))]
  return texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`
}

export function fieldErrorToCause(error: FieldError): StatusCause {
  const field = error.field === '' ? '<nil>' : error.field
  return { reason: `FieldValue${error.type}`, message: fieldErrorBody(error), field }
}

const inline = (value: unknown): string => (value === null ? '"null"' : jsonText(value))

import jsonPatch, { type Operation } from 'fast-json-patch'
import { isObject } from '../builtins/jsonObject.ts'
import { badRequest, StatusError } from '../server/statusError.ts'

// A CommonJS package: Node gives its exports as the default import only.
const { applyOperation, deepClone, getValueByPointer, JsonPatchError } = jsonPatch

const maxOperations = 10_000
/** Copies of copies double with each operation: a short patch must not make a huge object. */
const maxCopiedBytes = 3 * 1024 * 1024
const operationNames = ['add', 'remove', 'replace', 'move', 'copy', 'test']

/**
 * JSON patch (RFC 6902). All operations happen or none; one that does not fit the object, a failed `test` above all, is
 * answered with 422 and the operation's own words as the cause.
 */
export function applyJsonPatch(target: unknown, patch: unknown): unknown {
  const operations = parseOperations(patch)
  try {
    return operations.reduce(operate, { document: deepClone(target), copiedBytes: 0 }).document
  } catch (error) {
    if (error instanceof JsonPatchError) throw unfit(operations, error)
    throw error
  }
}

interface Progress {
  readonly document: unknown
  readonly copiedBytes: number
}

function operate({ document, copiedBytes }: Progress, operation: Operation, index: number): Progress {
  const copied = operation.op === 'copy' ? copiedBytes + sizeAt(document, operation.from) : copiedBytes
  if (copied > maxCopiedBytes) {
    throw new StatusError(
      413,
      'RequestEntityTooLarge',
      `Unable to complete the copy, the accumulated size increase of copy is ${copied}, exceeding the limit ${maxCopiedBytes}`,
    )
  }
  return { document: applyOperation(document, operation, true, true, true, index).newDocument, copiedBytes: copied }
}

/** 0 for a path that leads nowhere: the operation itself says so. */
function sizeAt(document: unknown, path: string): number {
  try {
    return JSON.stringify(getValueByPointer(document, path))?.length ?? 0
  } catch (error) {
    if (error instanceof TypeError || error instanceof JsonPatchError) return 0
    throw error
  }
}

function parseOperations(patch: unknown): readonly Operation[] {
  if (!Array.isArray(patch)) throw badRequest('a JSON patch is a list of operations, and the body is not a list')
  if (patch.length > maxOperations) {
    throw new StatusError(
      413,
      'RequestEntityTooLarge',
      `The allowed maximum operations in a JSON patch is ${maxOperations}, got ${patch.length}`,
    )
  }
  const wrong = patch.findIndex((operation: unknown) => !isOperation(operation))
  if (wrong >= 0) {
    throw badRequest(
      `operation ${wrong} of the JSON patch is not one of ${operationNames.join(', ')} with a path (and a value or from)`,
    )
  }
  return patch
}

function isOperation(operation: unknown): operation is Operation {
  if (!isObject(operation) || typeof operation.path !== 'string' || isReserved(operation.path)) return false
  switch (operation.op) {
    case 'add':
    case 'replace':
    case 'test':
      return 'value' in operation
    case 'move':
    case 'copy':
      return typeof operation.from === 'string' && !isReserved(operation.from)
    case 'remove':
      return true
    default:
      return false
  }
}

/** Paths into a JavaScript object's prototype: no field of any kind is called so. */
const isReserved = (path: string): boolean =>
  path.split('/').some((segment) => segment === '__proto__' || segment === 'prototype')

function unfit(operations: readonly Operation[], error: InstanceType<typeof JsonPatchError>): StatusError {
  const operation = operations[error.index ?? 0]
  const cause = operation ? wordsFor(operation, error.name) : 'the patch does not apply'
  return new StatusError(
    422,
    'Invalid',
    'the server rejected our request due to an error in our request',
    { causes: [{ reason: 'UnexpectedServerResponse', message: cause }] },
    { cause: error },
  )
}

function wordsFor(operation: Operation, code: string): string {
  if (code === 'TEST_OPERATION_FAILED') return `testing value ${operation.path} failed: test failed`
  const path = operation.op === 'move' || operation.op === 'copy' ? operation.from : operation.path
  return `${operation.op} operation does not apply: doc is missing path: ${JSON.stringify(path)}: missing value`
}

import type { ServerContext } from './context.ts'
import type { JsonObject } from './decodeBody.ts'
import type { ResourceCall } from './resourceCall.ts'
import { unsupportedMediaType } from './statusError.ts'
import type { WriteResult } from './updateObject.ts'

export async function patchObject(_context: ServerContext, _call: ResourceCall): Promise<WriteResult> {
  throw unsupportedMediaType([])
}

export function patchPlain(_call: ResourceCall, _value: JsonObject): JsonObject {
  throw unsupportedMediaType([])
}

import type { ServerContext } from './context.ts'
import type { ResourceCall } from './resourceHandler.ts'
import { unsupportedMediaType } from './statusError.ts'
import type { WriteResult } from './updateObject.ts'

export async function patchObject(_context: ServerContext, _call: ResourceCall): Promise<WriteResult> {
  throw unsupportedMediaType([])
}

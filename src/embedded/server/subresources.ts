import type { ApiResponse } from './apiRequest.ts'
import type { ServerContext } from './context.ts'
import { decodeObject } from './decodeBody.ts'
import { bindPod, evictPod, refuseConnection } from './podSubresources.ts'
import { bodyOf, type ResourceCall, targetOf } from './resourceCall.ts'
import { answerObject } from './respond.ts'
import { handleScale } from './scale.ts'
import { requestToken } from './tokenRequest.ts'
import { writeUpdate } from './updateObject.ts'

export type SubresourceHandler = (context: ServerContext, call: ResourceCall) => Promise<ApiResponse> | ApiResponse

/** Subresources with a body or an effect of their own; `status` is not among them: it goes the way of the main resource. */
export const subresourceHandlers: ReadonlyMap<string, SubresourceHandler> = new Map<string, SubresourceHandler>([
  ['eviction', evictPod],
  ['binding', bindPod],
  ['attach', refuseConnection],
  ['exec', refuseConnection],
  ['log', refuseConnection],
  ['portforward', refuseConnection],
  ['scale', handleScale],
  ['token', requestToken],
  ['finalize', finalizeNamespace],
])

/** PUT namespaces/NAME/finalize: only spec.finalizers changes. */
async function finalizeNamespace(context: ServerContext, call: ResourceCall): Promise<ApiResponse> {
  const given = decodeObject(call.resource, bodyOf(call))
  const entry = await writeUpdate(
    context,
    targetOf(call),
    'finalize',
    given,
    (old) => ({ ...old, spec: given.spec ?? {} }),
    call.write,
  )
  return answerObject(call.answer, 200, entry)
}

import type { ApiResponse } from './apiRequest.ts'
import type { ServerContext } from './context.ts'
import type { ResourceCall } from './resourceHandler.ts'

export type SubresourceHandler = (context: ServerContext, call: ResourceCall) => Promise<ApiResponse> | ApiResponse

/** Subresources with a body or an effect of their own; `status` is not among them: it goes the way of the main resource. */
export const subresourceHandlers: ReadonlyMap<string, SubresourceHandler> = new Map()

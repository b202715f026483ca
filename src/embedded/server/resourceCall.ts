import type { IncludeObject } from '../table/table.ts'
import type { ApiRequest, Identity } from './apiRequest.ts'
import type { ServerContext, WriteCall } from './context.ts'
import { type JsonObject, parseBody } from './decodeBody.ts'
import { negotiate } from './negotiate.ts'
import type { ResourceRequest } from './requestInfo.ts'
import { parseWriteOptions } from './requestOptions.ts'
import type { ResourceDefinition } from './resource.ts'
import type { AnswerContext } from './respond.ts'
import { badRequest } from './statusError.ts'
import type { Target } from './target.ts'
import { parseYamlBody } from './yamlBody.ts'

/** One request for a resource, taken apart: what every verb needs. */
export interface ResourceCall {
  readonly request: ApiRequest
  readonly info: ResourceRequest
  readonly resource: ResourceDefinition
  readonly query: URLSearchParams
  readonly identity: Identity
  readonly answer: AnswerContext
  readonly write: WriteCall
  readonly force: boolean
}

export function takeApart(
  context: ServerContext,
  request: ApiRequest,
  info: ResourceRequest,
  resource: ResourceDefinition,
  query: URLSearchParams,
  identity: Identity,
): ResourceCall {
  const { force, ...options } = parseWriteOptions(query, request.headers['user-agent'] ?? '')
  const warnings = new Set<string>()
  const answer: AnswerContext = {
    resource,
    negotiated: negotiate(request.headers.accept),
    includeObject: parseIncludeObject(query.get('includeObject') ?? ''),
    now: context.clock.now(),
    warnings,
  }
  return { request, info, resource, query, identity, answer, write: { identity, ...options, warnings }, force }
}

function parseIncludeObject(value: string): IncludeObject {
  switch (value) {
    case '':
      return 'Metadata'
    case 'None':
    case 'Metadata':
    case 'Object':
      return value
    default:
      throw badRequest(`unrecognized includeObject value: ${JSON.stringify(value)}; expected None, Metadata or Object`)
  }
}

export const targetOf = ({ resource, info }: ResourceCall): Target => ({
  resource,
  namespace: info.namespace,
  name: info.name,
})

export function bodyOf({ request }: ResourceCall): JsonObject | undefined {
  return parseBody(request.body, request.headers['content-type'] ?? '', parseYamlBody)
}

import { unknownFieldMessage } from '../../schema/structuralSchema.ts'
import type { IncludeObject } from '../table/table.ts'
import type { ApiRequest, Identity } from './apiRequest.ts'
import type { ServerContext, WriteCall } from './context.ts'
import { decodeObject, type JsonObject, parseBody } from './decodeBody.ts'
import { negotiate } from './negotiate.ts'
import type { ResourceRequest } from './requestInfo.ts'
import { parseWriteOptions } from './requestOptions.ts'
import type { ApiObject, ResourceDefinition } from './resource.ts'
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
  return {
    request,
    info,
    resource,
    query,
    identity,
    answer,
    write: { identity, ...options, warnings, decodingProblems: new Set() },
    force,
  }
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

export function bodyOf({ request, query, write }: ResourceCall): JsonObject | undefined {
  // Repeated keys cost a second parse, which only those pay who ask for validation, as kubectl does.
  const asked = query.has('fieldValidation') && write.fieldValidation !== 'Ignore'
  const onRepeatedKey = (key: string) => write.decodingProblems?.add(`duplicate field "${key}"`)
  const contentType = request.headers['content-type'] ?? ''
  return parseBody(request.body, contentType, parseYamlBody, asked ? onRepeatedKey : undefined)
}

/** The body as an object of the resource's kind. */
export function objectOf(call: ResourceCall): ApiObject {
  return decodeObject(call.resource, bodyOf(call), (path) => noteUnknown(call, path))
}

export function noteUnknown({ write }: ResourceCall, path: string): void {
  write.decodingProblems?.add(unknownFieldMessage(path))
}

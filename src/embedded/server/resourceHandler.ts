import type { ApiRequest, ApiResponse, Identity } from './apiRequest.ts'
import { success } from './apiRequest.ts'
import type { ServerContext } from './context.ts'
import { createObject } from './createObject.ts'
import { deleteObject } from './deleteObject.ts'
import { parseFilter } from './filter.ts'
import { listPage } from './listObjects.ts'
import { objectWriter } from './outputForm.ts'
import { patchObject } from './patchObject.ts'
import { bindPod } from './podSubresources.ts'
import type { ResourceRequest } from './requestInfo.ts'
import { parseDeleteOptions, parseListOptions, parseResourceVersion } from './requestOptions.ts'
import { hasSubresource, type ResourceDefinition } from './resource.ts'
import { bodyOf, objectOf, type ResourceCall, takeApart, targetOf } from './resourceCall.ts'
import { answerObject, answerPage, answerValue } from './respond.ts'
import { answerReview, isReview } from './reviews.ts'
import { served } from './served.ts'
import { methodNotSupported, noSuchResource, notFound, StatusError, tooLargeResourceVersion } from './statusError.ts'
import { subresourceHandlers } from './subresources.ts'
import { pathOf } from './target.ts'
import { replaceObject } from './updateObject.ts'
import { warningHeaders } from './warningHeaders.ts'
import { watchObjects } from './watchObjects.ts'

export async function handleResource(
  context: ServerContext,
  request: ApiRequest,
  info: ResourceRequest,
  resource: ResourceDefinition,
  query: URLSearchParams,
  identity: Identity,
): Promise<ApiResponse> {
  requireServed(info, resource)
  const call = takeApart(context, request, info, resource, query, identity)
  if (resource.deprecated) call.write.warnings.add(resource.deprecated.warning)
  const special = info.subresource === '' ? undefined : subresourceHandlers.get(info.subresource)
  if (special) return special(context, call)
  if (isReview(resource)) return answerReview(context, call)
  if (resource.group === '' && resource.kind === 'Binding') return bindPod(context, call)
  switch (info.verb) {
    case 'get':
      return getObject(context, call)
    case 'list':
      return list(context, call)
    case 'watch':
      return watch(context, call)
    case 'create':
      return create(context, call)
    case 'update':
      return update(context, call)
    case 'patch':
      return patch(context, call)
    case 'delete':
      return remove(context, call)
    case 'deletecollection':
      return removeCollection(context, call)
    default:
      return info.verb satisfies never
  }
}

function requireServed(info: ResourceRequest, resource: ResourceDefinition): void {
  const namespaced = info.namespace !== ''
  if (namespaced && !resource.namespaced) throw noSuchResource()
  if (info.subresource !== '') {
    if (!hasSubresource(resource, info.subresource)) throw noSuchResource()
    const verbs = resource.subresources?.find(({ name }) => name === info.subresource)?.verbs ?? []
    if (!verbs.includes(info.verb)) throw methodNotSupported()
    return
  }
  if (!resource.verbs.includes(info.verb)) throw methodNotSupported()
  if (info.verb === 'create' && info.name !== '') throw methodNotSupported()
  if ((info.verb === 'update' || info.verb === 'patch') && info.name === '') throw methodNotSupported()
  if (resource.namespaced && !namespaced && info.verb !== 'list' && info.verb !== 'watch') {
    throw info.name === '' ? methodNotSupported() : noSuchResource()
  }
}

function getObject(context: ServerContext, call: ResourceCall): ApiResponse {
  const { resource, info } = call
  const entry = context.database.get(pathOf(targetOf(call)))
  if (!entry) throw notFound(resource, info.name)
  const version = Number(parseResourceVersion(call.query.get('resourceVersion') ?? '', 'GetOptions'))
  if (version > context.database.revision) throw tooLargeResourceVersion(version, context.database.revision)
  return answerObject(call.answer, 200, served(resource, entry))
}

function list(context: ServerContext, call: ResourceCall): ApiResponse {
  const options = parseListOptions(call.query, false)
  return answerPage(
    call.answer,
    listPage(context, call.resource, parseFilter(call.resource, call.info, options), options),
  )
}

function watch(context: ServerContext, call: ResourceCall): ApiResponse {
  const { resource, info, answer } = call
  const options = parseListOptions(call.query, true)
  const { revision } = context.database
  if (options.sendInitialEvents && Number(options.resourceVersion) > revision) {
    throw tooLargeResourceVersion(Number(options.resourceVersion), revision)
  }
  const writer = objectWriter(resource, answer.negotiated.form, answer.includeObject, () => context.clock.now())
  const body = watchObjects(
    context,
    resource,
    parseFilter(resource, info, options),
    writer,
    options,
    call.request.signal,
  )
  return { status: 200, headers: { 'content-type': 'application/json', ...warningHeaders(answer.warnings) }, body }
}

async function create(context: ServerContext, call: ResourceCall): Promise<ApiResponse> {
  const { resource, info } = call
  const where = { resource, namespace: info.namespace }
  return answerObject(call.answer, 201, await createObject(context, where, objectOf(call), call.write))
}

async function update(context: ServerContext, call: ResourceCall): Promise<ApiResponse> {
  const given = objectOf(call)
  const { entry, created } = await replaceObject(context, targetOf(call), call.info.subresource, given, call.write)
  return answerObject(call.answer, created ? 201 : 200, entry)
}

async function patch(context: ServerContext, call: ResourceCall): Promise<ApiResponse> {
  const { entry, created } = await patchObject(context, call)
  return answerObject(call.answer, created ? 201 : 200, entry)
}

async function remove(context: ServerContext, call: ResourceCall): Promise<ApiResponse> {
  const { resource, info } = call
  const { dryRun, ...options } = parseDeleteOptions(bodyOf(call) ?? {}, call.query)
  const { entry, gone } = await deleteObject(context, targetOf(call), options, { ...call.write, dryRun })
  // Kinds with a grace of their own answer with the object, the others with a Status once it is gone.
  if (!gone || resource.gracePeriodSeconds) return answerObject(call.answer, 200, entry)
  const uid = entry.object.metadata.uid
  const details = {
    name: info.name,
    ...(resource.group === '' ? {} : { group: resource.group }),
    kind: resource.plural,
    ...(uid ? { uid } : {}),
  }
  return answerValue(call.answer, 200, success(details))
}

async function removeCollection(context: ServerContext, call: ResourceCall): Promise<ApiResponse> {
  const { resource, info } = call
  const { dryRun, ...options } = parseDeleteOptions(bodyOf(call) ?? {}, call.query)
  const listOptions = parseListOptions(call.query, false)
  const page = listPage(context, resource, parseFilter(resource, info, listOptions), listOptions)
  const entries = await Promise.all(
    page.entries.map(async (entry) => {
      const { namespace, name } = entry.path
      try {
        const deletion = await deleteObject(context, { resource, namespace, name }, options, { ...call.write, dryRun })
        return deletion.entry
      } catch (error) {
        // Somebody else was faster: it is gone, which is what was asked for.
        if (error instanceof StatusError && error.code === 404) return entry
        throw error
      }
    }),
  )
  return answerPage(call.answer, { metadata: page.metadata, entries })
}

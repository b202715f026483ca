import type { ApiResponse } from './apiRequest.ts'
import type { ServerContext } from './context.ts'
import { isJsonObject, type JsonObject } from './decodeBody.ts'
import { patchScale } from './patchObject.ts'
import type { ApiObject, Subresource } from './resource.ts'
import { bodyOf, type ResourceCall, targetOf } from './resourceCall.ts'
import { answerValue } from './respond.ts'
import { served } from './served.ts'
import { badRequest, invalid, noSuchResource, notFound } from './statusError.ts'
import { pathOf } from './target.ts'
import { trackFields } from './trackFields.ts'
import { prepareUpdate, writeUpdate } from './updateObject.ts'

/** GET, PUT, PATCH of the `scale` subresource: the replica count of any kind in one shape (autoscaling/v1 Scale). */
export async function handleScale(context: ServerContext, call: ResourceCall): Promise<ApiResponse> {
  const { info, resource, write } = call
  const paths = resource.subresources?.find(({ name }) => name === 'scale')?.scalePaths
  if (!paths) throw noSuchResource()
  const target = targetOf(call)
  const entry = context.database.latest(pathOf(target))
  if (!entry) throw notFound(resource, info.name)
  const current = served(resource, entry)
  const scale = scaleOf(current.object, paths)
  if (info.verb === 'get') return answerValue(call.answer, 200, scale)

  const given = info.verb === 'patch' ? patchScale(call, scale, context.clock.now()) : bodyOf(call)
  const replicas = wantedReplicas(given, info.name)
  const version = isJsonObject(given?.metadata) ? given.metadata.resourceVersion : undefined
  const preconditions = { metadata: typeof version === 'string' ? { resourceVersion: version } : {} }
  const scaled = (old: ApiObject) => {
    const next = prepareUpdate(
      context,
      target,
      '',
      withMember(old, membersOf(paths.spec), replicas) as ApiObject,
      old,
      write,
    )
    return trackFields(resource, old, next, 'scale', write, context.clock.now())
  }
  const updated = await writeUpdate(context, target, 'scale', preconditions, scaled, write)
  return answerValue(call.answer, 200, scaleOf(updated.object, paths))
}

type ScalePaths = NonNullable<Subresource['scalePaths']>

function scaleOf(object: ApiObject, paths: ScalePaths): ApiObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata
  const selector = paths.selector === undefined ? undefined : selectorText(memberAt(object, membersOf(paths.selector)))
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: onlyPresent({ name, namespace, uid, resourceVersion, creationTimestamp }),
    spec: { replicas: countAt(object, paths.spec) },
    status: { replicas: countAt(object, paths.status), ...(selector ? { selector } : {}) },
  }
}

/** Members that an object lacks are left out rather than null. */
const onlyPresent = (members: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))

const membersOf = (jsonPath: string): readonly string[] => jsonPath.replace(/^\./, '').split('.')

function memberAt(value: unknown, members: readonly string[]): unknown {
  return members.reduce<unknown>((inner, member) => (isJsonObject(inner) ? inner[member] : undefined), value)
}

function countAt(object: ApiObject, jsonPath: string): number {
  const value = memberAt(object, membersOf(jsonPath))
  return typeof value === 'number' ? value : 0
}

/** A LabelSelector, a plain map (replication controllers) or already a string (custom resources). */
function selectorText(value: unknown): string {
  if (typeof value === 'string') return value
  if (!isJsonObject(value)) return ''
  const labels = isJsonObject(value.matchLabels) ? value.matchLabels : value
  return Object.entries(labels)
    .filter(([, text]) => typeof text === 'string')
    .map(([key, text]) => `${key}=${String(text)}`)
    .sort()
    .join(',')
}

function withMember(object: JsonObject, [first = '', ...rest]: readonly string[], value: unknown): JsonObject {
  if (rest.length === 0) return { ...object, [first]: value }
  const inner = object[first]
  return { ...object, [first]: withMember(isJsonObject(inner) ? inner : {}, rest, value) }
}

function wantedReplicas(given: JsonObject | undefined, name: string): number {
  if (!isJsonObject(given?.spec)) throw badRequest('a Scale has the wanted number in spec.replicas')
  const { replicas = 0 } = given.spec
  if (typeof replicas === 'number' && Number.isInteger(replicas) && replicas >= 0) return replicas
  throw invalid({ group: 'autoscaling', kind: 'Scale' }, name, [
    {
      reason: 'FieldValueInvalid',
      field: 'spec.replicas',
      message: `Invalid value: ${JSON.stringify(replicas)}: must be greater than or equal to 0`,
    },
  ])
}

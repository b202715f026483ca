import type { UserInfo } from '../../api/authentication.ts'
import type { NonResourceAttributes, ResourceAttributes, SubjectAccessReviewStatus } from '../../api/authorization.ts'
import type { ApiResponse, Identity } from './apiRequest.ts'
import { type Attributes, nodeNameOf } from './authorize.ts'
import type { ServerContext } from './context.ts'
import { decodeObject, isJsonObject, type JsonObject } from './decodeBody.ts'
import { rulesGranted } from './rbac.ts'
import type { ResourceDefinition } from './resource.ts'
import { bodyOf, type ResourceCall } from './resourceCall.ts'
import { answerValue } from './respond.ts'
import { badRequest, noSuchResource } from './statusError.ts'
import { textOfValue } from './textOfValue.ts'

const groups = new Set(['authentication.k8s.io', 'authorization.k8s.io'])

/** Questions that look like objects: they are answered, never stored. */
export const isReview = (resource: ResourceDefinition): boolean => groups.has(resource.group)

export function answerReview(context: ServerContext, call: ResourceCall): ApiResponse {
  const object = decodeObject(call.resource, bodyOf(call))
  const spec = isJsonObject(object.spec) ? object.spec : {}
  return answerValue(call.answer, 201, { ...object, status: statusOf(context, call, spec) })
}

function statusOf(context: ServerContext, { resource, identity, info }: ResourceCall, spec: JsonObject): unknown {
  switch (resource.kind) {
    case 'SelfSubjectReview':
      return { userInfo: userInfo(identity) }
    case 'TokenReview': {
      const found = typeof spec.token === 'string' ? context.authenticateToken(spec.token) : undefined
      return found ? { authenticated: true, user: userInfo(found) } : { error: 'the token is not known to this server' }
    }
    case 'SelfSubjectAccessReview':
      return accessStatus(context, identity, attributesOf(spec, ''))
    case 'SubjectAccessReview':
    case 'LocalSubjectAccessReview':
      return accessStatus(context, subjectOf(spec), attributesOf(spec, info.namespace))
    case 'SelfSubjectRulesReview':
      return rulesStatus(context, identity, typeof spec.namespace === 'string' ? spec.namespace : '')
    default:
      throw noSuchResource()
  }
}

const userInfo = ({ name, uid, groups: member, extra }: Identity): UserInfo => ({
  username: name,
  ...(uid ? { uid } : {}),
  groups: member,
  ...(extra ? { extra } : {}),
})

function accessStatus(
  { authorize }: ServerContext,
  identity: Identity,
  attributes: Attributes,
): SubjectAccessReviewStatus {
  const { allowed, reason } = authorize(identity, attributes)
  return { allowed, ...(reason === '' ? {} : { reason }) }
}

function attributesOf(spec: JsonObject, namespace: string): Attributes {
  if (isJsonObject(spec.resourceAttributes)) {
    const {
      verb = '',
      group = '',
      resource = '',
      subresource = '',
      namespace: own = '',
      name = '',
    } = spec.resourceAttributes as ResourceAttributes
    return {
      kind: 'resource',
      verb,
      group,
      plural: resource,
      subresource,
      namespace: own === '' ? namespace : own,
      name,
    }
  }
  if (isJsonObject(spec.nonResourceAttributes)) {
    const { path = '', verb = '' } = spec.nonResourceAttributes as NonResourceAttributes
    return { kind: 'path', verb, path }
  }
  throw badRequest('exactly one of spec.resourceAttributes and spec.nonResourceAttributes must be given')
}

function subjectOf({ user, groups: member }: JsonObject): Identity {
  return { name: typeof user === 'string' ? user : '', groups: Array.isArray(member) ? member.map(textOfValue) : [] }
}

/** What somebody may do, as a list: complete but for nodes, whose rights depend on the object. */
function rulesStatus({ database }: ServerContext, identity: Identity, namespace: string) {
  if (identity.groups.includes('system:masters')) {
    const all = ['*']
    return {
      resourceRules: [{ verbs: all, apiGroups: all, resources: all }],
      nonResourceRules: [{ verbs: all, nonResourceURLs: all }],
      incomplete: false,
    }
  }
  const granted = rulesGranted(database, identity, namespace)
  return {
    resourceRules: [
      ...aboutOneself,
      ...granted.flatMap(({ verbs, apiGroups = [], resources = [], resourceNames }) =>
        resources.length === 0 ? [] : [{ verbs, apiGroups, resources, ...(resourceNames ? { resourceNames } : {}) }],
      ),
    ],
    nonResourceRules: [
      { verbs: ['get'], nonResourceURLs: publicUrls },
      ...granted.flatMap(({ verbs, nonResourceURLs = [] }) =>
        nonResourceURLs.length === 0 ? [] : [{ verbs, nonResourceURLs }],
      ),
    ],
    incomplete: nodeNameOf(identity) !== undefined,
  }
}

const aboutOneself = [
  {
    verbs: ['create'],
    apiGroups: ['authorization.k8s.io'],
    resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'],
  },
  { verbs: ['create'], apiGroups: ['authentication.k8s.io'], resources: ['selfsubjectreviews'] },
]
const publicUrls = ['/api', '/api/*', '/apis', '/apis/*', '/healthz', '/livez', '/openapi/*', '/readyz', '/version']

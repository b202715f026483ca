import type { ApiResponse } from './apiRequest.ts'
import { type ServerContext, timestamp } from './context.ts'
import { isJsonObject, type JsonObject } from './decodeBody.ts'
import type { ApiObject } from './resource.ts'
import { bodyOf, type ResourceCall, targetOf } from './resourceCall.ts'
import { answerValue } from './respond.ts'
import type { TokenSubject } from './serviceAccountTokens.ts'
import { badRequest, conflict, invalid, notFound } from './statusError.ts'
import { pathOf } from './target.ts'
import { textOfValue } from './textOfValue.ts'

const kind = { group: 'authentication.k8s.io', kind: 'TokenRequest' }

/** POST serviceaccounts/NAME/token: a token for the account, bound to a pod if the request says so. */
export function requestToken(context: ServerContext, call: ResourceCall): ApiResponse {
  const { info, resource } = call
  const account = context.database.get(pathOf(targetOf(call)))
  if (!account) throw notFound(resource, info.name)
  const body = bodyOf(call)
  if (!body || (body.kind ?? 'TokenRequest') !== 'TokenRequest')
    throw badRequest('the body of the request is not a TokenRequest of authentication.k8s.io/v1')
  const spec = isJsonObject(body.spec) ? body.spec : {}
  const seconds = lifetimeOf(spec, info.name)
  const expires = new Date(context.clock.now().getTime() + seconds * 1000)
  const subject: TokenSubject = {
    namespace: info.namespace,
    serviceAccount: boundOf(account.object),
    ...podOf(context, info.namespace, spec.boundObjectRef),
  }
  const audiences = Array.isArray(spec.audiences) ? spec.audiences.map(textOfValue) : []
  const token = context.tokens.issue(subject, audiences, expires, context.ids.uid())
  return answerValue(call.answer, 201, {
    kind: 'TokenRequest',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: { name: info.name, namespace: info.namespace, creationTimestamp: timestamp(context.clock.now()) },
    spec: { ...spec, audiences, expirationSeconds: seconds },
    status: { token, expirationTimestamp: timestamp(expires) },
  })
}

function lifetimeOf({ expirationSeconds = 3600 }: JsonObject, name: string): number {
  if (typeof expirationSeconds === 'number' && expirationSeconds >= 600 && expirationSeconds <= 2 ** 32)
    return expirationSeconds
  throw invalid(kind, name, [
    {
      reason: 'FieldValueInvalid',
      field: 'spec.expirationSeconds',
      message: `Invalid value: ${JSON.stringify(expirationSeconds)}: may not specify a duration less than 10 minutes`,
    },
  ])
}

function podOf(context: ServerContext, namespace: string, reference: unknown): Pick<TokenSubject, 'pod' | 'node'> {
  if (!isJsonObject(reference)) return {}
  if (reference.kind !== 'Pod' || typeof reference.name !== 'string') {
    throw badRequest('a token can be bound to a Pod only: spec.boundObjectRef needs kind Pod and a name')
  }
  const pods = { group: '', plural: 'pods' }
  const pod = context.database.get({ collection: 'core/pods', namespace, name: reference.name })
  if (!pod) throw notFound(pods, reference.name)
  const uid = pod.object.metadata.uid ?? ''
  if (typeof reference.uid === 'string' && reference.uid !== '' && reference.uid !== uid) {
    throw conflict(
      pods,
      reference.name,
      `the UID in the bound object reference (${reference.uid}) does not match the UID in record. The object might have been deleted and then recreated`,
    )
  }
  const { nodeName } = (pod.object.spec ?? {}) as { readonly nodeName?: string }
  const node = nodeName ? context.database.get({ collection: 'core/nodes', namespace: '', name: nodeName }) : undefined
  return {
    pod: boundOf(pod.object),
    ...(nodeName ? { node: { name: nodeName, uid: node?.object.metadata.uid ?? '' } } : {}),
  }
}

const boundOf = ({ metadata }: ApiObject) => ({ name: metadata.name ?? '', uid: metadata.uid ?? '' })

import type { Pod } from '../../api/core.ts'
import type { PodDisruptionBudget } from '../../api/policy.ts'
import type { Entry } from '../store/entry.ts'
import { collectionId } from '../store/objectPath.ts'
import { type ApiResponse, success } from './apiRequest.ts'
import { type ServerContext, timestamp } from './context.ts'
import { isJsonObject } from './decodeBody.ts'
import { deleteObject } from './deleteObject.ts'
import { decideEviction } from './eviction.ts'
import { parseDeleteOptions } from './requestOptions.ts'
import type { ApiObject } from './resource.ts'
import { bodyOf, type ResourceCall, targetOf } from './resourceCall.ts'
import { answerValue } from './respond.ts'
import {
  badRequest,
  conflict,
  forbidden,
  internalError,
  notFound,
  StatusError,
  tooManyRequests,
} from './statusError.ts'
import { pathOf, type Target } from './target.ts'

const budgets = collectionId('policy', 'poddisruptionbudgets')

/** POST pods/NAME/eviction: a delete that asks the disruption budgets first. Budget and pod are decided in one step. */
export async function evictPod(context: ServerContext, call: ResourceCall): Promise<ApiResponse> {
  const { info, resource, write } = call
  const body = bodyOf(call)
  if (!body || (body.kind ?? 'Eviction') !== 'Eviction')
    throw badRequest('the body of the request is not an Eviction of policy/v1 or policy/v1beta1')
  const given = isJsonObject(body.metadata) ? body.metadata : {}
  if ((given.name ?? info.name) !== info.name) throw badRequest('name in URL does not match name in Eviction object')
  const options = parseDeleteOptions(isJsonObject(body.deleteOptions) ? body.deleteOptions : {}, call.query)
  const dryRun = options.dryRun || write.dryRun

  const target = targetOf(call)
  const entry = context.database.latest(pathOf(target))
  if (!entry) throw notFound(resource, info.name)
  const now = timestamp(context.clock.now())
  const inNamespace = latestBudgets(context, info.namespace)
  const decision = decideEviction(
    asPod(entry.object),
    inNamespace.map(({ object }) => object as ApiObject & PodDisruptionBudget),
    now,
  )
  const writes: Promise<unknown>[] = []
  switch (decision.kind) {
    case 'delete':
      break
    case 'spend': {
      const budget = inNamespace.find(({ object }) => object.metadata.uid === decision.budget.metadata.uid)
      if (budget && !dryRun)
        writes.push(context.database.put(budget.path, { ...budget.object, status: decision.status }))
      break
    }
    case 'refuse':
      throw tooManyRequests(decision.message, {
        causes: [{ reason: 'DisruptionBudget', message: decision.cause }],
        ...(decision.retryAfterSeconds ? { retryAfterSeconds: decision.retryAfterSeconds } : {}),
      })
    case 'forbid':
      throw forbidden(resource, info.name, decision.message)
    case 'fault':
      throw internalError(decision.message)
    default:
      decision satisfies never
  }
  if (!dryRun) writes.push(context.database.put(entry.path, withCondition(entry.object, disruptionTarget(now))))
  writes.push(deleteObject(context, target, options, { ...write, dryRun }))
  await Promise.all(writes)
  return answerValue(call.answer, 201, success(undefined, 201))
}

/** Including what is on its way to the disk: two evictions at once must not spend one disruption twice. */
function latestBudgets({ database }: ServerContext, namespace: string): readonly Entry[] {
  return database
    .collection(budgets)
    .list(namespace)
    .map((entry) => database.latest(entry.path))
    .filter((entry) => entry !== undefined)
}

const disruptionTarget = (now: string): Condition => ({
  type: 'DisruptionTarget',
  status: 'True',
  reason: 'EvictionByEvictionAPI',
  message: 'Eviction API: evicting',
  lastTransitionTime: now,
})

interface Condition {
  readonly type: string
  readonly status: string
  readonly lastTransitionTime: string
  readonly reason?: string
  readonly message?: string
}

function withCondition(pod: ApiObject, condition: Condition): ApiObject {
  const status = (pod.status ?? {}) as { readonly conditions?: readonly Condition[] }
  const others = (status.conditions ?? []).filter(({ type }) => type !== condition.type)
  return { ...pod, status: { ...status, conditions: [...others, condition] } }
}

const asPod = (object: ApiObject): Pod => object as ApiObject & Pod

/** POST pods/NAME/binding, and POST bindings: puts a pod on a node. */
export async function bindPod(context: ServerContext, call: ResourceCall): Promise<ApiResponse> {
  const body = bodyOf(call)
  const metadata = isJsonObject(body?.metadata) ? body.metadata : {}
  const name = call.info.name === '' ? metadata.name : call.info.name
  const target = isJsonObject(body?.target) ? body.target : {}
  if (typeof name !== 'string' || typeof target.name !== 'string' || target.name === '') {
    throw badRequest('a Binding names its pod and, in target.name, a node')
  }
  await placePod(
    context,
    { resource: podResource(context), namespace: call.info.namespace, name },
    target.name,
    call.write.dryRun,
  )
  return answerValue(call.answer, 201, success(undefined, 201))
}

function podResource({ registry }: ServerContext) {
  const resource = registry.find('', 'v1', 'pods')
  if (!resource) throw internalError('pods are not served')
  return resource
}

async function placePod(context: ServerContext, target: Target, node: string, dryRun: boolean): Promise<void> {
  const { resource, name } = target
  const entry = context.database.latest(pathOf(target))
  if (!entry) throw notFound(resource, name)
  const { spec, metadata } = asPod(entry.object)
  const binding = { group: '', plural: 'pods/binding' }
  if (metadata.deletionTimestamp !== undefined)
    throw conflict(binding, name, `pod ${name} is being deleted, cannot be assigned to a host`)
  if ((spec?.nodeName ?? '') !== '')
    throw conflict(binding, name, `pod ${name} is already assigned to node "${spec?.nodeName}"`)
  if (dryRun) return
  const placed = { ...entry.object, spec: { ...spec, nodeName: node } }
  const scheduled = { type: 'PodScheduled', status: 'True', lastTransitionTime: timestamp(context.clock.now()) }
  await context.database.put(entry.path, withCondition(placed, scheduled))
}

/** Containers of this cluster are simulated or run elsewhere: there is nothing to read, to enter or to connect to. */
export function refuseConnection(context: ServerContext, call: ResourceCall): ApiResponse {
  const { resource, info } = call
  if (!context.database.get(pathOf(targetOf(call)))) throw notFound(resource, info.name)
  const what = connections[info.subresource] ?? info.subresource
  throw new StatusError(
    501,
    'NotImplemented',
    `${what} pod "${info.name}" is not possible: this API server has no connection to kubelets`,
    { name: info.name, kind: 'pods' },
  )
}

const connections: Readonly<Record<string, string>> = {
  attach: 'attaching to',
  exec: 'running a command in',
  log: 'reading the logs of',
  portforward: 'forwarding ports to',
}

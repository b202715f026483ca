import { Status } from '../builtins/metaSchemas.ts'
import { definitionNameOf, type GroupVersionKind } from '../builtins/schemaBuilder.ts'
import { acceptedPatchTypes } from '../patch/applyPatch.ts'
import type { ResourceDefinition, Subresource, Verb } from '../server/resource.ts'
import { definitionNameFor, gvkOf } from './definitions.ts'
import { type Dialect, type Published, refTo } from './publishedSchema.ts'

/**
 * The paths of resources and their operations. Clients look up which kind a path serves, and whether a patch knows
 * `dryRun` and `fieldValidation`; both must be stated for each kind.
 */
export function pathsFor(
  resources: readonly ResourceDefinition[],
  dialect: Dialect,
): Readonly<Record<string, Published>> {
  const entries = resources.flatMap((resource) => resourcePaths(resource, dialect))
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'
interface Action {
  readonly method: Method
  readonly verb: Verb
  readonly action: string
}

const collectionActions: readonly Action[] = [
  { method: 'get', verb: 'list', action: 'list' },
  { method: 'post', verb: 'create', action: 'post' },
  { method: 'delete', verb: 'deletecollection', action: 'deletecollection' },
]
const objectActions: readonly Action[] = [
  { method: 'get', verb: 'get', action: 'get' },
  { method: 'put', verb: 'update', action: 'put' },
  { method: 'patch', verb: 'patch', action: 'patch' },
  { method: 'delete', verb: 'delete', action: 'delete' },
]
const subresourceActions: readonly Action[] = [
  ...objectActions.filter(({ verb }) => verb !== 'delete'),
  { method: 'post', verb: 'create', action: 'post' },
]

function resourcePaths(resource: ResourceDefinition, dialect: Dialect): readonly (readonly [string, Published])[] {
  const root = resource.group === '' ? `/api/${resource.version}` : `/apis/${resource.group}/${resource.version}`
  const everywhere = `${root}/${resource.plural}`
  const collection = resource.namespaced ? `${root}/namespaces/{namespace}/${resource.plural}` : everywhere
  const object = `${collection}/{name}`
  const scope = resource.namespaced ? [namespaceParameter] : []
  const body = definitionNameFor(resource)
  const item = (path: string, actions: readonly Action[], parameters: readonly Parameter[], target: Target) =>
    pathItem(path, actions, parameters, target, dialect)

  const patchTypes = acceptedPatchTypes(resource)
  const own: Target = { kind: gvkOf(resource), body, verbs: resource.verbs, patchTypes }
  const lists = resource.namespaced && resource.verbs.includes('list')
  return [
    item(collection, collectionActions, scope, own),
    ...(lists ? [item(everywhere, collectionActions.slice(0, 1), [], own)] : []),
    item(object, objectActions, [nameParameter, ...scope], own),
    ...(resource.subresources ?? []).map((subresource) =>
      item(
        `${object}/${subresource.name}`,
        subresourceActions,
        [nameParameter, ...scope],
        subresourceTarget(resource, subresource, body),
      ),
    ),
  ].filter(([, operations]) => hasOperation(operations))
}

const hasOperation = (item: Published): boolean => Object.keys(item).some((key) => key !== 'parameters')

interface Target {
  readonly kind: GroupVersionKind
  readonly body: string
  readonly verbs: readonly Verb[]
  /** Clients look here whether a kind knows strategic merge; custom resources do not. */
  readonly patchTypes: readonly string[]
}

const bodies: Readonly<Record<string, string>> = {
  Scale: 'io.k8s.api.autoscaling.v1.Scale',
  Eviction: 'io.k8s.api.policy.v1.Eviction',
  Binding: 'io.k8s.api.core.v1.Binding',
}

function subresourceTarget(resource: ResourceDefinition, subresource: Subresource, body: string): Target {
  const kind = {
    group: subresource.group ?? (subresource.kind ? '' : resource.group),
    version: subresource.version ?? resource.version,
    kind: subresource.kind ?? resource.kind,
  }
  return {
    kind,
    body: (subresource.kind && bodies[subresource.kind]) ?? body,
    verbs: subresource.verbs,
    patchTypes: acceptedPatchTypes(resource),
  }
}

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly type: 'string' | 'boolean' | 'integer'
  readonly description: string
}

const nameParameter: Parameter = { name: 'name', in: 'path', type: 'string', description: 'Name of the object.' }
const namespaceParameter: Parameter = { name: 'namespace', in: 'path', type: 'string', description: 'Its namespace.' }
const query = (name: string, type: Parameter['type'], description: string): Parameter => ({
  name,
  in: 'query',
  type,
  description,
})
const writeParameters = [
  query('dryRun', 'string', 'All: do everything except storing the result.'),
  query('fieldManager', 'string', 'Who makes the change.'),
  query('fieldValidation', 'string', 'Ignore, Warn or Strict: what happens to unknown fields.'),
]
const listParameters = [
  query('labelSelector', 'string', 'Labels of the objects.'),
  query('fieldSelector', 'string', 'Fields of the objects.'),
  query('limit', 'integer', 'Most objects to answer with.'),
  query('continue', 'string', 'Token of the next page.'),
  query('resourceVersion', 'string', 'State to show, or to watch from.'),
  query('watch', 'boolean', 'Answer with a stream of changes.'),
]
const parametersOf: Readonly<Record<string, readonly Parameter[]>> = {
  list: listParameters,
  post: writeParameters,
  put: writeParameters,
  patch: [...writeParameters, query('force', 'boolean', 'Server-side apply takes fields from other managers.')],
  delete: [writeParameters[0], query('gracePeriodSeconds', 'integer', 'Seconds that the object may take.')].filter(
    (parameter) => parameter !== undefined,
  ),
}

function pathItem(
  path: string,
  actions: readonly Action[],
  parameters: readonly Parameter[],
  target: Target,
  dialect: Dialect,
): readonly [string, Published] {
  const operations = actions
    .filter(({ verb }) => target.verbs.includes(verb))
    .map(({ method, action }) => [method, operation(action, path, target, dialect)])
  return [
    path,
    {
      ...Object.fromEntries(operations),
      ...(parameters.length > 0 ? { parameters: parameters.map((each) => parameter(each, dialect)) } : {}),
    },
  ]
}

function operation(action: string, path: string, { kind, body, patchTypes }: Target, dialect: Dialect): Published {
  const reads = action === 'get' || action === 'list'
  const consumes = action === 'patch' ? patchTypes : ['application/json', 'application/yaml']
  const schema = { $ref: refTo(dialect, action === 'patch' ? 'io.k8s.apimachinery.pkg.apis.meta.v1.Patch' : body) }
  const answer = answerOf(action, body)
  const takesBody = !reads && action !== 'delete' && action !== 'deletecollection'
  const parameters = (parametersOf[action] ?? []).map((each) => parameter(each, dialect))
  const common = {
    operationId: `${action}:${path}`,
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': kind,
  }
  if (dialect === 'v2') {
    const bodyParameter = { name: 'body', in: 'body', required: true, schema }
    return {
      ...common,
      consumes: reads ? ['*/*'] : consumes,
      produces: ['application/json', 'application/yaml'],
      parameters: [...(takesBody ? [bodyParameter] : []), ...parameters],
      responses: { '200': { description: 'OK', schema: { $ref: refTo(dialect, answer) } } },
    }
  }
  return {
    ...common,
    parameters,
    ...(takesBody
      ? { requestBody: { required: true, content: Object.fromEntries(consumes.map((type) => [type, { schema }])) } }
      : {}),
    responses: {
      '200': { description: 'OK', content: { 'application/json': { schema: { $ref: refTo(dialect, answer) } } } },
    },
  }
}

function answerOf(action: string, body: string): string {
  if (action === 'list') return `${body}List`
  if (action === 'delete' || action === 'deletecollection') return definitionNameOf(Status) ?? body
  return body
}

function parameter({ type, ...rest }: Parameter, dialect: Dialect): Published {
  const required = rest.in === 'path' ? { required: true } : {}
  return dialect === 'v2' ? { ...rest, ...required, type } : { ...rest, ...required, schema: { type } }
}

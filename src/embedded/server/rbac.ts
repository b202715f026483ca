import type { ClusterRole, PolicyRule, Role, RoleBinding, Subject } from '../../api/rbac.ts'
import type { Database } from '../store/database.ts'
import { collectionId } from '../store/objectPath.ts'
import type { Identity } from './apiRequest.ts'
import type { Attributes, Authorize } from './authorize.ts'
import type { ApiObject } from './resource.ts'

const collectionOf = (plural: string): string => collectionId('rbac.authorization.k8s.io', plural)

type Bindings = Pick<Database, 'collection'>

/** Allows what the stored roles and bindings grant (public docs, "Using RBAC Authorization"). Nothing is denied by a rule. */
export function rbacAuthorizer(database: Bindings): Authorize {
  return (identity, attributes) => {
    const namespace = attributes.kind === 'resource' ? attributes.namespace : ''
    for (const { binding, rules } of grantsTo(database, identity, namespace)) {
      if (!rules.some((rule) => covers(rule, attributes))) continue
      const { kind, metadata, roleRef } = binding
      const reason = `${kind} "${metadata.name}" grants ${roleRef.kind} "${roleRef.name}"`
      return { allowed: true, reason: `RBAC: allowed: ${reason}` }
    }
    return { allowed: false, reason: '' }
  }
}

/** Every rule that holds for somebody in a namespace; in none, those of the whole cluster. */
export const rulesGranted = (database: Bindings, identity: Identity, namespace: string): readonly PolicyRule[] =>
  [...grantsTo(database, identity, namespace)].flatMap(({ rules }) => rules)

interface Grant {
  readonly binding: ApiObject & RoleBinding
  readonly rules: readonly PolicyRule[]
}

/** Bindings of the cluster first, then those of the namespace; one by one, as the first that covers a request ends the search. */
function* grantsTo(database: Bindings, identity: Identity, namespace: string): Generator<Grant> {
  yield* grantsIn(database, 'clusterrolebindings', identity, '')
  if (namespace !== '') yield* grantsIn(database, 'rolebindings', identity, namespace)
}

function* grantsIn(database: Bindings, plural: string, identity: Identity, namespace: string): Generator<Grant> {
  for (const { object } of database.collection(collectionOf(plural)).list(namespace)) {
    const binding = object as ApiObject & RoleBinding
    if (!binding.subjects?.some((subject) => isSubject(subject, identity, namespace))) continue
    yield { binding, rules: rulesOf(database, binding, namespace) }
  }
}

function rulesOf(database: Bindings, { roleRef }: RoleBinding, namespace: string): readonly PolicyRule[] {
  const isCluster = roleRef.kind === 'ClusterRole'
  const collection = database.collection(collectionOf(isCluster ? 'clusterroles' : 'roles'))
  const found = collection.get(isCluster ? roleRef.name : `${namespace}/${roleRef.name}`)
  return found ? ((found.object as ApiObject & (Role | ClusterRole)).rules ?? []) : []
}

function isSubject(subject: Subject, { name, groups }: Identity, bindingNamespace: string): boolean {
  switch (subject.kind) {
    case 'User':
      return subject.name === name
    case 'Group':
      return groups.includes(subject.name)
    case 'ServiceAccount':
      return name === `system:serviceaccount:${subject.namespace ?? bindingNamespace}:${subject.name}`
    default:
      return false
  }
}

function covers(rule: PolicyRule, attributes: Attributes): boolean {
  if (!holds(rule.verbs, attributes.verb)) return false
  if (attributes.kind === 'path')
    return rule.nonResourceURLs?.some((pattern) => matchesPath(pattern, attributes.path)) ?? false
  const { group, plural, subresource, name } = attributes
  const full = subresource === '' ? plural : `${plural}/${subresource}`
  const resources = rule.resources ?? []
  const resourceMatches = holds(resources, full) || (subresource !== '' && resources.includes(`*/${subresource}`))
  if (!holds(rule.apiGroups ?? [], group) || !resourceMatches) return false
  const names = rule.resourceNames ?? []
  return names.length === 0 || names.includes(name)
}

const holds = (values: readonly string[], value: string): boolean => values.includes('*') || values.includes(value)

/** A star stands at the end only, for any rest of the path. */
function matchesPath(pattern: string, path: string): boolean {
  return pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : pattern === path
}

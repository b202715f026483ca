import type { ClusterRole, PolicyRule, Role, RoleBinding, Subject } from '../../api/rbac.ts'
import type { Database } from '../store/database.ts'
import { collectionId } from '../store/objectPath.ts'
import type { Identity } from './apiRequest.ts'
import type { Attributes, Authorize } from './authorize.ts'
import type { ApiObject } from './resource.ts'

const collectionOf = (plural: string): string => collectionId('rbac.authorization.k8s.io', plural)

/** Allows what the stored roles and bindings grant (public docs, "Using RBAC Authorization"). Nothing is denied by a rule. */
export function rbacAuthorizer(database: Pick<Database, 'collection'>): Authorize {
  const objects = (plural: string, namespace = ''): readonly ApiObject[] =>
    database
      .collection(collectionOf(plural))
      .list(namespace)
      .map((entry) => entry.object)
  const rulesOf = ({ roleRef }: RoleBinding, namespace: string): readonly PolicyRule[] => {
    const isCluster = roleRef.kind === 'ClusterRole'
    const collection = database.collection(collectionOf(isCluster ? 'clusterroles' : 'roles'))
    const found = collection.get(isCluster ? roleRef.name : `${namespace}/${roleRef.name}`)
    return found ? ((found.object as ApiObject & (Role | ClusterRole)).rules ?? []) : []
  }
  const grantedBy = (
    plural: string,
    namespace: string,
    identity: Identity,
    attributes: Attributes,
  ): string | undefined => {
    for (const object of objects(plural, namespace)) {
      const binding = object as ApiObject & RoleBinding
      if (!binding.subjects?.some((subject) => isSubject(subject, identity, namespace))) continue
      if (rulesOf(binding, namespace).some((rule) => covers(rule, attributes))) {
        return `${binding.kind} "${binding.metadata.name}" grants ${binding.roleRef.kind} "${binding.roleRef.name}"`
      }
    }
    return undefined
  }
  return (identity, attributes) => {
    const namespace = attributes.kind === 'resource' ? attributes.namespace : ''
    const reason =
      grantedBy('clusterrolebindings', '', identity, attributes) ??
      (namespace === '' ? undefined : grantedBy('rolebindings', namespace, identity, attributes))
    return reason === undefined ? { allowed: false, reason: '' } : { allowed: true, reason: `RBAC: allowed: ${reason}` }
  }
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

import type { Identity } from './apiRequest.ts'
import type { Verb } from './resource.ts'
import { StatusError } from './statusError.ts'

/** What somebody wants to do, as authorization sees it. */
export type Attributes =
  | {
      readonly kind: 'resource'
      readonly verb: Verb | string
      readonly group: string
      readonly plural: string
      readonly subresource: string
      readonly namespace: string
      readonly name: string
    }
  | { readonly kind: 'path'; readonly verb: string; readonly path: string }

type Decision =
  | { readonly allowed: true; readonly reason: string }
  | { readonly allowed: false; readonly reason: string }

export type Authorize = (identity: Identity, attributes: Attributes) => Decision

const reads = new Set(['get', 'list', 'watch'])
const allow = (reason: string): Decision => ({ allowed: true, reason })
const deny = (reason = ''): Decision => ({ allowed: false, reason })

/**
 * First answer wins: administrators do everything, everybody may look at public paths and ask about themselves, nodes
 * do what a node must, the rest is RBAC.
 */
export function authorizer(rbac: Authorize): Authorize {
  return (identity, attributes) => {
    if (identity.groups.includes('system:masters')) return allow('system:masters')
    const general =
      attributes.kind === 'path' ? decidePath(identity, attributes.path) : decideSelf(identity, attributes)
    if (general.allowed) return general
    const node = nodeNameOf(identity)
    if (node !== undefined && attributes.kind === 'resource') {
      const decision = decideNode(node, attributes)
      if (decision.allowed) return decision
    }
    return rbac(identity, attributes)
  }
}

const publicPaths = /^\/(version|healthz|livez|readyz)(\/|$)/
const discoveryPaths = /^\/(api|apis|openapi)(\/|$)/

function decidePath(identity: Identity, path: string): Decision {
  if (publicPaths.test(path)) return allow('public path')
  const known = identity.groups.includes('system:authenticated')
  return known && (discoveryPaths.test(path) || path === '/') ? allow('discovery') : deny()
}

type ResourceAttributes = Extract<Attributes, { kind: 'resource' }>

const aboutSelf = new Set(['selfsubjectaccessreviews', 'selfsubjectrulesreviews', 'selfsubjectreviews'])

function decideSelf(identity: Identity, { verb, plural }: ResourceAttributes): Decision {
  const known = identity.groups.includes('system:authenticated')
  return known && verb === 'create' && aboutSelf.has(plural) ? allow('question about oneself') : deny()
}

export function nodeNameOf({ name, groups }: Identity): string | undefined {
  return groups.includes('system:nodes') && name.startsWith('system:node:')
    ? name.slice('system:node:'.length)
    : undefined
}

/** A node reads what it runs by, and writes only what is its own: Node, MachineConfigNode, Lease, and its pods' status. */
function decideNode(node: string, { verb, group, plural, subresource, namespace, name }: ResourceAttributes): Decision {
  const resource = group === '' ? plural : `${plural}.${group}`
  if (reads.has(verb) && subresource === '') {
    const wholeSecrets = plural === 'secrets' && verb !== 'get'
    return wholeSecrets ? deny('nodes may not list secrets') : allow('nodes read')
  }
  switch (resource) {
    case 'nodes':
    case 'machineconfignodes.machineconfiguration.openshift.io':
      // The name is not in the URL of a create; the object itself is checked at admission.
      return name === node || verb === 'create' ? allow('own node') : deny(`node ${node} may only write its own object`)
    case 'leases.coordination.k8s.io':
      return namespace === 'kube-node-lease' && (name === node || verb === 'create')
        ? allow('own lease')
        : deny(`node ${node} may only write its own lease`)
    case 'pods': {
      const isOwnWork = subresource === 'status' || (subresource === '' && (verb === 'delete' || verb === 'create'))
      return isOwnWork ? allow('pods of the node') : deny()
    }
    case 'events':
    case 'events.events.k8s.io':
      return verb === 'create' || verb === 'patch' || verb === 'update' ? allow('events') : deny()
    case 'tokenreviews.authentication.k8s.io':
    case 'subjectaccessreviews.authorization.k8s.io':
    case 'certificatesigningrequests.certificates.k8s.io':
      return verb === 'create' ? allow('kubelet') : deny()
    default:
      return deny()
  }
}

export function requireAuthorized(authorize: Authorize, identity: Identity, attributes: Attributes): void {
  const decision = authorize(identity, attributes)
  if (decision.allowed) return
  const because = decision.reason === '' ? '' : `: ${decision.reason}`
  throw attributes.kind === 'path'
    ? forbiddenPath(identity, attributes)
    : forbiddenResource(identity, attributes, because)
}

function forbiddenPath(identity: Identity, { verb, path }: Extract<Attributes, { kind: 'path' }>): StatusError {
  return new StatusError(
    403,
    'Forbidden',
    `forbidden: User ${JSON.stringify(identity.name)} cannot ${verb} path ${JSON.stringify(path)}`,
    {},
  )
}

function forbiddenResource(
  identity: Identity,
  { verb, group, plural, subresource, namespace, name }: ResourceAttributes,
  because: string,
): StatusError {
  const qualified = group === '' ? plural : `${plural}.${group}`
  const full = subresource === '' ? plural : `${plural}/${subresource}`
  const scope = namespace === '' ? 'at the cluster scope' : `in the namespace ${JSON.stringify(namespace)}`
  const what = name === '' ? qualified : `${qualified} ${JSON.stringify(name)}`
  return new StatusError(
    403,
    'Forbidden',
    `${what} is forbidden: User ${JSON.stringify(identity.name)} cannot ${verb} resource ${JSON.stringify(full)} in API group ${JSON.stringify(group)} ${scope}${because}`,
    { ...(name === '' ? {} : { name }), ...(group === '' ? {} : { group }), kind: plural },
  )
}

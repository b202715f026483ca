import { edit, editEach, fill, isObject, type JsonObject, without } from './jsonObject.ts'
import { canonicalQuantities } from './podDefaults.ts'

/** Defaults of the small kinds that depend on other fields (Kubernetes API reference). */

/** Text values are stored like the others, encoded; the text form is for writing only. */
export function encodeStringData(secret: JsonObject): JsonObject {
  if (!('stringData' in secret)) return secret
  const text = isObject(secret.stringData) ? secret.stringData : {}
  const encoded = Object.entries(text).map(([key, value]) => [
    key,
    typeof value === 'string' ? Buffer.from(value, 'utf8').toString('base64') : value,
  ])
  const data = { ...(isObject(secret.data) ? secret.data : {}), ...Object.fromEntries(encoded) }
  const rest = without(secret, 'stringData')
  return Object.keys(data).length === 0 ? rest : { ...rest, data }
}

/** A namespace carries its own name as a label, so that selectors can name it. */
export function defaultNamespace(namespace: JsonObject): JsonObject {
  return edit(namespace, 'metadata', (metadata) => {
    const labels = isObject(metadata.labels) ? metadata.labels : {}
    if (labels['kubernetes.io/metadata.name'] === metadata.name) return metadata
    return { ...metadata, labels: { ...labels, 'kubernetes.io/metadata.name': metadata.name } }
  })
}

export function defaultServiceSpec(spec: JsonObject): JsonObject {
  const isExternal = spec.type === 'ExternalName'
  const withPorts = editEach(spec, 'ports', (port) => fill(port, { targetPort: port.port }))
  const sticky =
    spec.sessionAffinity === 'ClientIP'
      ? fill(withPorts, { sessionAffinityConfig: { clientIP: { timeoutSeconds: 10_800 } } })
      : withPorts
  if (isExternal) return sticky
  const outside = spec.type === 'NodePort' || spec.type === 'LoadBalancer'
  return fill(sticky, {
    internalTrafficPolicy: 'Cluster',
    ipFamilies: ['IPv4'],
    ipFamilyPolicy: 'SingleStack',
    ...(outside ? { externalTrafficPolicy: 'Cluster' } : {}),
    ...(spec.type === 'LoadBalancer' ? { allocateLoadBalancerNodePorts: true } : {}),
  })
}

/**
 * An address of 10.96.0.0/12 made from the object's UID: nothing routes it here, but clients expect one, and it must not
 * change. Kept when the object has one already.
 */
export function assignClusterIP(spec: JsonObject, uid: string): JsonObject {
  if (spec.type === 'ExternalName') return spec
  const clusterIP = typeof spec.clusterIP === 'string' && spec.clusterIP !== '' ? spec.clusterIP : addressOf(uid)
  return fill({ ...spec, clusterIP }, { clusterIPs: [clusterIP] })
}

function addressOf(uid: string): string {
  let hash = 0x811c9dc5
  for (const character of uid) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0
  return `10.${96 + ((hash >>> 16) & 15)}.${(hash >>> 8) & 255}.${hash & 255 || 1}`
}

export function defaultClaimSpec(spec: JsonObject): JsonObject {
  return edit(spec, 'resources', (resources) =>
    edit(edit(resources, 'requests', canonicalQuantities), 'limits', canonicalQuantities),
  )
}

export const defaultVolumeSpec = (spec: JsonObject): JsonObject => edit(spec, 'capacity', canonicalQuantities)

export function defaultNodeStatus(status: JsonObject): JsonObject {
  return edit(edit(status, 'capacity', canonicalQuantities), 'allocatable', canonicalQuantities)
}

const rbacGroup = 'rbac.authorization.k8s.io'

export function defaultRoleBinding(binding: JsonObject): JsonObject {
  const withRole = edit(binding, 'roleRef', (role) => fill(role, { apiGroup: rbacGroup }))
  return editEach(withRole, 'subjects', (subject) =>
    subject.kind === 'ServiceAccount' ? subject : fill(subject, { apiGroup: rbacGroup }),
  )
}

export function defaultNetworkPolicySpec(spec: JsonObject): JsonObject {
  const outgoing = Array.isArray(spec.egress) && spec.egress.length > 0
  return fill(spec, { policyTypes: outgoing ? ['Ingress', 'Egress'] : ['Ingress'] })
}

export function defaultCustomResourceDefinitionSpec(spec: JsonObject): JsonObject {
  return edit(spec, 'names', (names) => {
    const kind = typeof names.kind === 'string' ? names.kind : ''
    return kind === '' ? names : fill(names, { listKind: `${kind}List`, singular: kind.toLowerCase() })
  })
}

import { formatQuantity, parseQuantity } from '../../schema/quantity.ts'
import { edit, editEach, fill, isObject, type JsonObject, without } from './jsonObject.ts'

/**
 * What the API server fills into pod specs beyond fixed values of the schema: defaults that depend on other fields
 * (Kubernetes API reference, core/v1 PodSpec, Container, Volume). Running it twice changes nothing more.
 */
export function defaultPodSpec(spec: JsonObject): JsonObject {
  const hostNetwork = spec.hostNetwork === true
  const container = (item: JsonObject) => defaultContainer(item, hostNetwork)
  return [
    (value: JsonObject) => editEach(value, 'containers', container),
    (value: JsonObject) => editEach(value, 'initContainers', container),
    (value: JsonObject) => editEach(value, 'ephemeralContainers', container),
    (value: JsonObject) => editEach(value, 'volumes', defaultVolume),
    (value: JsonObject) => edit(value, 'overhead', canonicalQuantities),
    sameServiceAccount,
  ].reduce((value, step) => step(value), spec)
}

/** A pod, which unlike a template also gets what admission adds (service account, priority, tolerations). */
export function defaultPod(spec: JsonObject): JsonObject {
  const defaulted = fill(defaultPodSpec(fill(spec, { serviceAccountName: spec.serviceAccount })), {
    enableServiceLinks: true,
    serviceAccountName: 'default',
    preemptionPolicy: 'PreemptLowerPriority',
    priority: 0,
  })
  return toleratingShortOutages(sameServiceAccount(defaulted))
}

function defaultContainer(container: JsonObject, hostNetwork: boolean): JsonObject {
  const filled = fill(container, { imagePullPolicy: pullPolicy(container.image) })
  const withPorts = hostNetwork
    ? editEach(filled, 'ports', (port) => fill(port, { hostPort: port.containerPort }))
    : filled
  return edit(withPorts, 'resources', defaultResources)
}

/** `Always` for the tag latest or none (an image by digest has no tag to move), else `IfNotPresent`. */
export function pullPolicy(image: unknown): string | undefined {
  if (typeof image !== 'string' || image === '') return 'IfNotPresent'
  if (image.includes('@')) return 'IfNotPresent'
  const lastSegment = image.slice(image.lastIndexOf('/') + 1)
  const tag = lastSegment.includes(':') ? lastSegment.slice(lastSegment.indexOf(':') + 1) : 'latest'
  return tag === 'latest' ? 'Always' : 'IfNotPresent'
}

/** A request that is not given is the limit. */
function defaultResources(resources: JsonObject): JsonObject {
  const canonical = edit(edit(resources, 'limits', canonicalQuantities), 'requests', canonicalQuantities)
  if (!isObject(canonical.limits)) return canonical
  const requests = fill(isObject(canonical.requests) ? canonical.requests : {}, canonical.limits)
  return requests === canonical.requests ? canonical : { ...canonical, requests }
}

/** `1000m` is stored as `1`, and the number 2 as `2`; text that is no quantity is left for validation. */
export function canonicalQuantities(quantities: JsonObject): JsonObject {
  const entries = Object.entries(quantities).map(([name, value]) => [name, canonicalQuantity(value)] as const)
  return entries.some(([name, value]) => value !== quantities[name]) ? Object.fromEntries(entries) : quantities
}

function canonicalQuantity(value: unknown): unknown {
  if (typeof value !== 'string' && typeof value !== 'number') return value
  const quantity = parseQuantity(value)
  return quantity ? formatQuantity(quantity) : value
}

function defaultVolume(volume: JsonObject): JsonObject {
  const sources = Object.keys(volume).filter((name) => name !== 'name')
  if (sources.length === 0) return { ...volume, emptyDir: {} }
  return edit(volume, 'emptyDir', (source) =>
    'sizeLimit' in source ? { ...source, sizeLimit: canonicalQuantity(source.sizeLimit) } : source,
  )
}

/** The old and the new name of one field always agree. */
function sameServiceAccount(spec: JsonObject): JsonObject {
  const name = spec.serviceAccountName ?? spec.serviceAccount
  if (name === undefined || name === null) return spec
  if (name === '') return without(without(spec, 'serviceAccount'), 'serviceAccountName')
  return spec.serviceAccount === name && spec.serviceAccountName === name
    ? spec
    : { ...spec, serviceAccount: name, serviceAccountName: name }
}

const outages = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']

/** Every pod stays for five minutes on a node that is not ready, unless it says otherwise itself. */
function toleratingShortOutages(spec: JsonObject): JsonObject {
  const given = Array.isArray(spec.tolerations) ? spec.tolerations : []
  const missing = outages.filter(
    (key) => !given.some((toleration) => isObject(toleration) && tolerates(toleration, key)),
  )
  if (missing.length === 0) return spec
  const added = missing.map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }))
  return { ...spec, tolerations: [...given, ...added] }
}

const tolerates = (toleration: JsonObject, key: string): boolean =>
  (toleration.key === key || (isBlank(toleration.key) && toleration.operator === 'Exists')) &&
  (toleration.effect === 'NoExecute' || isBlank(toleration.effect))

const isBlank = (value: unknown): boolean => value === undefined || value === null || value === ''

/** Guaranteed, Burstable or BestEffort, from the requests and limits of all containers (public docs, "Pod QoS"). */
export function qosClass(spec: JsonObject): string {
  const containers = ['containers', 'initContainers'].flatMap((name) => (Array.isArray(spec[name]) ? spec[name] : []))
  const resources = containers.map((container: unknown) =>
    isObject(container) && isObject(container.resources) ? container.resources : {},
  )
  const amounts = (which: 'limits' | 'requests') =>
    resources.map(({ [which]: value }) => {
      const { cpu, memory } = isObject(value) ? value : {}
      return { cpu, memory }
    })
  const limits = amounts('limits')
  const requests = amounts('requests')
  const none = [...limits, ...requests].every(({ cpu, memory }) => cpu === undefined && memory === undefined)
  if (none) return 'BestEffort'
  const guaranteed = limits.every(
    ({ cpu, memory }, index) =>
      cpu !== undefined && memory !== undefined && cpu === requests[index]?.cpu && memory === requests[index]?.memory,
  )
  return guaranteed ? 'Guaranteed' : 'Burstable'
}

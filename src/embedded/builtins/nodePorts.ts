import { isObject, type JsonObject, without } from './jsonObject.ts'

const first = 30_000
const count = 2_768

/**
 * Every port of a NodePort or LoadBalancer Service has a port of the nodes (Kubernetes documentation, "type: NodePort"):
 * the one that was asked for, the one that it had, or one made from the object's UID. Nothing routes it here, so two
 * Services may share one, but within a Service they differ. Other types have none.
 */
export function assignNodePorts(spec: JsonObject, uid: string, old: JsonObject = {}): JsonObject {
  const ports = portsOf(spec)
  if (ports.length === 0) return spec
  if (!opensNodePorts(spec)) return opensNodePorts(old) ? { ...spec, ports: ports.map(close) } : spec
  const before = new Map(portsOf(old).map((port) => [keyOf(port), port.nodePort]))
  const known = ports.map((port) => numberOf(port.nodePort) ?? numberOf(before.get(keyOf(port))))
  const used = new Set(known.filter((port) => port !== undefined))
  return {
    ...spec,
    ports: ports.map((port, index) => {
      const nodePort = known[index] ?? freePort(hashOf(`${uid}/${keyOf(port)}`), used)
      used.add(nodePort)
      return port.nodePort === nodePort ? port : { ...port, nodePort }
    }),
  }
}

const opensNodePorts = ({ type, allocateLoadBalancerNodePorts }: JsonObject): boolean =>
  type === 'NodePort' || (type === 'LoadBalancer' && allocateLoadBalancerNodePorts !== false)

/** None when they are no list of ports: validation says so. */
const portsOf = ({ ports }: JsonObject): readonly JsonObject[] =>
  Array.isArray(ports) && ports.every(isObject) ? ports : []

const close = (port: JsonObject): JsonObject => without(port, 'nodePort')

const keyOf = ({ protocol = 'TCP', port }: JsonObject): string => JSON.stringify([protocol, port])

/** Zero means "none asked for". */
const numberOf = (value: unknown): number | undefined => (typeof value === 'number' && value !== 0 ? value : undefined)

function freePort(hash: number, used: ReadonlySet<number>): number {
  let port = first + (hash % count)
  // A Service has far fewer ports than the range: the search ends.
  while (used.has(port) && used.size < count) port = first + ((port - first + 1) % count)
  return port
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0
  return hash
}

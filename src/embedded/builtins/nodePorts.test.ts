import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from './jsonObject.ts'
import { assignNodePorts } from './nodePorts.ts'

const nodePortsOf = (spec: JsonObject) => (spec.ports as readonly JsonObject[]).map(({ nodePort }) => nodePort)

describe('assignNodePorts', () => {
  it.each<[string, JsonObject]>([
    ['a ClusterIP Service', { type: 'ClusterIP', ports: [{ port: 80 }] }],
    ['a Service without ports', { type: 'NodePort' }],
    ['ports that are none', { type: 'NodePort', ports: [{ port: 80 }, 'http'] }],
    [
      'a LoadBalancer that wants none',
      { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false, ports: [{ port: 80 }] },
    ],
    ['a port that was asked for', { type: 'NodePort', ports: [{ port: 80, nodePort: 30_080 }] }],
  ])('leaves %s as it is', (_, spec) => {
    expect(assignNodePorts(spec, 'uid')).toEqual(spec)
  })

  it('treats a zero as no wish', () => {
    const [port] = nodePortsOf(assignNodePorts({ type: 'NodePort', ports: [{ port: 80, nodePort: 0 }] }, 'uid'))
    expect(port).toBeGreaterThanOrEqual(30_000)
  })

  it('keeps the port that the Service had, also when another one is added before it', () => {
    const old = { type: 'NodePort', ports: [{ port: 80, nodePort: 31_000 }] }
    const spec = { type: 'NodePort', ports: [{ port: 81 }, { port: 80 }] }
    expect(nodePortsOf(assignNodePorts(spec, 'uid', old))[1]).toBe(31_000)
  })

  it('survives a port that is no number, which validation refuses', () => {
    const spec = { type: 'NodePort', ports: [{ port: { toString: null } }] }
    expect(nodePortsOf(assignNodePorts(spec, 'uid'))).toHaveLength(1)
  })

  it('closes the ports of a Service that becomes ClusterIP', () => {
    const ports = [{ port: 80, nodePort: 31_000 }]
    expect(assignNodePorts({ type: 'ClusterIP', ports }, 'uid', { type: 'NodePort', ports })).toEqual({
      type: 'ClusterIP',
      ports: [{ port: 80 }],
    })
  })

  it('gives each port of any Service one of its own in the range, the same each time', () => {
    const ports = fc.uniqueArray(fc.integer({ min: 1, max: 65_535 }), { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(fc.constantFrom('NodePort', 'LoadBalancer'), ports, fc.string(), (type, numbers, uid) => {
        const spec = { type, ports: numbers.map((port) => ({ port })) }
        const assigned = nodePortsOf(assignNodePorts(spec, uid))
        expect(new Set(assigned).size).toBe(numbers.length)
        for (const port of assigned) expect(port).toSatisfy((each: number) => each >= 30_000 && each <= 32_767)
        expect(nodePortsOf(assignNodePorts(spec, uid))).toEqual(assigned)
      }),
      { numRuns: 30 },
    )
  })
})

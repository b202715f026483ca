import { describe, expect, it } from 'vitest'
import { type PoolSnapshot, preparedBodies, type SnapshotSource } from './preparedBodies.ts'
import { privateStyle } from './servedConfig.ts'
import { failure, type ServeFailure } from './serveFailure.ts'

const snapshot = (config: string, text = 'x'): PoolSnapshot => ({
  kind: 'chosen',
  source: 'status',
  key: config,
  snapshot: {
    pool: 'worker',
    config,
    rendered: {
      metadata: { name: config },
      spec: {
        config: {
          ignition: { version: '3.5.0' },
          storage: { files: [{ path: '/a', contents: { source: `data:,${text}` } }] },
        },
      },
    },
    bundles: {},
    joinFiles: [],
  },
})

function held(initial: PoolSnapshot | ServeFailure) {
  const state = { generation: 0, found: initial, asked: 0 }
  const source: SnapshotSource = {
    generation: () => state.generation,
    snapshotOf() {
      state.asked += 1
      return state.found
    },
  }
  return { state, source }
}

const configOf = (found: unknown): unknown =>
  typeof found === 'object' && found !== null && 'config' in found ? found.config : found

describe('preparedBodies', () => {
  it('makes a body once and does not look again while nothing changes', () => {
    const { state, source } = held(snapshot('r-1'))
    const bodies = preparedBodies({ source, style: privateStyle })
    const first = bodies.find('worker', '3.4.0')
    expect(bodies.find('worker', '3.4.0')).toBe(first)
    expect(state.asked).toBe(1)
  })

  it('looks again after a change, and keeps the body when its ingredients are the same', () => {
    const { state, source } = held(snapshot('r-1'))
    const bodies = preparedBodies({ source, style: privateStyle })
    const first = bodies.find('worker', '3.4.0')
    state.generation = 1
    expect(bodies.find('worker', '3.4.0')).toBe(first)
    state.generation = 2
    state.found = snapshot('r-2')
    expect(configOf(bodies.find('worker', '3.4.0'))).toBe('r-2')
  })

  it('serves nothing of a pool that is gone, and it again when it is back', () => {
    const { state, source } = held(snapshot('r-1'))
    const bodies = preparedBodies({ source, style: privateStyle })
    expect(configOf(bodies.find('worker', '3.4.0'))).toBe('r-1')
    state.generation = 1
    const gone = failure('PoolNotFound', 'gone')
    state.found = gone
    expect(bodies.find('worker', '3.4.0')).toBe(gone)
    state.generation = 2
    state.found = snapshot('r-1')
    expect(configOf(bodies.find('worker', '3.4.0'))).toBe('r-1')
  })

  it('remembers that a version cannot express a config', () => {
    const { state, source } = held(snapshot('r-1'))
    const config = { ignition: { version: '3.5.0' }, kernelArguments: { shouldNotExist: ['quiet'] } }
    state.found = {
      ...snapshot('r-1'),
      snapshot: { ...snapshot('r-1').snapshot, rendered: { metadata: {}, spec: { config } } },
    }
    const bodies = preparedBodies({ source, style: privateStyle })
    const refused = bodies.find('worker', '3.1.0')
    expect(refused).toMatchObject({ kind: 'failed', status: 500, reason: 'VersionCannotExpressConfig' })
    expect(bodies.find('worker', '3.1.0')).toBe(refused)
    expect(bodies.find('worker', '3.5.0')).toMatchObject({ kind: 'ready' })
  })

  it('holds no more bytes than it may, and makes forgotten bodies anew', () => {
    const { state, source } = held(snapshot('r-1', 'y'.repeat(5000)))
    const bodies = preparedBodies({ source, style: privateStyle, maxBytes: 25_000 })
    const first = bodies.find('worker', '3.4.0')
    bodies.find('worker', '3.3.0')
    bodies.find('worker', '3.2.0')
    expect(state.asked).toBe(3)
    const again = bodies.find('worker', '3.4.0')
    expect(again).not.toBe(first)
    expect(again).toEqual(first)
  })

  it('changes nothing of what it is given', () => {
    const given = snapshot('r-1')
    const frozen: PoolSnapshot = deepFreeze(structuredClone(given))
    const bodies = preparedBodies({ source: held(frozen).source, style: privateStyle })
    for (const version of ['2.2.0', '3.0.0', '3.2.0', '3.5.0'] as const) bodies.find('worker', version)
    expect(frozen).toEqual(given)
  })
})

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null)
    for (const member of Object.values(Object.freeze(value))) deepFreeze(member)
  return value
}

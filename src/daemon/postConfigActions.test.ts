import { afterEach, describe, expect, it } from 'vitest'
import { newRoot, removeRoots, testHost } from '../../test/daemon/builders.ts'
import { fakeClock } from '../../test/kube/fakeClock.ts'
import type { PolicyAction } from '../forecast/disruptionPolicies.ts'
import { type Host, supported } from '../host/host.ts'
import { systemClock } from '../kube/clock.ts'
import { ActionFailed, describeAction, needsReboot, runActions } from './postConfigActions.ts'

afterEach(removeRoots)

const restart = (serviceName: string): PolicyAction => ({ type: 'Restart', restart: { serviceName } })
const reload = (serviceName: string): PolicyAction => ({ type: 'Reload', reload: { serviceName } })

async function run(
  actions: readonly PolicyAction[],
  {
    fails = (_action: string, _unit: string): boolean => false,
    done = [] as number[],
    changed = [] as readonly string[],
    host: extra = {} as Partial<Host>,
  } = {},
) {
  const calls: string[] = []
  const events: string[] = []
  const finished: number[] = []
  const host = testHost(newRoot(), {
    serviceFault: (action, unit) => {
      calls.push(`${action} ${unit}`.trim())
      if (fails(action, unit)) throw new Error('exit status 1')
    },
  })
  const context = {
    host: { ...host, ...extra },
    clock: systemClock,
    configName: 'rendered-1',
    changedUnits: new Set(changed),
    onEvent: (type: string, reason: string) => events.push(`${type} ${reason}`),
    onLog: () => undefined,
  }
  const failure = await runActions(context, actions, {
    isDone: (index) => done.includes(index),
    onDone: async (index) => void finished.push(index),
  }).catch((error: unknown) => error)
  host.close()
  return { calls, events, finished, failure }
}

describe('runActions', () => {
  it.each<[string, readonly PolicyAction[], readonly string[], readonly string[]]>([
    ['None', [{ type: 'None' }], [], ['Normal SkipReboot']],
    [
      'DaemonReload then Restart, in list order',
      [{ type: 'DaemonReload' }, restart('a.service')],
      ['daemon-reload', 'restart a.service'],
      ['Normal ServiceRestart'],
    ],
    [
      'the same restart for several files once',
      [restart('a.service'), restart('b.service'), restart('a.service')],
      ['restart a.service', 'restart b.service'],
      ['Normal ServiceRestart', 'Normal ServiceRestart'],
    ],
    [
      'a Restart in place of a Reload that comes before it',
      [reload('a.service'), reload('b.service'), restart('a.service')],
      ['reload b.service', 'restart a.service'],
      ['Normal ServiceReload', 'Normal ServiceRestart'],
    ],
    ['Reload', [reload('a.service')], ['reload a.service'], ['Normal ServiceReload']],
    ['Special reloads the container runtime', [{ type: 'Special' }], ['reload crio.service'], ['Normal ServiceReload']],
    ["Drain has happened before, Reboot is the caller's", [{ type: 'Drain' }, { type: 'Reboot' }], [], []],
  ])('%s', async (_name, actions, calls, events) => {
    const result = await run(actions)
    expect(result).toMatchObject({ calls, events, failure: undefined })
  })

  it('stops at the first service that refuses, names it, and says so in an event', async () => {
    const { failure, calls, events, finished } = await run(
      [reload('a.service'), reload('b.service'), reload('c.service')],
      { fails: (_action, unit) => unit === 'b.service' },
    )
    expect(failure).toMatchObject({
      name: 'ActionFailed',
      message: 'could not apply update: Reloading b.service service failed. Error: exit status 1',
    })
    expect(calls).toEqual(['reload a.service', 'reload b.service'])
    expect(events).toEqual(['Normal ServiceReload', 'Warning FailedServiceReload'])
    expect(finished).toEqual([0])
  })

  it('skips what an earlier process finished', async () => {
    expect((await run([reload('a.service'), reload('b.service')], { done: [0] })).calls).toEqual(['reload b.service'])
  })

  it.each([
    ['a.service', ['a.service'], 'stop a.service'],
    ['a@one.service', ['a@.service'], 'stop a@one.service'],
    ['a.service', ['b.service'], 'restart a.service'],
  ])('asked to restart %s when %j changed and the unit is not there: %s', async (unit, changed, call) => {
    expect((await run([restart(unit)], { changed })).calls).toEqual([call])
  })

  it('falls back to the trust store command where the service is missing', async () => {
    let updated = 0
    const host = {
      trustStore: supported({
        update: async () => {
          updated += 1
        },
      }),
    }
    expect(
      (await run([restart('coreos-update-ca-trust.service')], { fails: () => true, host })).failure,
    ).toBeUndefined()
    expect(updated).toBe(1)
    expect((await run([restart('coreos-update-ca-trust.service')], { fails: () => true })).failure).toMatchObject({
      name: 'ActionFailed',
    })
  })

  it('refuses an action without its service', async () => {
    expect((await run([{ type: 'Reload' }])).failure).toMatchObject({
      message: expect.stringContaining('names no service'),
    })
  })
})

describe('describeAction', () => {
  it.each([
    [restart('a.service'), 'Restart a.service'],
    [{ type: 'Reboot' } as PolicyAction, 'Reboot'],
  ])('%j is %s', (action, expected) => expect(describeAction(action)).toBe(expected))
  it('knows a reboot among others', () =>
    expect([needsReboot([{ type: 'Reboot' }]), needsReboot([{ type: 'None' }])]).toEqual([true, false]))
})

describe('a service that hangs', () => {
  it('is given up after five minutes, with a sentence that names it', async () => {
    const clock = fakeClock()
    const host = testHost(newRoot())
    const services = { ...host.services, reload: () => new Promise<void>(() => undefined) }
    const events: string[] = []
    const context = {
      host: { ...host, services },
      clock,
      configName: 'rendered-1',
      changedUnits: new Set<string>(),
      onEvent: (_type: string, reason: string) => events.push(reason),
      onLog: () => undefined,
    }
    const running = runActions(context, [reload('crio.service')], {
      isDone: () => false,
      onDone: async () => undefined,
    })
    const failed = expect(running).rejects.toThrow(
      new ActionFailed(
        'could not apply update: Reloading crio.service service failed. Error: crio.service did not answer within 5 minutes; look at its status on the node',
      ),
    )
    await clock.sleeping()
    await clock.advance(5 * 60_000)
    await failed
    expect(events).toEqual(['FailedServiceReload'])
    expect(clock.waits).toEqual([])
  })
})

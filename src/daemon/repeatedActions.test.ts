import { describe, expect, it } from 'vitest'
import type { PolicyAction } from '../forecast/disruptionPolicies.ts'
import { repeatedActions } from './repeatedActions.ts'

const restart = (serviceName: string): PolicyAction => ({ type: 'Restart', restart: { serviceName } })
const reload = (serviceName: string): PolicyAction => ({ type: 'Reload', reload: { serviceName } })
const daemonReload: PolicyAction = { type: 'DaemonReload' }

describe('repeatedActions', () => {
  it.each<[string, readonly PolicyAction[], readonly number[]]>([
    ['different ones', [restart('a'), restart('b'), reload('c')], []],
    ['the same service for two files', [restart('a'), restart('b'), restart('a')], [2]],
    ['the same pair for two units', [daemonReload, restart('a'), daemonReload, restart('a')], [2, 3]],
    ['a restart on both sides of a daemon-reload', [restart('a'), daemonReload, restart('a')], []],
    ['a reload for a file of a service that its unit restarts', [reload('a'), daemonReload, restart('a')], [0]],
    ['a reload after the restart', [restart('a'), reload('a')], [1]],
    ['a reload after the units were read again', [restart('a'), daemonReload, reload('a')], []],
    ['a reload of one service and a restart of another', [reload('a'), restart('b')], []],
    ['two ways to reload the container runtime', [{ type: 'Special' }, reload('crio.service')], [1]],
    ['the special reload of a runtime that is restarted', [{ type: 'Special' }, restart('crio.service')], [0]],
  ])('of %s', (_, actions, repeated) => {
    expect([...repeatedActions(actions)]).toEqual(repeated)
  })
})

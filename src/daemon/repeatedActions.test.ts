import { describe, expect, it } from 'vitest'
import type { PolicyAction } from '../forecast/disruptionPolicies.ts'
import { repeatedActions } from './repeatedActions.ts'

const restart = (serviceName: string): PolicyAction => ({ type: 'Restart', restart: { serviceName } })
const reload = (serviceName: string): PolicyAction => ({ type: 'Reload', reload: { serviceName } })
const daemonReload: PolicyAction = { type: 'DaemonReload' }

describe('repeatedActions', () => {
  it.each<[string, readonly PolicyAction[], readonly number[]]>([
    ['different ones', [restart('a'), restart('b'), reload('a')], []],
    ['the same service for two files', [restart('a'), restart('b'), restart('a')], [2]],
    ['the same pair for two units', [daemonReload, restart('a'), daemonReload, restart('a')], [2, 3]],
    ['a restart on both sides of a daemon-reload', [restart('a'), daemonReload, restart('a')], []],
  ])('of %s', (_, actions, repeated) => {
    expect([...repeatedActions(actions)]).toEqual(repeated)
  })
})

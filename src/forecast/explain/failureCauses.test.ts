import { describe, expect, it } from 'vitest'
import { config, files, next, ofNode, old, report } from '../../../test/unit/explainBuilders.ts'
import type { NodeOptions } from '../../../test/unit/rolloutBuilders.ts'

describe('explain, of a node that gave up', () => {
  const moving: NodeOptions = { current: old, desired: next, state: 'Degraded' }

  it('names the one fragment of a person that manages the path, and how to take it back', () => {
    const machineConfigs = [
      config(old),
      config(next),
      config('00-base', files('/etc/a')),
      config('50-mine', files('/etc/b/c')),
      config('51-other', files('/etc/b')),
    ]
    const [finding] = ofNode({ ...moving, reason: '/etc/b/c cannot be written: no space' }, { machineConfigs })
    expect(finding).toMatchObject({
      code: 'UpdateFailed',
      what: '/etc/b/c cannot be written: no space',
      why: expect.stringContaining('MachineConfig 50-mine asks for it'),
      command: 'kubectl delete mc 50-mine',
    })
  })

  it('never offers to delete what the product itself brings', () => {
    const machineConfigs = [config(old), config(next), config('00-base', files('/etc/a'))]
    const [finding] = ofNode({ ...moving, reason: '/etc/a cannot be written' }, { machineConfigs })
    expect(finding?.command).toBeUndefined()
  })

  it('names the unit that does not start', () => {
    const reason = 'could not apply update: Restarting app.service service failed. Error: exit status 1'
    const [finding] = ofNode({ ...moving, reason })
    expect(finding).toMatchObject({ code: 'UnitFailed', remedy: expect.stringContaining('journalctl -u app.service') })
  })

  it('names the fragment of an irreconcilable change', () => {
    const directories = { config: { ignition: { version: '3.5.0' }, storage: { directories: [{ path: '/srv' }] } } }
    const machineConfigs = [
      config(old),
      config(next, directories),
      config('70-data', directories),
      config('80-fine', files('/etc/x')),
    ]
    const [finding] = ofNode(
      {
        ...moving,
        state: 'Unreconcilable',
        reason: `can't reconcile config ${old} with ${next}: ignition directories section contains changes`,
      },
      { machineConfigs },
    )
    expect(finding).toMatchObject({ code: 'NotReconcilable', command: 'kubectl delete mc 70-data' })
  })

  it('names path and fragment of a changed disk, and both ways out', () => {
    const reason = `unexpected on-disk state validating against ${next}: content mismatch for file "/etc/b"`
    const [finding] = ofNode(
      { current: next, state: 'Degraded', reason },
      { machineConfigs: [config(old), config(next), config('50-mine', files('/etc/b'))] },
    )
    expect(finding).toMatchObject({
      code: 'ConfigDrift',
      severity: 'warning',
      what: reason,
      why: expect.stringContaining('50-mine'),
    })
    expect(finding?.remedy).toContain('/run/machine-config-daemon-force')
    expect(finding?.command).toBeUndefined()
  })

  it('tells what is known when the daemon gave no reason', () => {
    const [finding] = ofNode(moving, { machineConfigNodes: [report(['Drained', 'Unknown', 3])] })
    expect(finding?.what).toBe(
      `node n1 is Degraded on the way from ${old} to ${next}, in phase Drained ("about Drained"), and its daemon gave no reason`,
    )
  })

  it('does not repeat that a config is missing', () => {
    const [finding, ...others] = ofNode({ ...moving, desired: 'rendered-gone', reason: 'not found' })
    expect(others).toEqual([])
    expect(finding).toMatchObject({ code: 'MissingRenderedConfig', severity: 'critical' })
  })

  it('blames no failure on a config that is missing where the node comes from, as after its pool was deleted', () => {
    const machineConfigs = [config(next), config('50-mine', files('/etc/b'))]
    const found = ofNode({ ...moving, reason: '/etc/b cannot be written: no space' }, { machineConfigs })
    expect(found.map(({ code, severity }) => [code, severity])).toEqual([
      ['UpdateFailed', 'critical'],
      ['MissingRenderedConfig', 'warning'],
    ])
    expect(found[1]?.why).toContain('goes on from the copy on its disk')
  })

  it('does not guess about configs that could not be read', () => {
    const unreadable = { machineconfigs: '403', controllerconfigs: 'x' }
    expect(ofNode({ current: 'rendered-gone', desired: 'rendered-gone' }, { unreadable, machineConfigs: [] })).toEqual(
      [],
    )
  })
})

import { afterEach, describe, expect, it } from 'vitest'
import { MachineConfigPool } from '../../../src/api/machineConfigPool.ts'
import { nodeAnnotation as key } from '../../../src/api/names.ts'
import { acceptedDriftAnnotation, driftModeAnnotation } from '../../../src/daemon/driftMode.ts'
import { put, testHost, text } from '../../daemon/builders.ts'
import { endWorlds, isDoneAt, nodeAt, type World } from '../../daemon/world.ts'

afterEach(endWorlds)

async function pool({ kube }: World, mode: string): Promise<void> {
  await kube.create(MachineConfigPool, {
    apiVersion: 'machineconfiguration.openshift.io/v1',
    kind: 'MachineConfigPool',
    metadata: { name: 'worker', annotations: { [driftModeAnnotation]: mode } },
    spec: { nodeSelector: { matchLabels: { 'node-role.kubernetes.io/worker': '' } } },
  })
}

async function switchPool({ kube }: World, mode: string): Promise<void> {
  const body = { metadata: { annotations: { [driftModeAnnotation]: mode } } }
  await kube.patch(MachineConfigPool, { name: 'worker' }, { type: 'merge', body })
}

const isDegraded = (annotations: Readonly<Record<string, string>>) => annotations[key.state] === 'Degraded'

async function untilText(root: string, path: string, wanted: string): Promise<void> {
  for (const deadline = Date.now() + 5_000; text(root, path) !== wanted; ) {
    if (Date.now() > deadline) throw new Error(`${path} is ${text(root, path)}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

describe('drift modes', () => {
  it('repairs when the pool says so: content is back within seconds, without drain, reboot or Degraded', async () => {
    const it = await nodeAt({ name: 'rendered-1', files: { '/etc/app.conf': 'one' } })
    await pool(it, 'repair')
    put(it.root, 'etc/app.conf', 'by hand')
    await untilText(it.root, 'etc/app.conf', 'one')
    put(it.root, 'etc/app.conf', 'again')
    await untilText(it.root, 'etc/app.conf', 'one')
    await it.until(isDoneAt('rendered-1'))
    expect(it.events).toContain('Warning ConfigDriftRepaired')
    expect(it.events).not.toContain('Warning ConfigDriftDetected')
    expect(it.drains).toEqual([])
    expect(it.events).not.toContain('Normal Reboot')
  })

  it('repairs a node that was Degraded by drift once the pool says so', async () => {
    const it = await nodeAt({ name: 'rendered-1', files: { '/etc/app.conf': 'one' } })
    await pool(it, 'degrade')
    put(it.root, 'etc/app.conf', 'by hand')
    await it.until(isDegraded)
    await switchPool(it, 'repair')
    await it.until(isDoneAt('rendered-1'))
    expect(text(it.root, 'etc/app.conf')).toBe('one')
  })

  it('gives up and names the path when another program writes it again and again', async () => {
    const it = await nodeAt({ name: 'rendered-1', files: { '/etc/app.conf': 'one' } })
    await pool(it, 'repair')
    for (let round = 0; round < 5; round++) {
      put(it.root, 'etc/app.conf', `by a program ${round}`)
      await untilText(it.root, 'etc/app.conf', 'one')
    }
    put(it.root, 'etc/app.conf', 'and again')
    const { [key.reason]: reason } = await it.until(isDegraded)
    expect(reason).toContain('content mismatch for file "/etc/app.conf"; repaired 5 times in 10 minutes')
    expect(text(it.root, 'etc/app.conf')).toBe('and again')
  })

  it('stays Degraded for a kernel argument until the node boots', async () => {
    const it = await nodeAt({ name: 'rendered-1', files: { '/etc/app.conf': 'one' }, kernelArguments: ['nosmt'] })
    await it.stop()
    const host = testHost(it.root)
    if (host.kernelArguments.kind === 'unsupported') throw new Error('a directory supports kernel arguments')
    await host.kernelArguments.use.setPending([])
    await host.completeBoot()
    const second = it.start({ driftMode: 'repair' })
    const { [key.reason]: reason } = await it.until(isDegraded)
    expect(reason).toContain('missing expected kernel arguments: [nosmt]; this needs a reboot of the node')
    await second.stop()
    await host.completeBoot()
    host.close()
    it.start({ driftMode: 'repair' })
    await it.until(isDoneAt('rendered-1'))
  })

  it('accepts: the node stays Done, what differs is recorded on it without content, and updates go on', async () => {
    const it = await nodeAt({ name: 'rendered-1', files: { '/etc/app.conf': 'one' } })
    await pool(it, 'accept')
    put(it.root, 'etc/app.conf', 'secret')
    const recorded = await it.until((annotations) => annotations[acceptedDriftAnnotation] !== undefined)
    expect(recorded[acceptedDriftAnnotation]).toBe('content mismatch for file "/etc/app.conf"')
    expect(isDoneAt('rendered-1')(recorded)).toBe(true)
    expect(it.events.filter((event) => event === 'Warning ConfigDriftAccepted')).toHaveLength(1)
    await it.render({ name: 'rendered-2', files: { '/etc/app.conf': 'one', '/etc/other': 'new' } })
    await it.desire('rendered-2')
    await it.until(isDoneAt('rendered-2'))
    expect(text(it.root, 'etc/app.conf')).toBe('secret')
    put(it.root, 'etc/app.conf', 'one')
    await it.until((annotations) => annotations[acceptedDriftAnnotation] === undefined)
  })

  it('repairs first, then updates', async () => {
    const it = await nodeAt({ name: 'rendered-1', files: { '/etc/app.conf': 'one', '/etc/other': '1' } })
    await it.stop()
    put(it.root, 'etc/app.conf', 'by hand')
    await it.render({ name: 'rendered-2', files: { '/etc/app.conf': 'one', '/etc/other': '2' } })
    await it.desire('rendered-2')
    it.start({ driftMode: 'repair' })
    await it.until(isDoneAt('rendered-2'))
    expect(text(it.root, 'etc/app.conf')).toBe('one')
    expect(text(it.root, 'etc/other')).toBe('2')
  })
})

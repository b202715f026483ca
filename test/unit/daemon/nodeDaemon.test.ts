import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { Node } from '../../../src/api/core.ts'
import { MachineConfigNode } from '../../../src/api/machineConfigNode.ts'
import { MachineConfigPool } from '../../../src/api/machineConfigPool.ts'
import { nodeAnnotation as key } from '../../../src/api/names.ts'
import { emptyConfigName } from '../../../src/daemon/change.ts'
import { type ConfigSource, kubeConfigSource } from '../../../src/daemon/configSource.ts'
import { drainRequestedAnnotation } from '../../../src/daemon/drainStep.ts'
import { Crash } from '../../../src/daemon/transaction.ts'
import { systemClock } from '../../../src/kube/clock.ts'
import { machineConfig, put, testHost, text } from '../../daemon/builders.ts'
import { endWorlds, isDoneAt, kubeletUnit, nodeAt, type World, world } from '../../daemon/world.ts'

afterEach(endWorlds)

describe('nodeDaemon', () => {
  it('adopts a host that has no config and takes it to its first one with drain and reboot', async () => {
    const it = await world()
    await it.render({
      name: 'rendered-1',
      files: { '/etc/app.conf': 'one' },
      units: [kubeletUnit],
      keys: ['ssh-ed25519 a'],
    })
    it.start()
    await it.until(isDoneAt(emptyConfigName))
    await it.desire('rendered-1')
    const annotations = await it.until(isDoneAt('rendered-1'))
    expect(annotations[key.reason]).toBe('')
    expect(annotations[key.postConfigAction]).toBe('')
    expect(annotations[key.lastAppliedDrain]).toBe('uncordon-rendered-1')
    expect(it.drains).toEqual(['drain-rendered-1', 'uncordon-rendered-1'])
    expect(text(it.root, 'etc/app.conf')).toBe('one')
    expect(JSON.parse(text(it.root, 'etc/machine-config-daemon/currentconfig')).metadata.name).toBe('rendered-1')
    expect(it.events).toEqual(
      expect.arrayContaining(['Normal Drain', 'Normal Reboot', 'Normal Uncordon', 'Normal NodeDone']),
    )
  })

  it('says nothing of the node when a sync fails because the daemon ends', async () => {
    const it = await world()
    await it.render({ name: 'rendered-1', files: { '/etc/app.conf': 'one' } })
    let fail: ((error: Error) => void) | undefined
    const killed = new Promise<never>((_resolve, reject) => {
      fail = reject
    })
    let isAsked = false
    const stored = kubeConfigSource(it.kube)
    const configs: ConfigSource = {
      load: (name) => {
        if (name === emptyConfigName) return stored.load(name)
        isAsked = true
        return killed
      },
    }
    const daemon = it.start({ configs })
    await it.until(isDoneAt(emptyConfigName))
    await it.desire('rendered-1')
    await it.until(() => isAsked)
    const ended = daemon.stop()
    fail?.(new Error('getent was ended by SIGTERM'))
    await ended
    expect((await it.annotations())[key.state]).not.toBe('Degraded')
  })

  it('finishes the update that is under way when it is asked to end, and tells so', async () => {
    const it = await world()
    await it.render({ name: 'rendered-1', files: { '/etc/a': '1', '/etc/b': '2' }, units: [kubeletUnit] })
    let ended: Promise<void> | undefined
    const daemon = it.start({
      onProgress: () => {
        ended ??= daemon.stop()
      },
    })
    await it.until(isDoneAt(emptyConfigName))
    await it.desire('rendered-1')
    await it.until(() => ended !== undefined)
    await ended
    expect([text(it.root, 'etc/a'), text(it.root, 'etc/b')]).toEqual(['1', '2'])
    expect(it.events.filter((event) => /sigterm|reboot/i.test(event))).toEqual([
      'Normal AddSigtermProtection',
      'Warning GotSigtermDuringUpdate',
      'Normal RemoveSigtermProtection',
      'Normal Reboot',
    ])
    it.start()
    await it.until(isDoneAt('rendered-1'))
    expect(it.events.filter((event) => event.endsWith('GotSigtermDuringUpdate'))).toHaveLength(1)
  })

  it('ends the installation that Ignition left, with one reboot before the node is Done', async () => {
    const it = await world()
    const installed = { name: 'rendered-1', files: { '/etc/app.conf': 'one' }, kernelArguments: ['nosmt'] }
    await it.render(installed)
    put(it.root, 'etc/app.conf', 'one')
    put(
      it.root,
      'etc/ignition-machine-config-encapsulated.json',
      JSON.stringify(machineConfig({ ...installed, files: {} })),
    )
    const names = { [key.currentConfig]: 'rendered-1', [key.desiredConfig]: 'rendered-1', [key.state]: 'Done' }
    put(it.root, 'etc/machine-config-daemon/node-annotations.json', JSON.stringify(names))
    const before = statSync(join(it.root, 'etc/app.conf'))
    it.start()
    await it.until(isDoneAt('rendered-1'))
    expect(it.events.filter((event) => event === 'Normal Reboot')).toHaveLength(1)
    expect(text(it.root, 'var/lib/mco/booted-kernel-arguments')).toContain('nosmt')
    expect(statSync(join(it.root, 'etc/app.conf'))).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs })
    expect(existsSync(join(it.root, 'etc/ignition-machine-config-encapsulated.json'))).toBe(false)
    expect(it.drains).not.toContain('drain-rendered-1')
  })

  it('joins a new machine to its pool without a drain and without a reboot', async () => {
    const it = await world()
    await it.render({ name: 'rendered-1', files: { '/etc/app.conf': 'one' } })
    await it.kube.create(MachineConfigPool, {
      apiVersion: 'machineconfiguration.openshift.io/v1',
      kind: 'MachineConfigPool',
      metadata: { name: 'worker' },
      spec: {
        nodeSelector: { matchLabels: { 'node-role.kubernetes.io/worker': '' } },
        configuration: { name: 'rendered-1' },
      },
    })
    it.start({ firstContact: 'join' })
    await it.until(isDoneAt('rendered-1'))
    expect(it.drains).toEqual(['uncordon-rendered-1'])
    expect(it.events).not.toContain('Normal Reboot')
    expect(text(it.root, 'etc/app.conf')).toBe('one')
  })

  it('takes over from the annotations that the config server left, verifies the disk and records the config', async () => {
    const it = await world()
    await it.render({ name: 'rendered-1', files: { '/etc/app.conf': 'one' } })
    put(it.root, 'etc/app.conf', 'one')
    put(
      it.root,
      'etc/machine-config-daemon/node-annotations.json',
      JSON.stringify({ [key.currentConfig]: 'rendered-1', [key.desiredConfig]: 'rendered-1', [key.state]: 'Done' }),
    )
    it.start()
    await it.until(
      (annotations) =>
        isDoneAt('rendered-1')(annotations) && annotations[key.lastAppliedDrain] === 'uncordon-rendered-1',
    )
    expect(JSON.parse(text(it.root, 'etc/machine-config-daemon/currentconfig')).metadata.name).toBe('rendered-1')
    expect(text(it.root, 'etc/machine-config-daemon/node-annotation.json.bak')).toContain('rendered-1')
  })

  it('applies a change that only reloads a service without drain or reboot', async () => {
    const it = await nodeAt({ name: 'rendered-1', files: { '/etc/containers/policy.json': '{}' } })
    await it.render({ name: 'rendered-2', files: { '/etc/containers/policy.json': '{"default":[]}' } })
    await it.desire('rendered-2')
    await it.until(isDoneAt('rendered-2'))
    expect(it.drains).toEqual(['uncordon-rendered-2'])
    expect(it.events).toContain('Normal ServiceReload')
    expect(it.events).not.toContain('Normal Reboot')
    expect(text(it.root, 'var/lib/mco/services.log')).toContain('"action":"reload","unit":"crio.service"')
  })

  it('refuses a kernel argument on a host without a boot loader, touches nothing, and follows a revert', async () => {
    const it = await nodeAt({ name: 'rendered-1', files: { '/etc/a': '1' } }, { kernelArguments: false })
    await it.render({ name: 'rendered-2', files: { '/etc/a': '2' }, kernelArguments: ['nosmt'] })
    await it.desire('rendered-2')
    const refused = await it.until((annotations) => annotations[key.state] === 'Unreconcilable')
    expect(refused[key.reason]).toBe(
      "can't reconcile config rendered-1 with rendered-2: spec.kernelArguments: kernel arguments cannot be changed on this host: this host has no boot loader that kernel arguments could be written to",
    )
    expect(refused[key.currentConfig]).toBe('rendered-1')
    expect(text(it.root, 'etc/a')).toBe('1')
    expect(it.drains).toEqual([])
    await it.desire('rendered-1')
    await it.until(isDoneAt('rendered-1'))
  })

  it('refuses what no running node can change', async () => {
    const it = await nodeAt({ name: 'rendered-1' })
    await it.render({ name: 'rendered-2', storage: { directories: [{ path: '/etc/new' }] } })
    await it.desire('rendered-2')
    const refused = await it.until((annotations) => annotations[key.state] === 'Unreconcilable')
    expect(refused[key.reason]).toContain('ignition directories section contains changes')
    expect(it.events).toContain('Warning FailedToReconcile')
  })

  it('undoes a failed update, gives the node back, stays Degraded, and follows any later target', async () => {
    let fails = true
    const it = await nodeAt(
      { name: 'rendered-1', files: { '/etc/a': '1' } },
      {
        serviceFault: (action) => {
          if (fails && action === 'enable') throw new Error('no space left on device')
        },
      },
    )
    await it.render({ name: 'rendered-2', files: { '/etc/a': '2' }, units: [kubeletUnit] })
    await it.render({ name: 'rendered-3', files: { '/etc/a': '3' } })
    await it.desire('rendered-2')
    const failed = await it.until(
      (annotations) =>
        annotations[key.lastAppliedDrain] === 'uncordon-rendered-1' && annotations[key.state] === 'Degraded',
    )
    expect(failed[key.reason]).toBe('enable kubelet.service: no space left on device')
    expect(it.drains).toEqual(['drain-rendered-2', 'uncordon-rendered-1'])
    expect(text(it.root, 'etc/a')).toBe('1')
    fails = false
    await it.desire('rendered-3')
    await it.until(isDoneAt('rendered-3'))
    expect(text(it.root, 'etc/a')).toBe('3')
  })

  it('undoes an update whose service action fails', async () => {
    let fails = false
    const readWhenReloaded: string[] = []
    const it = await nodeAt(
      { name: 'rendered-1', files: { '/etc/containers/policy.json': '1' } },
      {
        serviceFault: (action) => {
          if (!fails || action !== 'reload') return
          readWhenReloaded.push(text(it.root, 'etc/containers/policy.json'))
          if (readWhenReloaded.at(-1) === '2') throw new Error('exit status 1')
        },
      },
    )
    fails = true
    await it.render({ name: 'rendered-2', files: { '/etc/containers/policy.json': '2' } })
    await it.desire('rendered-2')
    const failed = await it.until((annotations) => annotations[key.state] === 'Degraded')
    expect(failed[key.reason]).toBe(
      'could not apply update: Reloading crio.service service failed. Error: exit status 1',
    )
    expect(text(it.root, 'etc/containers/policy.json')).toBe('1')
    expect(failed[key.currentConfig]).toBe('rendered-1')
    expect(readWhenReloaded.slice(0, 2)).toEqual(['2', '1'])
  })

  it('reports drift with the path and without content, and recovers when the file is put right', async () => {
    const it = await nodeAt({ name: 'rendered-1', files: { '/etc/app.conf': 'one' } })
    await it.kube.get(Node, { name: 'node-1' })
    put(it.root, 'etc/app.conf', 'secret by hand')
    const drifted = await it.until((annotations) => annotations[key.state] === 'Degraded')
    expect(drifted[key.reason]).toBe(
      'unexpected on-disk state validating against rendered-1: content mismatch for file "/etc/app.conf"',
    )
    put(it.root, 'etc/app.conf', 'one')
    await it.until(isDoneAt('rendered-1'))
    expect(it.events).toContain('Warning ConfigDriftDetected')
    expect(it.events).not.toContain('Normal Reboot')
  })

  it('does not apply over drift, and does with the force file', async () => {
    const it = await nodeAt({ name: 'rendered-1', files: { '/etc/app.conf': 'one' } })
    await it.render({ name: 'rendered-2', files: { '/etc/app.conf': 'two' } })
    put(it.root, 'etc/app.conf', 'by hand')
    await it.until((annotations) => annotations[key.state] === 'Degraded')
    await it.desire('rendered-2')
    await it.until((annotations) => annotations[key.desiredConfig] === 'rendered-2')
    put(it.root, 'run/machine-config-daemon-force', '')
    put(it.root, 'etc/app.conf', 'by hand again')
    await it.until(isDoneAt('rendered-2'))
    expect(text(it.root, 'etc/app.conf')).toBe('two')
    expect(() => text(it.root, 'run/machine-config-daemon-force')).toThrow(/ENOENT/)
  })

  it('skips the drain on a cluster with one control plane node', async () => {
    const it = await nodeAt({ name: 'rendered-1' })
    await it.kube.patch(
      Node,
      { name: 'node-1' },
      { type: 'merge', body: { metadata: { annotations: { [key.controlPlaneTopology]: 'SingleReplica' } } } },
    )
    await it.render({ name: 'rendered-2', files: { '/etc/a': '2' } })
    await it.desire('rendered-2')
    await it.until(isDoneAt('rendered-2'))
    expect(it.drains).toEqual(['uncordon-rendered-2'])
    expect(it.events).toContain('Normal Reboot')
  })

  it('goes on after a restart in the middle of a drain, also when the target was moved back meanwhile', async () => {
    const it = await nodeAt({ name: 'rendered-1', files: { '/etc/a': '1' } })
    await it.render({ name: 'rendered-2', files: { '/etc/a': '2' } })
    it.drains.push('hold')
    await it.desire('rendered-2')
    await it.until((annotations) => annotations[key.desiredDrain] === 'drain-rendered-2')
    await it.stop()
    it.drains.length = 0
    await it.desire('rendered-1')
    it.start()
    await it.until(
      (annotations) =>
        isDoneAt('rendered-1')(annotations) && annotations[key.lastAppliedDrain] === 'uncordon-rendered-1',
    )
    expect(text(it.root, 'etc/a')).toBe('1')
  })

  it('says that a drain is overdue, keeps waiting, and goes on when it is granted after all', async () => {
    const it = await nodeAt({ name: 'rendered-1', files: { '/etc/a': '1' } })
    await it.render({ name: 'rendered-2', files: { '/etc/a': '2' } })
    it.drains.push('hold')
    await it.desire('rendered-2')
    await it.until((annotations) => annotations[key.desiredDrain] === 'drain-rendered-2')
    await it.stop()
    const longAgo = { [drainRequestedAnnotation]: new Date(Date.now() - 3_600_001).toISOString() }
    await it.kube.patch(Node, { name: 'node-1' }, { type: 'merge', body: { metadata: { annotations: longAgo } } })
    it.start()
    const late = await it.until((annotations) => annotations[key.state] === 'Degraded')
    expect(late[key.reason]).toBe(
      'failed to drain node: node-1 after 1 hour. Please see machine-config-controller logs for more information',
    )
    expect(it.events.filter((event) => event === 'Warning FailedToDrain')).toHaveLength(1)
    it.drains.length = 0
    await it.kube.patch(
      Node,
      { name: 'node-1' },
      { type: 'merge', body: { metadata: { annotations: { [key.lastAppliedDrain]: 'drain-rendered-2' } } } },
    )
    await it.until(isDoneAt('rendered-2'))
    expect(text(it.root, 'etc/a')).toBe('2')
  })

  it('finishes after a restart that came between the reboot request and the boot', async () => {
    const it = await nodeAt({ name: 'rendered-1' })
    await it.stop()
    await it.render({ name: 'rendered-2', files: { '/etc/a': '2' }, kernelArguments: ['nosmt'] })
    let asked = 0
    const first = it.start({
      directory: {
        onReboot: async () => {
          asked += 1
        },
      },
    })
    await it.desire('rendered-2')
    await it.until((annotations) => annotations[key.postConfigAction] === 'Rebooting' && asked > 0)
    await first.stop()
    const host = testHost(it.root)
    await host.completeBoot()
    host.close()
    it.start()
    const annotations = await it.until(isDoneAt('rendered-2'))
    expect(annotations[key.postConfigAction]).toBe('')
    expect(asked).toBe(1)
  })

  /** Runs a daemon that is killed before the first effect of which `isTime` says so. */
  const killedWhen = async (node: World, isTime: () => boolean): Promise<void> => {
    let died: () => void = () => undefined
    const death = new Promise<void>((resolve) => {
      died = resolve
    })
    const daemon = node.start({
      die: () => {
        if (!isTime()) return
        died()
        throw new Crash('killed')
      },
    })
    await death
    await daemon.stop()
  }

  /** Killed in the middle of the update to `rendered-2`, and booted; wanted at `wanted`. */
  const bootedBetween = async (wanted: string) => {
    const it = await nodeAt({ name: 'rendered-1', files: { '/etc/a': '1' } })
    await it.stop()
    await it.render({ name: 'rendered-2', files: { '/etc/a': '2', '/etc/b': '2' } })
    await it.desire('rendered-2')
    await killedWhen(it, () => text(it.root, 'etc/a') !== '1')
    const host = testHost(it.root)
    await host.completeBoot()
    const bootId = await host.power.bootId()
    await it.desire(wanted)
    it.events.length = 0
    return { ...it, host, bootId }
  }

  it.each([
    ['rendered-1', 'boots once more to run what is on the disk again'],
    ['rendered-2', 'boots once, with the update done again'],
  ])('booted between two configs and wanted at %s, %s', async (wanted) => {
    const it = await bootedBetween(wanted)
    it.start()
    await it.until(isDoneAt(wanted))
    expect(text(it.root, 'etc/a')).toBe(wanted === 'rendered-1' ? '1' : '2')
    expect(await it.host.power.bootId()).not.toBe(it.bootId)
    expect(it.events.filter((event) => event === 'Normal Reboot')).toHaveLength(1)
    it.host.close()
  })

  it('does not forget the boot that it owes when it is killed right after the undo', async () => {
    const it = await bootedBetween('rendered-1')
    await killedWhen(it, () => !existsSync(join(it.root, 'var/lib/mco/journal/current')))
    expect(await it.host.power.bootId()).toBe(it.bootId)
    it.start()
    await it.until(isDoneAt('rendered-1'))
    expect(await it.host.power.bootId()).not.toBe(it.bootId)
    it.host.close()
  })

  it('is not Done before the boot that it owes, also when the request for it fails', async () => {
    const it = await bootedBetween('rendered-1')
    const first = it.start({
      directory: {
        onReboot: () => Promise.reject(new Error('no bus')),
      },
    })
    const { [key.reason]: reason } = await it.until((annotations) => annotations[key.state] === 'Degraded')
    expect(reason).toBe('reboot command failed, something is seriously wrong: no bus')
    await it.until((annotations) => annotations[key.lastAppliedDrain] === 'uncordon-rendered-1')
    await first.stop()
    it.drains.length = 0
    const states: string[] = []
    it.start({
      directory: {
        onReboot: async () => {
          states.push((await it.annotations())[key.state] ?? '')
          await it.host.completeBoot()
        },
      },
    })
    await it.until(isDoneAt('rendered-1'))
    expect(states).toEqual(['Degraded'])
    expect(await it.host.power.bootId()).not.toBe(it.bootId)
    expect(it.drains).toEqual(['drain-rendered-1', 'uncordon-rendered-1'])
    it.host.close()
  })

  it('tells its phases on the MachineConfigNode', async () => {
    const it = await nodeAt({ name: 'rendered-1', files: { '/etc/a': '1' } })
    for (const deadline = Date.now() + 5_000; ; ) {
      const { conditions = [] } = (await it.kube.get(MachineConfigNode, { name: 'node-1' })).status ?? {}
      const updated = conditions.find(({ type }) => type === 'Updated')
      if (updated?.status === 'True') {
        expect(updated.message).toBe('Node node-1 Updated')
        expect(conditions.find(({ type }) => type === 'RebootedNode')?.message).toContain('Node has rebooted')
        expect(conditions.find(({ type }) => type === 'NodeDegraded')?.status).toBe('False')
        return
      }
      if (Date.now() > deadline) throw new Error(`Updated is not True: ${JSON.stringify(conditions)}`)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  })

  it('tells the plan, and how far it has come when an update takes its time', async () => {
    const it = await nodeAt({ name: 'rendered-1', files: { '/etc/a': '1' } })
    await it.stop()
    await it.render({ name: 'rendered-2', files: { '/etc/a': '2', '/etc/b': '2', '/etc/c': '2' } })
    await it.desire('rendered-2')
    const messages: string[] = []
    const ended = new AbortController()
    const watching = (async () => {
      for await (const event of it.kube.watch(MachineConfigNode, { signal: ended.signal, sendInitialEvents: true })) {
        if (event.type !== 'MODIFIED') continue
        const { conditions = [] } = event.object.status ?? {}
        messages.push(conditions.find(({ type }) => type === 'UpdateExecuted')?.message ?? '')
      }
    })().catch((error: unknown) => {
      if (!ended.signal.aborted) throw error
    })
    let lateMs = 0
    it.start({
      clock: { ...systemClock, now: () => new Date(Date.now() + lateMs) },
      // Each step takes two seconds of the daemon's time.
      onProgress: () => {
        lateMs += 2_000
      },
    })
    await it.until(isDoneAt('rendered-2'))
    ended.abort()
    await watching
    const executing = 'Updating the Files and OS on disk as a part of the in progress phase. '
    expect(messages).toContainEqual(
      expect.stringMatching(new RegExp(`^${executing}\\d+ steps: 1\\. write /etc/\\S+ \\(mode 0644\\); 2\\. `)),
    )
    const steps = messages.filter((message) => message.startsWith(`${executing}Step `))
    expect(steps.length).toBeGreaterThan(0)
    for (const message of steps) expect(message).toMatch(/Step \d+ of \d+ is done: \w+ \/\S+/)
    expect(messages.at(-1)).toMatch(/Updated the Files and OS on disk as a part of the in progress phase$/)
  })

  it('tells where the disks are not laid out as the config says, and forgets it when they are', async () => {
    const disks = [{ device: '/dev/sda', wipeTable: true }]
    const installed = machineConfig({ name: 'rendered-0', storage: { disks } })
    const it = await nodeAt({ name: 'rendered-1' })
    const changes = async () => {
      const { status } = await it.kube.get(MachineConfigNode, { name: 'node-1' })
      const isUpdated = status?.conditions?.some((one) => one.type === 'Updated' && one.status === 'True')
      return isUpdated ? { told: status?.irreconcilableChanges?.map(({ fieldPath }) => fieldPath) } : undefined
    }
    const told = async (name: string, expected: readonly string[] | undefined): Promise<void> => {
      await it.render({ name, files: { '/etc/a': name } })
      await it.desire(name)
      await it.until(isDoneAt(name))
      await expect.poll(changes, { timeout: 5_000 }).toEqual({ told: expected })
    }
    put(it.root, 'etc/mcs-machine-config-content.json', JSON.stringify(installed))
    await told('rendered-2', ['spec.config.storage.disks'])
    put(it.root, 'etc/mcs-machine-config-content.json', 'not JSON')
    await told('rendered-3', ['spec.config.storage.disks'])
    put(it.root, 'etc/mcs-machine-config-content.json', JSON.stringify(machineConfig({ name: 'rendered-0' })))
    await told('rendered-4', undefined)
  })

  it('tells them again when the MachineConfigNode was deleted and made anew', async () => {
    const it = await nodeAt({ name: 'rendered-1' })
    const { spec } = await it.kube.get(MachineConfigNode, { name: 'node-1' })
    await it.kube.delete(MachineConfigNode, { name: 'node-1' })
    await it.kube.create(MachineConfigNode, { metadata: { name: 'node-1' }, spec })
    for (const deadline = Date.now() + 5_000; ; ) {
      const { conditions = [] } = (await it.kube.get(MachineConfigNode, { name: 'node-1' })).status ?? {}
      if (conditions.some(({ type, status }) => type === 'Updated' && status === 'True')) return
      if (Date.now() > deadline) throw new Error(`Updated is not True: ${JSON.stringify(conditions)}`)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  })

  it('says that its target does not exist, and follows the next one', async () => {
    const it = await nodeAt({ name: 'rendered-1', files: { '/etc/a': '1' } })
    await it.desire('rendered-gone')
    const stuck = await it.until((annotations) => annotations[key.state] === 'Degraded')
    expect(stuck[key.reason]).toContain('machineconfig.machineconfiguration.openshift.io "rendered-gone" not found')
    expect(it.drains).toEqual([])
    await it.render({ name: 'rendered-2', files: { '/etc/a': '2' } })
    await it.desire('rendered-2')
    await it.until(isDoneAt('rendered-2'))
  })
})

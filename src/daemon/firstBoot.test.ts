import { afterEach, describe, expect, it } from 'vitest'
import {
  leftovers,
  machineConfig,
  newRoot,
  put,
  removeRoots,
  testHost,
  text,
  tree,
} from '../../test/daemon/builders.ts'
import type { DirectoryHostOptions } from '../host/directoryHost.ts'
import { supported, unsupported } from '../host/host.ts'
import { owesBoot } from './bootDebt.ts'
import { completeFirstBoot } from './firstBoot.ts'
import { openJournal } from './journal.ts'
import { recover } from './recover.ts'

afterEach(removeRoots)

const path = 'etc/ignition-machine-config-encapsulated.json'
const preset = 'etc/systemd/system-preset/20-ignition.preset'
const encapsulated = (kernelArguments: readonly string[]) =>
  JSON.stringify(machineConfig({ name: 'rendered-worker-1', kernelArguments }))

const booted = (files: Readonly<Record<string, string>>, directory: DirectoryHostOptions = {}) => {
  const root = newRoot(files)
  const host = testHost(root, directory)
  return { root, host, journal: openJournal(host.files) }
}

describe('completeFirstBoot', () => {
  it('leaves a machine alone that Ignition did not install', async () => {
    const { root, host, journal } = booted({ 'etc/motd': 'x' })
    const before = tree(root)
    expect(await completeFirstBoot(host, journal)).toEqual({ kind: 'nothing' })
    expect(tree(root)).toEqual(before)
  })

  it('ends it without a reboot when nothing is left to do, and touches no file of the config', async () => {
    const { root, host, journal } = booted({ [path]: encapsulated([]), [preset]: 'enable a.service\n', 'etc/a': '1' })
    expect(await completeFirstBoot(host, journal)).toEqual({
      kind: 'complete',
      config: 'rendered-worker-1',
      rebootNeeded: false,
    })
    expect(tree(root)).toMatchObject({ 'etc/a': '644 1', [`${path}.bak`]: expect.any(String) })
    expect(tree(root)).not.toHaveProperty([path])
    expect(tree(root)).not.toHaveProperty([preset])
    expect(leftovers(root)).toEqual([])
    expect(await completeFirstBoot(host, journal)).toEqual({ kind: 'nothing' })
  })

  it('adds the kernel arguments that are missing and leaves the reboot to its caller', async () => {
    const { root, host, journal } = booted({
      [path]: encapsulated(['nosmt', 'quiet']),
      'boot/mco-kernel-arguments': 'quiet\nroot=/dev/vda1\n',
    })
    expect(await completeFirstBoot(host, journal)).toMatchObject({ kind: 'complete', rebootNeeded: true })
    const after = text(root, 'boot/mco-kernel-arguments')
    expect(after.match(/nosmt/g)).toHaveLength(1)
    expect(after.match(/quiet/g)).toHaveLength(1)
    expect(await recover(host, journal)).toMatchObject({ kind: 'actionsLeft' })
    await host.power.reboot('test')
    expect(await recover(host, journal)).toMatchObject({ kind: 'committed', rebooted: true })
  })

  it('takes everything back when a step fails, and owes no boot then', async () => {
    const { root, host, journal } = booted({ [path]: encapsulated(['nosmt']), 'boot/mco-kernel-arguments': 'quiet\n' })
    const before = tree(root)
    const { kernelArguments } = host
    if (kernelArguments.kind === 'unsupported') throw new Error('the host of this test has kernel arguments')
    let calls = 0
    const setPending = (wanted: readonly string[]) => {
      calls += 1
      if (calls === 1) return Promise.reject(new Error('the boot partition is full'))
      return kernelArguments.use.setPending(wanted)
    }
    const failing = { ...host, kernelArguments: supported({ ...kernelArguments.use, setPending }) }
    expect(await completeFirstBoot(failing, journal)).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('the boot partition is full'),
    })
    expect(await owesBoot(host)).toBe(false)
    expect(tree(root)).toEqual(before)
  })

  it('refuses an image on a host without one', async () => {
    const { root, host, journal } = booted({})
    put(root, path, JSON.stringify(machineConfig({ name: 'rendered-worker-1', osImageURL: 'quay.io/os:1' })))
    const before = tree(root)
    expect(await completeFirstBoot({ ...host, osImage: unsupported('no ostree, no bootc') }, journal)).toEqual({
      kind: 'refused',
      config: 'rendered-worker-1',
      message: expect.stringContaining('no ostree, no bootc'),
    })
    expect(tree(root)).toEqual(before)
  })

  it('refuses what the host cannot do before anything is touched', async () => {
    const { root, host, journal } = booted({ [path]: encapsulated(['nosmt']) })
    const before = tree(root)
    const kernelArguments = unsupported<never>('no boot loader is known')
    expect(await completeFirstBoot({ ...host, kernelArguments }, journal)).toEqual({
      kind: 'refused',
      config: 'rendered-worker-1',
      message: 'spec.kernelArguments: kernel arguments cannot be changed on this host: no boot loader is known',
    })
    expect(tree(root)).toEqual(before)
  })

  it('names the file when it is no MachineConfig', async () => {
    const { root, host, journal } = booted({})
    put(root, path, '{')
    expect(await completeFirstBoot(host, journal)).toEqual({
      kind: 'unreadable',
      message:
        '/etc/ignition-machine-config-encapsulated.json is not JSON; the disk may be damaged. Write there what the config ' +
        'server left, or install the machine anew',
    })
  })
})

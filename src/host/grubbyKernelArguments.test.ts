import { afterEach, describe, expect, it } from 'vitest'
import { scriptedExec } from '../../test/host/scriptedExec.ts'
import { hostTree, program, type Tree } from '../../test/host/tree.ts'
import { grubbyKernelArguments, grubbyOptions, parseGrubbyInfo } from './grubbyKernelArguments.ts'

const trees: Tree[] = []
afterEach(() => {
  for (const tree of trees.splice(0)) tree.dispose()
})

/** What `grubby --info=ALL` prints on a machine with one kernel, its rescue entry and another system. */
const info = (kernelArguments: string, rescueArguments = kernelArguments) => `index=0
kernel="/boot/vmlinuz-6.8.5-301.fc40.x86_64"
args="${kernelArguments}"
root="UUID=5f7d8ad4-0a2e-4f9c-9a0e-3c2b5a0f6c11"
initrd="/boot/initramfs-6.8.5-301.fc40.x86_64.img"
title="Fedora Linux (6.8.5-301.fc40.x86_64) 40 (Server Edition)"
id="c2d3e4f5a6b748c9d0e1f2a3b4c5d6e7-6.8.5-301.fc40.x86_64"
index=1
kernel="/boot/vmlinuz-0-rescue-c2d3e4f5a6b748c9d0e1f2a3b4c5d6e7"
args="${rescueArguments}"
root="UUID=5f7d8ad4-0a2e-4f9c-9a0e-3c2b5a0f6c11"
title="Fedora Linux (0-rescue-c2d3e4f5a6b748c9d0e1f2a3b4c5d6e7) 40 (Server Edition)"
index=2
non linux entry
`

async function grubby(script: Parameters<typeof scriptedExec>[0], entries = { 'usr/sbin/grubby': program }) {
  const tree = hostTree(entries)
  trees.push(tree)
  const exec = scriptedExec({ 'grubby --default-index': '0\n', ...script })
  return { exec, capability: await grubbyKernelArguments(exec, tree.files) }
}

async function supported(script: Parameters<typeof scriptedExec>[0]) {
  const { exec, capability } = await grubby(script)
  if (capability.kind === 'unsupported') throw new Error(capability.reason)
  const changes = () => exec.ran.filter((line) => line.startsWith('grubby --update-kernel'))
  return { use: capability.use, changes }
}

describe('grubbyKernelArguments', () => {
  it('says what to install where grubby is missing', async () => {
    const { capability } = await grubby({}, {} as { 'usr/sbin/grubby': typeof program })
    expect(capability).toMatchObject({
      kind: 'unsupported',
      reason: expect.stringMatching(/install the package grubby/),
    })
  })

  it('reads the arguments of the entry that is booted next', async () => {
    const { use } = await supported({
      'grubby --default-index': '1\n',
      'grubby --info=ALL': info('ro rhgb quiet', 'ro single'),
    })
    expect(await use.pending()).toEqual(['ro', 'single'])
  })

  it('changes every kernel in one call, and looks whether each has it', async () => {
    const printed = [info('ro quiet', 'ro single'), info('ro nosmt', 'ro single nosmt')]
    const { use, changes } = await supported({ 'grubby --info=ALL': () => printed.shift() ?? '' })
    await use.setPending(['ro', 'nosmt'])
    expect(changes()).toEqual(['grubby --update-kernel=ALL --remove-args=quiet --args=nosmt'])
    expect(printed).toEqual([])
  })

  it('changes nothing that is there', async () => {
    const { use, changes } = await supported({ 'grubby --info=ALL': info('ro nosmt') })
    await use.setPending(['nosmt', 'ro'])
    expect(changes()).toEqual([])
  })

  it('fails when an entry did not get it, and names the kernel', async () => {
    const printed = [info('ro'), info('ro nosmt', 'ro')]
    const { use } = await supported({ 'grubby --info=ALL': () => printed.shift() ?? '' })
    await expect(use.setPending(['ro', 'nosmt'])).rejects.toThrow(
      /did not bring the boot entry of \/boot\/vmlinuz-0-rescue-\w+ to the kernel arguments ro nosmt; it has ro$/,
    )
  })

  it('says that there is no boot entry, and what grubby says when it fails', async () => {
    const { use } = await supported({ 'grubby --info=ALL': '' })
    await expect(use.pending()).rejects.toThrow(/knows no boot entry/)
    const failing = await supported({ 'grubby --info=ALL': { code: 1, stderr: 'The param /boot is not found' } })
    await expect(failing.use.pending()).rejects.toThrow(/ended with exit code 1: The param \/boot is not found/)
  })

  it('refuses what grubby cannot write, before it is asked to', async () => {
    const { use, changes } = await supported({ 'grubby --info=ALL': info('ro') })
    expect(use.refusal?.(['ro', 'dyndbg="file a +p"'])).toMatch(/cannot keep blanks, quotes or backslashes/)
    expect(use.refusal?.(['ro', 'console=ttyS0,115200n8'])).toBeUndefined()
    await expect(use.setPending(['a="b c"'])).rejects.toThrow(/cannot keep blanks/)
    expect(changes()).toEqual([])
  })
})

describe('grubbyOptions', () => {
  it.each([
    ['adds', 'ro', 'ro nosmt', ['--args=nosmt']],
    ['removes', 'ro nosmt', 'ro', ['--remove-args=nosmt']],
    ['leaves the order of others alone', 'a b', 'b a', []],
    // Adding one console alone would drop the other: to grubby a name is there once unless all of it is given.
    [
      'gives all of a name',
      'console=tty0',
      'console=tty0 console=ttyS0',
      ['--remove-args=console=tty0', '--args=console=tty0 console=ttyS0'],
    ],
    ['exchanges a value', 'a=1 b', 'b a=2', ['--remove-args=a=1', '--args=a=2']],
    ['keeps duplicates', 'a=1 a=1', 'a=1', ['--remove-args=a=1', '--args=a=1']],
  ])('%s: %s to %s', (_, from, to, expected) => {
    expect(grubbyOptions(from.split(' '), to.split(' '))).toEqual(expected)
  })
})

describe('parseGrubbyInfo', () => {
  it('leaves out entries without a kernel and reads quotes as the kernel does', () => {
    expect(parseGrubbyInfo(info('ro a="b c"', ''))).toEqual([
      { index: 0, kernel: '/boot/vmlinuz-6.8.5-301.fc40.x86_64', kernelArguments: ['ro', 'a="b c"'] },
      { index: 1, kernel: '/boot/vmlinuz-0-rescue-c2d3e4f5a6b748c9d0e1f2a3b4c5d6e7', kernelArguments: [] },
    ])
  })
})

import { afterEach, describe, expect, it } from 'vitest'
import { leftovers, newRoot, put, removeRoots, testHost, text, tree } from '../../test/daemon/builders.ts'
import { installMachine } from './installMachine.ts'
import { openJournal } from './journal.ts'

afterEach(removeRoots)

const file = (path: string, content: string) => ({ path, contents: { source: `data:,${content}` } })
const served = (storage: object) => JSON.stringify({ ignition: { version: '3.5.0' }, storage })
const annotations = '/etc/machine-config-daemon/node-annotations.json'

const machine = (files: Readonly<Record<string, string>> = {}) => {
  const root = newRoot(files)
  const host = testHost(root)
  return { root, host, journal: openJournal(host.files) }
}

describe('installMachine', () => {
  it('writes what was served, keeps what the vendor had, and leaves no record of an applied config', async () => {
    const { root, host, journal } = machine({ 'etc/motd': 'vendor' })
    const files = [file('/etc/motd', 'ours'), file(annotations, '%7B%7D')]
    expect(await installMachine(host, journal, served({ files }))).toEqual({ kind: 'installed' })
    expect(text(root, 'etc/motd')).toBe('ours')
    expect(text(root, annotations)).toBe('{}')
    expect(tree(root)).toHaveProperty(['etc/machine-config-daemon/orig/etc/motd.mcdorig'])
    expect(tree(root)).not.toHaveProperty(['etc/machine-config-daemon/currentconfig'])
    expect(leftovers(root)).toEqual([])
  })

  it.each([
    annotations,
    '/etc/machine-config-daemon/currentconfig',
    '/etc/ignition-machine-config-encapsulated.json.bak',
  ])('leaves a machine alone that has %s', async (path) => {
    const { root, host, journal } = machine()
    put(root, path, '{}')
    const before = tree(root)
    expect(await installMachine(host, journal, served({ files: [file('/etc/a', 'x')] }))).toEqual({ kind: 'present' })
    expect(tree(root)).toEqual(before)
  })

  it.each([
    ['what is no JSON', '{', /no Ignition config/],
    ['what is no Ignition', '{"ignition":{"version":"9"}}', /no Ignition config/],
    ['a list', '[]', /no Ignition config|failed with error/],
    [
      'disks, which only an installation can lay out',
      served({ disks: [{ device: '/dev/vdb', wipeTable: true }] }),
      /storage\.disks can only be applied when a machine is installed/,
    ],
  ])('refuses %s and touches nothing', async (_name, config, message) => {
    const { root, host, journal } = machine()
    const before = tree(root)
    expect(await installMachine(host, journal, config)).toEqual({
      kind: 'refused',
      message: expect.stringMatching(message),
    })
    expect(tree(root)).toEqual(before)
  })
})

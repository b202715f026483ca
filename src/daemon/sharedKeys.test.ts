import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { config, newRoot, put, removeRoots, testHost } from '../../test/daemon/builders.ts'
import { defaultPolicies } from '../forecast/disruptionPolicies.ts'
import { applyOnce } from './applyOnce.ts'
import { checkDisk } from './checkDisk.ts'
import { keyBlockBegin, keyBlockEnd } from './keyBlock.ts'

afterEach(removeRoots)

const keyFile = 'home/core/.ssh/authorized_keys'
const options = { sshUser: 'core', authorizedKeysFile: '.ssh/authorized_keys' }
const block = (...keys: readonly string[]): string => `${[keyBlockBegin, ...keys, keyBlockEnd].join('\n')}\n`

/** A machine whose sshd reads one file only, which people use too. */
async function machine(files: Readonly<Record<string, string>> = {}) {
  const root = newRoot(files)
  const host = testHost(root)
  // The home and what is below belong to core, as on any machine with that user.
  await host.files.createDirectory('/home/core/.ssh', { mode: 0o700, uid: 1000, gid: 1000 }).catch(() => undefined)
  const apply = async (name: string, keys: readonly string[]) => {
    const engine = applyOnce(host, config({ name, ...(keys.length > 0 && { keys }) }), {
      ...options,
      policies: defaultPolicies,
      runActions: false,
    })
    const outcome = await engine.run(await engine.plan())
    expect(outcome, JSON.stringify(outcome)).toMatchObject({ kind: 'applied' })
  }
  const drift = async (keys: readonly string[]) =>
    (await checkDisk(host, config({ ...(keys.length > 0 && { keys }) }).view, options)).map(({ message }) => message)
  return { host, root, apply, drift, text: () => readFileSync(join(root, keyFile), 'utf8') }
}

describe('a key file that others write too', () => {
  it('gets our keys as a block, keeps foreign lines, and loses the block with the keys', async () => {
    const { root, apply, drift, text } = await machine()
    await apply('one', ['ours'])
    expect(text()).toBe(block('ours'))
    put(root, keyFile, `mine\n${text()}# note\n`, 0o600)
    expect(await drift(['ours']), 'foreign lines').toEqual([])
    await apply('two', ['ours', 'more'])
    expect(text()).toBe(`mine\n${block('ours', 'more')}# note\n`)
    await apply('three', [])
    expect(text()).toBe('mine\n# note\n')
    expect(await drift([])).toEqual([])
  })

  it('goes when nobody else has a line in it', async () => {
    const { root, apply, drift } = await machine()
    await apply('one', ['ours'])
    await apply('two', [])
    expect(existsSync(join(root, keyFile))).toBe(false)
    expect(await drift([])).toEqual([])
  })

  it('is neither made nor touched by a config without keys', async () => {
    const { root, host, apply, text } = await machine()
    await apply('one', [])
    expect(existsSync(join(root, keyFile))).toBe(false)
    await host.files.create(`/${keyFile}`, Buffer.from('mine'), { mode: 0o640, uid: 1000, gid: 1000 })
    await apply('two', [])
    expect(text()).toBe('mine')
  })

  it('keeps its own mode but lets nobody else write', async () => {
    const { host, apply } = await machine()
    await host.files.create(`/${keyFile}`, Buffer.from('mine\n'), { mode: 0o664, uid: 0, gid: 0 })
    await apply('one', ['ours'])
    expect(await host.files.status(`/${keyFile}`)).toMatchObject({ mode: 0o644, uid: 1000, gid: 1000 })
  })

  it.each<[string, (root: string) => void, string]>([
    [
      'a key of the block changed',
      (root) => put(root, keyFile, block('mallory'), 0o600),
      `content mismatch for the managed keys in file "/${keyFile}"`,
    ],
    [
      'the block deleted',
      (root) => put(root, keyFile, 'mine\n', 0o600),
      `content mismatch for the managed keys in file "/${keyFile}"`,
    ],
    [
      'the file deleted',
      (root) => rmSync(join(root, keyFile)),
      `the managed keys are missing: there is no file "/${keyFile}"`,
    ],
  ])('drifts by %s', async (_what, change, message) => {
    const { root, apply, drift } = await machine()
    await apply('one', ['ours'])
    change(root)
    expect(await drift(['ours'])).toEqual([message])
  })
})

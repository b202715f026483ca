import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { lockDirectory } from './directoryLock.ts'

let directory = ''
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'mco-lock-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

describe('lockDirectory', () => {
  test('refuses a directory in use and says by whom, until it is released', () => {
    const release = lockDirectory(directory)
    expect(() => lockDirectory(directory)).toThrow(
      `is in use by process ${process.pid}; stop it or choose another directory`,
    )
    release()
    lockDirectory(directory)()
    expect(existsSync(join(directory, 'lock'))).toBe(false)
  })

  test.each([
    ['a process that is gone', '999999999 1'],
    ['another process that got the number later', `${process.pid} 1`],
    ['nobody, after a cut-off write', ''],
  ])('takes over the lock of %s', (_holder, text) => {
    writeFileSync(join(directory, 'lock'), text)
    expect(() => lockDirectory(directory)()).not.toThrow()
  })
})

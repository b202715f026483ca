import { mkdir } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { UnusableDataError } from '../embedded/store/unusableData.ts'
import { CliError } from './exitCodes.ts'
import { startFailure } from './startFailure.ts'

const options = { port: 6443, data: '/data' }
const failed = (code: string, syscall: string) => Object.assign(new Error(`${code}: it failed`), { code, syscall })

describe('startFailure', () => {
  test.each<[string, Error, string]>([
    ['a taken port', failed('EADDRINUSE', 'listen'), 'port 6443 is in use'],
    ['a port that needs privileges', failed('EACCES', 'listen'), 'cannot listen on port 6443 (EACCES)'],
    ['a full disk', failed('ENOSPC', 'write'), 'cannot keep data in /data: ENOSPC'],
    ['damaged data', new UnusableDataError('it is cut off'), 'it is cut off'],
  ])('is one sentence for %s', (_, error, message) => {
    const told = startFailure(error, options)
    expect([told instanceof CliError, String(told)]).toEqual([true, expect.stringContaining(message)])
  })

  test.each([
    [8443, 'port 8443 is in use; stop what listens there, or give --server-port 0'],
    [8797, 'port 8797 is in use; stop what listens there, or give --metrics-port 0'],
    [6443, 'port 6443 is in use; stop what listens there, or give --port 0'],
  ])('names the option of the taken port %s', (port, message) => {
    const error = Object.assign(failed('EADDRINUSE', 'listen'), { port })
    const told = startFailure(error, { ...options, serverPort: 8443, metricsPort: 8797 })
    expect(String(told)).toContain(message)
  })

  test('is one sentence for a file where the directory should be', async () => {
    const error: unknown = await mkdir('package.json', { recursive: true }).catch((reason: unknown) => reason)
    expect(startFailure(error, options)).toBeInstanceOf(CliError)
  })

  test('leaves our own bugs as they are', () => {
    const bug = new TypeError('x is not a function')
    expect(startFailure(bug, options)).toBe(bug)
  })
})

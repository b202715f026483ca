import { describe, expect, it } from 'vitest'
import { runOrFail } from './exec.ts'
import { hostExec } from './hostExec.ts'

const here = (options: { timeoutMs?: number; maxOutputBytes?: number } = {}) =>
  hostExec(
    { kind: 'none' },
    { find: async (program) => (program === 'node' ? process.execPath : undefined), ...options },
  )
const script = (text: string) => ({ program: 'node', args: ['-e', text] })

describe('hostExec', () => {
  it('passes arguments as they are, gives input, and answers the exit code', async () => {
    const text = 'process.stdin.pipe(process.stdout); console.error(process.argv[1]); process.exitCode = 3'
    const command = { program: 'node', args: ['-e', text, '$(id); *'], input: 'secret' }
    expect(await here().run(command)).toEqual({ code: 3, stdout: 'secret', stderr: '$(id); *\n' })
  })

  it('runs in the C locale with nothing of its own environment', async () => {
    const result = await here().run(
      script('console.log(process.env.LC_ALL, Object.keys(process.env).includes("NODE_ENV"))'),
    )
    expect(result.stdout).toBe('C false\n')
  })

  it('ends a program that takes too long, with everything that it started', async () => {
    const text = "require('child_process').spawn('sleep', ['60'], { stdio: 'inherit' }); setTimeout(() => {}, 60000)"
    await expect(here().run({ ...script(text), timeoutMs: 300 })).rejects.toMatchObject({
      code: 'ETIMEDOUT',
      message: expect.stringContaining('did not end within 0.3 s'),
    })
  })

  it('cuts output at the limit', async () => {
    const result = await here({ maxOutputBytes: 5 }).run(script("process.stdout.write('abcdefgh')"))
    expect(result.stdout).toBe('abcde')
  })

  it('says which program the host does not have', async () => {
    await expect(here().run({ program: 'grubby', args: [] })).rejects.toMatchObject({
      code: 'ENOPROGRAM',
      message: 'this host has no program "grubby"',
    })
  })

  it('holds a program until it is stopped, and fails when it ends at once', async () => {
    const held = await here().hold(script('process.stdin.pipe(process.stdout)'))
    await held.stop()
    await expect(here().hold(script('process.exit(4)'))).rejects.toMatchObject({ code: 'ECOMMAND' })
  })

  it('puts what the program said into the error, cut to its start', async () => {
    await expect(runOrFail(here(), script("console.error('x'.repeat(700)); process.exit(2)"))).rejects.toThrow(
      /ended with exit code 2: x+ \[100 more chars\]$/,
    )
  })
})

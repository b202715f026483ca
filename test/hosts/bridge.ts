import { spawnSync } from 'node:child_process'
import process from 'node:process'
import { execute } from '../e2e/harness.ts'

/** A network of its own for test hosts; the machine that runs the tests has its first address. */
export interface Bridge {
  readonly name: string
  readonly address: string
  addressOf(index: number): string
  dispose(): Promise<void>
}

/** Documentation addresses (RFC 5737) clash with no real network; the name is unique on this machine. */
export async function openBridge(): Promise<Bridge> {
  const name = `mco${process.pid}`
  const network = '198.51.100'
  await ip('link', 'add', name, 'type', 'bridge')
  await ip('address', 'add', `${network}.1/24`, 'dev', name)
  await ip('link', 'set', name, 'up')
  const atExit = (): void => {
    spawnSync('ip', ['link', 'delete', name])
  }
  process.once('exit', atExit)
  return {
    name,
    address: `${network}.1`,
    addressOf: (index) => `${network}.${10 + index}`,
    async dispose() {
      process.removeListener('exit', atExit)
      await ip('link', 'delete', name)
    },
  }
}

async function ip(...args: readonly string[]): Promise<void> {
  const { code, stderr } = await execute('ip', args)
  if (code !== 0) throw new Error(`ip ${args.join(' ')}: ${stderr}`)
}

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

/** Addresses for documentation and for tests of networks (RFC 5737, RFC 2544) clash with no real network. */
const networks = ['198.51.100', '203.0.113', ...Array.from({ length: 16 }, (_, index) => `198.18.${index}`)]

/** Its name is unique on this machine. */
export async function openBridge(): Promise<Bridge> {
  const name = `mco${process.pid}`
  const { stdout: routes } = await execute('ip', ['route'])
  // One that this machine, or another run of these tests, uses already would lead elsewhere.
  const network = networks.find((candidate) => !routes.includes(`${candidate}.`))
  if (network === undefined) throw new Error(`the networks ${networks.join(', ')} are all in use (ip route)`)
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

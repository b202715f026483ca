import { type Command, InvalidArgumentError, Option } from 'commander'
import { operatorNamespace } from '../api/names.ts'
import { parseCidr } from '../schema/cidr.ts'
import type { TokenWish } from '../server/tokens/makeToken.ts'
import { wholeNumber } from './argumentParsers.ts'

/** Where the records of tokens are. */
export interface TokenPlace {
  readonly tokenNamespace: string
}

/** Of a server that has its tokens in a namespace of their own, also of whoever makes tokens for it. */
export const tokenNamespaceOption = (): Option =>
  new Option('--token-namespace <namespace>', 'where the config server looks for join tokens').default(
    operatorNamespace,
  )

/** What a new token is good for, as `mco token create` and `mco pointer --new-token` ask for it. */
export interface TokenFlags extends TokenPlace {
  readonly pool: string
  readonly expires: number | 'never'
  readonly uses?: number
  readonly machine?: string
  readonly from?: readonly string[]
}

export function addTokenOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--expires <duration>', 'how long a new token is good for: 90m, 24h, 30d, or never')
        .argParser(duration)
        .default(24 * hourMs, '24h'),
    )
    .option('--uses <count>', 'how many boots it is good for (default: any number)', wholeNumber(1, 1_000_000))
    .option('--machine <name>', 'the machine that it is for: name of its Node')
    .option('--from <cidr>', 'network that may use it, for instance 10.0.0.0/8; several times for several', network)
    .addOption(tokenNamespaceOption())
}

export function flagsToWish({ pool, expires, uses, machine, from }: TokenFlags): TokenWish {
  return {
    pool,
    ...(expires !== 'never' && { lifetimeMs: expires }),
    ...(uses !== undefined && { maxUses: uses }),
    ...(machine !== undefined && { machine }),
    ...(from !== undefined && { sources: from }),
  }
}

const hourMs = 3_600_000
const units: Readonly<Record<string, number>> = { m: 60_000, h: hourMs, d: 24 * hourMs }

function duration(text: string): number | 'never' {
  if (text === 'never') return text
  const [, count, unit] = /^([1-9]\d{0,5})([mhd])$/.exec(text) ?? []
  const unitMs = unit === undefined ? undefined : units[unit]
  if (unitMs === undefined) throw new InvalidArgumentError('expected for instance 90m, 24h, 30d, or never')
  return Number(count) * unitMs
}

function network(text: string, earlier: readonly string[] = []): readonly string[] {
  if (!parseCidr(text)) throw new InvalidArgumentError('expected a network such as 10.0.0.0/8 or 192.0.2.7/32')
  return [...earlier, text]
}

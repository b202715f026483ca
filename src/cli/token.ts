import { randomBytes } from 'node:crypto'
import { Command } from 'commander'
import { MachineConfigPool } from '../api/machineConfigPool.ts'
import { isNotFound, type KubeApi } from '../kube/kubeApi.ts'
import type { ReadToken } from '../server/tokens/tokenRecord.ts'
import { createToken, listTokens, revokeToken } from '../server/tokens/tokenStore.ts'
import { type ConnectFlags, connect } from './connect.ts'
import { CliError } from './exitCodes.ts'
import { type OutputFormat, outputOption, print } from './output.ts'
import { formatTable, type Terminal } from './terminal.ts'
import { addTokenOptions, flagsToWish, type TokenFlags, type TokenPlace, tokenNamespaceOption } from './tokenOptions.ts'

/** `mco token`: what machines show to the config server. */
export function tokenCommand(terminal: Terminal): Command {
  return new Command('token')
    .description('make, list and revoke the tokens that new machines show to the config server')
    .addCommand(createCommand(terminal).exitOverride())
    .addCommand(listCommand(terminal).exitOverride())
    .addCommand(revokeCommand(terminal).exitOverride())
}

const clusterOptions = (command: Command): Command =>
  command
    .option('--kubeconfig <file>', 'kubeconfig file (default: $KUBECONFIG, then ~/.kube/config)')
    .option('--context <name>', 'context of the kubeconfig')

function createCommand(terminal: Terminal): Command {
  const command = new Command('create')
    .description('make a token and print it; it is shown this once, only its hash is stored')
    .requiredOption('-p, --pool <name>', 'the pool whose config it is good for')
  return clusterOptions(addTokenOptions(command))
    .addHelpText(
      'after',
      '\nExamples:\n  mco token create --pool worker\n  mco token create --pool worker --machine worker-7 --uses 1 --expires 2h --from 10.0.0.0/16',
    )
    .action(async (flags: TokenFlags & ConnectFlags) => {
      const { text, record } = await newToken(await connect(flags), flags)
      terminal.out(text)
      const end = record.expiresAt ? `until ${record.expiresAt.toISOString()}` : 'until it is revoked'
      terminal.err(`token ${record.id} is good for pool ${record.pool} ${end}; it is not shown again`)
    })
}

/** A token for a pool that exists: one for a misspelled pool would only be found out by a machine that cannot boot. */
export async function newToken(kube: KubeApi, flags: TokenFlags) {
  await kube.get(MachineConfigPool, { name: flags.pool }).catch((error: unknown) => {
    throw isNotFound(error) ? new CliError(`there is no pool ${flags.pool}; \`mco status\` lists the pools`) : error
  })
  return createToken(kube, flags.tokenNamespace, flagsToWish(flags), { randomBytes, now: new Date() })
}

function listCommand(terminal: Terminal): Command {
  return clusterOptions(new Command('list').description('list the tokens; never their text'))
    .addOption(tokenNamespaceOption())
    .addOption(outputOption())
    .action(async (flags: ConnectFlags & TokenPlace & { readonly output: OutputFormat }) => {
      const tokens = await listTokens(await connect(flags), flags.tokenNamespace)
      print(terminal, flags.output, tokens.map(tokenValue), () =>
        tokens.length === 0
          ? 'no tokens'
          : formatTable(['ID', 'POOL', 'MACHINE', 'EXPIRES', 'MOST USES', 'FROM'], tokens.map(tokenRow)),
      )
    })
}

function revokeCommand(terminal: Terminal): Command {
  return clusterOptions(new Command('revoke').description('make a token useless at once, also for boots under way'))
    .argument('<id>', 'as `mco token list` shows it: the part before the first dot')
    .addOption(tokenNamespaceOption())
    .action(async (id: string, flags: ConnectFlags & TokenPlace) => {
      const kube = await connect(flags)
      await revokeToken(kube, flags.tokenNamespace, id.split('.')[0] ?? '', new Date()).catch((error: unknown) => {
        throw isNotFound(error) ? new CliError('there is no such token; `mco token list` lists them') : error
      })
      terminal.out('revoked')
    })
}

function tokenValue(read: ReadToken): unknown {
  if (read.kind === 'unusable') return { id: read.id, problem: read.message }
  const { id, pool, machine, expiresAt, revokedAt, maxUses, sources } = read.record
  const times = { expires: expiresAt?.toISOString(), revoked: revokedAt?.toISOString() }
  return { id, pool, machine, ...times, maxUses, from: sources }
}

function tokenRow(read: ReadToken): string[] {
  if (read.kind === 'unusable') return [read.id, read.message]
  const { id, pool, machine = 'any', expiresAt, revokedAt, maxUses, sources } = read.record
  const isOver = revokedAt ? ' (revoked)' : expiresAt && expiresAt <= new Date() ? ' (expired)' : ''
  const end = `${expiresAt?.toISOString() ?? 'never'}${isOver}`
  return [id, pool, machine, end, maxUses?.toString() ?? 'any', sources.join(',') || 'anywhere']
}

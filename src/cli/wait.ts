import process from 'node:process'
import { Command, InvalidArgumentError, Option } from 'commander'
import type { PoolRollout as PoolRolloutObject } from '../api/poolRollout.ts'
import { PoolRollout } from '../api/poolRollout.ts'
import type { Arrival } from '../history/arrival.ts'
import { poolsOfFragment } from '../history/poolsOfFragment.ts'
import { waitForArrival } from '../history/waitForArrival.ts'
import { waitForRollout } from '../history/waitForRollout.ts'
import type { KubeApi } from '../kube/kubeApi.ts'
import { readDuration } from '../rollout/durationAnnotation.ts'
import { connect } from './connect.ts'
import { CliError, exitCodes } from './exitCodes.ts'
import { type Reference, referenceTo } from './reference.ts'
import type { Terminal } from './terminal.ts'

interface WaitFlags {
  readonly kubeconfig?: string
  readonly context?: string
  readonly timeout: number
  readonly failFast: boolean
  readonly quiet: boolean
}

type Target = Reference<'mc' | 'mcp' | 'poolrollout'>

/** `mco wait`: returns when what was changed before it has arrived on every node, never before. */
export function waitCommand(terminal: Terminal): Command {
  return new Command('wait')
    .description('wait until what was changed before has arrived on every node; needs no sleep in front of it')
    .argument('<object>', 'mc/NAME, mcp/NAME or poolrollout/NAME', referenceTo('mc', 'mcp', 'poolrollout'))
    .addOption(
      new Option('--timeout <duration>', 'give up after this time, such as 90s, 30m, 2h')
        .argParser(duration)
        .default(30 * 60_000, '30m'),
    )
    .option('--fail-fast', 'give up as soon as a person has to act: a pause, a degraded node, a failed render', false)
    .option('-q, --quiet', 'print nothing on the way', false)
    .option('--kubeconfig <file>', 'kubeconfig file (default: $KUBECONFIG, then ~/.kube/config)')
    .option('--context <name>', 'context of the kubeconfig')
    .addHelpText(
      'after',
      '\nFor an mc: every pool that it concerns, also after it was deleted. Exit code 1: not arrived in time.\n\nExamples:\n  kubectl apply -f 99-chrony.yaml && mco wait mc/99-chrony\n  kubectl delete mc 99-chrony && mco wait mc/99-chrony --timeout 10m\n  mco wait mcp/worker --fail-fast',
    )
    .action(async (target: Target, flags: WaitFlags) => {
      const kube = await connect(flags)
      const limit = AbortSignal.timeout(flags.timeout)
      const stop = new AbortController()
      const onInterrupt = () => stop.abort(new CliError('interrupted; the rollout goes on', exitCodes.interrupted))
      process.once('SIGINT', onInterrupt)
      const say = (text: string) => (flags.quiet ? undefined : terminal.err(text))
      const wait = { kube, target, failFast: flags.failFast, signal: AbortSignal.any([limit, stop.signal]), say }
      try {
        terminal.out(target.kind === 'poolrollout' ? await rolloutSettled(wait) : await everythingArrived(wait))
      } catch (error) {
        stop.signal.throwIfAborted()
        if (!limit.aborted) throw error
        throw new CliError(`${target.kind}/${target.name} has not arrived after ${flags.timeout / 1000} s`)
      } finally {
        process.off('SIGINT', onInterrupt)
      }
    })
}

function duration(text: string): number {
  const { ms, problem } = readDuration({ '--timeout': text }, '--timeout')
  if (ms === undefined) throw new InvalidArgumentError(problem ?? 'expected a duration such as 10m')
  return ms
}

interface Wait {
  readonly kube: KubeApi
  readonly target: Target
  readonly failFast: boolean
  readonly signal: AbortSignal
  readonly say: (text: string) => void
}

async function everythingArrived({ kube, target, failFast, signal, say }: Wait): Promise<string> {
  let known: readonly string[] = []
  const arrivals = await waitForArrival(
    kube,
    ({ snapshot, rollouts }) => {
      if (target.kind === 'mcp') {
        if (snapshot.pools.some(({ metadata }) => metadata.name === target.name)) return [target.name]
        throw new CliError(`there is no pool ${target.name}; kubectl get mcp lists them`, exitCodes.unavailable)
      }
      known = [...new Set([...known, ...poolsOfFragment(target.name, snapshot, rollouts)])].sort()
      const exists = snapshot.machineConfigs.some(({ metadata }) => metadata.name === target.name)
      if (known.length > 0 || exists) return known
      throw new CliError(
        `there is no MachineConfig ${target.name}, and no pool remembers one; mco wait mcp/NAME waits for a pool`,
        exitCodes.unavailable,
      )
    },
    {
      signal,
      onProgress: (all) => {
        for (const line of all.flatMap(progressLines)) say(line)
      },
      onAway: (why) => say(`the API server is away, and the wait goes on: ${why}`),
      isEnough: (all) => failFast && all.some(hasProblems),
    },
  )
  const stuck = arrivals.filter(hasProblems)
  if (stuck.length > 0) throw new CliError(`it will not arrive by itself\n${stuck.flatMap(progressLines).join('\n')}`)
  if (arrivals.length === 0) return `mc/${target.name}: no pool selects it, so no node gets it`
  return arrivals.map(arrivedLine).join('\n')
}

const hasProblems = (arrival: Arrival): boolean => arrival.kind === 'onTheWay' && arrival.problems.length > 0

function progressLines(arrival: Arrival): readonly string[] {
  if (arrival.kind !== 'onTheWay') return []
  const { pool, message, problems } = arrival
  return [
    `mcp/${pool}: ${message}`,
    ...problems.filter((problem) => problem !== message).map((problem) => `  ${problem}`),
  ]
}

function arrivedLine(arrival: Arrival): string {
  if (arrival.kind !== 'arrived') return `mcp/${arrival.pool}: there is no such pool any more`
  const rollout = arrival.rollout === undefined ? '' : ` (poolrollout/${arrival.rollout})`
  return `mcp/${arrival.pool}: every node has ${arrival.target}${rollout}`
}

async function rolloutSettled({ kube, target, failFast, signal, say }: Wait): Promise<string> {
  const describe = (rollout: PoolRolloutObject): readonly string[] => [
    `poolrollout/${target.name}: ${rollout.status?.phase ?? 'Waiting'}: ${messageOf(rollout)}`,
    ...(rollout.status?.blockers ?? []).map(({ what, remedy }) => `  ${remedy ? `${what}; ${remedy}` : what}`),
  ]
  const isStuck = ({ status }: PoolRolloutObject) => status?.phase === 'Blocked' || status?.phase === 'Paused'
  const rollout = await waitForRollout(kube, target.name, {
    signal,
    onProgress: (now) => describe(now).forEach(say),
    isEnough: (now) => failFast && isStuck(now),
  })
  if (!rollout) {
    throw new CliError(
      `there is no poolrollout ${target.name}; kubectl get ${PoolRollout.plural} lists them`,
      exitCodes.unavailable,
    )
  }
  const [line = ''] = describe(rollout)
  if (rollout.status?.phase !== 'Complete') throw new CliError(line)
  return line
}

const messageOf = ({ status }: PoolRolloutObject): string =>
  status?.conditions?.find(({ type }) => type === 'Settled')?.message ?? ''

import { randomBytes } from 'node:crypto'
import type { PolicyAction } from '../forecast/disruptionPolicies.ts'
import type { Host } from '../host/host.ts'
import { systemClock } from '../kube/clock.ts'
import { changedSince } from './changedSince.ts'
import { checkDisk } from './checkDisk.ts'
import { readDiskRecord } from './diskRecord.ts'
import type { Drift } from './drift.ts'
import { type JournalHeader, openJournal } from './journal.ts'
import { emptyLoadedConfig, type LoadedConfig } from './loadConfig.ts'
import { defaultSshUser } from './plan.ts'
import { type ActionContext, ActionFailed, needsReboot, runActions } from './postConfigActions.ts'
import { type PreparedUpdate, type PrepareOptions, prepareUpdate } from './prepareUpdate.ts'
import { type Recovered, recover } from './recover.ts'
import { repeatAfterUndo } from './repeatAfterUndo.ts'
import type { Step } from './step.ts'
import { applyPlan, commit, type Progress, TransactionFailed, undoOpen } from './transaction.ts'
import { changedUnits } from './unitSteps.ts'
import { withoutReboot } from './withoutReboot.ts'

/**
 * One config onto one machine, without a cluster: `plan` looks, `run` does it, `undoLast` brings back what was before.
 * The caller asks its user in between. Between `plan` and `run` nothing else may apply configs to the host.
 */
export interface ApplyOnce {
  /** What an earlier run left open is finished, its service actions too, or undone. */
  recover(): Promise<OnceRecovered>
  plan(): Promise<OncePlan>
  run(plan: OncePlan, onProgress?: (progress: Progress) => void): Promise<OnceOutcome>
  undoLast(options?: {
    readonly force?: boolean
    readonly onProgress?: (progress: Progress) => void
  }): Promise<UndoOutcome>
}

type OnceRecovered =
  | Exclude<Recovered, { readonly kind: 'undone' }>
  | Omit<Extract<Recovered, { readonly kind: 'undone' }>, 'services'>

export interface OncePlan {
  readonly from: string
  readonly to: string
  readonly prepared: PreparedUpdate
  /** Where the host is not what the config it has says; a run overwrites what the new config describes. */
  readonly drift: readonly Drift[]
}

type OnceOutcome =
  | { readonly kind: 'applied'; readonly rebootNeeded: boolean; readonly actionsDone: readonly PolicyAction[] }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'failed'; readonly message: string; readonly undone: boolean }

type UndoOutcome =
  | { readonly kind: 'undone'; readonly from: string; readonly to: string; readonly rebootNeeded: boolean }
  | { readonly kind: 'nothing' }
  /** These paths were changed since; undoing would lose that. */
  | { readonly kind: 'changedSince'; readonly paths: readonly string[] }
  | { readonly kind: 'failed'; readonly errors: readonly string[] }

type ServicesOutcome =
  | { readonly kind: 'done'; readonly begun: readonly PolicyAction[] }
  /** And undone, except for these errors. */
  | { readonly kind: 'refused'; readonly message: string; readonly errors: readonly string[] }

export interface ApplyOnceOptions extends PrepareOptions {
  /** False leaves running services alone: for a tree that is not a running system. */
  readonly runActions?: boolean
  readonly onLog?: (message: string) => void
}

const finishing = (to: string): string => `finishing the change to ${to}`

export function applyOnce(host: Host, next: LoadedConfig, options: ApplyOnceOptions): ApplyOnce {
  const journal = openJournal(host.files)
  const { sshUser = defaultSshUser, authorizedKeysFile = host.authorizedKeysFile, onLog = () => undefined } = options
  const contextOf = (configName: string, steps: readonly Step[]): ActionContext => ({
    host,
    clock: systemClock,
    configName,
    changedUnits: changedUnits(steps),
    onEvent: () => undefined,
    onLog,
  })
  /** Each action that is done is in the journal, so that a later start does the rest. A refusal undoes the update. */
  const runServices = async (
    { to, steps, actions }: Pick<JournalHeader, 'to' | 'steps' | 'actions'>,
    onProgress?: (progress: Progress) => void,
    actionsDone: ReadonlySet<number> = new Set(),
  ): Promise<ServicesOutcome> => {
    const begun = actions.filter((_, index) => actionsDone.has(index))
    if (options.runActions === false) return { kind: 'done', begun }
    const context = contextOf(to, steps)
    try {
      await runActions(context, actions, {
        isDone: (index) => actionsDone.has(index),
        onBegin: (action) => void begun.push(action),
        onDone: (index) => journal.record({ kind: 'actionDone', action: index }),
      })
      return { kind: 'done', begun }
    } catch (error) {
      if (!(error instanceof ActionFailed)) throw error
      const errors = await undoOpen(host, journal, error.message, onProgress)
      await repeatAfterUndo(context, begun)
      return { kind: 'refused', message: error.message, errors }
    }
  }
  return {
    async recover() {
      const recovered = await recover(host, journal, undefined, { keep: true })
      if (recovered.kind === 'undone' && options.runActions !== false)
        await repeatAfterUndo(contextOf(recovered.from, recovered.services.steps), recovered.services.actions)
      if (recovered.kind !== 'actionsLeft') return recovered
      const { header, actionsDone } = recovered.state
      const { from, to } = header
      const services = await withoutReboot(host, finishing(to), () => runServices(header, undefined, actionsDone))
      if (services.kind === 'done') {
        await commit(host, journal, { keep: true })
        return { kind: 'committed', to, rebooted: false }
      }
      const { message, errors } = services
      return errors.length > 0
        ? { kind: 'undoFailed', errors, to }
        : { kind: 'undone', because: message, from, to, needsBoot: false }
    },
    async plan() {
      const old = (await readDiskRecord(host)).config ?? emptyLoadedConfig
      const prepared = await prepareUpdate(host, old, next, options)
      const drift = old === emptyLoadedConfig ? [] : await checkDisk(host, old.view, { sshUser, authorizedKeysFile })
      return { from: old.view.name, to: next.view.name, prepared, drift }
    },
    async run({ from, to, prepared }, onProgress) {
      if (prepared.kind !== 'ready') return { kind: 'refused', message: prepared.message }
      const { plan, change } = prepared
      try {
        await applyPlan({
          host,
          journal,
          plan,
          id: randomBytes(4).toString('hex'),
          from,
          to,
          actions: change.actions,
          onProgress,
        })
      } catch (error) {
        if (!(error instanceof TransactionFailed)) throw error
        return { kind: 'failed', message: error.message, undone: error.undoErrors.length === 0 }
      }
      const { actions } = change
      const services = await withoutReboot(host, finishing(to), () =>
        runServices({ to, steps: plan.steps, actions }, onProgress),
      )
      if (services.kind === 'refused') {
        const { message, errors } = services
        return { kind: 'failed', message: [message, ...errors].join('; '), undone: errors.length === 0 }
      }
      await commit(host, journal, { keep: true })
      return { kind: 'applied', rebootNeeded: needsReboot(change.actions), actionsDone: services.begun }
    },
    async undoLast({ force = false, onProgress } = {}) {
      const last = await journal.readLast()
      if (!last) return { kind: 'nothing' }
      const paths = force ? [] : await changedSince(host, last.steps)
      if (paths.length > 0) return { kind: 'changedSince', paths }
      const { from, to, steps, actions } = last
      await journal.reopenLast('asked for')
      const errors = await withoutReboot(host, `bringing this machine back to ${from}`, async () => {
        const failures = await undoOpen(host, journal, 'asked for', onProgress)
        if (options.runActions ?? true) await repeatAfterUndo(contextOf(from, steps), actions)
        return failures
      })
      return errors.length > 0
        ? { kind: 'failed', errors }
        : { kind: 'undone', from: to, to: from, rebootNeeded: needsReboot(actions) }
    },
  }
}

import type { Host } from '../host/host.ts'
import type { Journal, JournalState } from './journal.ts'
import { commit, decideRecovery, type Progress, undoOpen } from './transaction.ts'

/** What a start found and did about an update that an earlier process left open. */
export type Recovered =
  | { readonly kind: 'clean' }
  | { readonly kind: 'undone'; readonly because: string; readonly from: string; readonly to: string }
  | { readonly kind: 'undoFailed'; readonly errors: readonly string[]; readonly to: string }
  | { readonly kind: 'committed'; readonly to: string; readonly rebooted: boolean }
  /** On disk already; the caller runs the rest of the actions, or the reboot, and commits. */
  | { readonly kind: 'actionsLeft'; readonly state: JournalState }

/**
 * Brings a host that was interrupted back to exactly one config, or says what is left to do. With `keep` an update that
 * is found complete can still be undone, as after `commit`.
 */
export async function recover(
  host: Host,
  journal: Journal,
  onProgress?: (progress: Progress) => void,
  { keep = false } = {},
): Promise<Recovered> {
  const state = await journal.read()
  if (!state) return { kind: 'clean' }
  const decision = decideRecovery(state, await host.power.bootId())
  switch (decision.kind) {
    case 'nothing':
      return { kind: 'clean' }
    case 'close':
      if (state.ended === 'committed') await commit(host, journal, { keep })
      else await journal.close()
      return { kind: 'clean' }
    case 'undo': {
      const errors = await undoOpen(host, journal, decision.because, onProgress)
      const { from, to } = state.header
      return errors.length > 0
        ? { kind: 'undoFailed', errors, to }
        : { kind: 'undone', because: decision.because, from, to }
    }
    case 'commit':
      await commit(host, journal, { keep })
      return { kind: 'committed', to: state.header.to, rebooted: decision.rebooted }
    case 'finishActions':
    case 'reboot':
      return { kind: 'actionsLeft', state }
    default:
      return decision satisfies never
  }
}

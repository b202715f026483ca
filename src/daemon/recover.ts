import type { PolicyAction } from '../forecast/disruptionPolicies.ts'
import type { Host } from '../host/host.ts'
import { oweBoot } from './bootDebt.ts'
import type { Journal, JournalState } from './journal.ts'
import { needsReboot } from './postConfigActions.ts'
import type { Step } from './step.ts'
import { commit, decideRecovery, type Progress, undoOpen } from './transaction.ts'
import { withoutReboot } from './withoutReboot.ts'

/** Services that may run with what was just taken back; the caller gives them what is on the disk now. */
export interface ServicesAfterUndo {
  readonly actions: readonly PolicyAction[]
  readonly steps: readonly Step[]
}

/** What a start found and did about an update that an earlier process left open. */
export type Recovered =
  | { readonly kind: 'clean' }
  | {
      readonly kind: 'undone'
      readonly because: string
      readonly from: string
      readonly to: string
      readonly services: ServicesAfterUndo
      /** It was booted from a disk between two configs, and only another boot makes it run what is there now. */
      readonly needsBoot: boolean
    }
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
  const bootId = await host.power.bootId()
  const decision = decideRecovery(state, bootId)
  switch (decision.kind) {
    case 'nothing':
      return { kind: 'clean' }
    case 'close':
      if (state.ended === 'committed') await commit(host, journal, { keep })
      else await journal.close()
      return { kind: 'clean' }
    case 'undo': {
      const { from, to } = state.header
      const needsBoot = state.header.bootId !== bootId && needsReboot(state.header.actions)
      if (needsBoot) await oweBoot(host)
      const errors = await withoutReboot(host, `bringing this machine back to ${from}`, () =>
        undoOpen(host, journal, decision.because, onProgress),
      )
      if (errors.length > 0) return { kind: 'undoFailed', errors, to }
      return {
        kind: 'undone',
        because: decision.because,
        from,
        to,
        services: servicesAfterUndo(state, bootId),
        needsBoot,
      }
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

/** They read it when their actions began, or when a boot in between started them from a disk between two configs. */
function servicesAfterUndo({ header, applied }: JournalState, bootId: string): ServicesAfterUndo {
  const { actions, steps } = header
  return { actions: applied || header.bootId !== bootId ? actions : [], steps }
}

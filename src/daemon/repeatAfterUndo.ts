import type { PolicyAction } from '../forecast/disruptionPolicies.ts'
import { type ActionContext, ActionFailed, runActions } from './postConfigActions.ts'

/**
 * Services that were started, or failed to start, with a config that is gone from the disk again: each gets what is
 * there now. One that refuses is logged and does not keep the others from it.
 */
export async function repeatAfterUndo(context: ActionContext, actions: readonly PolicyAction[]): Promise<void> {
  const silent = { ...context, onEvent: () => undefined }
  for (const action of actions) {
    try {
      await runActions(silent, [action], { isDone: () => false, onDone: () => Promise.resolve() })
    } catch (error) {
      if (!(error instanceof ActionFailed)) throw error
      context.onLog(`a service could not be brought back to the old config: ${error.message}`)
    }
  }
}

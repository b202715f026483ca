import { irreconcilableReport } from '../../../src/forecast/irreconcilableReport.ts'
import { type Fragment, fragmentParser } from '../../../src/render/parseFragment.ts'
import { reconcilable } from '../../../src/render/reconcilable.ts'
import type { Adapter } from '../adapter.ts'

export const adapter: Adapter = {
  run(topic, input) {
    const { parse } = fragmentParser()
    const [old, next] = [parse(input.old), parse(input.new)]
    if (topic === 'report') return report(old, next)
    const verdict = reconcilable(old, next, input.overrides ?? {})
    return { error: verdict.kind === 'reconcilable' ? null : verdict.message }
  },
}

function report(installed: Fragment, target: Fragment): unknown {
  if (target.ignition.kind === 'refused') {
    const cause = target.ignition.mergeError
    return {
      error: `failed to get the target configuration JsonNode: failed to patch MachineConfig for diff computing: ${cause}`,
    }
  }
  const storageOf = ({ ignition }: Fragment) => (ignition.kind === 'parsed' ? ignition.config.storage : undefined)
  return { report: irreconcilableReport(storageOf(installed), storageOf(target)) }
}

import type { Node } from '../api/core.ts'
import { nodeAnnotation, nodeState } from '../api/names.ts'
import { emptyConfigName } from './change.ts'
import { retireInitialAnnotations } from './diskRecord.ts'
import { emptyLoadedConfig } from './loadConfig.ts'
import type { NodeContext, NodeCore } from './nodeContext.ts'
import { isPaced } from './nodeSync.ts'
import { applyUpdate, workingAnnotations } from './nodeUpdate.ts'
import { loadTarget, readyUpdate } from './readyUpdate.ts'

/** What only a boot brings into effect. */
const bootSteps: ReadonlySet<string> = new Set(['setKernelArguments', 'setOsImage', 'setKernelType', 'setExtensions'])

/** The first annotations of a node whose disk knows what it is. */
export async function introduceNode({ ports }: NodeCore, annotations: Readonly<Record<string, string>>): Promise<Date> {
  const { report, host, clock } = ports
  await report.annotate({
    [nodeAnnotation.desiredConfig]: annotations[nodeAnnotation.currentConfig] ?? null,
    ...annotations,
  })
  await retireInitialAnnotations(host)
  return clock.now()
}

/** A node that no config was ever applied to: adopted as it is, or brought to its pool's config at once. */
export async function makeFirstContact(context: NodeContext, node: Node): Promise<Date | undefined> {
  const { ports, memory } = context
  const { report, cluster, clock } = ports
  if (ports.firstContact === 'adopt') return adopt(context)
  const { target } = cluster.poolOf(node)
  if (!target) return undefined
  if (memory.failed?.target.config === target && isPaced(memory.failed.retryAt, clock.now()))
    return memory.failed.retryAt
  await report.annotate({ [nodeAnnotation.desiredConfig]: target, ...workingAnnotations(context) })
  const from = { config: emptyConfigName, image: '' }
  const to = { config: target, image: '' }
  const next = await loadTarget(context, to, from)
  const ready = next && (await readyUpdate(context, emptyLoadedConfig, next, false))
  if (!ready) return undefined
  // A new machine has no pods to move and no service that knew the old config; only what the kernel or the image
  // decides needs a boot.
  const reboots = ready.plan.steps.some((step) => bootSteps.has(step.kind))
  return applyUpdate(context, from, to, ready, reboots ? [{ type: 'Reboot' }] : [])
}

async function adopt({ ports }: NodeCore): Promise<undefined> {
  const { report, log, nodeName } = ports
  log.info('first contact: no config is on this host yet', { node: nodeName })
  await report.annotate({
    [nodeAnnotation.currentConfig]: emptyConfigName,
    [nodeAnnotation.desiredConfig]: emptyConfigName,
    [nodeAnnotation.state]: nodeState.done,
    [nodeAnnotation.reason]: '',
  })
}

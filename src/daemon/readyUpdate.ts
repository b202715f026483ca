import { effectivePolicies } from '../forecast/effectivePolicies.ts'
import { messageOf } from '../kube/errors.ts'
import { deliveredPaths } from './clusterCertificates.ts'
import { type LoadedConfig, withImage } from './loadConfig.ts'
import type { NodeContext } from './nodeContext.ts'
import { refuseUpdate } from './nodeFailure.ts'
import type { ConfigTarget } from './nodeSync.ts'
import { type PreparedUpdate, prepareUpdate } from './prepareUpdate.ts'
import { UnusableConfig } from './unusableConfig.ts'

export type ReadyUpdate = Extract<PreparedUpdate, { kind: 'ready' }>

/** The config of a target; undefined when it cannot be used, which the node then says. */
export async function loadTarget(
  context: NodeContext,
  target: ConfigTarget,
  from: ConfigTarget,
): Promise<LoadedConfig | undefined> {
  try {
    return withImage(await context.ports.configs.load(target.config), target.image)
  } catch (error) {
    if (!(error instanceof UnusableConfig)) throw error
    await refuseUpdate(context, from, target, messageOf(error), 'Unreconcilable')
    return undefined
  }
}

/** What an update would do; undefined when this machine cannot do it, which the node then says. */
export async function readyUpdate(
  context: NodeContext,
  old: LoadedConfig,
  next: LoadedConfig,
  force: boolean,
): Promise<ReadyUpdate | undefined> {
  const { host, cluster, report, sshUser, authorizedKeysFile } = context.ports
  const node = report.node()
  const { policies, problem: policyProblem } = node
    ? cluster.policies(node)
    : effectivePolicies({ settings: undefined })
  const overrides = cluster.overrides()
  const delivered = deliveredPaths(cluster.certificates())
  const options = { policies, policyProblem, overrides, force, delivered, sshUser, authorizedKeysFile }
  const prepared = await prepareUpdate(host, old, next, options)
  if (prepared.kind === 'ready') return prepared
  const word = prepared.kind === 'unreconcilable' ? 'Unreconcilable' : 'UpdateFailed'
  await refuseUpdate(context, targetOf(old), targetOf(next), prepared.message, word)
  return undefined
}

const targetOf = ({ view }: LoadedConfig): ConfigTarget => ({ config: view.name, image: view.layeredImage ?? '' })

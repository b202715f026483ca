import process from 'node:process'
import { Command } from 'commander'
import { ControllerConfig } from '../api/controllerConfig.ts'
import { MachineConfig } from '../api/machineConfig.ts'
import type { KubernetesObject } from '../api/meta.ts'
import { PoolRollout } from '../api/poolRollout.ts'
import type { ClusterSnapshot } from '../forecast/clusterSnapshot.ts'
import { fileSnapshot } from '../forecast/fileSnapshot.ts'
import type { Plan } from '../forecast/plan/plan.ts'
import { planChange } from '../forecast/plan/planOf.ts'
import { readSnapshot } from '../forecast/readSnapshot.ts'
import { ApiError, type KubeApi } from '../kube/kubeApi.ts'
import { namelessIssues, objectsOf, readChange } from './changeInput.ts'
import { connect } from './connect.ts'
import { CliError, exitCodes } from './exitCodes.ts'
import { formatPlan } from './formatPlan.ts'
import { readInput } from './input.ts'
import { type OutputFormat, outputOption, print } from './output.ts'
import { refuseSyntaxErrors } from './problems.ts'
import { type Reference, referenceTo } from './reference.ts'
import type { Terminal } from './terminal.ts'

interface PlanFlags {
  readonly kubeconfig?: string
  readonly context?: string
  readonly filename?: readonly string[]
  readonly delete?: readonly Reference<'mc' | 'mcp'>[]
  readonly pool?: string
  readonly from?: readonly string[]
  readonly showSecrets: boolean
  readonly exitCode: boolean
  readonly output: OutputFormat
}

/** `mco plan`: what a change will do to every pool and node, before it is applied. Writes nothing. */
export function planCommand(terminal: Terminal): Command {
  return new Command('plan')
    .description('show what a change will do before it is applied: merged differences, nodes, drains, order, time')
    .option('-f, --filename <path...>', 'files or directories (- is standard input) as for kubectl apply')
    .option('--delete <object...>', 'mc/NAME or mcp/NAME that is to be deleted', collect)
    .option('-p, --pool <name>', 'show one pool only')
    .option('--from <path...>', 'files or directories with exported objects, instead of a cluster')
    .option(
      '--show-secrets',
      'show contents of files that only their owner may read, or that are marked as secret',
      false,
    )
    .option('--exit-code', 'exit with 1 when something changes', false)
    .option('--kubeconfig <file>', 'kubeconfig file (default: $KUBECONFIG, then ~/.kube/config)')
    .option('--context <name>', 'context of the kubeconfig')
    .addOption(outputOption())
    .addHelpText(
      'after',
      '\nNothing is written. Exit code 1 also when a pool refuses the change.\n\nExamples:\n  mco plan -f 99-chrony.yaml\n  mco plan --delete mc/99-chrony -o json\n  kubectl get mc,mcp,nodes,controllerconfig,machineconfiguration,pods,pdb,ds -A -o yaml > export/cluster.yaml\n  mco plan -f configs/ --from export/',
    )
    .action(async (flags: PlanFlags) => {
      const change = await readChange(flags.filename ?? [], flags.delete ?? [], flags.pool ?? 'worker')
      const { snapshot, history } = flags.from ? await readFiles(flags.from) : await readCluster(flags)
      const { showSecrets } = flags
      const plan = onlyPool(planChange(snapshot, change, new Date(), { history, showSecrets }), flags.pool)
      print(terminal, flags.output, plan, () => formatPlan(terminal, plan))
      const isRefused = plan.pools.some(({ outcome }) => outcome === 'refused')
      const isChanged = plan.pools.some(({ outcome }) => outcome !== 'unchanged')
      if (isRefused || (flags.exitCode && isChanged)) process.exitCode = exitCodes.failed
    })
}

interface PlanSource {
  readonly snapshot: ClusterSnapshot
  readonly history: readonly PoolRollout[]
}

async function readCluster(flags: PlanFlags): Promise<PlanSource> {
  const kube = await connect(flags)
  const [snapshot, history] = await Promise.all([readSnapshot(kube), measuredRollouts(kube)])
  refuseHalfCluster(snapshot)
  return { snapshot, history }
}

/** Of a cluster whose configs are hidden any plan would be wrong. */
function refuseHalfCluster({ unreadable }: ClusterSnapshot): void {
  for (const { plural } of [MachineConfig, ControllerConfig]) {
    const why = unreadable[plural]
    if (why === undefined) continue
    const message = `nothing can be planned without ${plural}, and they could not be read: ${why}`
    throw new CliError(message, exitCodes.unavailable)
  }
}

/** Without the kind, or without the right to read it, times are assumed; the plan says so. */
export async function measuredRollouts(kube: KubeApi): Promise<readonly PoolRollout[]> {
  try {
    return (await kube.list(PoolRollout)).items
  } catch (error) {
    if (error instanceof ApiError && (error.status === 404 || error.status === 403)) return []
    throw error
  }
}

/** Exported objects were accepted by an API server: only what cannot be read at all is refused. */
async function readFiles(paths: readonly string[]): Promise<PlanSource> {
  const { documents, issues } = await readInput(paths)
  refuseSyntaxErrors([...issues, ...documents.flatMap(namelessIssues)])
  const objects: readonly KubernetesObject[] = objectsOf(documents, 'worker')
  const snapshot = fileSnapshot(objects)
  if (snapshot.pools.length === 0) {
    throw new CliError(
      `${paths.join(', ')} holds no MachineConfigPool; export at least mc, mcp, nodes and controllerconfig`,
    )
  }
  if (!snapshot.controllerConfig) {
    throw new CliError(
      `${paths.join(', ')} holds no ControllerConfig, without which nothing is rendered; export it too`,
    )
  }
  return { snapshot, history: objects.filter(isPoolRollout) }
}

const isPoolRollout = (object: KubernetesObject): object is PoolRollout => object.kind === PoolRollout.kind

function onlyPool(plan: Plan, name: string | undefined): Plan {
  if (name === undefined) return plan
  const pools = plan.pools.filter(({ pool }) => pool === name)
  if (pools.length > 0) return { ...plan, pools }
  const known = plan.pools.map(({ pool }) => pool).join(', ')
  throw new CliError(`there is no pool ${name}; there are ${known}`, exitCodes.unavailable)
}

const oneReference = referenceTo('mc', 'mcp')

function collect(text: string, previous: readonly Reference<'mc' | 'mcp'>[] = []): readonly Reference<'mc' | 'mcp'>[] {
  return [...previous, oneReference(text)]
}

import process from 'node:process'
import { Command } from 'commander'
import { explain } from '../forecast/explain/explain.ts'
import { findingsAbout } from '../forecast/explain/findingsAbout.ts'
import type { Evidence, Finding, FindingSubject } from '../forecast/finding.ts'
import { readSnapshot } from '../forecast/readSnapshot.ts'
import type { KubeApi } from '../kube/kubeApi.ts'
import { connect } from './connect.ts'
import { CliError, exitCodes } from './exitCodes.ts'
import { type OutputFormat, outputOption, print } from './output.ts'
import { severityStyles } from './severityStyles.ts'
import type { Terminal } from './terminal.ts'
import { watchCluster } from './watchCluster.ts'

interface ExplainFlags {
  readonly kubeconfig?: string
  readonly context?: string
  readonly watch: boolean
  readonly output: OutputFormat
}

/** `mco explain`: why pools and nodes do not get where they shall be, and what to do about it. */
export function explainCommand(terminal: Terminal): Command {
  return new Command('explain')
    .description('say why a pool, a node or a MachineConfig is stuck, and what to do about it')
    .argument('[object]', 'mcp/NAME, node/NAME or mc/NAME (default: the whole cluster)')
    .option('--kubeconfig <file>', 'kubeconfig file (default: $KUBECONFIG, then ~/.kube/config)')
    .option('--context <name>', 'context of the kubeconfig')
    .option('-w, --watch', 'print again when the answer changes; Ctrl-C stops watching', false)
    .addOption(outputOption())
    .addHelpText('after', help)
    .action(async (object: string | undefined, flags: ExplainFlags) => {
      const subject = object === undefined ? undefined : parseSubject(object)
      const kube = await connect(flags)
      if (flags.watch) {
        if (flags.output !== 'text')
          throw new CliError('--watch prints for people only: leave --output out', exitCodes.usage)
        return watchCluster(terminal, kube, async () => formatExplanation(terminal, await explanationOf(kube, subject)))
      }
      const explanation = await explanationOf(kube, subject)
      print(terminal, flags.output, explanation, () => formatExplanation(terminal, explanation))
      if (explanation.findings.some(({ severity }) => severity !== 'info')) process.exitCode = exitCodes.failed
    })
}

const help = `
Exit codes: 0 nothing is wrong; 1 a finding of severity warning or critical; others as in mco --help.

Examples:
  mco explain
  mco explain node/worker-0
  mco explain mcp/worker -o json | jq -r ".findings[].command // empty"`

interface Explanation {
  readonly findings: readonly Finding[]
  /** Kinds that could not be read: nothing is said about what follows from them. */
  readonly unreadable: Readonly<Record<string, string>>
}

async function explanationOf(kube: KubeApi, subject: FindingSubject | undefined): Promise<Explanation> {
  const snapshot = await readSnapshot(kube)
  const findings = explain(snapshot, new Date())
  const chosen = subject ? findingsAbout(findings, snapshot, subject) : findings
  if (!chosen) {
    const what = `${subject?.kind}/${subject?.name}`
    throw new CliError(`${what} does not exist; see kubectl get ${subject?.kind}`, exitCodes.unavailable)
  }
  return { findings: chosen, unreadable: snapshot.unreadable }
}

const kinds: Readonly<Record<string, FindingSubject['kind']>> = {
  mcp: 'mcp',
  machineconfigpool: 'mcp',
  machineconfigpools: 'mcp',
  no: 'node',
  node: 'node',
  nodes: 'node',
  mc: 'mc',
  machineconfig: 'mc',
  machineconfigs: 'mc',
}

function parseSubject(text: string): FindingSubject {
  const [kind = '', name = '', ...rest] = text.split('/')
  const known = kinds[kind.toLowerCase()]
  if (known === undefined || name === '' || rest.length > 0)
    throw new CliError(`"${text}" names no object; write mcp/NAME, node/NAME or mc/NAME`, exitCodes.usage)
  return { kind: known, name }
}

function formatExplanation(terminal: Terminal, { findings, unreadable }: Explanation): string {
  const notes = Object.entries(unreadable).map(
    ([kind, reason]) => `${kind} could not be read, so nothing is said about them: ${reason}`,
  )
  const lines =
    findings.length === 0
      ? ['nothing is wrong']
      : [...findings.map((each) => formatFinding(terminal, each)), countOf(findings)]
  return [...lines, ...notes].join('\n\n')
}

function formatFinding(terminal: Terminal, finding: Finding): string {
  const { severity, subject, code, since, what, why, remedy, evidence } = finding
  const head = [
    terminal.paint(severityStyles[severity], severity),
    terminal.paint('bold', `${subject.kind}/${subject.name}`),
    code,
    ...(since === undefined || since === '' ? [] : [`since ${since}`]),
  ].join('  ')
  return [
    head,
    `  ${what}`,
    `  why:    ${why}`,
    `  remedy: ${remedy}`,
    ...evidence.map((fact) => terminal.paint('dim', `  fact:   ${formatFact(fact)}`)),
  ].join('\n')
}

const formatFact = ({ object, path, value }: Evidence): string =>
  `${object} ${path} = ${value.length > 120 ? `${value.slice(0, 120)}…` : value}`

function countOf(findings: readonly Finding[]): string {
  const counts = (['critical', 'warning', 'info'] as const)
    .map((severity) => ({ severity, count: findings.filter((finding) => finding.severity === severity).length }))
    .filter(({ count }) => count > 0)
  return counts
    .map(({ severity, count }) => `${count} ${severity === 'warning' && count > 1 ? 'warnings' : severity}`)
    .join(', ')
}

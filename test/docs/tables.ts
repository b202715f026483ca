import { alerts } from '../../scripts/generate/monitoring/alerts.ts'
import { eventReason, poolCondition } from '../../src/api/names.ts'
import { exitCodes } from '../../src/cli/exitCodes.ts'
import type { Blocker } from '../../src/drain/drainBlockers.ts'
import { defaultPolicies } from '../../src/forecast/disruptionPolicies.ts'
import { describeAction } from '../../src/forecast/impact.ts'
import type { HoldReason } from '../../src/rollout/decideRollout.ts'
import { metricTable, metricTables } from './metricCatalogue.ts'

/** Tables of the pages that have a source in the code: page, section, text. `npm test` fails when a page differs. */
export interface GeneratedTable {
  readonly page: string
  readonly section: string
  readonly text: string
}

export function generatedTables(deviations: Readonly<Record<string, string>>): readonly GeneratedTable[] {
  return [
    { page: 'docs/node-disruption.md', section: 'default policies', text: defaultPolicyTable() },
    { page: 'docs/compatibility.md', section: 'deviations', text: deviationTable(deviations) },
    { page: 'docs/monitoring.md', section: 'alerts', text: alertTable() },
    ...Object.entries(metricTables).map(([section, families]) => ({
      page: 'docs/monitoring.md',
      section,
      text: metricTable(families),
    })),
  ]
}

/** Words that a page must explain, each in backquotes: page, words. */
export function requiredWords(): readonly { readonly page: string; readonly words: readonly string[] }[] {
  const conditions = [
    poolCondition.updated,
    poolCondition.updating,
    poolCondition.degraded,
    poolCondition.nodeDegraded,
    poolCondition.renderDegraded,
  ]
  return [
    { page: 'docs/rollouts.md', words: [...conditions, ...Object.keys(holdReasons), ...Object.keys(blockerReasons)] },
    { page: 'docs/rollouts.md', words: [eventReason.setDesiredConfig, eventReason.updating, eventReason.completed] },
    { page: 'docs/cli.md', words: Object.values(exitCodes).map(String) },
  ]
}

/** A new reason breaks the build here, and then the page that has to explain it. */
const holdReasons = {
  Paused: true,
  ImageNotReady: true,
  InvalidMaxUnavailable: true,
  ControlPlaneBusy: true,
  ArbiterBusy: true,
  Updating: true,
  Cordoned: true,
  NotReady: true,
  OperatorNode: true,
  BootPoolLabels: true,
  AtCapacity: true,
} satisfies Record<HoldReason, true>
const blockerReasons = { DisruptionBudget: true, Terminating: true, EvictionFailed: true } satisfies Record<
  Blocker['reason'],
  true
>

function defaultPolicyTable(): string {
  const { files, units, sshkey } = defaultPolicies
  const row = (what: string, actions: Parameters<typeof describeAction>[0][]) =>
    `| ${what} | ${actions.map(describeAction).join(', ')} |`
  return [
    '| changed | actions |',
    '|---|---|',
    ...files.map(({ path, actions }) => row(`\`${path}\``, [...actions])),
    ...units.map(({ name, actions }) => row(`unit \`${name}\``, [...actions])),
    row('SSH keys and password of `core`', [...sshkey.actions]),
    '| any other file or unit | Reboot |',
  ].join('\n')
}

function deviationTable(deviations: Readonly<Record<string, string>>): string {
  const areasBySentence = new Map<string, Set<string>>()
  for (const [id, sentence] of Object.entries(deviations)) {
    const areas = areasBySentence.get(sentence) ?? new Set<string>()
    areasBySentence.set(sentence, areas.add(id.slice(0, id.indexOf('/'))))
  }
  const rows = [...areasBySentence].map(([sentence, areas]) => `| ${sentence} | ${[...areas].join(', ')} |`)
  return ['| what is different, and why | area |', '|---|---|', ...rows].join('\n')
}

function alertTable(): string {
  const rows = alerts.map(({ name, severity, for: hold, summary }) => {
    return `| [${name}](runbooks/${name}.md) | ${severity} | ${hold ?? 'at once'} | ${summary} |`
  })
  return ['| alert | severity | after | what it says |', '|---|---|---|---|', ...rows].join('\n')
}

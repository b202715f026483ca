import process from 'node:process'
import { Command } from 'commander'
import { machineConfigLabel } from '../api/names.ts'
import { mergeOrder } from '../render/mergeMachineConfigs.ts'
import { overlaps } from '../render/overlaps.ts'
import { fragmentParser } from '../render/parseFragment.ts'
import { checkDocument } from './checkDocument.ts'
import { exitCodes } from './exitCodes.ts'
import { collectObjects, type OfflineObjects } from './fragments.ts'
import { type FileIssue, type Input, readInput } from './input.ts'
import { type OutputFormat, outputOption, print } from './output.ts'
import { formatProblem } from './problems.ts'
import type { Terminal } from './terminal.ts'

/** `mco validate`: everything that would be refused or would do nothing, at its place in the user's files. */
export function validateCommand(terminal: Terminal): Command {
  return new Command('validate')
    .description(
      'check MachineConfigs, pools and Ignition configs; point at file:line:column with what was found and expected',
    )
    .argument('<path...>', 'files or directories; - is standard input')
    .addOption(outputOption())
    .addHelpText(
      'after',
      '\nExit code 1 when there is an error; warnings alone are fine.\n\nExamples:\n  mco validate configs/\n  kustomize build . | mco validate - -o json',
    )
    .action(async (paths: string[], { output }: { output: OutputFormat }) => {
      const input = await readInput(paths)
      const issues = checkInput(input)
      const errors = issues.filter(({ severity }) => severity === 'error').length
      print(
        terminal,
        output,
        { documents: input.documents.length, errors, warnings: issues.length - errors, issues },
        () =>
          [
            ...issues.map((issue) => formatProblem(terminal, issue)),
            summary(input.documents.length, errors, issues.length - errors),
          ].join('\n'),
      )
      if (errors > 0) process.exitCode = exitCodes.failed
    })
}

/** Syntax first, then each document by itself, then what only shows when they are seen together. */
function checkInput(input: Input): FileIssue[] {
  const issues = [...input.issues, ...input.documents.flatMap(checkDocument)]
  return [...issues, ...overlapWarnings(collectObjects(input.documents, 'worker'))]
}

/** Two configs of one role that write one path: allowed, the later wins, but whoever wrote the other should know. */
function overlapWarnings({ machineConfigs }: OfflineObjects): FileIssue[] {
  const roles = new Set(machineConfigs.map(({ object }) => object.metadata?.labels?.[machineConfigLabel.role] ?? ''))
  const parser = fragmentParser()
  return [...roles].flatMap((role) => {
    const members = machineConfigs.filter(
      ({ object }) => (object.metadata?.labels?.[machineConfigLabel.role] ?? '') === role && object.metadata?.name,
    )
    const ordered = mergeOrder(members.map(({ object }) => parser.parse(object)))
    return overlaps(ordered).map(({ path, writers, winner }): FileIssue => {
      const file = members.find(({ object }) => object.metadata.name === winner)?.document.file ?? ''
      return {
        severity: 'warning',
        file,
        path: '',
        message: `${path} is written by ${writers.join(', ')}; ${winner} wins`,
      }
    })
  })
}

function summary(documents: number, errors: number, warnings: number): string {
  const count = (number: number, word: string) => `${number} ${word}${number === 1 ? '' : 's'}`
  return `${count(documents, 'document')}: ${count(errors, 'error')}, ${count(warnings, 'warning')}`
}

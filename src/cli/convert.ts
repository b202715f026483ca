import { Command, Option } from 'commander'
import { convertIgnition } from '../ignition/convert.ts'
import { formatYaml, parseDocuments } from '../ignition/document.ts'
import { ignitionFromValue } from '../ignition/parseIgnition.ts'
import { ignitionToJson } from '../ignition/serialize.ts'
import { CliError, exitCodes } from './exitCodes.ts'
import { readInput } from './input.ts'
import { outputOption } from './output.ts'
import type { Terminal } from './terminal.ts'

const targetVersions = ['2.2', '3.1', '3.2', '3.3', '3.4', '3.5']

/** `mco convert`: an Ignition config, or the config inside a MachineConfig, in another version of the specification. */
export function convertCommand(terminal: Terminal): Command {
  return new Command('convert')
    .description(
      'translate an Ignition config (JSON or YAML, also inside a MachineConfig) to another specification version',
    )
    .argument('<file>', 'file, or - for standard input')
    .addOption(new Option('--to <version>', 'target version').choices(targetVersions).makeOptionMandatory())
    .addOption(outputOption(['json', 'yaml']))
    .addHelpText(
      'after',
      '\nExamples:\n  mco convert pointer.ign --to 3.5\n  mco convert 99-worker.yaml --to 2.2 -o yaml\n  butane config.bu | mco convert - --to 3.2',
    )
    .action(async (file: string, { to, output }: { to: string; output: string }) => {
      const { documents, issues } = await readInput([file])
      const fault = issues.find((issue) => issue.severity === 'error')
      if (fault) throw new CliError(`${fault.file}:${fault.line ?? 1}:${fault.column ?? 1}: ${fault.message}`)
      const [document, second] = documents
      if (!document) throw new CliError(`${file} holds no document`)
      if (second) throw new CliError(`${file} holds ${documents.length} documents; give one config`, exitCodes.usage)
      const converted = convertIgnition(sourceText(ignitionOf(document.value)), to)
      if ('error' in converted) throw new CliError(`cannot convert ${file} to ${to}: ${converted.error}`)
      terminal.out(
        output === 'yaml' ? formatYaml(parseDocuments(converted.text).documents[0]?.value).trimEnd() : converted.text,
      )
    })
}

/** Specification 2 is read into the internal form first; from there every target can be reached. */
function sourceText(value: unknown): string {
  const parsed = ignitionFromValue(value)
  return parsed.family === 2 && parsed.value ? ignitionToJson(parsed.value) : JSON.stringify(value)
}

/** The Ignition part of a MachineConfig; anything else is taken as Ignition itself. */
function ignitionOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('kind' in value) || value.kind !== 'MachineConfig') return value
  const spec = 'spec' in value && typeof value.spec === 'object' && value.spec !== null ? value.spec : {}
  if (!('config' in spec) || spec.config === null) throw new CliError('the MachineConfig has no spec.config to convert')
  return spec.config
}

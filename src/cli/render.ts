import { Command, Option } from 'commander'
import { formatYaml } from '../ignition/document.ts'
import { overlaps } from '../render/overlaps.ts'
import { maxRenderedBytes } from '../render/renderedSize.ts'
import { collectObjects, poolFor } from './fragments.ts'
import { readInput } from './input.ts'
import { refuseSyntaxErrors } from './problems.ts'
import { renderPool } from './renderPool.ts'
import type { Terminal } from './terminal.ts'

interface RenderFlags {
  readonly pool: string
  readonly filename: readonly string[]
  readonly output: 'name' | 'yaml' | 'json'
}

/** `mco render`: the rendered config that the controller would create, from files alone. */
export function renderCommand(terminal: Terminal): Command {
  return new Command('render')
    .description('merge the MachineConfigs of a pool into the rendered config that the controller would create')
    .requiredOption('-p, --pool <name>', 'which pool')
    .requiredOption(
      '-f, --filename <path...>',
      'files or directories (- is standard input): MachineConfigs, Ignition, pools, a ControllerConfig',
    )
    .addOption(new Option('-o, --output <format>', 'what to print').choices(['name', 'yaml', 'json']).default('yaml'))
    .addHelpText(
      'after',
      '\nExamples:\n  mco render --pool worker -f configs/ -o name\n  kubectl get mc,mcp,controllerconfig -o yaml | mco render --pool infra -f -',
    )
    .action(async ({ pool: name, filename, output }: RenderFlags) => {
      const input = await readInput(filename)
      refuseSyntaxErrors(input.issues)
      const objects = collectObjects(input.documents, name)
      const { rendered, ordered, size } = renderPool(poolFor(name, objects.pools), objects)
      for (const { path, writers, winner } of overlaps(ordered)) {
        terminal.err(
          `${terminal.paint('yellow', 'warning:')} ${path} is written by ${writers.join(', ')}; ${winner} wins`,
        )
      }
      if (size.kind === 'fits' && size.nearLimit) {
        terminal.err(
          `${terminal.paint('yellow', 'warning:')} ${size.bytes} bytes of at most ${maxRenderedBytes}: little room is left`,
        )
      }
      if (output === 'name') terminal.out(rendered.metadata.name ?? '')
      else terminal.out(output === 'json' ? JSON.stringify(rendered, null, 2) : formatYaml(rendered).trimEnd())
    })
}

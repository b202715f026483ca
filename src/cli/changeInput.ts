import type { KubernetesObject } from '../api/meta.ts'
import type { Change } from '../forecast/plan/applyChange.ts'
import { checkDocument } from './checkDocument.ts'
import { CliError } from './exitCodes.ts'
import { collectObjects, kindOfDocument } from './fragments.ts'
import { type FileIssue, type InputDocument, readInput } from './input.ts'
import { refuseInvalid } from './problems.ts'
import type { Reference } from './reference.ts'

/**
 * The change that the files describe. Everything that `mco validate` calls an error is reported, of all files at once.
 * Plain Ignition stands for a MachineConfig of `role`, named after its file.
 *
 * @throws CliError with every error at its file, line and column.
 */
export async function readChange(
  files: readonly string[],
  remove: readonly Reference<'mc' | 'mcp'>[],
  role: string,
): Promise<Change> {
  if (files.length === 0 && remove.length === 0) throw new CliError('no change given; name one with -f or --delete', 2)
  const { documents, issues } = await readInput(files)
  refuseInvalid([...issues, ...documents.flatMap(checkDocument), ...documents.flatMap(namelessIssues)])
  return { put: objectsOf(documents, role), remove }
}

/** The objects of documents, in their order. */
export function objectsOf(documents: readonly InputDocument[], role: string): KubernetesObject[] {
  return documents.flatMap((document): KubernetesObject[] => {
    const kind = kindOfDocument(document.value)
    if (kind.kind === 'ignition') return collectObjects([document], role).machineConfigs.map(({ object }) => object)
    // An object of any kind has metadata: documents without a name have been refused.
    return kind.kind === 'object' ? [document.value as KubernetesObject] : []
  })
}

/** Without a name nobody knows whether an object is new. */
export function namelessIssues(document: InputDocument): FileIssue[] {
  if (kindOfDocument(document.value).kind !== 'object') return []
  const { metadata } = document.value as { readonly metadata?: { readonly name?: unknown } | null }
  if (typeof metadata?.name === 'string' && metadata.name !== '') return []
  const place = document.locate(['metadata']) ?? document.locate([])
  return [
    {
      severity: 'error',
      file: document.file,
      path: '$.metadata.name',
      message: 'there is no name; a plan needs to know which object is meant',
      ...(place ?? {}),
    },
  ]
}

import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { type LocatedDocument, parseDocuments } from '../ignition/document.ts'
import type { Issue } from '../ignition/issues.ts'
import { CliError, exitCodes } from './exitCodes.ts'

/** One document of the user's input, with the place that messages point to. */
export interface InputDocument extends LocatedDocument {
  /** As the user named it; `-` is standard input. */
  readonly file: string
  /** The text of the whole file: documents of one file share it. */
  readonly text: string
}

export interface FileIssue extends Issue {
  readonly file: string
}

export interface Input {
  readonly documents: readonly InputDocument[]
  /** Syntax faults; documents before the fault are still there. */
  readonly issues: readonly FileIssue[]
}

/**
 * Reads files, directories (every .yaml, .yml, .json, .ign file directly in it, by name) and `-` for standard input; each
 * may hold several YAML documents. Throws CliError for a path that cannot be read.
 */
export async function readInput(paths: readonly string[]): Promise<Input> {
  const files = (await Promise.all(paths.map(filesOf))).flat()
  const read = await Promise.all(files.map(readDocuments))
  return { documents: read.flatMap((input) => input.documents), issues: read.flatMap((input) => input.issues) }
}

async function filesOf(path: string): Promise<string[]> {
  if (path === '-') return [path]
  const info = await stat(path).catch((error: unknown) => {
    throw unreadable(path, error)
  })
  if (!info.isDirectory()) return [path]
  const names = (await readdir(path)).filter((name) => /\.(ya?ml|json|ign)$/.test(name)).sort()
  if (names.length === 0) throw new CliError(`${path} holds no .yaml, .yml, .json or .ign file`, exitCodes.unavailable)
  return names.map((name) => join(path, name))
}

async function readDocuments(file: string): Promise<Input> {
  const text =
    file === '-'
      ? await readStandardInput()
      : await readFile(file, 'utf8').catch((error: unknown) => Promise.reject(unreadable(file, error)))
  const { documents, issues } = parseDocuments(text, { fileName: file })
  return {
    documents: documents.flatMap(itemsOf).map((document) => ({ ...document, file, text })),
    issues: issues.map((issue) => ({ ...issue, file })),
  }
}

/** A `List`, as `kubectl get -o yaml` prints it, stands for its items. */
function itemsOf(document: LocatedDocument): LocatedDocument[] {
  const { value, locate } = document
  if (typeof value !== 'object' || value === null || !('kind' in value) || !('items' in value)) return [document]
  if (typeof value.kind !== 'string' || !value.kind.endsWith('List') || !Array.isArray(value.items)) return [document]
  return value.items.map((item: unknown, index) => ({
    value: item,
    locate: (path) => locate(['items', index, ...path]),
  }))
}

async function readStandardInput(): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}

function unreadable(path: string, error: unknown): CliError {
  const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error)
  const text = reason === 'ENOENT' ? 'there is no such file or directory' : reason
  return new CliError(`cannot read ${path}: ${text}`, exitCodes.unavailable)
}

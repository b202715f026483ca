/**
 * Writes what follows from the CRD sources in src/api/crds: the TypeScript shapes and the CRDs as a constant in
 * src/api/generated, and the manifests in deploy/crds. With --check it writes nothing and fails when the committed output
 * differs. Usage: node scripts/run.mjs scripts/generate-types.ts [--check]
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { stringify } from 'yaml'
import { isJsonObject, type JsonObject } from '../src/schema/jsonSchemaProps.ts'
import { compileSchema } from '../src/schema/structuralSchema.ts'
import { expandDocument, parseSource } from './generate/crdSource.ts'
import { typeModule } from './generate/typeText.ts'

const sources = 'src/api/crds'
const generated = 'src/api/generated'
const manifests = 'deploy/crds'

async function main(): Promise<void> {
  const outputs = await generate()
  if (!process.argv.includes('--check')) {
    for (const folder of [generated, manifests]) await mkdir(folder, { recursive: true })
    for (const [path, text] of outputs) await writeFile(path, text)
    console.log(`wrote ${outputs.size} files`)
    return
  }
  const stale = [...(await staleFiles(outputs)), ...(await strayFiles(outputs))]
  if (stale.length === 0) return
  console.error(`differ from ${sources}; run: node scripts/run.mjs scripts/generate-types.ts\n  ${stale.join('\n  ')}`)
  process.exitCode = 1
}

async function generate(): Promise<ReadonlyMap<string, string>> {
  const shared = parseSource(await readFile(join(sources, 'shared.yaml'), 'utf8'))
  const outputs = new Map<string, string>()
  const crds: unknown[] = []
  for (const fileName of (await readdir(sources)).sort()) {
    if (fileName === 'shared.yaml') continue
    const source = parseSource(await readFile(join(sources, fileName), 'utf8'))
    const { kind, root } = kindAndSchema(source, fileName)
    const crd = withObjectMembers(expandDocument(source, shared))
    // Compiling here refuses a broken pattern or rule before it is ever shipped.
    compileSchema(isJsonObject(crd) ? kindAndSchema(crd, fileName).root : {})
    crds.push(crd)
    outputs.set(
      join(generated, `${kind[0]?.toLowerCase()}${kind.slice(1)}.ts`),
      typeModule(kind, root, shared, fileName),
    )
    outputs.set(join(manifests, fileName), manifest(crd, fileName))
  }
  outputs.set(join(generated, 'crds.ts'), crdsModule(crds))
  return outputs
}

/** Every stored object says what it is; the sources leave that out. */
function withObjectMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withObjectMembers)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) =>
      name === 'openAPIV3Schema' && isJsonObject(member)
        ? [
            name,
            {
              ...member,
              properties: { ...objectMembers, ...(isJsonObject(member.properties) ? member.properties : {}) },
            },
          ]
        : [name, withObjectMembers(member)],
    ),
  )
}

const objectMembers = { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata: { type: 'object' } }

function kindAndSchema(document: JsonObject, fileName: string): { readonly kind: string; readonly root: JsonObject } {
  const spec = isJsonObject(document.spec) ? document.spec : {}
  const names = isJsonObject(spec.names) ? spec.names : {}
  const version: unknown = Array.isArray(spec.versions) ? spec.versions[0] : undefined
  const schema = isJsonObject(version) && isJsonObject(version.schema) ? version.schema.openAPIV3Schema : undefined
  if (typeof names.kind !== 'string' || !isJsonObject(schema)) throw new Error(`${fileName}: no kind or no schema`)
  return { kind: names.kind, root: schema }
}

function manifest(crd: unknown, fileName: string): string {
  const text = stringify(crd, { indentSeq: false, lineWidth: 0, compat: 'yaml-1.1', aliasDuplicateObjects: false })
  return `# Generated from ${sources}/${fileName} by scripts/generate-types.ts. Do not edit.\n${text}`
}

function crdsModule(crds: readonly unknown[]): string {
  return `// Generated from src/api/crds by scripts/generate-types.ts. Do not edit.
import type { CustomResourceDefinition } from '../apiextensions.ts'

/** The CustomResourceDefinitions of our kinds, as applied to a cluster. */
export const customResourceDefinitions: readonly CustomResourceDefinition[] = ${JSON.stringify(crds, undefined, 1)}
`
}

async function staleFiles(outputs: ReadonlyMap<string, string>): Promise<readonly string[]> {
  const stale: string[] = []
  for (const [path, text] of outputs) {
    const present = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
    if (present !== text) stale.push(path)
  }
  return stale
}

/** Files of kinds that no longer exist. */
async function strayFiles(outputs: ReadonlyMap<string, string>): Promise<readonly string[]> {
  const files = await Promise.all(
    [generated, manifests].map(async (folder) => (await readdir(folder)).map((name) => join(folder, name))),
  )
  return files.flat().filter((path) => !outputs.has(path))
}

await main()

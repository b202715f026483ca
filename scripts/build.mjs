// Bundles the `mco` command. What only some verbs need is in files of its own, so that a daemon stays small. Native packages
// stay outside the bundle.
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import process from 'node:process'
import { prepare, root } from './prepare.mjs'

export const bundle = join(root, 'dist', 'mco.mjs')

/** Builds dist/mco.mjs and what it loads later; with `onlyIfStale`, only when a source is newer than it. */
export async function buildMco({ onlyIfStale = false } = {}) {
  if (onlyIfStale && !isStale()) return
  const { build } = await import('esbuild')
  const { metafile } = await build({
    entryPoints: [join(root, 'src', 'cli', 'main.ts')],
    outdir: join(root, 'dist'),
    entryNames: 'mco',
    chunkNames: 'mco-[name]-[hash]',
    outExtension: { '.js': '.mjs' },
    splitting: true,
    metafile: true,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['lmdb'],
    sourcemap: 'linked',
    logLevel: 'warning',
    // Bundled CommonJS packages call require() for Node's own modules.
    banner: {
      js: "import { createRequire as mcoCreateRequire } from 'node:module'; const require = mcoCreateRequire(import.meta.url);",
    },
  })
  const fresh = new Set(Object.keys(metafile.outputs).map((path) => basename(path)))
  for (const name of readdirSync(join(root, 'dist')))
    if (name.startsWith('mco-') && !fresh.has(name)) rmSync(join(root, 'dist', name), { force: true })
}

function isStale() {
  if (!existsSync(bundle)) return true
  const built = statSync(bundle).mtimeMs
  if (statSync(join(root, 'package-lock.json')).mtimeMs > built) return true
  return readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true }).some(
    (entry) => entry.isFile() && statSync(join(entry.parentPath ?? entry.path, entry.name)).mtimeMs > built,
  )
}

if (process.argv[1] === join(root, 'scripts', 'build.mjs')) {
  prepare()
  await buildMco()
}

// Bundles the `mco` command: one file, started in about 50 ms. Native packages stay outside the bundle.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { prepare, root } from './prepare.mjs'

export const bundle = join(root, 'dist', 'mco.mjs')

/** Builds dist/mco.mjs; with `onlyIfStale`, only when a source is newer than it. */
export async function buildMco({ onlyIfStale = false } = {}) {
  if (onlyIfStale && !isStale()) return
  const { build } = await import('esbuild')
  await build({
    entryPoints: [join(root, 'src', 'cli', 'main.ts')],
    outfile: bundle,
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

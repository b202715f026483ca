import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'

/** The programs that run inside a test host, each as one file that needs Node.js and nothing else. */
export async function bundleInside(outdir: string): Promise<string> {
  const folder = join('test', 'hosts', 'inside')
  await build({
    entryPoints: (await readdir(folder)).map((name) => join(folder, name)),
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    banner: {
      js: "import { createRequire as mcoCreateRequire } from 'node:module'; const require = mcoCreateRequire(import.meta.url);",
    },
    sourcemap: 'inline',
    logLevel: 'warning',
  })
  return outdir
}

import { access, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/**
 * Puts a small Linux tree at `root` if there is none: what a machine's installer leaves behind, as far as the daemon reads
 * it. It appears in one step, so that a process that dies meanwhile leaves no half machine.
 */
export async function installMachine(root: string, hostname: string): Promise<void> {
  if (await exists(root)) return
  const staging = `${root}.installing`
  await rm(staging, { recursive: true, force: true })
  for (const [path, { text, mode }] of Object.entries(treeOf(hostname))) {
    const target = join(staging, path)
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, text, { mode })
  }
  for (const path of ['home/core', 'var/lib', 'usr/local/bin', 'run', 'tmp'])
    await mkdir(join(staging, path), { recursive: true })
  await rename(staging, root)
}

function treeOf(hostname: string): Readonly<Record<string, { readonly text: string; readonly mode: number }>> {
  return {
    'etc/os-release': {
      text: 'NAME="MCO simulated Linux"\nID=mco-simulated\nVERSION_ID=1\nPRETTY_NAME="MCO simulated Linux 1"\n',
      mode: 0o644,
    },
    'etc/hostname': { text: `${hostname}\n`, mode: 0o644 },
    'etc/motd': { text: 'A simulated machine.\n', mode: 0o644 },
    'etc/passwd': { text: 'root:x:0:0:root:/root:/bin/sh\ncore:x:1000:1000:core:/home/core:/bin/sh\n', mode: 0o644 },
    'etc/group': { text: 'root:x:0:\nwheel:x:10:core\ncore:x:1000:\n', mode: 0o644 },
    'etc/shadow': { text: 'root:*:19000::::::\ncore:*:19000::::::\n', mode: 0o600 },
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false
      throw error
    },
  )
}

import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { execute } from '../e2e/harness.ts'

const stages = ['fetch-offline', 'fetch', 'kargs', 'disks', 'mount', 'files', 'umount'] as const

/** What a disk has before Ignition writes to it: its accounts, and for `setfiles` a policy that labels nothing. */
const emptyDisk: Readonly<Record<string, string>> = {
  'etc/passwd': 'root:x:0:0:root:/root:/bin/sh\n',
  'etc/group': 'root:x:0:\n',
  'etc/shadow': 'root:*:19000:0:99999:7:::\n',
  'etc/gshadow': '',
  'etc/subuid': '',
  'etc/subgid': '',
  'etc/selinux/config': 'SELINUXTYPE=test\n',
  'etc/selinux/test/contexts/files/file_contexts': '',
}

export interface Installed {
  readonly root: string
  /** What the stage said; for the one that failed, the rest did not run. */
  readonly log: string
  readonly failedStage: string | undefined
}

/** The real Ignition, on an empty disk: fetches what the pointer names and writes it below `directory/root`. */
export async function installMachine(directory: string, pointer: string): Promise<Installed> {
  const root = join(directory, 'root')
  for (const [path, text] of Object.entries(emptyDisk)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  const config = join(directory, 'pointer.ign')
  await writeFile(config, pointer)
  const places = ['config-cache', 'state-file', 'neednet'].map((name) => `--${name}=${join(directory, name)}`)
  let log = ''
  for (const stage of stages) {
    const args = ['--platform=file', `--stage=${stage}`, `--root=${root}`, ...places, '--log-to-stdout']
    const { code, stdout, stderr } = await execute(program('IGNITION'), args, {
      timeoutMs: 60_000,
      env: { IGNITION_CONFIG_FILE: config, PATH: `${program('IGNITION_PROGRAMS')}:${process.env.PATH ?? ''}` },
    })
    log += stdout + stderr
    if (code !== 0) return { root, log, failedStage: stage }
  }
  // As systemd does at the first boot.
  await execute('systemctl', [`--root=${root}`, 'preset-all'])
  return { root, log, failedStage: undefined }
}

/** What the validator objects to; empty when it accepts the config. */
export async function objections(config: string): Promise<string> {
  const { code, stdout, stderr } = await execute(program('IGNITION_VALIDATE'), ['-'], { input: config })
  return code === 0 ? '' : stdout + stderr || `exit code ${code}`
}

function program(name: string): string {
  const path = process.env[name]
  if (path === undefined) throw new Error(`${name} is not set: run this by \`npm run test:join\``)
  return path
}

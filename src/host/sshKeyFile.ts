import type { Exec } from './exec.ts'
import { findProgram } from './findProgram.ts'
import type { HostFiles } from './host.ts'

/** Read by the key command of CoreOS variants; other systems do not know it. */
export const keyDirectoryFile = '.ssh/authorized_keys.d/ignition'
/** Read by sshd beside the user's own file unless its configuration says otherwise. */
const secondFile = '.ssh/authorized_keys2'
const usersOwnFile = '.ssh/authorized_keys'

/** The file below a user's home that sshd really reads, and that nobody else writes if there is one. */
export async function sshKeyFile(exec: Exec, files: HostFiles): Promise<string> {
  if (!(await findProgram(files, 'sshd'))) return keyDirectoryFile
  const { code, stdout } = await exec.run({ program: 'sshd', args: ['-T'] })
  return code === 0 ? keyFileOf(stdout) : keyDirectoryFile
}

/** From the effective configuration that `sshd -T` prints, one lower-case keyword a line. */
export function keyFileOf(configuration: string): string {
  const values = new Map(
    configuration.split('\n').map((line) => {
      const [keyword = '', ...rest] = line.trim().split(/\s+/)
      return [keyword, rest] as const
    }),
  )
  if (/key-dir/.test(values.get('authorizedkeyscommand')?.[0] ?? '')) return keyDirectoryFile
  const read = values.get('authorizedkeysfile') ?? []
  return [keyDirectoryFile, secondFile].find((file) => read.includes(file)) ?? usersOwnFile
}

import type { Exec } from './exec.ts'
import { findProgram } from './findProgram.ts'
import { type HostFiles, isMissing } from './host.ts'
import { listOrNone } from './listOrNone.ts'

/** Read by the key command of CoreOS variants; other systems do not know it. */
export const keyDirectoryFile = '.ssh/authorized_keys.d/ignition'
/** Read by sshd beside the user's own file unless its configuration says otherwise. */
const secondFile = '.ssh/authorized_keys2'
const usersOwnFile = '.ssh/authorized_keys'

/** The file below a user's home that sshd really reads, and that nobody else writes if there is one. */
export async function sshKeyFile(exec: Exec, files: HostFiles): Promise<string> {
  if (!(await findProgram(files, 'sshd'))) return keyDirectoryFile
  const { code, stdout } = await exec.run({ program: 'sshd', args: ['-T'] })
  // An sshd that was never started may miss its keys or directories, and then says nothing.
  return code === 0 ? keyFileOf(stdout) : configuredKeyFile(files)
}

/** The same of a system that does not run and cannot be asked: from its configuration files, for users in general. */
export async function configuredKeyFile(files: HostFiles): Promise<string> {
  if (!(await findProgram(files, 'sshd'))) return keyDirectoryFile
  const lines = await generalLines(files, '/etc/ssh/sshd_config', 0)
  return keyFileOf([...lines, `authorizedkeysfile ${usersOwnFile} ${secondFile}`].join('\n'))
}

/** From lines as `sshd -T` prints them, one lower-case keyword each. sshd takes the first value of a keyword. */
export function keyFileOf(configuration: string): string {
  const values = new Map<string, readonly string[]>()
  for (const line of configuration.split('\n')) {
    const [keyword = '', ...rest] = line.trim().split(/\s+/)
    if (!values.has(keyword)) values.set(keyword, rest)
  }
  if (/key-dir/.test(values.get('authorizedkeyscommand')?.[0] ?? '')) return keyDirectoryFile
  const read = values.get('authorizedkeysfile') ?? []
  return [keyDirectoryFile, secondFile].find((file) => read.includes(file)) ?? usersOwnFile
}

/** `keyword value ...` up to the first `Match`, the lines of included files in place. */
async function generalLines(files: HostFiles, path: string, depth: number): Promise<readonly string[]> {
  const lines: string[] = []
  for (const line of (await textOrNothing(files, path)).split('\n')) {
    const [, keyword = '', value = ''] = /^\s*([A-Za-z]+)[\s=]+(.*?)\s*$/.exec(line) ?? []
    const lower = keyword.toLowerCase()
    if (lower === 'match') break
    if (lower === 'include' && depth < maxDepth)
      for (const included of await filesOf(files, value))
        lines.push(...(await generalLines(files, included, depth + 1)))
    else if (lower !== '') lines.push(`${lower} ${value.replaceAll('"', '')}`)
  }
  return lines
}

/** As deep as sshd follows them. */
const maxDepth = 16

/** Files of an `Include`: names, or `DIRECTORY/*.conf`; relative ones are below /etc/ssh. */
async function filesOf(files: HostFiles, value: string): Promise<readonly string[]> {
  const found: string[] = []
  for (const pattern of value.replaceAll('"', '').split(/\s+/)) {
    const path = pattern.startsWith('/') ? pattern : `/etc/ssh/${pattern}`
    const [, directory, suffix = ''] = /^(.*)\/\*([^/*?]*)$/.exec(path) ?? []
    if (directory === undefined) found.push(path)
    else
      for (const name of await listOrNone(files, directory))
        if (name.endsWith(suffix) && !name.startsWith('.')) found.push(`${directory}/${name}`)
  }
  return found
}

async function textOrNothing(files: HostFiles, path: string): Promise<string> {
  try {
    return (await files.read(path)).toString('utf8')
  } catch (error) {
    if (isMissing(error)) return ''
    throw error
  }
}

import { type Exec, runOrFail } from './exec.ts'
import { findProgram } from './findProgram.ts'
import { type Accounts, HostError, type HostFiles } from './host.ts'

/** Users and groups as the running host resolves them, so also those of a directory service. */
export function systemAccounts(exec: Exec, files: HostFiles): Accounts {
  const entry = async (database: string, name: string): Promise<readonly string[] | undefined> => {
    const { code, stdout, stderr } = await exec.run({ program: 'getent', args: ['--', database, name] })
    if (code === 2) return undefined
    if (code !== 0) throw new HostError('EGETENT', name, `getent ${database} ${name} failed: ${stderr.trim()}`)
    const fields = stdout.trim().split('\n')[0]?.split(':')
    // A name of digits is looked up as an id.
    return fields?.[0] === name ? fields : undefined
  }
  return {
    async user(name) {
      const [, , uid, gid, , home] = (await entry('passwd', name)) ?? []
      if (uid === undefined || gid === undefined) return undefined
      return { name, uid: Number(uid), gid: Number(gid), home: home ?? '/' }
    },
    async group(name) {
      const id = (await entry('group', name))?.[2]
      return id === undefined ? undefined : Number(id)
    },
    async passwordHash(user) {
      return (await entry('shadow', user))?.[1]
    },
    async setPasswordHash(user, hash) {
      // A colon or a line break would become another field or another account.
      if (/[:\r\n]/.test(hash))
        throw new HostError('EINVAL', user, `the password hash of user "${user}" holds a colon or a line break`)
      // chpasswd takes the hash from standard input, where the list of processes does not show it.
      if (await findProgram(files, 'chpasswd'))
        await runOrFail(exec, { program: 'chpasswd', args: ['--encrypted'], input: `${user}:${hash}\n` })
      else await runOrFail(exec, { program: 'usermod', args: ['--password', hash, '--', user] })
    },
  }
}

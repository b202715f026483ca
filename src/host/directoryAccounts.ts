import { type Accounts, HostError, type HostFiles, isMissing } from './host.ts'

const shadow = '/etc/shadow'

/** Users and groups as the host's own files name them: never the names that this process sees. */
export function directoryAccounts(files: HostFiles): Accounts {
  return {
    async user(name) {
      const [, , uid, gid, , home] = (await entry(files, '/etc/passwd', name)) ?? []
      if (uid === undefined || gid === undefined) return undefined
      return { name, uid: Number(uid), gid: Number(gid), home: home ?? '/' }
    },
    async group(name) {
      const id = (await entry(files, '/etc/group', name))?.[2]
      return id === undefined ? undefined : Number(id)
    },
    async passwordHash(user) {
      return (await entry(files, shadow, user))?.[1]
    },
    setPasswordHash: (user, hash) => setPasswordHash(files, user, hash),
  }
}

async function setPasswordHash(files: HostFiles, user: string, hash: string): Promise<void> {
  // A colon or a line break would become another field or another account.
  if (/[:\r\n]/.test(hash))
    throw new HostError('EINVAL', shadow, `the password hash of user "${user}" holds a colon or a line break`)
  const rows = await lines(files, shadow)
  const status = await files.status(shadow)
  const row = `${user}:${hash}:::::::`
  const known = rows.some((line) => line.startsWith(`${user}:`))
  const next = known ? rows.map((line) => (line.startsWith(`${user}:`) ? withHash(line, hash) : line)) : [...rows, row]
  await files.remove(`${shadow}.mco-new`)
  await files.create(`${shadow}.mco-new`, Buffer.from(`${next.join('\n')}\n`), {
    mode: status?.mode ?? 0o000,
    uid: status?.uid ?? 0,
    gid: status?.gid ?? 0,
  })
  await files.rename(`${shadow}.mco-new`, shadow)
}

function withHash(line: string, hash: string): string {
  const fields = line.split(':')
  return [fields[0], hash, ...fields.slice(2)].join(':')
}

async function entry(files: HostFiles, path: string, name: string): Promise<readonly string[] | undefined> {
  const line = (await lines(files, path)).find((candidate) => candidate.startsWith(`${name}:`))
  return line?.split(':')
}

async function lines(files: HostFiles, path: string): Promise<readonly string[]> {
  try {
    const text = (await files.read(path)).toString('utf8')
    return text.split('\n').filter((line) => line !== '')
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

import { HostError, type HostFiles, isMissing } from '../host/host.ts'
import { makeDirectories } from '../host/makeDirectories.ts'
import { isMarkAlive, ownMark } from '../host/processMark.ts'
import { hostLockPath, parentOf } from './hostPaths.ts'

/** Another process changes this host; it must end first. */
export class HostInUse extends Error {
  override readonly name = 'HostInUse'
}

/**
 * Keeps a second daemon, and `mco apply`, off a host: two of them would undo each other's steps. Below /run, so a boot ends
 * it; the lock of a process that is gone is taken over. Answers the release.
 */
export async function lockHost(files: HostFiles): Promise<() => Promise<void>> {
  const own = ownMark()
  await makeDirectories(files, parentOf(hostLockPath), { mode: 0o755, uid: 0, gid: 0 })
  if (!(await created(files, own))) {
    const holder = await readHolder(files)
    refuseWhenAlive(holder)
    // Moved away before it is replaced: two that take over at once cannot both move the same file.
    const aside = `${hostLockPath}.${own.replace(' ', '.')}`
    await files.rename(hostLockPath, aside)
    const moved = (await files.read(aside)).toString('utf8')
    await files.remove(aside)
    if (moved !== holder || !(await created(files, own))) refuseWhenAlive(await readHolder(files))
  }
  return async () => {
    if ((await readHolder(files)) === own) await files.remove(hostLockPath)
  }
}

async function created(files: HostFiles, own: string): Promise<boolean> {
  try {
    await files.create(hostLockPath, Buffer.from(own), { mode: 0o644, uid: 0, gid: 0 })
    return true
  } catch (error) {
    if (error instanceof HostError && error.code === 'EEXIST') return false
    throw error
  }
}

async function readHolder(files: HostFiles): Promise<string> {
  try {
    return (await files.read(hostLockPath)).toString('utf8')
  } catch (error) {
    if (isMissing(error)) return ''
    throw error
  }
}

function refuseWhenAlive(holder: string): void {
  if (!isMarkAlive(holder)) return
  const [pid] = holder.split(' ')
  throw new HostInUse(
    `process ${pid} already works on this host (${hostLockPath}); wait for it to end, or stop that daemon`,
  )
}

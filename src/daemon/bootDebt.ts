import { type Host, isMissing } from '../host/host.ts'
import { makeDirectories } from '../host/makeDirectories.ts'
import { bootDebtPath, parentOf } from './hostPaths.ts'

/**
 * A machine that runs what is not on its disk: it was booted from a disk between two configs, or its installation is not
 * booted yet. Noted with the id of that boot before the disk is put right, so that no crash and no failed request for the
 * reboot forgets it. The unit of `mco firstboot` starts again while the note is there.
 */
export async function oweBoot({ files, power }: Host): Promise<void> {
  const id = await power.bootId()
  await makeDirectories(files, parentOf(bootDebtPath), { mode: 0o755, uid: 0, gid: 0 })
  const fresh = `${bootDebtPath}.new`
  await files.remove(fresh)
  await files.create(fresh, Buffer.from(id), { mode: 0o644, uid: 0, gid: 0 })
  await files.rename(fresh, bootDebtPath)
}

/** What the boot was owed for has been taken back. */
export async function forgiveBoot({ files }: Pick<Host, 'files'>): Promise<void> {
  await files.remove(bootDebtPath)
}

/** Whether the boot is still to come; a note from an earlier boot is removed. */
export async function owesBoot({ files, power }: Host): Promise<boolean> {
  try {
    const noted = (await files.read(bootDebtPath)).toString('utf8')
    if (noted === (await power.bootId())) return true
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
  await files.remove(bootDebtPath)
  return false
}

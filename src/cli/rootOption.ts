import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type DirectoryHost, directoryHost } from '../host/directoryHost.ts'
import { CliError, exitCodes } from './exitCodes.ts'

/** The machine below `--root`; its directory must exist, so that a typing error does not make a new machine. */
export async function openRoot(root: string): Promise<DirectoryHost> {
  const path = resolve(root)
  const info = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT')
      throw new CliError(`--root ${root}: there is no such directory; create it first`, exitCodes.unavailable)
    throw new CliError(`--root ${root}: ${error.message}`, exitCodes.unavailable)
  })
  if (!info.isDirectory()) throw new CliError(`--root ${root} is not a directory`, exitCodes.usage)
  return directoryHost(path)
}

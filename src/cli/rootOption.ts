import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { HostInUse, lockHost } from '../daemon/hostLock.ts'
import type { Host } from '../host/host.ts'
import { type OfflineHostOptions, offlineHost } from '../host/offlineHost.ts'
import { realHost } from '../host/realHost.ts'
import { CliError, exitCodes } from './exitCodes.ts'

export interface OpenedHost extends Host {
  close(): void
}

interface OpenOptions extends OfflineHostOptions {
  /** The flag that named the root, for messages. */
  readonly option?: string
}

/**
 * The machine whose root this is: a real host where a systemd runs, else a directory or a system that does not run. It
 * must exist, so that a typing error does not make a new machine.
 */
export async function openHost(root: string, { option = '--root', ...rest }: OpenOptions = {}): Promise<OpenedHost> {
  const path = resolve(root)
  const info = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT')
      throw new CliError(`${option} ${root}: there is no such directory; create it first`, exitCodes.unavailable)
    throw new CliError(`${option} ${root}: ${error.message}`, exitCodes.unavailable)
  })
  if (!info.isDirectory()) throw new CliError(`${option} ${root} is not a directory`, exitCodes.usage)
  if (await runsSystemd(path)) return realHost(path)
  // What stands in for services and boots in a directory would be a lie about this machine.
  if (path === '/')
    throw new CliError(
      `this machine does not run systemd; name the root of another one with ${option} DIR`,
      exitCodes.unavailable,
    )
  return offlineHost(path, rest)
}

/** Opens the host for changes: nobody else may change it meanwhile. */
export async function changeHost<T>(root: string, change: (host: Host) => Promise<T>): Promise<T> {
  const host = await openHost(root)
  try {
    const release = await lockHost(host.files).catch((error: unknown) => {
      throw error instanceof HostInUse ? new CliError(error.message, exitCodes.unavailable, { cause: error }) : error
    })
    try {
      return await change(host)
    } finally {
      await release()
    }
  } finally {
    host.close()
  }
}

async function runsSystemd(root: string): Promise<boolean> {
  const info = await stat(join(root, 'run/systemd/system')).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw new CliError(`cannot look at ${root}: ${error.message}`, exitCodes.unavailable)
  })
  return info?.isDirectory() ?? false
}

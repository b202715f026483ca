import { closeSync, constants, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
import type { Place } from './rootPath.ts'

/** Undefined when it is longer or shorter. */
export function readExactly(fd: number, bytes: number): Buffer | undefined {
  const buffer = Buffer.allocUnsafe(bytes + 1)
  return readSync(fd, buffer, 0, bytes + 1, 0) === bytes ? buffer.subarray(0, bytes) : undefined
}

export function writeAll(fd: number, content: Uint8Array): void {
  let written = 0
  while (written < content.byteLength) written += writeSync(fd, content, written)
}

/** A disk that fills up in the middle keeps no part of it: what is added next would join that. */
export function appendWhole(fd: number, write: () => void): void {
  const { size } = fstatSync(fd)
  try {
    write()
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) ftruncateSync(fd, size)
    throw error
  }
}

export function withOpenDirectory({ access }: Pick<Place, 'access'>, use: (fd: number) => void): void {
  const fd = openSync(access, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  try {
    use(fd)
  } finally {
    closeSync(fd)
  }
}

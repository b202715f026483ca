import { closeSync, fstatSync, openSync, readSync, truncateSync } from 'node:fs'
import { UnusableDataError } from './unusableData.ts'

/** Where the parts of a meta page are that we look at (lmdb, data version 2, 64-bit). */
const magicAt = 24
const versionAt = 28
const pageSizeAt = 48
const lastPageAt = 144
const transactionAt = 152
const metaBytes = 160
const magic = 0xbeefc0de
const dataVersion = 2

/** A page at the end may have been given back before it was ever written. */
const unwrittenPages = 16

/**
 * lmdb maps the file into memory and trusts it: a file of another program ends the process, a cut one does at the first
 * read. So the file is looked at before it is opened. No file, or an empty one, is a new database.
 */
export function requireSoundFile(path: string): void {
  const file = openIfPresent(path)
  if (file === undefined) return
  try {
    const sizeBytes = fstatSync(file).size
    if (sizeBytes === 0) return
    const first = readMeta(file, 0)
    const pageBytes = first?.pageBytes ?? 0
    const second = readMeta(file, pageBytes)
    if (!first || !second) throw damaged(path, 'it is not a database of this program, or its beginning is lost')
    const { lastPage } = first.transaction > second.transaction ? first : second
    const expectedBytes = (lastPage + 1) * pageBytes
    if (sizeBytes + unwrittenPages * pageBytes < expectedBytes) {
      throw damaged(path, `it is cut off: ${sizeBytes} bytes of ${expectedBytes}`)
    }
    // Reading a page behind the end would end the process; a page of zeros is an error that can be told.
    if (sizeBytes < expectedBytes) truncateSync(path, expectedBytes)
  } finally {
    closeSync(file)
  }
}

export const damaged = (path: string, why: string, options?: ErrorOptions): Error =>
  new UnusableDataError(
    `the data in ${path} cannot be used: ${why}; restore a copy of it or choose another directory`,
    options,
  )

interface Meta {
  readonly pageBytes: number
  readonly lastPage: number
  readonly transaction: bigint
}

function readMeta(file: number, offset: number): Meta | undefined {
  const bytes = Buffer.alloc(metaBytes)
  if (readSync(file, bytes, 0, metaBytes, offset) < metaBytes) return undefined
  // The upper half of the version holds flags.
  if (bytes.readUInt32LE(magicAt) !== magic || bytes.readUInt16LE(versionAt) !== dataVersion) return undefined
  return {
    pageBytes: bytes.readUInt32LE(pageSizeAt),
    lastPage: Number(bytes.readBigUInt64LE(lastPageAt)),
    transaction: bytes.readBigUInt64LE(transactionAt),
  }
}

function openIfPresent(path: string): number | undefined {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

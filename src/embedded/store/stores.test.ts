import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { storeContract } from './contract.ts'
import { lmdbStore } from './lmdbStore.ts'
import { memoryStore } from './memoryStore.ts'

storeContract('memoryStore', () => ({ open: memoryStore, durable: false, remove: () => undefined }))

storeContract('lmdbStore', () => {
  const directory = mkdtempSync(join(tmpdir(), 'mco-store-'))
  return {
    open: () => lmdbStore(directory),
    durable: true,
    remove: () => rmSync(directory, { recursive: true, force: true }),
  }
})

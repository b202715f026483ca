import process from 'node:process'
import { Database } from '../../../src/embedded/store/database.ts'
import { lmdbStore } from '../../../src/embedded/store/lmdbStore.ts'

/** Writes for ever into the directory given as argument and prints each acknowledged write; killed by its test. */
const database = await Database.open(lmdbStore(process.argv[2] ?? ''))
const writer = async (lane: number): Promise<never> => {
  for (let value = 0; ; value += 1) {
    const name = `o${lane}-${value % 20}`
    const entry = await database.put(
      { collection: 'core/configmaps', namespace: 'default', name },
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name, namespace: 'default' },
        data: { value: String(value), fill: 'x'.repeat(2000) },
      },
    )
    process.stdout.write(`${name} ${entry.revision} ${value}\n`)
  }
}
await Promise.all(Array.from({ length: 8 }, (_, lane) => writer(lane)))

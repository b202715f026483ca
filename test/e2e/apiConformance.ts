import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { access } from './api/access.ts'
import { durability } from './api/durability.ts'
import { objects } from './api/objects.ts'
import { rawApi } from './api/rawApi.ts'
import { requests } from './api/requests.ts'
import { watching } from './api/watching.ts'
import { suite, up } from './harness.ts'

/** The API server of `mco up`, met by clients that compete, insist, lie, stop reading, and kill it. */
const directory = await mkdtemp(join(tmpdir(), 'mco-api-'))
const cluster = await up({ dataDir: join(directory, 'cluster'), args: ['--nodes', '2'] })
const api = rawApi(cluster)

await suite('requests', requests(api))
await suite('access', access(api, cluster))
await suite('objects', objects(api))
await suite('watching', watching(api))
api.close()
await cluster.stop()
await suite('durability', durability(directory))
await rm(directory, { recursive: true, force: true })
// A failed check leaves connections behind that would keep this process alive.
process.exit()

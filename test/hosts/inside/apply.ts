import { readFile } from 'node:fs/promises'
import process from 'node:process'
import { applyOnce } from '../../../src/daemon/applyOnce.ts'
import { loadConfig } from '../../../src/daemon/loadConfig.ts'
import { defaultPolicies } from '../../../src/forecast/disruptionPolicies.ts'
import { realHost } from '../../../src/host/realHost.ts'

/**
 * Runs inside a test host: `apply FILE`, where FILE holds `{ config: MachineConfig, policies? }`, or `undo`. Prints one
 * line of JSON, the outcome.
 */
const [verb, path] = process.argv.slice(2)
const { config, policies = defaultPolicies } = JSON.parse(await readFile(path ?? '', 'utf8'))
const host = await realHost('/')
const engine = applyOnce(host, loadConfig(config), { policies })
const recovered = await engine.recover()
console.log(
  JSON.stringify({ recovered, ...(verb === 'undo' ? await engine.undoLast() : await engine.run(await engine.plan())) }),
)
host.close()

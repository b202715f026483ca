// `npm start`: a complete single-process cluster on this machine, from a fresh clone. Arguments go to `mco up`.
import process from 'node:process'
import { buildMco, bundle } from './build.mjs'
import { prepare } from './prepare.mjs'

prepare()
await buildMco({ onlyIfStale: true })
process.argv = [process.execPath, 'mco', 'up', ...process.argv.slice(2)]
await import(bundle)

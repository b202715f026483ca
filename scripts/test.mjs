// `npm test`: types, lint, layers, unused code, unit tests and the golden cases, from a fresh clone. Under a minute.
import { prepare, run } from './prepare.mjs'

prepare()
run('node', ['scripts/check.mjs'])

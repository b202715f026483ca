// `npm run test:hosts`: the daemon and `mco apply` on booted Debian machines with a real systemd. Needs root.
import { prepare, run } from './prepare.mjs'

prepare()
run('node', ['scripts/run.mjs', 'test/hosts/main.ts'])

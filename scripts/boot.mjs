// `npm run test:boot`: whole machines in QEMU, with the real Ignition in their initramfs. Needs root; takes minutes.
import process from 'node:process'
import { debianKubectl } from './debianKubectl.mjs'
import { prepare, run } from './prepare.mjs'

prepare()
const kubectl = debianKubectl()
run('node', ['scripts/run.mjs', 'test/boot/main.ts'], { env: { ...process.env, ...(kubectl && { KUBECTL: kubectl }) } })

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { suite } from '../e2e/harness.ts'
import { baseTree } from './baseTree.ts'
import { bundleInside } from './bundleInside.ts'
import { oneMachine } from './oneMachine.ts'
import { whatIsMissing } from './requirements.ts'
import { type TestHost, testHost } from './testHost.ts'

/** Proofs on Debian machines with their own systemd, booted in containers. Needs root; says what is missing otherwise. */
const missing = whatIsMissing()
if (missing !== undefined) {
  console.error(`cannot boot test hosts: ${missing}`)
  process.exit(2)
}
const directory = await mkdtemp(join(tmpdir(), 'mco-hosts-'))
const hosts: TestHost[] = []
try {
  const programs = await bundleInside(join(directory, 'programs'))
  const binds = { '/usr/bin/node': process.execPath, '/opt/mco': process.cwd(), '/opt/mco-test': programs }
  const host = await testHost({ name: 'mco-one', base: await baseTree(), directory, binds })
  hosts.push(host)
  await host.start()
  await suite('one machine', oneMachine(host))
} finally {
  for (const host of hosts) await host.dispose()
  await rm(directory, { recursive: true, force: true })
}

import { rm } from 'node:fs/promises'
import { type HostUnderTest, hostContract } from '../../src/host/contract.ts'
import { realHost } from '../../src/host/realHost.ts'

/** The contract of every Host, on the machine that this runs on: only ever inside a test host. */
const scratch = '/srv/mco-contract'
const unit = '/etc/systemd/system/mco-contract.service'

async function open(): Promise<HostUnderTest> {
  const host = await realHost('/')
  await rm(scratch, { recursive: true, force: true })
  await host.files.createDirectory(scratch, { mode: 0o755, uid: 0, gid: 0 })
  return {
    host,
    scratch,
    async dispose() {
      await host.files.remove(unit)
      await rm(scratch, { recursive: true, force: true })
      host.close()
    },
  }
}

hostContract('real host', open)

import { type Exec, runOrFail } from './exec.ts'
import { findProgram } from './findProgram.ts'
import { type Capability, type HostFiles, supported, type TrustStore, unsupported } from './host.ts'

const commands = ['update-ca-trust', 'update-ca-certificates'] as const

/** Makes certificates that were put into the anchors' directory count for every program. */
export async function trustStore(exec: Exec, files: HostFiles): Promise<Capability<TrustStore>> {
  for (const program of commands) {
    if (!(await findProgram(files, program))) continue
    return supported({
      async update() {
        await runOrFail(exec, { program, args: [], timeoutMs: 120_000 })
      },
    })
  }
  return unsupported(`this host has neither ${commands.join(' nor ')}`)
}

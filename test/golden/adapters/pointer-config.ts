import { pointerToIgnition } from '../../../src/server/pointer/pointerConfig.ts'
import type { Adapter } from '../adapter.ts'

/** The role is filled in by the program that uses the recorded template. */
export const adapter: Adapter = {
  run(_topic, { host, rootCABase64 }: { readonly host: string; readonly rootCABase64: string }) {
    const pointer = { endpoint: host, pool: '{{.Role}}', caBundle: Buffer.from(rootCABase64, 'base64') }
    const made = pointerToIgnition(pointer)
    return 'text' in made ? { raw: made.text } : made
  },
}

import { parseWrappedIgnition } from '../../../src/ignition/gzipConfig.ts'
import { mergeWireError } from '../../../src/ignition/parseIgnition.ts'
import { ignitionToJson } from '../../../src/ignition/serialize.ts'
import type { Adapter } from '../adapter.ts'

export const adapter: Adapter = {
  run(_topic, input: { readonly base64: string }) {
    const parsed = parseWrappedIgnition(Buffer.from(input.base64, 'base64'))
    return parsed.value === undefined ? { error: mergeWireError(parsed) } : { config: ignitionToJson(parsed.value) }
  },
}

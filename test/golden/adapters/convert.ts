import { convertIgnition } from '../../../src/ignition/convert.ts'
import type { Adapter } from '../adapter.ts'

export const adapter: Adapter = {
  run(_topic, input: { readonly raw: string; readonly to: string }) {
    const converted = convertIgnition(input.raw, input.to)
    return 'error' in converted ? { error: converted.error } : { raw: converted.text }
  },
}

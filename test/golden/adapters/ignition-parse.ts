import { admissionFault, convertedFault } from '../../../src/ignition/admission.ts'
import { mergeWireError, parseIgnition } from '../../../src/ignition/parseIgnition.ts'
import { ignitionToJson } from '../../../src/ignition/serialize.ts'
import type { Adapter } from '../adapter.ts'

/** Positions: a type mismatch below a repeated key is placed at the last one by us. */
export const adapter: Adapter = {
  run(_topic, input: { readonly raw: string }) {
    const parsed = parseIgnition(input.raw)
    if (parsed.stage === 'parse') return { parseError: parsed.wireError, convertError: mergeWireError(parsed) }
    const read = { family: parsed.family, validateError: admissionFault(parsed) ?? null }
    if (parsed.value === undefined) return { ...read, convertError: mergeWireError(parsed) }
    return {
      ...read,
      config: ignitionToJson(parsed.value),
      validateConvertedError: convertedFault(parsed.value) ?? null,
    }
  },
}

import type { ParsedIgnition } from './parseIgnition.ts'
import type { IgnitionConfig } from './types.ts'
import { validateIgnition } from './validate.ts'

/**
 * What the original's admission check says about a config that could be read (spec: render 10.3): the rules of the 3.5 form,
 * and no file mode above 0777. Undefined when nothing is wrong.
 */
export function admissionFault(parsed: ParsedIgnition): string | undefined {
  if (parsed.v2 !== undefined) return modeFault(parsed.v2.storage?.files ?? [])
  return parsed.value === undefined ? undefined : convertedFault(parsed.value)
}

export function convertedFault(config: IgnitionConfig): string | undefined {
  const { wireText } = validateIgnition(config)
  if (wireText !== undefined) return `invalid ignition V3 config found: ${wireText}`
  return modeFault(config.storage?.files ?? [])
}

/** Special mode bits pass the specification, but no file of a machine may have them. */
function modeFault(files: readonly { readonly path?: string; readonly mode?: number }[]): string | undefined {
  const file = files.find(({ mode = 0 }) => mode > 0o777)
  if (file === undefined) return undefined
  return `invalid mode 0${(file.mode ?? 0).toString(8)} for ${file.path ?? ''}, cannot exceed 0777`
}

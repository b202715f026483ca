import type { MachineConfig } from '../api/machineConfig.ts'
import { sameValue } from '../rollout/sameValue.ts'

const fields = ['osImageURL', 'kernelType', 'kernelArguments', 'extensions', 'fips'] as const

/** What changes below the files: image, kernel, arguments, extensions. Each as `FIELD: BEFORE -> AFTER`. */
export function systemChange(from: MachineConfig | undefined, to: MachineConfig | undefined): readonly string[] {
  if (!from || !to) return []
  return fields.flatMap((field) => {
    const [before, after] = [from.spec?.[field], to.spec?.[field]]
    return sameValue(before, after) ? [] : [`${field}: ${textOf(before)} -> ${textOf(after)}`.slice(0, 2000)]
  })
}

function textOf(value: unknown): string {
  const text = Array.isArray(value) ? value.join(' ') : String(value ?? '')
  return text === '' ? '(none)' : text
}

import { renderedName } from '../../../src/render/renderedName.ts'
import type { YamlMap } from '../../../src/render/specYaml.ts'
import type { Adapter } from '../adapter.ts'

export const adapter: Adapter = {
  run(_topic, _input, raw) {
    const { pool, spec } = parseExactly(raw).input
    const named = renderedName(pool, { ...spec, config: spec.config ?? null })
    return 'error' in named ? { error: named.error } : named
  },
}

const marker = '\u0000integer:'

/** JSON with integers above 2^53 as `bigint`: outside of strings they are wrapped before the parser rounds them. */
function parseExactly(text: string): { readonly input: { readonly pool: string; readonly spec: YamlMap } } {
  const wrapped = text.replaceAll(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g, (token) =>
    /^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token)) ? JSON.stringify(marker + token) : token,
  )
  return JSON.parse(wrapped, (_key, value: unknown) =>
    typeof value === 'string' && value.startsWith(marker) ? BigInt(value.slice(marker.length)) : value,
  )
}

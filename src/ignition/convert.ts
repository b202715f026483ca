import { configShape } from './configShape.ts'
import { lostBelow, withoutAdvertisements } from './downgrade.ts'
import { type ParsedIgnition, parseIgnition } from './parseIgnition.ts'
import { Report, reportText } from './report.ts'
import { toJson } from './serialize.ts'
import type { IgnitionConfig } from './types.ts'
import { toV2 } from './v2/fromV3.ts'
import { v2ReportText } from './v2/report.ts'
import { v2Shape } from './v2/shape.ts'
import { validateV2 } from './v2/validate.ts'
import { validateInto } from './validate.ts'

/** `error` is the original's text. */
export type Converted = { readonly text: string } | { readonly error: string }

/**
 * A spec 3 config in the version `to` (`2.2`, `3.0` to `3.5`), as exact JSON text (spec: render 10.1). The config is parsed
 * and written again also when it already has that version. The original cannot write 3.0. What the older version cannot say is an error.
 */
export function convertIgnition(text: string, to: string): Converted {
  const parsed = parseIgnition(text)
  if (parsed.family === 2)
    return { error: 'parsing Ignition config failed with error: unsupported config version\nReport: ' }
  return parsed.value === undefined ? { error: parseError(parsed) } : convertConfig(parsed.value, to)
}

/** The same for a config that is already parsed. */
export function convertConfig(config: IgnitionConfig, to: string): Converted {
  if (to === '2.2') return toSpec2(config)
  const minor = /^3\.([0-5])$/.exec(to)?.[1]
  if (minor === undefined) {
    return {
      error: `conversion for source version 3.5.0 to target version ${to}.0 is not supported the requested conversion is not supported`,
    }
  }
  return toSpec3(config, Number(minor))
}

/** The versions that `convertConfig` can produce. */
export const convertibleVersions = ['2.2', '3.0', '3.1', '3.2', '3.3', '3.4', '3.5'] as const

/** This parser knows no spec 2, and words unusable versions its own way. */
function parseError({ wireError = '' }: ParsedIgnition): string {
  const kind = /^parsing Ignition config failed: (invalid|unknown) version/.exec(wireError)?.[1]
  if (kind === undefined) return wireError
  const reason = kind === 'invalid' ? "invalid config version (couldn't parse)" : 'unsupported config version'
  return `parsing Ignition config failed with error: ${reason}\nReport: `
}

function toSpec3(config: IgnitionConfig, minor: number): Converted {
  const lost = lostBelow(config, minor)
  if (lost !== undefined) return { error: lost }
  const kept = minor < 5 ? withoutAdvertisements(config) : config
  const versioned = { ...kept, ignition: { ...kept.ignition, version: `3.${minor}.0` } }
  const unusable = minor < 5 ? fatalReport(versioned, minor) : undefined
  return unusable ?? { text: toJson(configShape, versioned, minor) }
}

function fatalReport(config: IgnitionConfig, minor: number): Converted | undefined {
  const report = new Report()
  validateInto(report, config, minor)
  return report.isFatal ? { error: `${unexpected}${reportText(report)}` } : undefined
}

const unexpected = 'Converted spec has unexpected fatal error:\n'

/** The way to 2.2 leads through 3.2. */
function toSpec2(config: IgnitionConfig): Converted {
  const viaSpec32 = toSpec3(config, 2)
  if ('error' in viaSpec32) return viaSpec32
  const converted = toV2(config)
  if ('error' in converted) return converted
  const findings = validateV2(converted.value)
  if (findings.some(({ severity }) => severity === 'error')) return { error: `${unexpected}${v2ReportText(findings)}` }
  return { text: toJson(v2Shape, converted.value) }
}

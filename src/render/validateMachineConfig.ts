import type { MachineConfig } from '../api/machineConfig.ts'
import { kernelType } from '../api/names.ts'
import { admissionFault } from '../ignition/admission.ts'
import { decodeContents } from '../ignition/contents.ts'
import type { Issue } from '../ignition/issues.ts'
import { ignitionFromValue, type ParsedIgnition } from '../ignition/parseIgnition.ts'
import { unknownExtensions } from './extensions.ts'

interface ValidatedFields {
  readonly kernelType: string
  readonly extensions: readonly string[]
}

const kernelTypes: ReadonlySet<string> = new Set(['', ...Object.values(kernelType)])
const maxFileMode = 0o777

/**
 * The first reason why a MachineConfig is not rendered, in the original's words (spec: render 10.3). `parsed` is absent
 * without a config. Extensions of a MachineConfig without a config are not looked at here: such objects exist in
 * clusters and must stay renderable. `validateMachineConfig` tells about them.
 */
export function whyInvalidSpec(fields: ValidatedFields, parsed: ParsedIgnition | undefined): string | undefined {
  if (!kernelTypes.has(fields.kernelType)) return `kernelType=${fields.kernelType} is invalid`
  if (!parsed) return undefined
  if (parsed.stage === 'parse') return parsed.wireError
  const fault = admissionFault(parsed)
  if (fault !== undefined) return fault
  const unknown = unknownExtensions(fields.extensions)
  return unknown.length > 0 ? `invalid extensions found: [${unknown.join(' ')}]` : undefined
}

export const modeError = (path: string, mode: number): string =>
  `invalid mode 0${mode.toString(8)} for ${path}, cannot exceed 0777`

interface FileMode {
  readonly path?: string
  readonly mode?: number
}

/** A spec 2 config that cannot be translated is still checked as it was read. */
const filesOf = ({ value, v2 }: ParsedIgnition): readonly FileMode[] =>
  v2?.storage?.files ?? value?.storage?.files ?? []

/** Everything that is wrong or suspicious in a MachineConfig, for people: all of it, with paths in the object. */
export function validateMachineConfig(config: MachineConfig): readonly Issue[] {
  // A spec that lost its lines to a wrong indentation arrives as null.
  const spec = config.spec ?? {}
  const parsed = spec.config === undefined || spec.config === null ? undefined : ignitionFromValue(spec.config)
  return [
    ...kernelIssues(spec.kernelType ?? ''),
    ...(parsed?.issues ?? []).map((issue) => ({ ...issue, path: issue.path.replace(/^\$/, '$.spec.config') })),
    ...(parsed ? [...modeIssues(parsed), ...contentIssues(parsed)] : []),
    ...unknownExtensions(spec.extensions ?? []).map((extension) => ({
      severity: 'error' as const,
      path: `$.spec.extensions[${(spec.extensions ?? []).indexOf(extension)}]`,
      message: `extension ${JSON.stringify(extension)} is not known; see the list of supported extensions`,
    })),
  ]
}

function kernelIssues(type: string): Issue[] {
  if (kernelTypes.has(type)) return []
  const message = `kernelType ${JSON.stringify(type)} is invalid; allowed are default, realtime and 64k-pages`
  return [{ severity: 'error', path: '$.spec.kernelType', message }]
}

function modeIssues(parsed: ParsedIgnition): Issue[] {
  return filesOf(parsed).flatMap(({ path = '', mode = 0 }, index) =>
    mode > maxFileMode
      ? [
          {
            severity: 'error' as const,
            path: `$.spec.config.storage.files[${index}].mode`,
            message: `${modeError(path, mode)}${octalHint(mode)}`,
          },
        ]
      : [],
  )
}

/** `mode: 644` is decimal: the octal number was meant. */
function octalHint(mode: number): string {
  const digits = String(mode)
  if (!/^[0-7]{3}$/.test(digits)) return ''
  return `; found ${digits}, which is decimal: did you mean 0${digits} (${Number.parseInt(digits, 8)})?`
}

/**
 * Inline contents that no machine can decode. The original lets them pass and every node of the pool fails on them; here
 * they are refused while a person still looks.
 */
function contentIssues({ value }: ParsedIgnition): Issue[] {
  return (value?.storage?.files ?? []).flatMap(({ path, contents }, index) => {
    if (contents?.source !== undefined && !contents.source.startsWith('data:')) return []
    return decodeContents(contents).issues.map(({ severity, path: member, message }) => ({
      severity,
      path: `$.spec.config.storage.files[${index}].contents${member.slice(1)}`,
      message: `${path}: ${message}`,
    }))
  })
}

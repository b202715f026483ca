import type { MachineConfig } from '../api/machineConfig.ts'
import { kernelType } from '../api/names.ts'
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
  const tooOpen = filesOf(parsed).find(({ mode }) => (mode ?? 0) > maxFileMode)
  if (tooOpen) return modeError(tooOpen.path ?? '', tooOpen.mode ?? 0)
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
  const { spec = {} } = config
  const parsed = spec.config === undefined || spec.config === null ? undefined : ignitionFromValue(spec.config)
  return [
    ...kernelIssues(spec.kernelType ?? ''),
    ...(parsed?.issues ?? []).map((issue) => ({ ...issue, path: issue.path.replace(/^\$/, '$.spec.config') })),
    ...(parsed ? modeIssues(parsed) : []),
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
            message: modeError(path, mode),
          },
        ]
      : [],
  )
}

import { decode, type TypeFault } from '../decode.ts'
import type { Issue } from '../issues.ts'
import { Positions } from '../positions.ts'
import { jsonPath } from '../report.ts'
import { type V2Finding, v2Issues, v2ReportText } from './report.ts'
import { v2Shape } from './shape.ts'
import type { V2Config, V2File } from './types.ts'
import { validateV2 } from './validate.ts'

export type V2Parsed =
  | { readonly value: V2Config; readonly issues: readonly Issue[] }
  | { readonly value?: undefined; readonly issues: readonly Issue[]; readonly reportText: string }

/** A parsed JSON document of spec 2.0, 2.1 or 2.2 in 2.2 form. `textOf` yields the text that positions refer to. */
export function parseV2(document: unknown, minor: number, textOf: () => string): V2Parsed {
  const { value, fault, unused } = decode(v2Shape, document, minor)
  if (fault) return typeError(fault, new Positions(textOf))
  const config = withVersionDefaults(value as unknown as V2Config, minor)
  const findings: V2Finding[] = [
    ...validateV2(config),
    ...unused.map((path) => ({
      severity: 'warning' as const,
      path,
      text: `Config has unrecognized key: ${path.at(-1)}`,
    })),
  ]
  const positions = new Positions(textOf)
  const issues = v2Issues(findings, positions)
  if (!findings.some(({ severity }) => severity === 'error')) return { value: config, issues }
  return { issues, reportText: v2ReportText(findings, positions) }
}

/** In 2.0 and 2.1 a file always has a mode, and in 2.0 always an owner: absent means 0 there. */
function withVersionDefaults(config: V2Config, minor: number): V2Config {
  const files = config.storage?.files
  if (minor >= 2 || files === undefined) return config
  const complete = (file: V2File): V2File => ({
    ...file,
    mode: file.mode ?? 0,
    ...(minor === 0 && { user: { id: file.user?.id ?? 0 }, group: { id: file.group?.id ?? 0 } }),
  })
  return { ...config, storage: { ...config.storage, files: files.map(complete) } }
}

function typeError({ path, found, goType, expected }: TypeFault, positions: Positions): V2Parsed {
  const finding = {
    severity: 'error' as const,
    path,
    text: `json: cannot unmarshal ${found} into Go value of type ${goType}`,
  }
  const { line, column } = positions.lineColumn(positions.nearest(path).place.start)
  const issue: Issue = {
    severity: 'error',
    path: jsonPath(path),
    message: `found ${found}, expected ${expected}`,
    line,
    column,
  }
  return { issues: [issue], reportText: v2ReportText([finding], positions) }
}

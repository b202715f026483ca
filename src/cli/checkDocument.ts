import { customResourceDefinitions } from '../api/generated/crds.ts'
import { MachineConfig } from '../api/machineConfig.ts'
import { MachineConfigPool } from '../api/machineConfigPool.ts'
import { machineConfigLabel } from '../api/names.ts'
import { isEmptyLabelSelector } from '../api/selectors.ts'
import type { Issue } from '../ignition/issues.ts'
import { ignitionFromValue } from '../ignition/parseIgnition.ts'
import { validateMachineConfig } from '../render/validateMachineConfig.ts'
import { maxUnavailableOf } from '../rollout/maxUnavailable.ts'
import { fieldErrorBody } from '../schema/fieldError.ts'
import { compileSchema, type StructuralSchema } from '../schema/structuralSchema.ts'
import { annotationIssues } from './checkAnnotations.ts'
import { kindOfDocument } from './fragments.ts'
import type { FileIssue, InputDocument } from './input.ts'
import { type JsonPath, jsonPathOf, jsonPathText } from './jsonPath.ts'

/** Everything wrong or suspicious in one document, each with its place in the user's file. */
export function checkDocument(document: InputDocument): FileIssue[] {
  return issuesOf(document.value).map((issue) => locateIssue(document, issue))
}

function issuesOf(value: unknown): readonly Issue[] {
  const kind = kindOfDocument(value)
  switch (kind.kind) {
    case 'ignition':
      return ignitionFromValue(value).issues
    case 'unknown':
      return [
        problem(
          '$',
          `found ${kind.found}, expected a Kubernetes object (with apiVersion and kind) or an Ignition config (with ignition.version)`,
        ),
      ]
    case 'object': {
      const schema = schemaOf(value, kind.name)
      if (!schema)
        return [
          { severity: 'warning', path: '$.kind', message: `kind ${kind.name} is not one of ours; it was not checked` },
        ]
      return [
        ...schemaIssues(schema, value),
        ...annotationIssues(kind.name, annotationsOf(value)),
        ...(kindChecks[kind.name]?.(value) ?? []),
      ]
    }
    default:
      return kind satisfies never
  }
}

const annotationsOf = (value: unknown): unknown =>
  (value as { readonly metadata?: { readonly annotations?: unknown } | null }).metadata?.annotations

const kindChecks: Readonly<Record<string, (value: unknown) => readonly Issue[]>> = {
  [MachineConfig.kind]: (value) => machineConfigIssues(value as MachineConfig),
  [MachineConfigPool.kind]: (value) => poolIssues(value as MachineConfigPool),
}

function schemaIssues(schema: StructuralSchema, value: unknown): Issue[] {
  const pruned = schema.prune(value)
  const errors = schema.validate(schema.applyDefaults(pruned.value))
  return [
    ...pruned.unknown.map((field) => problem(jsonPathText(jsonPathOf(field)), unknownFieldHelp(field))),
    ...errors.map((error) => problem(jsonPathText(jsonPathOf(error.field)), fieldErrorBody(error))),
  ]
}

/** The usual cause is a line that is not indented far enough, which empties its parent. */
function unknownFieldHelp(field: string): string {
  const belongsBelow = {
    config: 'spec',
    kernelArguments: 'spec',
    osImageURL: 'spec',
    extensions: 'spec',
    fips: 'spec',
    kernelType: 'spec',
    storage: 'spec.config',
    systemd: 'spec.config',
    passwd: 'spec.config',
    ignition: 'spec.config',
  }
  const parent = new Map(Object.entries(belongsBelow)).get(field.replace(/^spec\./, ''))
  const hint = parent ? `; it belongs below ${parent}: check the indentation` : '; the API server would drop it'
  return `unknown field "${field}"${hint}`
}

function machineConfigIssues(config: MachineConfig): Issue[] {
  const spec = config.spec ?? {}
  const isEmpty = Object.values(spec).every((value) => value === null || value === undefined)
  return [
    ...(isEmpty
      ? [
          problem(
            '$.spec',
            'the spec is empty, so this MachineConfig does nothing; if it should not be, check the indentation below spec',
          ),
        ]
      : []),
    ...(config.metadata?.labels?.[machineConfigLabel.role] === undefined
      ? [
          {
            severity: 'warning' as const,
            path: '$.metadata.labels',
            message: `no label ${machineConfigLabel.role}: no built-in pool selects this MachineConfig`,
          },
        ]
      : []),
    ...(spec.config !== undefined && spec.config !== null && typeof spec.config !== 'object'
      ? []
      : validateMachineConfig(config)),
  ]
}

/** Rules that the controllers would report late, as a degraded pool or a pool that silently does nothing. */
function poolIssues({ spec }: MachineConfigPool): Issue[] {
  const selectors = (['machineConfigSelector', 'nodeSelector'] as const).flatMap((name) => {
    const selector = spec?.[name]
    if (!selector || !isEmptyLabelSelector(selector)) return []
    return [problem(`$.spec.${name}`, 'the selector is empty; it selects nothing. Name the labels, or leave it out')]
  })
  const budget = maxUnavailableOf(spec?.maxUnavailable, 100)
  if (budget.kind === 'value') return selectors
  return [
    ...selectors,
    problem('$.spec.maxUnavailable', `${budget.message}; write a number (1) or a percentage ("10%")`),
  ]
}

const problem = (path: string, message: string): Issue => ({ severity: 'error', path, message })

const compiled = new Map<string, StructuralSchema | undefined>()

function schemaOf(value: unknown, kind: string): StructuralSchema | undefined {
  const apiVersion =
    typeof value === 'object' && value !== null && 'apiVersion' in value ? String(value.apiVersion) : ''
  const key = `${apiVersion}/${kind}`
  if (!compiled.has(key)) compiled.set(key, compileFor(apiVersion, kind))
  return compiled.get(key)
}

function compileFor(apiVersion: string, kind: string): StructuralSchema | undefined {
  for (const { spec } of customResourceDefinitions) {
    const version = spec.versions.find(({ name }) => `${spec.group}/${name}` === apiVersion)
    const schema = spec.names.kind === kind ? version?.schema?.openAPIV3Schema : undefined
    if (schema) return compileSchema(schema)
  }
  return undefined
}

/** The nearest place that the file really has: a missing member is shown at its parent. */
function locateIssue(document: InputDocument, issue: Issue): FileIssue {
  let path: JsonPath = jsonPathOf(issue.path)
  let place = document.locate(path)
  while (!place && path.length > 0) {
    path = path.slice(0, -1)
    place = document.locate(path)
  }
  const { line: _line, column: _column, ...rest } = issue
  return { ...rest, file: document.file, ...(place ?? {}) }
}

import { type ASTNode, Environment, EvaluationError, Optional } from '@marcbachmann/cel-js'
import { type CelFormat, CelFormatLibrary, celFormat, celFormatNames, celFunctions, celTypes } from './celFunctions.ts'

/** The one place that knows the CEL engine: an environment with Kubernetes' libraries, and rules compiled in it. */
export interface CelExpression {
  /** A rule that speaks of `oldSelf` is checked on updates only, unless oldSelf is optional. */
  readonly usesOldSelf: boolean
  /**
   * Computes the expression. `oldSelf` is ignored unless the expression uses it; an optional one may be undefined. Throws
   * when the expression cannot be computed for these values, for example on a member that is absent.
   */
  evaluate(self: unknown, oldSelf?: unknown): unknown
}

/** Throws when the text is no CEL: a broken rule must not pass as one that holds. */
export function compileCel(
  text: string,
  { optionalOldSelf = false }: { optionalOldSelf?: boolean } = {},
): CelExpression {
  const parsed = environments(optionalOldSelf).parse(text)
  const usesOldSelf = mentions(parsed.ast, 'oldSelf')
  return {
    usesOldSelf,
    evaluate(self, oldSelf) {
      const old = optionalOldSelf ? (oldSelf === undefined ? Optional.none() : Optional.of(oldSelf)) : oldSelf
      return parsed(usesOldSelf ? { self, oldSelf: old } : { self })
    },
  }
}

/** The first line of what went wrong, without the excerpt of the rule. */
export function celErrorMessage(error: unknown): string {
  if (error instanceof EvaluationError) return error.summary.replace(/^N/, 'n')
  return error instanceof Error ? error.message : String(error)
}

const built = new Map<boolean, Environment>()

function environments(optionalOldSelf: boolean): Environment {
  const known = built.get(optionalOldSelf)
  if (known) return known
  const environment = buildEnvironment()
  if (optionalOldSelf) environment.registerVariable('oldSelf', 'optional')
  built.set(optionalOldSelf, environment)
  return environment
}

function buildEnvironment(): Environment {
  const environment = new Environment({
    unlistedVariablesAreDyn: true,
    enableOptionalTypes: true,
    homogeneousAggregateLiterals: false,
  })
  for (const [name, ctor] of Object.entries(celTypes)) environment.registerType(name, { ctor })
  environment.registerConstant('format', 'kubernetes.FormatLibrary', new CelFormatLibrary())
  for (const name of celFormatNames) {
    environment.registerFunction(`kubernetes.FormatLibrary.${name}(): kubernetes.NamedFormat`, () => celFormat(name))
  }
  environment.registerFunction('kubernetes.NamedFormat.validate(string): optional', validateFormat)
  for (const [signature, handler] of Object.entries(celFunctions)) environment.registerFunction(signature, handler)
  return environment
}

/** `validate` answers with the errors, or with nothing for a valid text. */
function validateFormat(format: CelFormat, text: string): Optional {
  const errors = format.errorsOf(text)
  return errors.length === 0 ? Optional.none() : Optional.of(errors)
}

function mentions(node: ASTNode, name: string): boolean {
  if (node.op === 'id') return node.args === name
  return Array.isArray(node.args) && mentionsAny(node.args, name)
}

function mentionsAny(parts: readonly unknown[], name: string): boolean {
  return parts.some((part) => (Array.isArray(part) ? mentionsAny(part, name) : isNode(part) && mentions(part, name)))
}

function isNode(part: unknown): part is ASTNode {
  return typeof part === 'object' && part !== null && 'op' in part && 'args' in part
}

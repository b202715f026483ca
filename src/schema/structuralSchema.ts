import { compileCheck } from './check.ts'
import { compileDefaults } from './defaults.ts'
import type { FieldError, FieldErrorType } from './fieldError.ts'
import type { JSONSchemaProps } from './jsonSchemaProps.ts'
import { compilePrune } from './prune.ts'
import { compileRules } from './rules.ts'

/**
 * A CRD's schema, compiled once, applied to every object of its kind. Values are never changed in place; parts that stay
 * the same are shared with the result.
 */
export interface StructuralSchema {
  /** Drops members that the schema does not know; `unknown` holds their paths (`spec.foo`), for strict decoding. */
  prune(value: unknown): { readonly value: unknown; readonly unknown: readonly string[] }
  /** Fills absent members and resolves nulls where none are allowed. */
  applyDefaults(value: unknown): unknown
  /** Everything wrong with `value`; `old` is the stored object on updates. The value must be pruned and defaulted. */
  validate(value: unknown, old?: unknown): readonly FieldError[]
}

/** Compiles the schema of a whole object (with apiVersion, kind and metadata); throws when a pattern or rule is broken. */
export function compileSchema(schema: JSONSchemaProps): StructuralSchema {
  const root = { isRoot: true }
  const prune = compilePrune(schema, root)
  const applyDefaults = compileDefaults(schema)
  const check = compileCheck(schema, root)
  const rules = compileRules(schema, root)
  return {
    prune(value) {
      const unknown: string[] = []
      return { value: prune(value, '', (path) => unknown.push(path)), unknown }
    },
    applyDefaults,
    validate(value, old) {
      const errors: FieldError[] = []
      check(value, old, '', errors)
      if (!rules) return errors
      if (errors.some(({ type }) => blocking.has(type))) return [...errors, rulesNotChecked]
      rules(value, old, '', errors)
      return errors
    },
  }
}

/** Rules assume well-typed values, so these errors keep them from running. */
const blocking: ReadonlySet<FieldErrorType> = new Set(['NotSupported', 'Required', 'TooLong', 'TooMany', 'TypeInvalid'])

const rulesNotChecked: FieldError = {
  type: 'Invalid',
  field: '',
  value: null,
  detail:
    'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
}

/** What strict decoding says about members that the schema does not know; also the text of warnings. */
export const unknownFieldMessage = (path: string): string => `unknown field "${path}"`

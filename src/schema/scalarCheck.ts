import { deepEqual } from './deepEqual.ts'
import { type Check, invalid, notSupported, tooLong, typeInvalid } from './fieldError.ts'
import { formatChecks } from './formats.ts'
import type { JSONSchemaProps } from './jsonSchemaProps.ts'
import { compilePattern } from './pattern.ts'

/** Enum, length, pattern, format and range: the checks of one value without members. Undefined when there is none. */
export function compileScalarCheck(schema: JSONSchemaProps): Check | undefined {
  const parts = [compileEnumCheck(schema), compileStringCheck(schema), compileNumberCheck(schema)].filter(
    (part): part is Check => part !== undefined,
  )
  if (parts.length === 0) return undefined
  return (value, old, path, errors) => {
    for (const part of parts) part(value, old, path, errors)
  }
}

function compileEnumCheck({ enum: allowed }: JSONSchemaProps): Check | undefined {
  if (!allowed) return undefined
  return (value, _old, path, errors) => {
    if (!allowed.some((each) => deepEqual(each, value))) errors.push(notSupported(path, value, allowed))
  }
}

function compileStringCheck(schema: JSONSchemaProps): Check | undefined {
  const { minLength, maxLength, format } = schema
  const pattern = schema.pattern === undefined ? undefined : compilePattern(schema.pattern)
  const hasFormat = format === undefined ? undefined : formatChecks[format]
  if (minLength === undefined && maxLength === undefined && !pattern && !hasFormat) return undefined
  return (value, _old, path, errors) => {
    if (typeof value !== 'string') return
    if (maxLength !== undefined && isLongerThan(value, maxLength)) errors.push(tooLong(path, maxLength))
    if (minLength !== undefined && !isLongerThan(value, minLength - 1)) {
      errors.push(invalid(path, value, `${path} in body should be at least ${minLength} chars long`))
    }
    if (pattern && !pattern.test(value)) {
      errors.push(invalid(path, value, `${path} in body should match '${schema.pattern}'`))
    }
    if (hasFormat && !hasFormat(value)) {
      errors.push(typeInvalid(path, value, `${path} in body must be of type ${format}: ${JSON.stringify(value)}`))
    }
  }
}

/** Lengths count code points, not UTF-16 units; the expensive count runs only near the limit. */
function isLongerThan(text: string, limit: number): boolean {
  if (text.length <= limit) return false
  return text.length > 2 * limit || [...text].length > limit
}

const integerRanges: Readonly<Record<string, readonly [number, number]>> = {
  int32: [-(2 ** 31), 2 ** 31 - 1],
  // Doubles near the edge of int64 are rounded: the edge itself is the last value that can be told apart.
  int64: [-(2 ** 63), 2 ** 63],
}

function compileNumberCheck(schema: JSONSchemaProps): Check | undefined {
  const { minimum, maximum, multipleOf, format } = schema
  const range = schema.type === 'integer' && format !== undefined ? integerRanges[format] : undefined
  if (minimum === undefined && maximum === undefined && multipleOf === undefined && !range) return undefined
  return (given, _old, path, errors) => {
    if (typeof given !== 'number' && typeof given !== 'bigint') return
    const value = Number(given)
    if (range && (value < range[0] || value > range[1])) {
      errors.push(typeInvalid(path, value, `${path} in body must be of type ${format}: "${value}"`))
    }
    if (minimum !== undefined && (schema.exclusiveMinimum ? value <= minimum : value < minimum)) {
      const bound = schema.exclusiveMinimum ? 'greater than' : 'greater than or equal to'
      errors.push(invalid(path, value, `${path} in body should be ${bound} ${minimum}`))
    }
    if (maximum !== undefined && (schema.exclusiveMaximum ? value >= maximum : value > maximum)) {
      const bound = schema.exclusiveMaximum ? 'less than' : 'less than or equal to'
      errors.push(invalid(path, value, `${path} in body should be ${bound} ${maximum}`))
    }
    if (multipleOf !== undefined && !isMultiple(value, multipleOf)) {
      errors.push(invalid(path, value, `${path} in body should be a multiple of ${multipleOf}`))
    }
  }
}

function isMultiple(value: number, of: number): boolean {
  const quotient = value / of
  return Math.abs(quotient - Math.round(quotient)) < 1e-9
}

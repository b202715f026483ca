import { expect, test } from 'vitest'
import {
  duplicate,
  fieldErrorToCause,
  forbidden,
  formatFieldErrors,
  invalid,
  notFound,
  required,
  tooLong,
} from './fieldError.ts'

test('formatFieldErrors leaves one error bare and brackets several, without repetitions', () => {
  expect(formatFieldErrors([required('spec.a')])).toBe('spec.a: Required value')
  expect(formatFieldErrors([required('spec.a'), invalid('spec.b', 'x', 'no'), required('spec.a')])).toBe(
    '[spec.a: Required value, spec.b: Invalid value: "x": no]',
  )
})

test('fieldErrorToCause carries reason, sentence and field', () => {
  expect(fieldErrorToCause(forbidden('spec', 'never'))).toEqual({
    reason: 'FieldValueForbidden',
    message: 'Forbidden: never',
    field: 'spec',
  })
  expect(fieldErrorToCause(duplicate('a[1]', 'x')).message).toBe('Duplicate value: "x"')
  expect(fieldErrorToCause(notFound('a', 'x')).message).toBe('Not found: "x"')
  expect(fieldErrorToCause(tooLong('', 3))).toEqual({
    reason: 'FieldValueTooLong',
    message: 'Too long: may not be more than 3 bytes',
    field: '<nil>',
  })
})

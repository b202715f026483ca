import { describe, expect, test } from 'vitest'
import {
  configMapKeyErrors,
  dns1035LabelErrors,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  labelValueErrors,
  pathSegmentErrors,
  qualifiedNameErrors,
} from './names.ts'

describe('names', () => {
  test.each<[string, (value: string) => readonly string[], readonly string[], readonly string[]]>([
    [
      'DNS-1123 label',
      dns1123LabelErrors,
      ['a', 'a-1', '1a', 'x'.repeat(63)],
      ['', 'A', '-a', 'a-', 'a.b', 'x'.repeat(64)],
    ],
    ['DNS-1123 subdomain', dns1123SubdomainErrors, ['a', 'a.b-c.1'], ['', 'a..b', 'A', '.a', 'a_b', 'a'.repeat(254)]],
    ['DNS-1035 label', dns1035LabelErrors, ['a1', 'a-b'], ['1a', 'a.b', '']],
    [
      'qualified name',
      qualifiedNameErrors,
      ['a', 'A_b.c', 'ex.com/a'],
      ['', '/a', 'a/', 'A/b', 'a/b/c', '-a', 'x'.repeat(64)],
    ],
    ['label value', labelValueErrors, ['', 'a', 'A.b_c-1'], ['-a', 'a/b', 'x'.repeat(64), ' ']],
    ['path segment', pathSegmentErrors, ['system:node', 'a b'], ['.', '..', 'a/b', 'a%b']],
    ['data key', configMapKeyErrors, ['.dockerconfigjson', 'a_b-c'], ['', '.', '..', '..a', 'a/b', 'a b']],
  ])('%s', (_what, errorsOf, valid, invalid) => {
    expect(valid.filter((value) => errorsOf(value).length > 0)).toEqual([])
    expect(invalid.filter((value) => errorsOf(value).length === 0)).toEqual([])
  })
})

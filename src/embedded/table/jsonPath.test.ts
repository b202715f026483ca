import { describe, expect, it } from 'vitest'
import { findAll, parseJsonPath } from './jsonPath.ts'

const object = {
  metadata: { annotations: { 'example.com/a.b': 'x' } },
  spec: {
    list: [
      { name: 'a', size: 1 },
      { name: 'b', size: 5 },
    ],
    open: true,
  },
  status: {
    conditions: [
      { type: 'Ready', status: 'True' },
      { type: 'Updating', status: 'False' },
    ],
  },
}

describe('findAll', () => {
  it.each<[string, readonly unknown[]]>([
    ['.spec.open', [true]],
    ['{.spec.open}', [true]],
    ['.metadata.annotations.example\\.com/a\\.b', ['x']],
    [".metadata.annotations['example.com/a.b']", ['x']],
    ['.status.conditions[?(@.type=="Ready")].status', ['True']],
    [".status.conditions[?(@.type=='Updating')].status", ['False']],
    ['.status.conditions[?(@.type!="Ready")].type', ['Updating']],
    ['.spec.list[?(@.size>2)].name', ['b']],
    ['.spec.list[?(@.missing)].name', []],
    ['.spec.list[*].name', ['a', 'b']],
    ['.spec.list[0].name', ['a']],
    ['.spec.list[-1].name', ['b']],
    ['.spec.nothing.here', []],
    ['.', [object]],
  ])('of %s is %j', (path, expected) => {
    const parsed = parseJsonPath(path)
    expect(parsed && findAll(object, parsed)).toEqual(expected)
  })

  it.each([['..name'], ['.a[1:2]'], ['.a['], ['name']])('does not understand %s', (path) => {
    expect(parseJsonPath(path)).toBeUndefined()
  })
})

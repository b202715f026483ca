import { describe, expect, it } from 'vitest'
import { kernelArgumentsCommand, splitKernelArguments } from './kernelArguments.ts'

describe('splitKernelArguments', () => {
  it.each([
    [['hello=world'], ['hello=world']],
    [[' baz=test bar="hello world"'], ['baz=test', 'bar="hello world"']],
    [['a\tb\nc'], ['a', 'b', 'c']],
    [['a\u00a0b'], ['a\u00a0b']],
    [['"never closed x y'], ['"never closed x y']],
    [[''], []],
  ])('splits %j as the kernel does', (entries, expected) => {
    expect(splitKernelArguments(entries)).toEqual(expected)
  })
})

describe('kernelArgumentsCommand', () => {
  it('deletes all old and appends all new arguments, in order', () => {
    expect(kernelArgumentsCommand(['foo', 'bar=1 hello=world'], ['hello=world', 'foo'])).toEqual([
      '--delete-if-present=foo',
      '--delete-if-present=bar=1',
      '--delete-if-present=hello=world',
      '--append=hello=world',
      '--append=foo',
    ])
  })
})

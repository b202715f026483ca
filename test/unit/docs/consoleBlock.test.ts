import { describe, expect, test } from 'vitest'
import { examplesOf, firstDifference } from '../../docs/consoleBlock.ts'

describe('examplesOf', () => {
  test('splits a block into commands, continued lines and outputs', () => {
    expect(examplesOf('$ cat <<EOF\n> a\n> EOF\na\n$ true\n')).toEqual([
      { command: 'cat <<EOF\na\nEOF', output: 'a' },
      { command: 'true', output: '' },
    ])
  })
  test('refuses a block that does not begin with a command', () => {
    expect(() => examplesOf('text')).toThrow('begins with "$ command"')
  })
})

describe('firstDifference', () => {
  test.each([
    ['equal', 'a\nb', 'a\nb\n', undefined],
    ['nothing expected, nothing printed', '', '\n', undefined],
    ['text within a line', 'name … end', 'name x y end', undefined],
    ['lines in between', 'a\n…\nd', 'a\nb\nc\nd', undefined],
    ['no lines in between', 'a\n…\nd', 'a\nd', undefined],
    ['any end', 'a\n…', 'a\nb\nc', undefined],
    ['any beginning', '…\nc', 'a\nb\nc', undefined],
    ['a gap that must reach over a first match', '…\na\nb', 'a\nc\na\nb', undefined],
    ['another line', 'a', 'b', 'a\n  but it prints: b'],
    ['too few lines', 'a\nb', 'a', 'b (the output ends before)'],
    ['too many lines', 'a', 'a\nb', 'nothing more, but it prints: b'],
    ['a line missing behind a gap', '…\nx', 'a\nb', 'x (the output ends before)'],
    ['characters with a meaning in patterns', 'a+(b)', 'aab', 'a+(b)\n  but it prints: aab'],
  ])('%s', (_, expected, actual, difference) => {
    expect(firstDifference(expected, actual)).toBe(difference)
  })
})

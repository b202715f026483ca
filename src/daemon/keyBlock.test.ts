import { describe, expect, it } from 'vitest'
import { isSharedKeyFile, keyBlockBegin, keyBlockEnd, withKeyBlock } from './keyBlock.ts'

const lines = (...all: readonly string[]): string => all.map((line) => `${line}\n`).join('')
const block = (...keys: readonly string[]): readonly string[] => [keyBlockBegin, ...keys, keyBlockEnd]

describe('withKeyBlock', () => {
  it.each<[string, string, readonly string[], string]>([
    ['a file that is not there', '', ['k'], lines(...block('k'))],
    ['foreign lines', lines('a', '# note', '', 'b'), ['k'], lines('a', '# note', '', 'b', ...block('k'))],
    ['a last line without its newline', 'a', ['k'], lines('a', ...block('k'))],
    ['another block', lines('a', ...block('old'), 'b'), ['k', 'l'], lines('a', ...block('k', 'l'), 'b')],
    ['no keys any more', lines('a', ...block('old'), 'b'), [], lines('a', 'b')],
    ['nothing but our keys, which go', lines(...block('old')), [], ''],
    ['no block and no keys', 'a', [], 'a'],
    ['two blocks', lines(...block('x'), 'a', ...block('y')), ['k'], lines(...block('k'), 'a')],
    ['a block whose end was deleted', lines('a', keyBlockBegin, 'old', 'b'), ['k'], lines('a', ...block('k'), 'b')],
    ['an end alone', lines('a', keyBlockEnd, 'b'), ['k'], lines('a', 'b', ...block('k'))],
    ['a foreign line equal to our key', lines('k'), ['k'], lines('k', ...block('k'))],
    ['a foreign line equal to a key that goes', lines('old', ...block('old')), [], lines('old')],
  ])('with %s', (_situation, text, keys, expected) => {
    const result = withKeyBlock(Buffer.from(text), keys, ['old'])
    expect(result.toString()).toBe(expected)
    expect(withKeyBlock(result, keys, ['old']).toString(), 'a second time').toBe(expected)
  })
  it('leaves bytes of others that are no UTF-8, and writes ours as UTF-8', () => {
    const foreign = Buffer.from([0x61, 0xe4, 0x0a])
    const result = withKeyBlock(foreign, ['k ä'])
    expect(result.subarray(0, 3)).toEqual(foreign)
    expect(result.subarray(3).toString()).toBe(lines(...block('k ä')))
  })
})

describe('isSharedKeyFile', () => {
  it.each([
    ['.ssh/authorized_keys', true],
    ['.ssh/authorized_keys2', false],
    ['.ssh/authorized_keys.d/ignition', false],
  ])('of %s is %s', (file, expected) => {
    expect(isSharedKeyFile(file)).toBe(expected)
  })
})

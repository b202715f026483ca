import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readUnitFile } from './unitFile.ts'

describe('readUnitFile', () => {
  // systemd.syntax(7), with the limits of the reference's parser
  it.each([
    ['', undefined, []],
    ['no section\n', undefined, []],
    ['# [x\n; [y\n[Unit]\nA=b\n', undefined, ['Unit']],
    ['# goes on \\\n[x\n[Unit]\nA=b', undefined, ['Unit']],
    ['[Unit]\nA=b\\\n[not a section\nB=c\n[Install]\nX=', undefined, ['Unit', 'Install']],
    ['[Install]\n', undefined, []],
    ['[Unit]\nfoo\n', 'unexpected newline encountered while parsing option name', []],
    ['[Unit]\nfoo', 'EOF', []],
    ['[Unit', 'unable to find end of section', []],
    ['[Unit] x\n', 'found garbage after section name : "x"', []],
    [`[Unit]\nA=${'x'.repeat(3000)}\n`, 'line too long (max 2048 bytes)', []],
    [`[Unit]\nA=${'x'.repeat(2000)}\n`, undefined, ['Unit']],
    [`[Unit]\nA=${'é'.repeat(1100)}\n`, 'line too long (max 2048 bytes)', []],
  ])('reads %j', (text, fault, sections) => {
    const read = readUnitFile(text)
    expect(read.fault).toBe(fault)
    expect([...read.sections]).toEqual(sections)
  })

  it('ends for any text', () => {
    const unitish = fc
      .array(fc.constantFrom('[', ']', '=', '\\', '\n', '\r', '#', ';', ' ', 'a', '[Unit]\n'))
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(unitish, (text) => readUnitFile(text).sections.size >= 0),
      { numRuns: 500 },
    )
  })
})

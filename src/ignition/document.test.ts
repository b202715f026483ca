import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatYaml, parseDocuments } from './document.ts'

const valueOfYaml = (text: string): unknown => parseDocuments(text).documents[0]?.value
const bomb = [...Array(9).keys()]
  .map(
    (level) =>
      `a${level}: &a${level} [${Array(10)
        .fill(level === 0 ? 'x' : `*a${level - 1}`)
        .join(', ')}]`,
  )
  .join('\n')

describe('parseDocuments', () => {
  it.each([
    ['0644', 420],
    ['0o644', 420],
    ['0x1f', 31],
    ['0b11', 3],
    ['1_000', 1000],
    ['+5', 5],
    ['yes', true],
    ['off', false],
    ['~', null],
    ['1e3', 1000],
    ['3.5.0', '3.5.0'],
    ['2020-01-01', '2020-01-01'],
    ['2001-12-14t21:59:43.10-05:00', '2001-12-14t21:59:43.10-05:00'],
    ['1:20', '1:20'],
    ['12:30:45.5', '12:30:45.5'],
    ['9007199254740993', 9007199254740993n],
    ['!!binary aGVsbG8=', 'hello'],
    ['"0644"', '0644'],
  ])('reads the scalar %s like the Kubernetes tools', (text, expected) => {
    expect(valueOfYaml(`a: ${text}`)).toEqual({ a: expected })
  })

  it('reads several documents and leaves empty ones out', () => {
    const { documents, issues } = parseDocuments('---\na: 1\n---\n# nothing\n---\nb: 2\n...\n')
    expect(documents.map(({ value }) => value)).toEqual([{ a: 1 }, { b: 2 }])
    expect(issues).toEqual([])
  })

  it('keeps keys as text and resolves anchors and merge keys', () => {
    expect(valueOfYaml('on: &x {q: 1}\n1: *x\nz:\n  <<: *x\n  r: 2\n')).toEqual({
      on: { q: 1 },
      1: { q: 1 },
      z: { q: 1, r: 2 },
    })
  })

  it.each([
    ['a repeated key', 'a: 1\nb: 2\na: 3\n', 3],
    ['a repeated key in JSON', '{\n"a": 1,\n"a": 2}', 3],
    ['a broken document', 'a: [1\nb: 2\n', 2],
    ['an alias of nothing', 'a: *x\n', 1],
    ['an alias bomb', bomb, 1],
    ['an unknown tag', 'a: 1\nb: !!set {x, y}\n', 2],
  ])('refuses %s and says where', (_what, text, line) => {
    const { documents, issues } = parseDocuments(text)
    expect(documents).toEqual([])
    expect(issues[0]).toMatchObject({ severity: 'error', line })
  })

  it.each([
    ['brackets', '['.repeat(100_000)],
    ['dashes', '- '.repeat(20_000)],
    ['spaces', `${' '.repeat(50_000)}a: 1`],
  ])('survives endless nesting by %s', (_what, text) => {
    const { documents, issues } = parseDocuments(text)
    expect(documents.length + issues.length).toBeGreaterThan(0)
  })

  it('names the file in its messages and reads .json as JSON only', () => {
    const { issues } = parseDocuments('{a: 1}', { fileName: 'x.json' })
    expect(issues[0]?.message).toMatch(/^x\.json: not JSON: invalid character 'a'/)
    expect(valueOfYaml('{a: 1}')).toEqual({ a: 1 })
  })

  it.each([
    ['YAML', 'kind: X\nspec:\n  files:\n  - path: /a\n    mode: 0644\n', { line: 5, column: 11 }],
    ['JSON', '{"spec": {"files": [\n {"mode": 420}]}}', { line: 2, column: 11 }],
    ['YAML with an alias', 'base: &b [{mode: 1}]\nspec:\n  files: *b\n', { line: 1, column: 18 }],
  ])('locates members in %s', (_what, text, place) => {
    const document = parseDocuments(text).documents[0]
    expect(document?.locate(['spec', 'files', 0, 'mode'])).toEqual(place)
    expect(document?.locate(['spec', 'nothing'])).toBeUndefined()
  })

  it('never throws', () => {
    const yamlish = fc
      .array(
        fc.constantFrom(
          'a: ',
          '- ',
          '\n',
          '  ',
          '*a',
          '&a ',
          '!!t ',
          '{',
          ']',
          '"',
          "'",
          '|',
          '>',
          '#',
          '\t',
          '---\n',
          '? ',
          '<<: ',
        ),
      )
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(fc.oneof(fc.string(), yamlish), (text) => Array.isArray(parseDocuments(text).documents)),
      { numRuns: 300 },
    )
  })
})

describe('formatYaml', () => {
  it('writes like kubectl: sorted keys, lists at their key, nothing folded, look-alikes quoted', () => {
    const value = {
      b: ['x', { q: 1, a: 'l1\nl2\n' }],
      a: { mode: '0644', on: 'yes', long: `x ${'y'.repeat(90)}` },
      c: [],
      d: {},
    }
    expect(formatYaml(value)).toBe(
      `a:\n  long: x ${'y'.repeat(90)}\n  mode: "0644"\n  "on": "yes"\nb:\n- x\n- a: |\n    l1\n    l2\n  q: 1\nc: []\nd: {}\n`,
    )
  })

  it('is read back as the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        const wrapped = { value: JSON.parse(JSON.stringify(value)) as unknown }
        expect(asNumbers(valueOfYaml(formatYaml(wrapped)))).toEqual(wrapped)
      }),
    )
  })
})

/** Large integers as the doubles that they were written from. */
const asNumbers = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_key, member: unknown) => (typeof member === 'bigint' ? Number(member) : member)))

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { anchorsOf, fencesOf, localLinksOf, replaceSection } from '../../docs/markdown.ts'
import { generatedTables, requiredWords } from '../../docs/tables.ts'

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'examples/README.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
]
const read = (path: string): string => readFileSync(path, 'utf8')
const deviations: Readonly<Record<string, string>> = JSON.parse(read('test/golden/deviations.json'))

describe('pages', () => {
  test.each(pages)('%s links to files and headings that exist', (page) => {
    const broken = localLinksOf(read(page)).filter((target) => {
      const [path = '', anchor] = target.split('#')
      const file = path === '' ? page : join(dirname(page), path)
      if (!existsSync(file)) return true
      return anchor !== undefined && !anchorsOf(read(file)).has(anchor)
    })
    expect(broken).toEqual([])
  })

  test.each(pages)('%s names the language of every block', (page) => {
    const known = ['console', 'sh', 'text', 'yaml', 'json', 'ts']
    expect(fencesOf(read(page)).filter(({ language }) => !known.includes(language))).toEqual([])
  })

  // `node scripts/run.mjs test/e2e/docs.ts --write` brings the pages up to date.
  test.each(generatedTables(deviations))('$page has the present table of $section', ({ page, section, text }) => {
    expect(read(page)).toBe(replaceSection(read(page), section, text))
  })

  test.each(requiredWords())('$page explains $words', ({ page, words }) => {
    const text = read(page)
    expect(words.filter((word) => !text.includes(`\`${word}\``))).toEqual([])
  })
})

describe('markdown', () => {
  test('fencesOf reads language, text and line, also of an indented block', () => {
    expect(fencesOf('a\n```sh\nb\n\n```\n- c\n  ```json\n  {}\n  ```\n')).toEqual([
      { language: 'sh', text: 'b\n', line: 2 },
      { language: 'json', text: '{}', line: 7 },
    ])
  })
  test('localLinksOf leaves out the web and code', () => {
    expect(localLinksOf('[a](b.md#c) [d](https://e) `[f](g)`\n```text\n[h](i)\n```\n')).toEqual(['b.md#c'])
  })
  test('anchorsOf spells headings as viewers do', () => {
    expect([...anchorsOf('# A `b`: c!\n## D-e f\n')]).toEqual(['a-b-c', 'd-e-f'])
  })
  test('replaceSection says which section a page lacks', () => {
    expect(() => replaceSection('', 'x', '')).toThrow('no section between <!-- begin x --> and <!-- end x -->')
  })
})

import { describe, expect, it } from 'vitest'
import { enablementLinks, globMatches, parseInstallSection, presetRule, templateOf } from './unitFile.ts'

describe('parseInstallSection', () => {
  it('collects lists over lines, continuations and empty values', () => {
    const text =
      '# x\n[Unit]\nWantedBy=no.target\n[Install]\nWantedBy=a.target\nWantedBy=\nWantedBy=b.target \\\n  c.target\n; y\nAlso=d.socket\nDefaultInstance=one\n'
    expect(parseInstallSection(text)).toEqual({
      wantedBy: ['b.target', 'c.target'],
      requiredBy: [],
      upheldBy: [],
      aliases: [],
      also: ['d.socket'],
      defaultInstance: 'one',
    })
  })
})

describe('enablementLinks', () => {
  const install = parseInstallSection(
    '[Install]\nWantedBy=m.target\nRequiredBy=r.target\nAlias=x.service app.service\n',
  )
  it('names a link for each target and alias, never one to itself', () => {
    expect(enablementLinks('app.service', '/etc/systemd/system/app.service', install).map(({ path }) => path)).toEqual([
      'x.service',
      'm.target.wants/app.service',
      'r.target.requires/app.service',
    ])
  })
  it.each([
    ['app@.service', 'DefaultInstance=one\n', ['m.target.wants/app@one.service']],
    ['app@.service', '', []],
    ['app@two.service', '', ['m.target.wants/app@two.service']],
  ])('treats the template %s with "%s"', (unit, extra, expected) => {
    const section = parseInstallSection(`[Install]\nWantedBy=m.target\n${extra}`)
    expect(enablementLinks(unit, '/f', section).map(({ path }) => path)).toEqual(expected)
  })
})

describe('presetRule', () => {
  it.each([
    ['a.service', ['enable a.service\ndisable *'], 'enable'],
    ['b.service', ['enable a.service\ndisable *'], 'disable'],
    ['b.service', ['enable a.service', 'enable b*'], 'enable'],
    ['b.service', ['# enable b.service'], 'none'],
  ])('%s under %j is %s', (unit, texts, expected) => expect(presetRule(unit, texts)).toBe(expected))
})

describe('globMatches', () => {
  it.each([
    ['a?.service', 'ab.service', true],
    ['a.service', 'aXservice', false],
    ['[ab].service', 'b.service', true],
  ])('%s on %s is %s', (glob, name, expected) => expect(globMatches(glob, name)).toBe(expected))
})

describe('templateOf', () => {
  it.each([
    ['a@b.service', 'a@.service'],
    ['a.service', undefined],
  ])('%s comes from %s', (unit, expected) => expect(templateOf(unit)).toBe(expected))
})

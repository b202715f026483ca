import { describe, expect, it } from 'vitest'
import { type ConfigInput, config } from '../../test/daemon/builders.ts'
import { type DescribeOptions, describeChange } from './describeChange.ts'

const lines = (old: ConfigInput, next: ConfigInput, options: DescribeOptions = {}) =>
  describeChange(config(old).view, config(next).view, options)

const file = (text: string, more: object = {}): ConfigInput => ({ files: { '/etc/a': { text, ...more } } })
const source = (contents: object): ConfigInput => ({ storage: { files: [{ path: '/etc/a', contents }] } })

describe('describeChange of files', () => {
  it('says nothing about equal configs', () => {
    expect(lines(file('x'), file('x'))).toEqual([])
  })

  it('shows text as a diff', () => {
    expect(lines(file('one\ntwo\n'), file('one\n2\n'))).toEqual([
      { subject: '/etc/a', change: 'changed', details: [], patch: '@@ -1,2 +1,2 @@\n one\n-two\n+2' },
    ])
  })

  it('does not compare long texts that have nothing in common, and shows what is only added or removed', () => {
    const text = (word: string) => Array.from({ length: 11_000 }, (_, line) => `${word} ${line % 11}\n`).join('')
    const started = performance.now()
    const [line] = lines(file(text('old')), file(text('new')))
    // It took minutes: the time of a comparison grows with the square of what differs.
    expect(performance.now() - started).toBeLessThan(5_000)
    expect(line?.patch).toBeUndefined()
    expect(line?.details).toEqual([
      expect.stringMatching(/^contents \(more than 1000 lines\) \d+ bytes sha256:\w{12} -> \d+ bytes sha256:\w{12}$/),
    ])
    expect(lines({}, file(text('new')))[0]?.patch).toMatch(/^@@ -0,0 \+1,11000 @@\n\+new 0\n/)
    expect(lines(file(text('old')), {})[0]?.patch).toMatch(/^@@ -1,11000 \+0,0 @@\n-old 0\n/)
  })

  it('compares no texts for those who only ask what differs', () => {
    expect(lines(file('one\n'), file('two\n'), { patches: false })).toEqual([
      { subject: '/etc/a', change: 'changed', details: [] },
    ])
  })

  it.each<[string, ConfigInput, ConfigInput, object]>([
    [
      'an added file with its mode',
      {},
      file('x\n'),
      { change: 'added', details: ['mode 0644'], patch: '@@ -0,0 +1,1 @@\n+x' },
    ],
    ['a removed file', file('x\n'), {}, { change: 'removed', details: ['mode was 0644'] }],
    ['a mode', file('x'), file('x', { mode: 0o755 }), { change: 'changed', details: ['mode 0644 -> 0755'] }],
    [
      'owners, by name or number',
      file('x', { user: { id: 5 }, group: { name: 'wheel' } }),
      file('x', { user: { name: 'core' } }),
      { change: 'changed', details: ['user 5 -> core', 'group was wheel'] },
    ],
  ])('%s', (_name, old, next, expected) => {
    const [line, ...rest] = lines(old, next)
    expect(line).toMatchObject({ subject: '/etc/a', ...expected })
    expect(rest).toEqual([])
  })

  it.each<[string, ConfigInput, ConfigInput, DescribeOptions]>([
    ['readable by its owner alone', file('s3cret', { mode: 0o600 }), file('n3w', { mode: 0o600 }), {}],
    ['that was so before', file('s3cret', { mode: 0o600 }), file('n3w'), {}],
    ['that becomes so', file('s3cret'), file('n3w', { mode: 0o400 }), {}],
    ['that its author marked', file('s3cret'), file('n3w'), { secretPaths: new Set(['/etc/a']) }],
  ])('never shows the contents of a file %s', (_name, old, next, options) => {
    const text = JSON.stringify(lines(old, next, options))
    expect(text).not.toMatch(/s3cret|n3w/)
    expect(text).toMatch(/contents \(secret\) 6 bytes sha256:[0-9a-f]{12} -> 3 bytes sha256:[0-9a-f]{12}/)
    expect(JSON.stringify(lines(old, next, { ...options, showSecrets: true }))).toContain('s3cret')
  })

  it('shows bytes that are no text by size and hash', () => {
    const old = source({ source: 'data:;base64,AAEC' })
    expect(lines(old, source({ source: 'data:;base64,/w==' }))[0]?.details[0]).toMatch(
      /^contents \(binary\) 3 bytes sha256:ae4b3280e56e -> 1 bytes sha256:[0-9a-f]{12}$/,
    )
  })

  it('says nothing about contents that are only written in another way', () => {
    const [line] = lines(source({ source: 'data:,x' }), source({ source: 'data:;base64,eA==' }))
    expect(line).toEqual({ subject: '/etc/a', change: 'changed', details: [] })
  })

  it('says why contents cannot be shown', () => {
    const [line] = lines(file('x'), source({ source: 'https://example.com/a' }))
    expect(line?.details.at(-1)).toMatch(/^contents cannot be decoded: /)
    expect(line).not.toHaveProperty('patch')
  })
})

describe('describeChange of units', () => {
  const unit = (more: object): ConfigInput => ({ units: [{ name: 'a.service', ...more }] })
  it.each<[string, ConfigInput, ConfigInput, readonly object[]]>([
    [
      'an added unit',
      {},
      unit({ contents: 'x\n', enabled: true }),
      [{ subject: 'unit a.service', change: 'added', details: ['enabled true'], patch: '@@ -0,0 +1,1 @@\n+x' }],
    ],
    [
      'a unit that is switched off',
      unit({ contents: 'x', enabled: true }),
      unit({ contents: 'x', enabled: false }),
      [{ subject: 'unit a.service', change: 'changed', details: ['enabled true -> false'] }],
    ],
    [
      'a mask',
      unit({}),
      unit({ mask: true }),
      [{ subject: 'unit a.service', change: 'changed', details: ['mask true'] }],
    ],
    [
      'drop-ins alone',
      unit({ contents: 'x', dropins: [{ name: 'old.conf', contents: '1\n' }] }),
      unit({ contents: 'x', dropins: [{ name: 'new.conf', contents: '2\n' }] }),
      [
        { subject: 'unit a.service drop-in new.conf', change: 'added', details: [], patch: '@@ -0,0 +1,1 @@\n+2' },
        { subject: 'unit a.service drop-in old.conf', change: 'removed', details: [], patch: '@@ -1,1 +0,0 @@\n-1' },
      ],
    ],
  ])('%s', (_name, old, next, expected) => {
    expect(lines(old, next)).toEqual(expected)
  })
})

describe('describeChange of the rest', () => {
  const key = (name: string) => `ssh-ed25519 ${Buffer.from(name).toString('base64')} ${name}@host`

  it('shows keys by type, fingerprint and comment, and never a hash', () => {
    const [line] = lines({ keys: [key('old')], passwordHash: '$6$a' }, { keys: [key('new')], passwordHash: '$6$b' })
    expect(line).toMatchObject({ subject: 'user core', change: 'changed' })
    expect(line?.details).toEqual([
      expect.stringMatching(/^ssh key added: ssh-ed25519 SHA256:\S+ new@host$/),
      expect.stringMatching(/^ssh key removed: ssh-ed25519 SHA256:\S+ old@host$/),
      'password changed',
    ])
    expect(JSON.stringify(line)).not.toMatch(/\$6\$|b2xk|bmV3/)
  })

  it('shows fields with both values', () => {
    const next = {
      kernelArguments: ['nosmt', 'quiet'],
      osImageURL: 'image:2',
      spec: { fips: true, kernelType: 'realtime' },
    }
    expect(lines({}, next)).toEqual([
      { subject: 'osImageURL', change: 'changed', details: ['(none) -> image:2'] },
      { subject: 'kernelType', change: 'changed', details: [expect.stringMatching(/ -> realtime$/)] },
      { subject: 'fips', change: 'changed', details: ['false -> true'] },
      { subject: 'kernelArguments', change: 'changed', details: ['[] -> [nosmt quiet]'] },
    ])
  })

  it('names sections that a running node cannot change', () => {
    const next: ConfigInput = {
      storage: { directories: [{ path: '/etc/d' }], links: [{ path: '/etc/l', target: 'd' }] },
    }
    expect(lines({}, next)).toEqual([
      { subject: 'storage.directories', change: 'added', details: [] },
      { subject: 'storage.links', change: 'added', details: [] },
    ])
    expect(lines(next, {})).toMatchObject([{ change: 'removed' }, { change: 'removed' }])
  })
})

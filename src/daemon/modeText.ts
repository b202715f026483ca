/** File modes as the original's messages show them: Go's letters and bit numbers, e.g. `-rw-r--r--/420/0644`. */
export type FileKind = 'file' | 'directory' | 'symlink' | 'other'

export function modeText(kind: FileKind, mode: number): string {
  const flags = goFlags.filter((flag) => flag.applies(kind, mode))
  const bits = flags.reduce((sum, flag) => sum + flag.bit, mode & 0o777)
  const letters = flags.map((flag) => flag.letter).join('') || '-'
  return `${letters}${permissions(mode)}/${bits}/0${bits.toString(8)}`
}

interface GoFlag {
  readonly letter: string
  readonly bit: number
  readonly applies: (kind: FileKind, mode: number) => boolean
}

/** In the order of their bits, highest first; that is the order of the letters. */
const goFlags: readonly GoFlag[] = [
  { letter: 'd', bit: 2 ** 31, applies: (kind) => kind === 'directory' },
  { letter: 'L', bit: 2 ** 27, applies: (kind) => kind === 'symlink' },
  { letter: 'u', bit: 2 ** 23, applies: (_kind, mode) => (mode & 0o4000) !== 0 },
  { letter: 'g', bit: 2 ** 22, applies: (_kind, mode) => (mode & 0o2000) !== 0 },
  { letter: 't', bit: 2 ** 20, applies: (_kind, mode) => (mode & 0o1000) !== 0 },
  { letter: '?', bit: 2 ** 19, applies: (kind) => kind === 'other' },
]

const permissions = (mode: number): string =>
  [...'rwxrwxrwx'].map((letter, index) => ((mode & (1 << (8 - index))) !== 0 ? letter : '-')).join('')

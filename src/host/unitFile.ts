/** What enabling a unit means, as values: the [Install] section (systemd.unit(5)) and preset rules (systemd.preset(5)). */
export interface InstallSection {
  readonly wantedBy: readonly string[]
  readonly requiredBy: readonly string[]
  readonly upheldBy: readonly string[]
  readonly aliases: readonly string[]
  /** Units that are enabled and disabled together with this one. */
  readonly also: readonly string[]
  readonly defaultInstance: string
}

export interface UnitLink {
  /** Below the unit directory: `multi-user.target.wants/app.service`. */
  readonly path: string
  readonly target: string
}

const emptyInstall: InstallSection = {
  wantedBy: [],
  requiredBy: [],
  upheldBy: [],
  aliases: [],
  also: [],
  defaultInstance: '',
}

export function parseInstallSection(text: string): InstallSection {
  const values = new Map<string, string[]>()
  let section = ''
  for (const line of joinedLines(text)) {
    const header = /^\[(.+)\]$/.exec(line)
    if (header) {
      section = header[1] ?? ''
      continue
    }
    const equals = line.indexOf('=')
    if (section !== 'Install' || equals < 0) continue
    const key = line.slice(0, equals).trim()
    const value = line.slice(equals + 1).trim()
    // An empty value empties the list, as everywhere in unit files.
    values.set(key, value === '' ? [] : [...(values.get(key) ?? []), ...value.split(/\s+/)])
  }
  return {
    ...emptyInstall,
    wantedBy: values.get('WantedBy') ?? [],
    requiredBy: values.get('RequiredBy') ?? [],
    upheldBy: values.get('UpheldBy') ?? [],
    aliases: values.get('Alias') ?? [],
    also: values.get('Also') ?? [],
    defaultInstance: values.get('DefaultInstance')?.at(-1) ?? '',
  }
}

/** The links that enable `unit`, whose file is `file`. */
export function enablementLinks(unit: string, file: string, install: InstallSection): readonly UnitLink[] {
  const name = instanceOf(unit, install.defaultInstance)
  if (name === undefined) return []
  const into = (kind: string) => (target: string) => ({ path: `${target}.${kind}/${name}`, target: file })
  return [
    ...install.aliases.filter((alias) => alias !== unit).map((alias) => ({ path: alias, target: file })),
    ...install.wantedBy.map(into('wants')),
    ...install.requiredBy.map(into('requires')),
    ...install.upheldBy.map(into('upholds')),
  ]
}

/** `app@.service` for `app@one.service`: where the file of an instance is found. */
export function templateOf(unit: string): string | undefined {
  const match = /^([^@]+)@[^.]+(\.[a-z]+)$/.exec(unit)
  return match ? `${match[1]}@${match[2]}` : undefined
}

/** A template without a default instance cannot be enabled. */
function instanceOf(unit: string, defaultInstance: string): string | undefined {
  if (!/@\./.test(unit)) return unit
  return defaultInstance === '' ? undefined : unit.replace('@.', `@${defaultInstance}.`)
}

/** The first rule that names the unit, in the order of the texts. */
export function presetRule(unit: string, presets: readonly string[]): 'enable' | 'disable' | 'none' {
  for (const text of presets) {
    for (const line of joinedLines(text)) {
      const [verb, pattern] = line.split(/\s+/)
      if ((verb === 'enable' || verb === 'disable') && pattern !== undefined && globMatches(pattern, unit)) return verb
    }
  }
  return 'none'
}

export function globMatches(pattern: string, name: string): boolean {
  const source = pattern
    .replace(/[.+^${}()|\\]/g, '\\$&')
    .replace(/\*/g, '.*')
    .replace(/\?/g, '.')
  return new RegExp(`^${source}$`).test(name)
}

/** Lines without comments and blanks; a backslash at the end continues a line. */
function joinedLines(text: string): readonly string[] {
  return text
    .replace(/\\\r?\n/g, ' ')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#') && !line.startsWith(';'))
}

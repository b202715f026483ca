import {
  type FileAttributes,
  HostError,
  type HostFiles,
  type ServiceActionOptions,
  type ServiceManager,
  type UnitFileState,
} from './host.ts'
import { listOrNone } from './listOrNone.ts'
import { makeDirectories } from './makeDirectories.ts'
import { readPresetRule } from './presetFiles.ts'
import { enablementLinks, type InstallSection, parseInstallSection, templateOf, type UnitLink } from './unitFile.ts'

const unitDirectory = '/etc/systemd/system'
const servicesJournal = '/var/lib/mco/services.log'

const unitPath = [
  unitDirectory,
  '/run/systemd/system',
  '/usr/local/lib/systemd/system',
  '/usr/lib/systemd/system',
  '/lib/systemd/system',
]
const linkDirectory = /\.(wants|requires|upholds)$/
const rootOwned: FileAttributes = { mode: 0o755, uid: 0, gid: 0 }

/** Throws to let an action on a service fail. */
export type ServiceFault = (action: string, unit: string) => void

/**
 * systemd's bookkeeping without systemd: enabling makes the links that `systemctl enable` makes, states are read from
 * the links, and actions that would reach running services are written to a journal.
 */
export function directoryServices(
  files: HostFiles,
  now: () => Date,
  fault: ServiceFault = () => undefined,
): ServiceManager {
  const record = async (action: string, unit?: string): Promise<void> => {
    fault(action, unit ?? '')
    await makeDirectories(files, '/var/lib/mco', rootOwned)
    const line = `${JSON.stringify({ time: now().toISOString(), action, ...(unit === undefined ? {} : { unit }) })}\n`
    await files.append(servicesJournal, Buffer.from(line))
  }
  const act = async (verb: string, unit: string, { mayBeGone = false }: ServiceActionOptions = {}): Promise<void> => {
    const state = await stateOf(files, unit)
    if (mayBeGone && ['masked', 'masked-runtime', 'not-found'].includes(state)) return record('stop', unit)
    // A unit that is not there at all is taken for one that this tree does not have, and played.
    if (state === 'masked') throw new HostError('EMASKED', unit, `Unit ${unit} is masked.`)
    await record(verb, unit)
  }
  return {
    unitFileState: (unit) => stateOf(files, unit),
    presetRule: (unit) => readPresetRule(files, unit),
    async enable(units) {
      for (const unit of await withAlso(files, units)) await enableOne(files, unit)
      await record('enable', units.join(' '))
    },
    async disable(units) {
      for (const unit of await withAlso(files, units)) await disableOne(files, unit)
      await record('disable', units.join(' '))
    },
    daemonReload: () => record('daemon-reload'),
    reload: (service, options) => act('reload', service, options),
    restart: (service, options) => act('restart', service, options),
  }
}

async function stateOf(files: HostFiles, unit: string): Promise<UnitFileState> {
  if (await isMask(files, `${unitDirectory}/${unit}`)) return 'masked'
  if (await isMask(files, `/run/systemd/system/${unit}`)) return 'masked-runtime'
  const found = await findUnit(files, unit)
  if (!found) return 'not-found'
  if ((await linksTo(files, unit)).length > 0) return 'enabled'
  const { wantedBy, requiredBy, upheldBy, aliases, also } = found.install
  return [wantedBy, requiredBy, upheldBy, aliases, also].every((list) => list.length === 0) ? 'static' : 'disabled'
}

async function enableOne(files: HostFiles, unit: string): Promise<void> {
  if (await isMask(files, `${unitDirectory}/${unit}`))
    throw new HostError('EMASKED', unit, `Failed to enable unit: Unit file ${unitDirectory}/${unit} is masked.`)
  const found = await findUnit(files, unit)
  if (!found) throw new HostError('ENOUNIT', unit, `Failed to enable unit: Unit file ${unit} does not exist.`)
  for (const link of enablementLinks(unit, found.path, found.install)) await placeLink(files, link)
}

async function disableOne(files: HostFiles, unit: string): Promise<void> {
  for (const path of await linksTo(files, unit)) {
    await files.remove(path)
    const directory = path.slice(0, path.lastIndexOf('/'))
    if (linkDirectory.test(directory)) await files.removeDirectory(directory)
  }
}

async function placeLink(files: HostFiles, link: UnitLink): Promise<void> {
  const path = `${unitDirectory}/${link.path}`
  const status = await files.status(path)
  if (status?.kind === 'symlink' && (await files.readLink(path)) === link.target) return
  if (status) await files.remove(path)
  await makeDirectories(files, path.slice(0, path.lastIndexOf('/')), rootOwned)
  await files.createSymlink(path, link.target)
}

/** Links in the administrator's directory that stand for this unit being enabled. */
async function linksTo(files: HostFiles, unit: string): Promise<readonly string[]> {
  const found: string[] = []
  for (const name of await listOrNone(files, unitDirectory)) {
    const path = `${unitDirectory}/${name}`
    if (linkDirectory.test(name)) {
      if ((await files.status(`${path}/${unit}`))?.kind === 'symlink') found.push(`${path}/${unit}`)
    } else if (name !== unit && (await files.status(path))?.kind === 'symlink') {
      const target = await files.readLink(path)
      if (target !== '/dev/null' && target.slice(target.lastIndexOf('/') + 1) === unit) found.push(path)
    }
  }
  return found
}

async function withAlso(files: HostFiles, units: readonly string[]): Promise<readonly string[]> {
  const all = new Set<string>()
  const pending = [...units]
  for (let unit = pending.shift(); unit !== undefined; unit = pending.shift()) {
    if (all.has(unit)) continue
    all.add(unit)
    pending.push(...((await findUnit(files, unit))?.install.also ?? []))
  }
  return [...all]
}

async function findUnit(
  files: HostFiles,
  unit: string,
): Promise<{ path: string; install: InstallSection } | undefined> {
  const names = [unit, templateOf(unit)].filter((name) => name !== undefined)
  for (const name of names) {
    for (const directory of unitPath) {
      const path = `${directory}/${name}`
      const status = await files.status(path)
      if (status?.kind === 'file')
        return { path, install: parseInstallSection((await files.read(path)).toString('utf8')) }
    }
  }
  return undefined
}

async function isMask(files: HostFiles, path: string): Promise<boolean> {
  return (await files.status(path))?.kind === 'symlink' && (await files.readLink(path)) === '/dev/null'
}

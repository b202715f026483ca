import { cloudCaBundlePath, kubeletCaPath } from '../certificates/bundles/bundleCatalogue.ts'
import type { MachineConfigView } from '../forecast/configDiff.ts'
import { splitKernelArguments } from '../forecast/kernelArguments.ts'
import type { File, Unit } from '../ignition/types.ts'
import { type HostFacts, keyPaths, type PathFact, sha256 } from './hostFacts.ts'
import { dropinPath, internalPullSecretPath, unitPath } from './hostPaths.ts'
import { isSharedKeyFile, withKeyBlock } from './keyBlock.ts'
import { modeText } from './modeText.ts'
import { decodedContent, defaultFileMode } from './planFiles.ts'
import { imageOf } from './planMachine.ts'
import { authorizedKeysText } from './planUsers.ts'

/** One way in which a host is not what its config says. Texts are the original's; contents never appear. */
export interface Drift {
  readonly kind: 'image' | 'kernelArguments' | 'file' | 'unit' | 'keys'
  readonly path: string
  readonly message: string
}

export interface DriftFacts extends HostFacts {
  /** Of the running kernel; undefined where the host has no adapter. */
  readonly bootedKernelArguments: readonly string[] | undefined
}

export interface DriftOptions {
  readonly sshUser: string
  readonly authorizedKeysFile: string
  /** Paths that the daemon delivers ahead of configs. */
  readonly delivered?: ReadonlySet<string>
}

/**
 * Compares a host with a config, in the order in which the original checks: image, kernel arguments, files, units;
 * then SSH keys. Also compares owners and masks without contents, which the original does not.
 */
export function findDrift(config: MachineConfigView, facts: DriftFacts, options: DriftOptions): readonly Drift[] {
  const { files = [] } = config.ignition.storage ?? {}
  const { units = [] } = config.ignition.systemd ?? {}
  return [
    ...imageDrift(config, facts),
    ...kernelArgumentDrift(config, facts),
    ...files
      .filter(({ path }) => !writtenByOthers.has(path) && !options.delivered?.has(path))
      .flatMap((file) => fileDrift(file, facts)),
    ...units.flatMap((unit) => unitDrift(unit, facts)),
    ...keyDrift(config, facts, options),
  ]
}

/** The reason of a drift as one text: the first finding in full, the others by path. */
export function driftReason(target: string, drift: readonly Drift[]): string {
  const [first, ...rest] = drift
  const more = rest.length === 0 ? '' : `; also ${rest.map(({ path }) => path).join(', ')}`
  return `unexpected on-disk state validating against ${target}: ${first?.message ?? ''}${more}`
}

const writtenByOthers: ReadonlySet<string> = new Set([kubeletCaPath, cloudCaBundlePath, internalPullSecretPath])

function imageDrift(config: MachineConfigView, { osImage }: DriftFacts): readonly Drift[] {
  const target = imageOf(config)
  if (target === '' || osImage.kind === 'unsupported' || osImage.value.booted === target) return []
  return [
    {
      kind: 'image',
      path: 'osImageURL',
      message: `expected target osImageURL "${target}", have "${osImage.value.booted}"`,
    },
  ]
}

function kernelArgumentDrift(config: MachineConfigView, { bootedKernelArguments }: DriftFacts): readonly Drift[] {
  if (!bootedKernelArguments) return []
  const missing = splitKernelArguments(config.kernelArguments).filter(
    (argument) => !bootedKernelArguments.includes(argument),
  )
  if (missing.length === 0) return []
  return [
    {
      kind: 'kernelArguments',
      path: 'kernelArguments',
      message: `missing expected kernel arguments: [${missing.join(' ')}]`,
    },
  ]
}

function fileDrift(file: File, facts: DriftFacts): readonly Drift[] {
  const drift = (message: string): readonly Drift[] => [{ kind: 'file', path: file.path, message }]
  if ((file.append ?? []).length > 0)
    return drift('found an append section when checking files. Append is not supported')
  const content = decodedContent(file)
  if (!content.value) return drift(`couldn't decode file "${file.path}": ${content.message}`)
  const message =
    contentDrift(file.path, facts.paths.get(file.path), content.value, file.mode ?? defaultFileMode) ??
    ownerDrift(file, facts)
  return message === undefined ? [] : drift(message)
}

function contentDrift(
  path: string,
  present: PathFact | undefined,
  content: Uint8Array,
  mode: number,
): string | undefined {
  if (!present || present.kind === 'absent')
    return `could not stat file "${path}": lstat ${path}: no such file or directory`
  const expected = modeText('file', mode)
  // A link's own permission bits are always these.
  const received = modeText(present.kind, 'mode' in present ? present.mode : 0o777)
  if (expected !== received) return `mode mismatch for file: "${path}"; expected: ${expected}; received: ${received}`
  if (present.kind !== 'file' || present.sha256 !== sha256(content)) return `content mismatch for file "${path}"`
  return undefined
}

function ownerDrift({ path, user, group }: File, { paths, users, groups }: DriftFacts): string | undefined {
  const present = paths.get(path)
  if (present?.kind !== 'file') return undefined
  const uid = user?.id ?? (user?.name ? users.get(user.name)?.uid : 0)
  const gid = group?.id ?? (group?.name ? groups.get(group.name) : 0)
  if (uid === present.uid && gid === present.gid) return undefined
  return `owner mismatch for file: "${path}"; expected: ${uid ?? user?.name}:${gid ?? group?.name}; received: ${present.uid}:${present.gid}`
}

function unitDrift(unit: Unit, facts: DriftFacts): readonly Drift[] {
  const path = unitPath(unit.name)
  const found = (subject: string, message: string | undefined): readonly Drift[] =>
    message === undefined ? [] : [{ kind: 'unit', path: subject, message }]
  const dropins = (unit.dropins ?? []).flatMap((dropin) => {
    const at = dropinPath(unit.name, dropin.name)
    const present = facts.paths.get(at)
    if (!dropin.contents && present?.kind === 'absent') return []
    return found(at, contentDrift(at, present, Buffer.from(dropin.contents ?? ''), defaultFileMode))
  })
  if (unit.mask) return [...dropins, ...found(path, maskDrift(path, facts.paths.get(path)))]
  if (!unit.contents) return dropins
  const content = contentDrift(path, facts.paths.get(path), Buffer.from(unit.contents), defaultFileMode)
  return [...dropins, ...found(path, content ?? enablementDrift(unit, facts))]
}

function maskDrift(path: string, present: PathFact | undefined): string | undefined {
  if (present?.kind === 'symlink' && present.target === '/dev/null') return undefined
  const received =
    present?.kind === 'symlink' ? present.target : present && present.kind !== 'absent' ? path : 'nothing'
  return `state validation: invalid unit masked setting. path: "${path}"; expected: /dev/null; received: ${received}`
}

const notEnabled: ReadonlySet<string> = new Set(['disabled', 'masked', 'masked-runtime', 'not-found'])
const notDisabled: ReadonlySet<string> = new Set(['enabled', 'enabled-runtime'])

function enablementDrift({ name, enabled }: Unit, facts: DriftFacts): string | undefined {
  if (enabled === undefined) return undefined
  const state = facts.units.get(name)?.state ?? 'not-found'
  if (!(enabled ? notEnabled : notDisabled).has(state)) return undefined
  return `unit "${name}" expected enabled=${enabled}, but systemd reports "${state}"`
}

function keyDrift(
  config: MachineConfigView,
  facts: DriftFacts,
  { authorizedKeysFile }: DriftOptions,
): readonly Drift[] {
  const users = config.ignition.passwd?.users ?? []
  const path = keyPaths(facts.sshUser, authorizedKeysFile).at(-1)
  if (users.length === 0 || path === undefined) return []
  const keys = users.flatMap((user) => user.sshAuthorizedKeys ?? [])
  const message = isSharedKeyFile(path)
    ? blockDrift(path, facts, keys)
    : contentDrift(path, facts.paths.get(path), Buffer.from(authorizedKeysText(keys)), 0o600)
  return message === undefined ? [] : [{ kind: 'keys', path, message }]
}

/** What others keep in the file is theirs. */
function blockDrift(path: string, { paths, sharedKeys }: DriftFacts, keys: readonly string[]): string | undefined {
  const found = sharedKeys ?? Buffer.alloc(0)
  if (withKeyBlock(found, keys).equals(found)) return undefined
  if (sharedKeys !== undefined) return `content mismatch for the managed keys in file "${path}"`
  const kind = paths.get(path)?.kind ?? 'absent'
  return kind === 'absent'
    ? `the managed keys are missing: there is no file "${path}"`
    : `"${path}" is no file (${kind})`
}

import type { ControllerConfigSpec } from '../../api/controllerConfig.ts'
import { certificatesIn } from '../pemCertificates.ts'
import { type BundleName, type BundleSource, bundleCatalogue, bundleNames } from './bundleCatalogue.ts'
import { type BundleChange, bundleChange } from './bundleChange.ts'
import { type BundleFiles, type BundleSpec, bundleToField, isRegistryFile, readBundleField } from './bundleFields.ts'
import type { BundleRecord, BundleState } from './bundleState.ts'
import { type BundleProblem, judgeBundle } from './judgeBundle.ts'
import type { BundleSettings } from './parseBundleSettings.ts'

export interface BundlesInput {
  readonly spec: ControllerConfigSpec
  readonly state: BundleState
  readonly settings: Pick<BundleSettings, 'sources' | 'unusable'>
  /** The data of an object, as texts; undefined when there is no such object. */
  readonly find: (source: BundleSource) => Readonly<Record<string, string>> | undefined
  readonly now: Date
}

export interface BundlesDecision {
  /** The members that change; empty when nothing does. */
  readonly spec: Partial<BundleSpec>
  readonly state: BundleState
  readonly changes: readonly BundleChange[]
  /** Problems that were not known before. */
  readonly problems: readonly { readonly bundle: BundleName; readonly problem: BundleProblem }[]
}

/**
 * All bundles together, in characters: an object of the API holds 1.5 MiB, bundles grow by a third as base64, and each
 * certificate is listed in status.
 */
const maxTotal = 900 * 1024

/**
 * What the ControllerConfig should say about authorities, from where they come from. A bundle that is there is replaced
 * by a good one only: when its source is missing, empty, damaged, ended or too large, it stays and the record says why.
 */
export function decideBundles(input: BundlesInput): BundlesDecision {
  const { spec, state, settings, find, now } = input
  const present = new Map(bundleNames.map((name) => [name, readBundleField(name, spec)]))
  const next = new Map(present)
  const records: Partial<Record<BundleName, BundleRecord>> = {}
  const decided: { -readonly [K in keyof BundlesDecision]: BundlesDecision[K] } = {
    spec: {},
    state: records,
    changes: [],
    problems: [],
  }
  for (const name of bundleNames) {
    const known = present.get(name) ?? new Map()
    const earlier = state[name]
    if (settings.unusable.has(name)) {
      if (earlier) records[name] = earlier
      continue
    }
    const offer = offered(name, known, earlier, settings, find, now)
    if (!offer) continue
    const others = sizeOf(next) - filesSize(known)
    const tooLarge = filesSize(offer.files) > filesSize(known) && others + filesSize(offer.files) > maxTotal
    const files = tooLarge ? known : offer.files
    const problem = tooLarge ? tooLargeProblem(filesSize(offer.files), others) : offer.problem
    next.set(name, files)
    const change = bundleChange(name, known, files)
    if (!sameFiles(known, files)) decided.spec = { ...decided.spec, ...bundleToField(name, files) }
    if (change) decided.changes = [...decided.changes, change]
    const since = change || earlier?.since === undefined ? now.toISOString() : earlier.since
    records[name] = {
      source: offer.source,
      certificates: countOf(files),
      ...(files.size > 0 && { since }),
      ...(problem && { problem: { ...problem, since: problemSince(earlier, problem, now) } }),
    }
    if (problem && earlier?.problem?.reason !== problem.reason)
      decided.problems = [...decided.problems, { bundle: name, problem }]
  }
  return decided
}

interface Offer {
  readonly source: string
  readonly files: BundleFiles
  readonly problem?: BundleProblem
}

/** What the source has; undefined when nobody speaks of this bundle, which then stays whatever it is. */
function offered(
  name: BundleName,
  known: BundleFiles,
  earlier: BundleRecord | undefined,
  settings: BundlesInput['settings'],
  find: BundlesInput['find'],
  now: Date,
): Offer | undefined {
  const configured = settings.sources[name]
  const candidates = configured ?? bundleCatalogue[name].sources
  const at = candidates.findIndex((source) => find(source) !== undefined)
  const last = earlier?.source
  const lastAt = candidates.findIndex((source) => sourceText(source) === last)
  // One of lower rank does not take over by itself: the better one may be deleted by mistake.
  const hasFallen = !configured && lastAt >= 0 && (at < 0 || at > lastAt)
  const missing = hasFallen ? last : configured && at < 0 ? candidates.map(sourceText).join(', ') : undefined
  if (missing !== undefined) {
    const kept = known.size > 0 ? 'the last known bundle stays' : 'there is no bundle yet'
    const message = `${missing} does not exist; ${kept}. Create it again, or name another source`
    return { source: last ?? missing, files: known, problem: { reason: 'SourceMissing', message } }
  }
  const source = candidates[at]
  const data = source && find(source)
  if (!source || !data) return undefined
  return bundleCatalogue[name].manyFiles
    ? offeredFiles(source, data, known, now)
    : offeredText(source, data[source.key ?? ''] ?? '', known, now)
}

function offeredText(source: BundleSource, text: string, known: BundleFiles, now: Date): Offer {
  const verdict = judgeBundle(text, known.get('') ?? '', now)
  const from = sourceText(source)
  if (verdict.kind === 'refused') return { source: from, files: known, problem: saying(from, verdict.problem) }
  return {
    source: from,
    files: new Map([['', verdict.pem]]),
    ...(verdict.problem && { problem: saying(from, verdict.problem) }),
  }
}

/** A file that is no bundle keeps what it had; a file that is not in the source any more goes. */
function offeredFiles(
  source: BundleSource,
  data: Readonly<Record<string, string>>,
  known: BundleFiles,
  now: Date,
): Offer {
  const files = new Map<string, string>()
  const problems: BundleProblem[] = []
  const from = sourceText(source)
  for (const file of Object.keys(data).sort()) {
    if (source.key !== undefined && source.key !== file) continue
    if (!isRegistryFile(file)) {
      problems.push({ reason: 'Unreadable', message: `${from}: ${JSON.stringify(file)} is no name of a registry` })
      continue
    }
    const before = known.get(file)
    const verdict = judgeBundle(data[file] ?? '', before ?? '', now)
    if (verdict.problem) problems.push(saying(`${from} ${file}`, verdict.problem))
    if (verdict.kind === 'accepted') files.set(file, verdict.pem)
    else if (before !== undefined) files.set(file, before)
  }
  const [first] = problems
  const message = problems.map((problem) => problem.message).join('; ')
  return { source: from, files, ...(first && { problem: { reason: first.reason, message: message.slice(0, 1_000) } }) }
}

const sourceText = ({ kind, namespace, name, key }: BundleSource): string =>
  `${kind} ${namespace}/${name}${key === undefined ? '' : ` ${key}`}`

const saying = (from: string, { reason, message }: BundleProblem): BundleProblem => ({
  reason,
  message: `${from}: ${message}`,
})

function tooLargeProblem(size: number, others: number): BundleProblem {
  const room = Math.max(0, maxTotal - others)
  const message = `the bundle has ${size} bytes, the other bundles leave room for ${room}; take certificates out that nodes do not need`
  return { reason: 'TooLarge', message }
}

const problemSince = (earlier: BundleRecord | undefined, problem: BundleProblem, now: Date): string =>
  earlier?.problem?.reason === problem.reason ? earlier.problem.since : now.toISOString()

const filesSize = (files: BundleFiles): number => [...files.values()].reduce((sum, text) => sum + text.length, 0)
const sizeOf = (all: ReadonlyMap<BundleName, BundleFiles>): number =>
  [...all.values()].reduce((sum, files) => sum + filesSize(files), 0)
const countOf = (files: BundleFiles): number =>
  [...files.values()].reduce((sum, text) => sum + certificatesIn(text).certificates.length, 0)
const sameFiles = (a: BundleFiles, b: BundleFiles): boolean =>
  a.size === b.size && [...a].every(([file, text]) => b.get(file) === text)

import type { ConfigMap } from '../api/core.ts'
import { readJson } from './readJson.ts'

/** The boot of one machine, as the config server saw it: kept for a day, in a ConfigMap of the operator's namespace. */
export interface JoinRecord {
  readonly pool: string
  readonly address: string
  /** The rendered config that it fetched last. */
  readonly config: string
  readonly firstAt: Date
  readonly lastAt: Date
  /** How often it fetched; Ignition does it more than once when something fails. */
  readonly requests: number
  /** Id of the token that it showed, and the machine that the token was made for. */
  readonly token?: string
  readonly machine?: string
  /** The Node that it became, and when that was Ready. */
  readonly node?: string
  readonly readyAt?: Date
}

/** Of the ConfigMap. */
export const joinsKey = 'joins'

/** What comes from one address for one pool within this time is one boot. */
export const bootMs = 3_600_000
const keptMs = 24 * 3_600_000
/** So that the ConfigMap stays far below a megabyte. */
const mostRecords = 1000

/** Known and new records together: boots that are the same become one, old ones are dropped. Oldest first. */
export function mergeJoins(
  known: readonly JoinRecord[],
  fresh: readonly JoinRecord[],
  now: Date,
): readonly JoinRecord[] {
  const merged = [...known]
  const places = new Map<string, number[]>()
  const placesOf = (record: JoinRecord): number[] => {
    const found = places.get(keyOf(record)) ?? []
    places.set(keyOf(record), found)
    return found
  }
  for (const [place, record] of merged.entries()) placesOf(record).push(place)
  for (const record of fresh) {
    const ofMachine = placesOf(record)
    const at = ofMachine.find((place) => isSameBoot(merged[place], record))
    const same = at === undefined ? undefined : merged[at]
    if (at !== undefined && same) merged[at] = combined(same, record)
    else ofMachine.push(merged.push(record) - 1)
  }
  return merged
    .filter(({ lastAt }) => now.getTime() - lastAt.getTime() < keptMs)
    .sort((a, b) => a.firstAt.getTime() - b.firstAt.getTime() || (keyOf(a) < keyOf(b) ? -1 : 1))
    .slice(-mostRecords)
}

/** `pool/address`. */
const keyOf = ({ pool, address }: JoinRecord): string => `${pool}/${address}`

/** Of records with one key. */
const isSameBoot = (known: JoinRecord | undefined, fresh: JoinRecord): boolean =>
  known !== undefined &&
  known.readyAt === undefined &&
  Math.abs(fresh.firstAt.getTime() - known.firstAt.getTime()) < bootMs

function combined(known: JoinRecord, fresh: JoinRecord): JoinRecord {
  const [earlier, later] = known.lastAt <= fresh.lastAt ? [known, fresh] : [fresh, known]
  return {
    ...earlier,
    ...later,
    firstAt: new Date(Math.min(known.firstAt.getTime(), fresh.firstAt.getTime())),
    requests: known.requests + fresh.requests,
  }
}

export function joinsToText(records: readonly JoinRecord[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('')
}

/** Records that cannot be read are left out: they are hints, and the next write repairs the text. */
export function readJoins(configMap: Pick<ConfigMap, 'data'> | undefined): readonly JoinRecord[] {
  const lines = configMap?.data?.[joinsKey]?.split('\n') ?? []
  return lines.flatMap((line) => (line === '' ? [] : (recordOf(readJson(line)) ?? [])))
}

function recordOf(value: unknown): JoinRecord | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const members = value as Readonly<Record<string, unknown>>
  const text = (name: string): string | undefined =>
    typeof members[name] === 'string' ? String(members[name]).slice(0, 253) : undefined
  const time = (name: string): Date | undefined => {
    const at = new Date(text(name) ?? '')
    return Number.isNaN(at.getTime()) ? undefined : at
  }
  const [pool, address, config, firstAt, lastAt] = [
    text('pool'),
    text('address'),
    text('config'),
    time('firstAt'),
    time('lastAt'),
  ]
  const { requests } = members
  if (pool === undefined || address === undefined || config === undefined || !firstAt || !lastAt) return undefined
  const [token, machine, node, readyAt] = [text('token'), text('machine'), text('node'), time('readyAt')]
  return {
    pool,
    address,
    config,
    firstAt,
    lastAt,
    requests: typeof requests === 'number' ? requests : 1,
    ...(token !== undefined && { token }),
    ...(machine !== undefined && { machine }),
    ...(node !== undefined && { node }),
    ...(readyAt && { readyAt }),
  }
}

/**
 * A length of time as kubectl shows ages: two units while the second one still says something (`5m30s`, `3h12m`,
 * `2d4h`), then one.
 */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / 1000)
  if (seconds < -1) return '<invalid>'
  if (seconds < 0) return '0s'
  if (seconds < 120) return `${seconds}s`
  const minutes = Math.trunc(seconds / 60)
  if (minutes < 10) return twoUnits(minutes, 'm', seconds % 60, 's')
  if (minutes < 180) return `${minutes}m`
  const hours = Math.trunc(minutes / 60)
  if (hours < 8) return twoUnits(hours, 'h', minutes % 60, 'm')
  if (hours < 48) return `${hours}h`
  const days = Math.trunc(hours / 24)
  if (days < 8) return twoUnits(days, 'd', hours % 24, 'h')
  if (days < 365 * 2) return `${days}d`
  const years = Math.trunc(days / 365)
  return days < 365 * 8 ? twoUnits(years, 'y', days % 365, 'd') : `${years}y`
}

const twoUnits = (first: number, firstUnit: string, second: number, secondUnit: string): string =>
  second === 0 ? `${first}${firstUnit}` : `${first}${firstUnit}${second}${secondUnit}`

/** The time since a timestamp of an object; absent times are unknown. */
export function ageOf(timestamp: unknown, now: Date): string {
  if (timestamp === undefined || timestamp === null || timestamp === '') return '<unknown>'
  const then = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN
  return Number.isNaN(then) ? '<invalid>' : formatDuration(now.getTime() - then)
}

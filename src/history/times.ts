/** Times as objects hold them: RFC 3339 in whole seconds. */
export const rfc3339 = (time: Date): string => `${time.toISOString().slice(0, 19)}Z`

/** How long ago a recorded time is; undefined for one that nobody can read. Clocks that disagree make no negative ages. */
export function ageSeconds(time: string | undefined, now: Date): number | undefined {
  const ms = now.getTime() - Date.parse(time ?? '')
  return Number.isNaN(ms) ? undefined : Math.max(0, Math.floor(ms / 1000))
}

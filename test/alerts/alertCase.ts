/** One story about one alert, on series that are sampled every minute from time 0, which is 1970. */
export interface AlertCase {
  readonly alert: string
  readonly name: string
  /** Series to values in the notation of promtool: `1x30` is 31 samples of 1, `_x4` a gap of four. */
  readonly series: Readonly<Record<string, string>>
  /** Time, such as `65m`, to the alerts that fire then. */
  readonly at: Readonly<Record<string, readonly Firing[]>>
}

export interface Firing {
  readonly severity: 'info' | 'warning' | 'critical'
  readonly labels?: Readonly<Record<string, string>>
  /** The whole description. */
  readonly says: string
}

export const silent: readonly Firing[] = []

const daySeconds = 86_400
export const days = (count: number): number => count * daySeconds

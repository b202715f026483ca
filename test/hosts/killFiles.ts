const directory = '/root/mco-kill'

/** How the test and the daemon that it kills talk: both see the machine's disk. */
export const killFiles = {
  directory,
  /** Holds the number of the effect at which to end; taken away when the count begins. */
  killAt: `${directory}/at`,
  /** Names the effect before which the daemon ended. */
  killed: `${directory}/killed`,
  /** Every effect, a line each, while nothing is killed. */
  points: `${directory}/points`,
} as const

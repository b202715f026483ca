/** Durable state of a drain, on the Node, in our own group: a restart of the controller forgets nothing. */
const prefix = 'machineconfig.io/'

/** RFC 3339: when the drain that `drainRequestAnnotation` names began. */
export const drainStartedAnnotation = `${prefix}drain-started`
/** The value of `desiredDrain` that the start belongs to: another request is another drain. */
export const drainRequestAnnotation = `${prefix}drain-request`
/** Compact JSON (`DrainBlockers`): who keeps the drain from ending, and why. */
export const drainBlockersAnnotation = `${prefix}drain-blockers`

/** On a MachineConfigPool, durations such as `90s`, `30m`, `2h`. */
export const drainTimeoutAnnotation = `${prefix}drain-timeout`
export const drainForceAfterAnnotation = `${prefix}drain-force-after`
/** Such a duration too: instead of the grace period of each pod. */
export const drainGracePeriodAnnotation = `${prefix}drain-grace-period`
/** A label selector, such as `app=database`: pods that a drain leaves alone. */
export const drainSkipSelectorAnnotation = `${prefix}drain-skip-selector`

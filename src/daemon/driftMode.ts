/**
 * What a daemon does about a disk that is not what its config says.
 * `degrade`: the node is Degraded until a person puts it right. `repair`: what differs is written again, without a drain or
 * a reboot. `accept`: it is recorded on the Node, which stays Done.
 */
export type DriftMode = 'degrade' | 'repair' | 'accept'

export const driftModes: readonly DriftMode[] = ['degrade', 'repair', 'accept']

/** On a pool: the mode of its nodes, before the daemon's own option. */
export const driftModeAnnotation = 'machineconfig.io/drift-mode'

/** On a Node in mode `accept`: what differs, without contents. */
export const acceptedDriftAnnotation = 'machineconfig.io/accepted-drift'

/** A word that is no mode must not switch a safeguard off, so it counts as `degrade`. */
export function driftModeOf(annotation: string | undefined, option: DriftMode): DriftMode {
  if (annotation === undefined || annotation === '') return option
  return driftModes.find((mode) => mode === annotation) ?? 'degrade'
}

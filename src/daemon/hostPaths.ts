/** Files on the host that belong to the daemon's protocol (spec: daemon 3.3); other tools read them by these names. */
const daemonDirectory = '/etc/machine-config-daemon'
export const currentConfigPath = `${daemonDirectory}/currentconfig`
export const currentImagePath = `${daemonDirectory}/currentimage`
export const nodeAnnotationsPath = `${daemonDirectory}/node-annotations.json`
/** Singular, as the original writes it. */
export const nodeAnnotationsDonePath = `${daemonDirectory}/node-annotation.json.bak`
/** The config with which the machine was installed, left by the config server. */
export const installedConfigPath = '/etc/mcs-machine-config-content.json'
/** The same without its Ignition part: what is left to do at the first boot. Units wait for its end. */
export const encapsulatedConfigPath = '/etc/ignition-machine-config-encapsulated.json'
export const encapsulatedConfigDonePath = `${encapsulatedConfigPath}.bak`
/** Ignition enables units by this preset, which systemd follows at the first boot. */
export const ignitionPresetPath = '/etc/systemd/system-preset/20-ignition.preset'
/** Who may change this host now. */
export const hostLockPath = '/run/mco/host.lock'
/** In which boot this host runs what is not on its disk. */
export const bootDebtPath = '/run/mco/boot-owed'
/** Directories of registries that the daemon has delivered: only these it may remove. */
export const deliveredRegistriesPath = '/var/lib/mco/delivered-registries'
/** Written by the daemon only. */
export const recordDirectories = ['/var/lib/mco', `${daemonDirectory}/orig`, `${daemonDirectory}/noorig`] as const
export const journalDirectory = '/var/lib/mco/journal'
const unitDirectory = '/etc/systemd/system'

export const internalPullSecretPath = '/etc/mco/internal-registry-pull-secret.json'

/** The vendor's content of a path, kept while a MachineConfig replaces it. */
export const originalPath = (path: string): string => `${daemonDirectory}/orig${path}.mcdorig`
/** An empty stamp: there was no vendor content. */
export const noOriginalPath = (path: string): string => `${daemonDirectory}/noorig${path}.mcdnoorig`

export const unitPath = (unit: string): string => `${unitDirectory}/${unit}`
export const dropinPath = (unit: string, dropin: string): string => `${unitDirectory}/${unit}.d/${dropin}`

/** Which unit a path belongs to as a drop-in. */
export function dropinOf(path: string): { readonly unit: string; readonly name: string } | undefined {
  const [, unit, name] = /^\/etc\/systemd\/system\/(?:.*\/)?([^/]*)\.d\/([^/]+\.conf)$/.exec(path) ?? []
  return unit === undefined || name === undefined ? undefined : { unit, name }
}

export const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/'

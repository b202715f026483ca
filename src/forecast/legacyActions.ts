import type { ConfigDiff } from './configDiff.ts'

/** The fixed table that holds before a node has policies: first boot and one-shot application. */
export type LegacyAction = 'none' | 'reload crio' | 'restart crio' | 'reboot'

/** The action for a change by the fixed table; a reload never weakens a restart. */
export function legacyAction(
  diff: ConfigDiff,
  changedFiles: readonly string[],
  { forceFile = false } = {},
): LegacyAction {
  if (forceFile || diff.osUpdate || diff.kargs || diff.fips || diff.units || diff.kernelType || diff.extensions)
    return 'reboot'
  const actions = changedFiles.map(actionForPath)
  return strength.findLast((action) => actions.includes(action)) ?? 'none'
}

/** `depends`: registries.conf changed and what changed in it decides. */
export function legacyDrain(action: LegacyAction, changedFiles: readonly string[]): boolean | 'depends' {
  if (action === 'reboot') return true
  if (action === 'none') return false
  return changedFiles.includes(registriesConf) ? 'depends' : false
}

export const registriesConf = '/etc/containers/registries.conf'

const strength: readonly LegacyAction[] = ['none', 'reload crio', 'restart crio', 'reboot']

const byPath: ReadonlyMap<string, LegacyAction> = new Map([
  ['/etc/kubernetes/kubelet-ca.crt', 'none'],
  ['/var/lib/kubelet/config.json', 'none'],
  [registriesConf, 'reload crio'],
  ['/etc/containers/policy.json', 'reload crio'],
  ['/etc/machine-config-daemon/no-reboot/containers-gpg.pub', 'reload crio'],
  ['/etc/pki/ca-trust/source/anchors/openshift-config-user-ca-bundle.crt', 'restart crio'],
])

/** Only direct children of these directories. */
const byDirectory: ReadonlyMap<string, LegacyAction> = new Map([
  ['/etc/nmstate/openshift', 'none'],
  ['/etc/containers/registries.d', 'reload crio'],
])

function actionForPath(path: string): LegacyAction {
  return byPath.get(path) ?? byDirectory.get(path.slice(0, path.lastIndexOf('/'))) ?? 'reboot'
}

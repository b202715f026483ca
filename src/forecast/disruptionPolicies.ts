import type { NodeDisruptionStatusAction } from '../api/machineConfiguration.ts'
import { globMatchesPath, isGlob } from './pathGlob.ts'

/**
 * Node disruption policies: which action follows a change of a file, unit or SSH key on a running node. The user's
 * policies come from `MachineConfiguration/cluster` (operator.openshift.io/v1) and are joined with the defaults here.
 */
export type PolicyAction = NodeDisruptionStatusAction

export interface FilePolicy {
  /** A file, or a directory that stands for everything below it. */
  readonly path: string
  readonly actions: readonly PolicyAction[]
}

interface UnitPolicy {
  readonly name: string
  readonly actions: readonly PolicyAction[]
}

/** The effective policies: `status.nodeDisruptionPolicyStatus.clusterPolicies`. */
export interface ClusterPolicies {
  readonly files: readonly FilePolicy[]
  readonly units: readonly UnitPolicy[]
  readonly sshkey: { readonly actions: readonly PolicyAction[] }
  /** `*` and `**` in paths are globs. Off unless the user asks for it: upstream takes them literally. */
  readonly globs?: boolean
}

/** `spec.nodeDisruptionPolicy` as a user writes it. */
export interface UserPolicies {
  readonly files?: readonly FilePolicy[] | null | undefined
  readonly units?: readonly UnitPolicy[] | null | undefined
  readonly sshkey?: { readonly actions?: readonly PolicyAction[] | null | undefined } | null | undefined
}

const reload = (serviceName: string): PolicyAction => ({ type: 'Reload', reload: { serviceName } })
const restart = (serviceName: string): PolicyAction => ({ type: 'Restart', restart: { serviceName } })
const none: PolicyAction = { type: 'None' }

/** The original's defaults, in its order: an entry's place decides nothing, but status is compared byte for byte. */
export const defaultPolicies: ClusterPolicies = {
  files: [
    { path: '/var/lib/kubelet/config.json', actions: [none] },
    { path: '/etc/machine-config-daemon/no-reboot/containers-gpg.pub', actions: [reload('crio.service')] },
    { path: '/etc/containers/policy.json', actions: [reload('crio.service')] },
    { path: '/etc/containers/registries.conf', actions: [{ type: 'Special' }] },
    { path: '/etc/containers/registries.d', actions: [reload('crio.service')] },
    { path: '/etc/crio/policies', actions: [reload('crio.service')] },
    { path: '/etc/nmstate/openshift', actions: [none] },
    {
      path: '/etc/pki/ca-trust/source/anchors/openshift-config-user-ca-bundle.crt',
      actions: [restart('coreos-update-ca-trust.service'), restart('crio.service')],
    },
    { path: '/etc/kubernetes/credential-providers', actions: [restart('kubelet.service')] },
    {
      path: '/etc/systemd/system/kubelet.service.d/40-kubelet-crio-image-credential-provider.conf',
      actions: [{ type: 'DaemonReload' }, restart('kubelet.service')],
    },
    { path: '/etc/iri-registry', actions: [restart('iri-registry.service')] },
    { path: '/usr/local/bin/load-registry-image.sh', actions: [restart('iri-registry.service')] },
    { path: '/etc/pki/ca-trust/source/anchors/iri-root-ca.crt', actions: [restart('coreos-update-ca-trust.service')] },
  ],
  units: [{ name: 'iri-registry.service', actions: [{ type: 'DaemonReload' }, restart('iri-registry.service')] }],
  sshkey: { actions: [none] },
}

/**
 * The user's policies over the defaults: an entry whose path (or name) is byte-equal replaces the default in place, others
 * are appended; SSH key actions replace the default unless the user's list is empty.
 */
export function mergePolicies(user: UserPolicies, defaults: ClusterPolicies = defaultPolicies): ClusterPolicies {
  const sshActions = user.sshkey?.actions ?? []
  return {
    files: overlay(defaults.files, user.files ?? [], (policy) => policy.path),
    units: overlay(defaults.units, user.units ?? [], (policy) => policy.name),
    sshkey: { actions: sshActions.length > 0 ? sshActions : defaults.sshkey.actions },
  }
}

/**
 * The policy for a changed path: the exact path, or the longest policy path that the changed path lies below. Globs come
 * after every plain path, the longest of them first.
 */
export function policyForPath(
  path: string,
  policies: readonly FilePolicy[],
  { globs = false }: { readonly globs?: boolean } = {},
): FilePolicy | undefined {
  const plain = plainPolicyForPath(path, policies)
  if (plain || !globs) return plain
  const matching = policies.filter((policy) => isGlob(policy.path) && globMatchesPath(policy.path, cleanPath(path)))
  return matching.toSorted((a, b) => b.path.length - a.path.length)[0]
}

function plainPolicyForPath(path: string, policies: readonly FilePolicy[]): FilePolicy | undefined {
  const cleaned = cleanPath(path)
  let best: FilePolicy | undefined
  for (const policy of policies) {
    const applies = policy.path === path || cleaned.startsWith(`${cleanPath(policy.path)}/`)
    if (applies && (best === undefined || policy.path.length > best.path.length)) best = policy
  }
  return best
}

function overlay<T>(defaults: readonly T[], user: readonly T[], keyOf: (entry: T) => string): T[] {
  const byKey = new Map(user.map((entry) => [keyOf(entry), entry]))
  const merged = defaults.map((entry) => byKey.get(keyOf(entry)) ?? entry)
  const known = new Set(defaults.map(keyOf))
  return [...merged, ...user.filter((entry) => !known.has(keyOf(entry)))]
}

/** Absolute, with no empty, `.` or `..` part: nothing to do. */
const isClean = /^(?:\/(?!\.{0,2}(?:\/|$))[^/]+)+$/

/** Shortest equivalent path, as Go's `filepath.Clean` gives it: no `.`, `..`, doubled or trailing slashes. */
function cleanPath(path: string): string {
  if (isClean.test(path)) return path
  const absolute = path.startsWith('/')
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.length > 0 && parts.at(-1) !== '..') parts.pop()
    else if (!absolute) parts.push(part)
  }
  return `${absolute ? '/' : ''}${parts.join('/')}` || '.'
}

/** Files of a node that hold the cluster's authorities, by OpenShift's names. */
export const kubeletCaPath = '/etc/kubernetes/kubelet-ca.crt'
export const userCaBundlePath = '/etc/pki/ca-trust/source/anchors/openshift-config-user-ca-bundle.crt'
export const cloudCaBundlePath = '/etc/kubernetes/static-pod-resources/configmaps/cloud-config/ca-bundle.pem'
export const registryCaDirectory = '/etc/docker/certs.d'

/** A name of a registry cannot have a colon as a key of a ConfigMap: two dots stand for it (`host..5000`). */
export const registryCaPath = (file: string): string => `${registryCaDirectory}/${file.replaceAll('..', ':')}/ca.crt`

/** How a bundle comes to the nodes: in their rendered config, behind a pause; or written by the daemon at once. */
export const bundlePolicies = ['Hold', 'Deliver'] as const
export type BundlePolicy = (typeof bundlePolicies)[number]

/** The bundles of the ControllerConfig. */
export const bundleNames = [
  'kubeletClientCa',
  'cloudProviderCa',
  'rootCa',
  'userCa',
  'imageRegistryCas',
  'imageRegistryUserCas',
] as const
export type BundleName = (typeof bundleNames)[number]

/** Where a bundle comes from: one key of an object, or all of them for bundles of many files. */
export interface BundleSource {
  readonly kind: 'ConfigMap' | 'Secret'
  readonly namespace: string
  readonly name: string
  readonly key?: string
}

export interface BundleEntry {
  readonly policy: BundlePolicy
  /** The policies that it may have; none: it is not written to nodes. */
  readonly allowed: readonly BundlePolicy[]
  /** The first of these that exists. */
  readonly sources: readonly BundleSource[]
  /** One file for each key of the source. */
  readonly manyFiles: boolean
}

const configMap = (namespace: string, name: string, key?: string): BundleSource => ({
  kind: 'ConfigMap',
  namespace,
  name,
  ...(key !== undefined && { key }),
})

const bundle = 'ca-bundle.crt'

/**
 * OpenShift's objects first, then what every Kubernetes has. The user's bundle can only be held: a change of it restarts
 * the container runtime, which belongs into an update with its order and its limits.
 */
export const bundleCatalogue: Readonly<Record<BundleName, BundleEntry>> = {
  kubeletClientCa: {
    policy: 'Deliver',
    allowed: bundlePolicies,
    sources: [
      configMap('openshift-config-managed', 'kube-apiserver-client-ca', bundle),
      configMap('kube-system', 'extension-apiserver-authentication', 'client-ca-file'),
    ],
    manyFiles: false,
  },
  cloudProviderCa: {
    policy: 'Deliver',
    allowed: bundlePolicies,
    sources: [configMap('openshift-config-managed', 'kube-cloud-config', 'ca-bundle.pem')],
    manyFiles: false,
  },
  rootCa: {
    policy: 'Deliver',
    allowed: [],
    sources: [configMap('kube-system', 'root-ca', 'ca.crt')],
    manyFiles: false,
  },
  userCa: {
    policy: 'Hold',
    allowed: ['Hold'],
    sources: [configMap('openshift-config', 'user-ca-bundle', bundle)],
    manyFiles: false,
  },
  imageRegistryCas: {
    policy: 'Deliver',
    allowed: bundlePolicies,
    sources: [configMap('openshift-config-managed', 'image-registry-ca')],
    manyFiles: true,
  },
  imageRegistryUserCas: { policy: 'Deliver', allowed: bundlePolicies, sources: [], manyFiles: true },
}

export type BundlePolicies = Readonly<Record<BundleName, BundlePolicy>>

export const defaultBundlePolicies: BundlePolicies = Object.fromEntries(
  bundleNames.map((name) => [name, bundleCatalogue[name].policy]),
) as Record<BundleName, BundlePolicy>

/** On the ControllerConfig: the policies in force, as JSON; daemons act by it. */
export const bundlePoliciesAnnotation = 'machineconfig.io/certificate-policies'

/** What daemons go by. What is not there or not readable means the defaults: OpenShift's own delivery. */
export function readBundlePolicies(annotations: Readonly<Record<string, string>> | undefined): BundlePolicies {
  const found: Record<BundleName, BundlePolicy> = { ...defaultBundlePolicies }
  const value = parseJson(annotations?.[bundlePoliciesAnnotation])
  for (const name of bundleNames) {
    const policy = bundleCatalogue[name].allowed.find((candidate) => candidate === value[name])
    if (policy) found[name] = policy
  }
  return found
}

export function parseJson(text: string | undefined): Readonly<Record<string, unknown>> {
  if (!text) return {}
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
  } catch {
    // Edited by hand: its owner writes it again.
    return {}
  }
}

import { HostError } from './host.ts'

/** One entry of `rpm-ostree status --json`, as far as it is used. */
export interface Deployment {
  readonly booted: boolean
  /** What a registry would call the image that this deployment is; empty for one that came from an ostree remote. */
  readonly image: string
  readonly requestedPackages: readonly string[]
  readonly packages: readonly string[]
  /** From files, beside or in place of the image's own. */
  readonly localPackages: readonly string[]
  readonly removedBasePackages: readonly string[]
}

/** The next boot's deployment comes first. */
export function parseRpmOstreeStatus(text: string): readonly Deployment[] {
  const status = parseObject(text)
  const deployments = Array.isArray(status.deployments) ? status.deployments.filter(isObject) : []
  if (deployments.length === 0)
    throw new HostError('ERPMOSTREE', 'rpm-ostree', 'rpm-ostree status --json lists no deployment')
  return deployments.map((deployment) => ({
    booted: deployment.booted === true,
    image: imageOfDeployment(deployment),
    requestedPackages: strings(deployment['requested-packages']),
    packages: strings(deployment.packages),
    localPackages: [
      ...strings(deployment['requested-local-packages']),
      ...strings(deployment['requested-base-local-replacements']),
    ],
    removedBasePackages: strings(deployment['requested-base-removals']),
  }))
}

export function bootedDeployment(deployments: readonly Deployment[]): Deployment {
  const booted = deployments.find((deployment) => deployment.booted)
  if (!booted) throw new HostError('ERPMOSTREE', 'rpm-ostree', 'rpm-ostree reports no booted deployment')
  return booted
}

function imageOfDeployment(deployment: Readonly<Record<string, unknown>>): string {
  const [origin] = strings(deployment['custom-origin'])
  if (origin?.startsWith('pivot://')) return origin.slice('pivot://'.length)
  const reference = deployment['container-image-reference']
  return typeof reference === 'string' ? withoutTransport(reference) : ''
}

/** `ostree-remote-registry:fedora:quay.io/x:stable` and its relatives -> `quay.io/x:stable`. */
function withoutTransport(reference: string): string {
  const unverified = /^ostree-unverified-(?:registry:|image:(?:docker:\/\/|registry:))(.+)$/.exec(reference)
  const remote = /^ostree-remote-(?:registry:[^:]+:|image:[^:]+:(?:docker:\/\/|registry:))(.+)$/.exec(reference)
  const signed = /^ostree-image-signed:(?:docker:\/\/|registry:)(.+)$/.exec(reference)
  return unverified?.[1] ?? remote?.[1] ?? signed?.[1] ?? reference
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return value
  } catch (error) {
    throw new HostError('ERPMOSTREE', 'rpm-ostree', 'rpm-ostree status --json is not JSON', { cause: error })
  }
  throw new HostError('ERPMOSTREE', 'rpm-ostree', 'rpm-ostree status --json is not an object')
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const strings = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === 'string') : []

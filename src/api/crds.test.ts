import { describe, expect, test } from 'vitest'
import { formatFieldError } from '../schema/fieldError.ts'
import { isJsonObject, type JSONSchemaProps } from '../schema/jsonSchemaProps.ts'
import { compileSchema } from '../schema/structuralSchema.ts'
import { customResourceDefinitions } from './generated/crds.ts'
import { crdLabel } from './names.ts'

/** Every validation of the published CRDs, through the same engine that the embedded API server uses. */

const schemas = new Map(
  customResourceDefinitions.map(({ spec }) => {
    const schema = spec.versions[0]?.schema?.openAPIV3Schema
    if (!schema) throw new Error(`${spec.names.kind} has no schema`)
    return [spec.names.kind, { schema, compiled: compileSchema(schema) }]
  }),
)

function errorsOf(kind: string, object: unknown, old?: unknown): readonly string[] {
  const known = schemas.get(kind)
  if (!known) throw new Error(`no CRD for ${kind}`)
  const complete = (value: unknown) => known.compiled.applyDefaults(known.compiled.prune(value).value)
  return known.compiled.validate(complete(object), old === undefined ? undefined : complete(old)).map(formatFieldError)
}

const hex = (digit: string) => digit.repeat(64)
const digest = `registry.example.com/ns/img@sha256:${hex('a')}`
const tag = 'registry.example.com:5000/org/os:latest'
const condition = (type: string, status = 'True', more: object = {}) => ({
  type,
  status,
  reason: 'AsExpected',
  message: '',
  lastTransitionTime: '2026-08-20T10:00:00Z',
  ...more,
})
const named = (name: string, members: object) => ({ metadata: { name }, ...members })

const pool = (spec: object = {}, status?: object) => named('worker', { spec, ...(status ? { status } : {}) })
const poolCounts = (more: object = {}) => ({
  poolSynchronizersStatus: [
    {
      poolSynchronizerType: 'PinnedImageSets',
      machineCount: 3,
      updatedMachineCount: 3,
      readyMachineCount: 2,
      availableMachineCount: 2,
      unavailableMachineCount: 1,
      ...more,
    },
  ],
})
const node = (spec: object = {}, status?: object) =>
  named('node-1', {
    spec: {
      node: { name: 'node-1' },
      pool: { name: 'worker' },
      configVersion: { desired: 'rendered-worker-1' },
      ...spec,
    },
    ...(status ? { status } : {}),
  })
const pinned = (more: object) => node({}, { pinnedImageSets: [{ name: 'set', ...more }] })
const imageSet = (name: string) => named('set', { spec: { pinnedImages: [{ name }] } })
const osConfig = (spec: object = {}, status?: object) =>
  named('worker', {
    spec: {
      machineConfigPool: { name: 'worker' },
      imageBuilder: { imageBuilderType: 'Job' },
      renderedImagePushSecret: { name: 'push-secret' },
      renderedImagePushSpec: tag,
      ...spec,
    },
    ...(status ? { status } : {}),
  })
const build = (status?: object, spec: object = {}) =>
  named('worker-1', {
    spec: {
      machineConfig: { name: 'rendered-worker-1' },
      machineOSConfig: { name: 'worker' },
      renderedImagePushSpec: tag,
      ...spec,
    },
    ...(status ? { status } : {}),
  })
const job = { group: 'batch', resource: 'jobs', namespace: 'ns', name: 'build-1' }
const stream = (name: string, more: object = {}) => ({ name, osImage: digest, osExtensionsImage: digest, ...more })
const streams = (defaultStream: string, status?: object, name = 'cluster') =>
  named(name, { spec: { defaultStream }, ...(status ? { status } : {}) })
const runtime = (containerRuntimeConfig: object) => named('a', { spec: { containerRuntimeConfig } })
const configuration = (spec: object, status?: object) => named('cluster', { spec, ...(status ? { status } : {}) })
const fileActions = (...actions: object[]) =>
  configuration({ nodeDisruptionPolicy: { files: [{ path: '/a', actions }] } })
const statusActions = (...actions: object[]) =>
  configuration({}, { nodeDisruptionPolicyStatus: { clusterPolicies: { sshkey: { actions } } } })
const restart = (serviceName: string) => ({ type: 'Restart', restart: { serviceName } })
const manager = (resource: string, mode: string, more: object = {}) => ({
  resource,
  apiGroup: 'machine.openshift.io',
  selection: { mode, ...more },
})
const managers = (...machineManagers: object[]) => configuration({ managedBootImages: { machineManagers } })
const skew = (bootImageSkewEnforcement: object) => configuration({ bootImageSkewEnforcement })
const skewStatus = (bootImageSkewEnforcementStatus: object, spec: object = {}, status: object = {}) =>
  configuration(
    { managedBootImages: { machineManagers: [manager('machinesets', 'All')] }, ...spec },
    { bootImageSkewEnforcementStatus, ...status },
  )
const automatic = { mode: 'Automatic', automatic: { ocpVersion: '4.18.0' } }
const infra = (spec: object, status: object) =>
  controllerConfig({
    infra: {
      apiVersion: 'config.openshift.io/v1',
      kind: 'Infrastructure',
      metadata: { name: 'cluster' },
      spec,
      status,
    },
  })
const controllerConfig = (more: object) =>
  named('machine-config-controller', {
    spec: {
      additionalTrustBundle: null,
      baseOSContainerImage: digest,
      cloudProviderCAData: null,
      cloudProviderConfig: '',
      clusterDNSIP: '172.30.0.10',
      dns: null,
      images: {},
      infra: null,
      ipFamilies: 'IPv4',
      kubeAPIServerServingCAData: '',
      network: { mtuMigration: null },
      proxy: null,
      releaseImage: digest,
      rootCAData: '',
      ...more,
    },
  })

interface Row {
  readonly kind: string
  readonly message: string
  readonly accept: readonly [object, object?]
  readonly refuse: readonly [object, object?]
}

const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character."
const streamSubdomain = subdomain.replace('a lowercase', 'a')
const digestSuffix =
  "the OCI Image reference must end with a valid '@sha256:<digest>' suffix, where '<digest>' is 64 characters long"
const imageName =
  'the OCI Image name should follow the host[:port][/namespace]/name format, resembling a valid URL without the scheme'
const tagName = `${imageName}. Or it must be a valid .svc followed by a port, repository, image name, and tag.`
const dns1035 =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character"
const dns1123 = 'the value must consist of only lowercase alphanumeric characters and hyphens'
const serviceType =
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the API's own message holds these placeholders
  'Invalid ${SERVICETYPE} in service name. Expected format is ${NAME}${SERVICETYPE}, where ${SERVICETYPE} must be one of ".service", ".socket", ".device", ".mount", ".automount", ".swap", ".target", ".path", ".timer",".snapshot", ".slice" or ".scope".'
const serviceName =
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the API's own message holds these placeholders
  'Invalid ${NAME} in service name. Expected format is ${NAME}${SERVICETYPE}, where {NAME} must be atleast 1 character long and can only consist of alphabets, digits, ":", "-", "_", ".", and "\\"'

const row = (kind: string, message: string, accept: Row['accept'], refuse: Row['refuse']): Row => ({
  kind,
  message,
  accept,
  refuse,
})
const poolRollout = (to: string) => named('worker-7', { spec: { pool: 'worker', revision: 7, to } })
const localhostDigest = `localhost:5000/a@sha256:${hex('b')}`
const release = (more: object) =>
  node({}, { internalReleaseImage: { releases: [{ name: 'ocp-release-bundle-4.20.0-x86_64', ...more }] } })
const change = (fieldPath: string) => node({}, { irreconcilableChanges: [{ fieldPath, diff: '-a' }] })
const times = (buildStart?: string, buildEnd?: string) =>
  build({ ...(buildStart ? { buildStart } : {}), ...(buildEnd ? { buildEnd } : {}) })
const [ten, eleven] = ['2026-08-20T10:00:00Z', '2026-08-20T11:00:00Z']
const frozen = (type: string, word: string): Row =>
  row(
    'MachineOSBuild',
    `once ${word} ${type} condition is set, conditions are immutable`,
    [
      build({ conditions: [condition('Building', 'True', { message: 'b' })] }),
      build({ conditions: [condition('Building')] }),
    ],
    [
      build({ conditions: [condition(type, 'True', { message: 'changed' })] }),
      build({ conditions: [condition(type)] }),
    ],
  )

const rows: readonly Row[] = [
  row(
    'MachineConfigPool',
    streamSubdomain,
    [pool({ osImageStream: { name: 'rhel-9' } })],
    [pool({ osImageStream: { name: 'RHEL' } })],
  ),
  ...(['updated', 'available', 'unavailable', 'ready'] as const).map((which) =>
    row(
      'MachineConfigPool',
      `machineCount must be greater than or equal to ${which}MachineCount`,
      [pool({}, poolCounts())],
      [pool({}, poolCounts({ [`${which}MachineCount`]: 4 }))],
    ),
  ),
  row(
    'MachineConfigPool',
    'availableMachineCount must be greater than or equal to readyMachineCount',
    [pool({}, poolCounts())],
    [pool({}, poolCounts({ readyMachineCount: 3 }))],
  ),
  row(
    'MachineConfigPool',
    'observedGeneration must not move backwards except to zero',
    [pool({}, poolCounts({ observedGeneration: 0 })), pool({}, poolCounts({ observedGeneration: 5 }))],
    [pool({}, poolCounts({ observedGeneration: 4 })), pool({}, poolCounts({ observedGeneration: 5 }))],
  ),

  row(
    'ControllerConfig',
    'spec.controlPlaneTopology must match status.controlPlaneTopology or be set to HighlyAvailable when status.controlPlaneTopology is SingleReplica',
    [infra({ controlPlaneTopology: 'HighlyAvailable' }, { controlPlaneTopology: 'SingleReplica' })],
    [infra({ controlPlaneTopology: 'SingleReplica' }, { controlPlaneTopology: 'HighlyAvailable' })],
  ),

  row(
    'ContainerRuntimeConfig',
    "path must be absolute and contain only alphanumeric characters, '/', '.', '_', and '-'",
    [runtime({ additionalLayerStores: [{ path: '/var/lib/a_b.c-1' }] })],
    [runtime({ additionalImageStores: [{ path: 'var' }] })],
  ),
  row(
    'ContainerRuntimeConfig',
    'path must not contain consecutive forward slashes',
    [runtime({ additionalArtifactStores: [{ path: '/a/b' }] })],
    [runtime({ additionalArtifactStores: [{ path: '/a//b' }] })],
  ),
  ...['additionalLayerStores', 'additionalImageStores', 'additionalArtifactStores'].map((member) =>
    row(
      'ContainerRuntimeConfig',
      `${member} must not contain duplicate paths`,
      [runtime({ [member]: [{ path: '/a' }, { path: '/b' }] })],
      [runtime({ [member]: [{ path: '/a' }, { path: '/a' }] })],
    ),
  ),

  row('MachineConfigNode', 'spec.node.name should match metadata.name', [node()], [node({ node: { name: 'node-2' } })]),
  row('MachineConfigNode', subdomain, [node({ pool: { name: 'not-yet-set' } })], [node({ pool: { name: 'Not_Set' } })]),
  row(
    'MachineConfigNode',
    digestSuffix,
    [node({ configImage: { desiredImage: digest } })],
    [node({ configImage: { desiredImage: tag } })],
  ),
  row(
    'MachineConfigNode',
    imageName,
    [node({}, { configImage: { currentImage: digest } })],
    [node({}, { configImage: { currentImage: `localhost/a@sha256:${hex('a')}` } })],
  ),
  row(
    'MachineConfigNode',
    'observedGeneration must not decrease',
    [node({}, { observedGeneration: 3 }), node({}, { observedGeneration: 2 })],
    [node({}, { observedGeneration: 1 }), node({}, { observedGeneration: 2 })],
  ),
  ...['currentGeneration', 'desiredGeneration', 'lastFailedGeneration'].map((member) => {
    const at = (value: number) => pinned({ [member]: value, lastFailedGenerationError: 'e' })
    return row('MachineConfigNode', `${member} must not decrease`, [at(3), at(2)], [at(1), at(2)])
  }),
  row(
    'MachineConfigNode',
    'desired generation must be greater than or equal to the current generation',
    [pinned({ desiredGeneration: 2, currentGeneration: 2 })],
    [pinned({ desiredGeneration: 1, currentGeneration: 2 })],
  ),
  row(
    'MachineConfigNode',
    'desired generation must be greater than or equal to the last failed generation',
    [pinned({ desiredGeneration: 2, lastFailedGeneration: 2, lastFailedGenerationError: 'e' })],
    [pinned({ desiredGeneration: 1, lastFailedGeneration: 2, lastFailedGenerationError: 'e' })],
  ),
  row(
    'MachineConfigNode',
    'last failed generation error must be defined on image pull and pin failure',
    [pinned({ lastFailedGeneration: 2, lastFailedGenerationError: 'e' })],
    [pinned({ lastFailedGeneration: 2 })],
  ),
  row(
    'MachineConfigNode',
    'The fieldPath must start with `spec.`',
    [change('spec.config.storage.disks[0]')],
    [change('config.storage')],
  ),
  row(
    'MachineConfigNode',
    "The fieldPath must consist only of alphanumeric characters, brackets [] and dots ('.').",
    [change('spec.a')],
    [change('spec.a-b')],
  ),
  row(
    'MachineConfigNode',
    'must be ocp-release-bundle-<version>-<arch|stream> and <= 64 chars',
    [release({ image: localhostDigest })],
    [release({ name: 'bundle' })],
  ),

  row('PinnedImageSet', digestSuffix, [imageSet(digest)], [imageSet(tag)]),
  row(
    'PinnedImageSet',
    imageName,
    [imageSet(`registry.example.com:5000/app@sha256:${hex('c')}`)],
    [imageSet(`registry.example.com/a/b/c@sha256:${hex('c')}`)],
  ),

  row(
    'MachineOSConfig',
    'MachineOSConfig name must match the referenced MachineConfigPool name; can only have one MachineOSConfig per MachineConfigPool',
    [osConfig()],
    [osConfig({ machineConfigPool: { name: 'infra' } })],
  ),
  row(
    'MachineOSConfig',
    subdomain,
    [osConfig({ baseImagePullSecret: { name: 'pull' } })],
    [osConfig({ baseImagePullSecret: { name: 'Pull' } })],
  ),
  row(
    'MachineOSConfig',
    tagName,
    [osConfig({ renderedImagePushSpec: 'image-registry.openshift-image-registry.svc:5000/ns/os:latest' })],
    [osConfig({ renderedImagePushSpec: 'os' })],
  ),
  row(
    'MachineOSConfig',
    'observedGeneration must not move backwards',
    [osConfig({}, { observedGeneration: 2 }), osConfig({}, { observedGeneration: 2 })],
    [osConfig({}, { observedGeneration: 1 }), osConfig({}, { observedGeneration: 2 })],
  ),
  row(
    'MachineOSConfig',
    digestSuffix,
    [osConfig({}, { currentImagePullSpec: digest })],
    [osConfig({}, { currentImagePullSpec: `${digest}0` })],
  ),
  row(
    'MachineOSConfig',
    imageName,
    [osConfig({}, { currentImagePullSpec: digest })],
    [osConfig({}, { currentImagePullSpec: `os@sha256:${hex('a')}` })],
  ),
  row(
    'MachineOSConfig',
    dns1035,
    [osConfig({}, { machineOSBuild: job })],
    [osConfig({}, { machineOSBuild: { ...job, resource: '1jobs' } })],
  ),
  row(
    'MachineOSConfig',
    dns1123,
    [osConfig({}, { machineOSBuild: job })],
    [osConfig({}, { machineOSBuild: { ...job, namespace: 'a.b' } })],
  ),

  row(
    'MachineOSBuild',
    'machineOSBuildSpec is immutable once set',
    [build({ buildStart: ten }), build()],
    [build(undefined, { renderedImagePushSpec: `${tag}2` }), build()],
  ),
  row('MachineOSBuild', subdomain, [build()], [build(undefined, { machineOSConfig: { name: 'A' } })]),
  row('MachineOSBuild', tagName, [build()], [build(undefined, { renderedImagePushSpec: digest.slice(0, 30) })]),
  row('MachineOSBuild', 'buildEnd must be after buildStart', [times(ten, eleven)], [times(eleven, ten)]),
  row(
    'MachineOSBuild',
    'buildStart is immutable once set',
    [times(ten, eleven), times(ten)],
    [times(eleven), times(ten)],
  ),
  row(
    'MachineOSBuild',
    'buildEnd is immutable once set',
    [times(ten, eleven), times(ten, eleven)],
    [times(ten, '2026-08-20T12:00:00Z'), times(ten, eleven)],
  ),
  frozen('Failed', 'a'),
  frozen('Interrupted', 'an'),
  frozen('Succeeded', 'an'),
  row(
    'MachineOSBuild',
    'job is required when imageBuilderType is Job, and forbidden otherwise',
    [build({ builder: { imageBuilderType: 'Job', job } })],
    [build({ builder: { imageBuilderType: 'Job' } })],
  ),
  row(
    'MachineOSBuild',
    dns1035,
    [build({ relatedObjects: [job] })],
    [build({ relatedObjects: [{ ...job, resource: 'Jobs' }] })],
  ),
  row(
    'MachineOSBuild',
    dns1123,
    [build({ relatedObjects: [job] })],
    [build({ relatedObjects: [{ ...job, namespace: 'A' }] })],
  ),
  row(
    'MachineOSBuild',
    digestSuffix,
    [build({ digestedImagePushSpec: digest })],
    [build({ digestedImagePushSpec: tag })],
  ),
  row(
    'MachineOSBuild',
    imageName,
    [build({ digestedImagePushSpec: digest })],
    [build({ digestedImagePushSpec: `a/b@sha256:${hex('a')}` })],
  ),

  row(
    'OSImageStream',
    "osimagestream is a singleton, .metadata.name must be 'cluster'",
    [streams('rhel-9')],
    [streams('rhel-9', undefined, 'other')],
  ),
  row(
    'OSImageStream',
    'spec.defaultStream must reference an existing stream name from status.availableStreams',
    [
      streams('rhel-10', { availableStreams: [stream('rhel-9'), stream('rhel-10')], defaultStream: 'rhel-9' }),
      streams('rhel-9', { availableStreams: [stream('rhel-9'), stream('rhel-10')], defaultStream: 'rhel-9' }),
    ],
    [
      streams('rhel-8', { availableStreams: [stream('rhel-9')], defaultStream: 'rhel-9' }),
      streams('rhel-9', { availableStreams: [stream('rhel-9')], defaultStream: 'rhel-9' }),
    ],
  ),
  row('OSImageStream', streamSubdomain, [streams('centos-10')], [streams('Centos')]),
  row(
    'OSImageStream',
    'defaultStream must reference a stream name from availableStreams',
    [streams('rhel-9', { availableStreams: [stream('rhel-9')], defaultStream: 'rhel-9' })],
    [streams('rhel-9', { availableStreams: [stream('rhel-9')], defaultStream: 'rhel-10' })],
  ),
  row(
    'OSImageStream',
    digestSuffix,
    [streams('a', { availableStreams: [stream('a')], defaultStream: 'a' })],
    [streams('a', { availableStreams: [stream('a', { osImage: 'a.b/c:d' })], defaultStream: 'a' })],
  ),
  row(
    'OSImageStream',
    imageName,
    [streams('a', { availableStreams: [stream('a')], defaultStream: 'a' })],
    [
      streams('a', {
        availableStreams: [stream('a', { osExtensionsImage: `x@sha256:${hex('a')}` })],
        defaultStream: 'a',
      }),
    ],
  ),

  row(
    'MachineConfiguration',
    'when skew enforcement is in Automatic mode, a boot image configuration is required',
    [skewStatus(automatic)],
    [configuration({}, { bootImageSkewEnforcementStatus: automatic })],
  ),
  row(
    'MachineConfiguration',
    'when skew enforcement is in Automatic mode, managedBootImages.machineManagers must not be an empty list',
    [skewStatus(automatic)],
    [skewStatus(automatic, { managedBootImages: { machineManagers: [] } })],
  ),
  row(
    'MachineConfiguration',
    "when skew enforcement is in Automatic mode, any MachineAPI MachineSet MachineManager must use selection mode 'All'",
    [skewStatus(automatic, { managedBootImages: { machineManagers: [manager('controlplanemachinesets', 'None')] } })],
    [skewStatus(automatic, { managedBootImages: { machineManagers: [manager('machinesets', 'None')] } })],
  ),
  row(
    'MachineConfiguration',
    'when skew enforcement is in Automatic mode, managedBootImagesStatus must contain a MachineManager opting in all MachineAPI MachineSets',
    [skewStatus(automatic, {}, { managedBootImagesStatus: { machineManagers: [manager('machinesets', 'All')] } })],
    [skewStatus(automatic, {}, { managedBootImagesStatus: { machineManagers: [manager('machinesets', 'None')] } })],
  ),
  row(
    'MachineConfiguration',
    'Only All or None selection mode is permitted for ControlPlaneMachineSets',
    [managers(manager('controlplanemachinesets', 'All'))],
    [managers(manager('controlplanemachinesets', 'Partial', { partial: { machineResourceSelector: {} } }))],
  ),
  row(
    'MachineConfiguration',
    'Partial is required when type is partial, and forbidden otherwise',
    [
      managers(
        manager('machinesets', 'Partial', {
          partial: { machineResourceSelector: { matchLabels: { region: 'east' } } },
        }),
      ),
    ],
    [managers(manager('machinesets', 'Partial'))],
  ),
  row(
    'MachineConfiguration',
    'Reboot action can only be specified standalone, as it will override any other actions',
    [fileActions({ type: 'Reboot' })],
    [fileActions({ type: 'Reboot' }, { type: 'Drain' })],
  ),
  row(
    'MachineConfiguration',
    'None action can only be specified standalone, as it will override any other actions',
    [statusActions({ type: 'None' })],
    [statusActions({ type: 'None' }, { type: 'Special' })],
  ),
  row(
    'MachineConfiguration',
    'reload is required when type is Reload, and forbidden otherwise',
    [fileActions({ type: 'Reload', reload: { serviceName: 'crio.service' } })],
    [fileActions({ type: 'Reload' })],
  ),
  row(
    'MachineConfiguration',
    'restart is required when type is Restart, and forbidden otherwise',
    [fileActions(restart('a.service'))],
    [fileActions({ type: 'Drain', restart: { serviceName: 'a.service' } })],
  ),
  row('MachineConfiguration', serviceType, [fileActions(restart('a.timer'))], [fileActions(restart('a.exe'))]),
  row(
    'MachineConfiguration',
    serviceName,
    [fileActions(restart('dev-disk\\x2dby.device'))],
    [fileActions(restart('.service'))],
  ),
  row(
    'MachineConfiguration',
    'manual is required when mode is Manual, and forbidden otherwise',
    [skew({ mode: 'Manual', manual: { mode: 'OCPVersion', ocpVersion: '4.18.0' } })],
    [skew({ mode: 'None', manual: { mode: 'OCPVersion', ocpVersion: '4.18.0' } })],
  ),
  row(
    'MachineConfiguration',
    'ocpVersion is required when mode is OCPVersion, and forbidden otherwise',
    [skew({ mode: 'None' })],
    [skew({ mode: 'Manual', manual: { mode: 'OCPVersion' } })],
  ),
  row(
    'MachineConfiguration',
    'rhcosVersion is required when mode is RHCOSVersion, and forbidden otherwise',
    [skew({ mode: 'Manual', manual: { mode: 'RHCOSVersion', rhcosVersion: '9.6.20250523-0' } })],
    [skew({ mode: 'Manual', manual: { mode: 'OCPVersion', ocpVersion: '4.18.0', rhcosVersion: '9.6.20250523-0' } })],
  ),
  row(
    'MachineConfiguration',
    'ocpVersion must match the OCP semver compatible format of x.y.z',
    [skew({ mode: 'Manual', manual: { mode: 'OCPVersion', ocpVersion: '4.18.10' } })],
    [skew({ mode: 'Manual', manual: { mode: 'OCPVersion', ocpVersion: 'v4.18.0' } })],
  ),
  row(
    'MachineConfiguration',
    'rhcosVersion must match format [major].[minor].[datestamp(YYYYMMDD)]-[buildnumber] or must match legacy format [major].[minor].[timestamp(YYYYMMDDHHmm)]-[buildnumber]',
    [skew({ mode: 'Manual', manual: { mode: 'RHCOSVersion', rhcosVersion: '417.94.202410090854-0' } })],
    [skew({ mode: 'Manual', manual: { mode: 'RHCOSVersion', rhcosVersion: '9.6.2025-01-01-0' } })],
  ),
  row(
    'MachineConfiguration',
    'automatic is required when mode is Automatic, and forbidden otherwise',
    [skewStatus(automatic)],
    [skewStatus({ mode: 'Automatic' })],
  ),
  row(
    'MachineConfiguration',
    'at least one of ocpVersion or rhcosVersion is required',
    [skewStatus({ mode: 'Automatic', automatic: { rhcosVersion: '9.6.20250523-0' } })],
    [skewStatus({ mode: 'Automatic', automatic: {} })],
  ),
  row(
    'PoolRollout',
    'a PoolRollout says what happened and cannot be changed; change the MachineConfigs, or pause the pool',
    [poolRollout('rendered-worker-a'), poolRollout('rendered-worker-a')],
    [poolRollout('rendered-worker-b'), poolRollout('rendered-worker-a')],
  ),
]

describe('CEL rules of the CRDs', () => {
  test.each(rows)('$kind: $message', ({ kind, message, accept, refuse }) => {
    expect(errorsOf(kind, ...accept)).toEqual([])
    const errors = errorsOf(kind, ...refuse)
    expect(errors.filter((error) => error.endsWith(`": ${message}`)).length, errors.join('\n')).toBeGreaterThan(0)
  })

  test('each rule of each kind has a row', () => {
    const tested = new Set(rows.map(({ kind, message }) => `${kind}: ${message}`))
    const present = [...schemas].flatMap(([kind, { schema }]) =>
      [...messagesIn(schema)].map((message) => `${kind}: ${message}`),
    )
    expect(present.filter((each) => !tested.has(each))).toEqual([])
  })
})

function messagesIn(schema: unknown): ReadonlySet<string> {
  if (Array.isArray(schema)) return new Set(schema.flatMap((part) => [...messagesIn(part)]))
  if (!isJsonObject(schema)) return new Set()
  const { 'x-kubernetes-validations': own = [] }: JSONSchemaProps = schema
  return new Set([
    ...own.map(({ message = '' }) => message),
    ...Object.values(schema).flatMap((part) => [...messagesIn(part)]),
  ])
}

describe('MachineOSConfig whose stored name does not match its pool', () => {
  const legacy = osConfig({ machineConfigPool: { name: 'infra' } })
  test('may be edited elsewhere', () => {
    expect(
      errorsOf(
        'MachineOSConfig',
        osConfig({ machineConfigPool: { name: 'infra' }, renderedImagePushSpec: 'a.b/c:d' }),
        legacy,
      ),
    ).toEqual([])
  })
  test('may not move to another mismatching pool', () => {
    expect(errorsOf('MachineOSConfig', osConfig({ machineConfigPool: { name: 'gpu' } }), legacy)).toHaveLength(1)
  })
  test('may be corrected', () => expect(errorsOf('MachineOSConfig', osConfig(), legacy)).toEqual([]))
})

describe('plain validation of the CRDs', () => {
  test.each<[string, string, object, readonly string[]]>([
    [
      'MachineConfigNode',
      'without pool',
      named('node-1', { spec: { node: { name: 'node-1' }, configVersion: { desired: 'a' } } }),
      ['spec.pool: Required value'],
    ],
    [
      'MachineConfigNode',
      'without node',
      named('node-1', { spec: { pool: { name: 'a' }, configVersion: { desired: 'a' } } }),
      ['spec.node: Required value'],
    ],
    [
      'MachineConfigNode',
      'without configVersion',
      named('node-1', { spec: { node: { name: 'node-1' }, pool: { name: 'a' } } }),
      ['spec.configVersion: Required value'],
    ],
    [
      'MachineConfiguration',
      'Automatic skew enforcement in spec',
      skew({ mode: 'Automatic' }),
      ['spec.bootImageSkewEnforcement.mode: Unsupported value: "Automatic": supported values: "Manual", "None"'],
    ],
    [
      'MachineConfigPool',
      'repeated pinned image set',
      pool({ pinnedImageSets: [{ name: 'a' }, { name: 'a' }] }),
      ['spec.pinnedImageSets[1]: Duplicate value: {"name":"a"}'],
    ],
    [
      'KubeletConfig',
      'log level',
      named('a', { spec: { logLevel: 11 } }),
      ['spec.logLevel: Invalid value: 11: spec.logLevel in body should be less than or equal to 10'],
    ],
    [
      'PinnedImageSet',
      'empty',
      named('a', { spec: { pinnedImages: [] } }),
      ['spec.pinnedImages: Invalid value: 0: spec.pinnedImages in body should have at least 1 items'],
    ],
    [
      'ContainerRuntimeConfig',
      'runtime',
      runtime({ defaultRuntime: 'kata' }),
      ['spec.containerRuntimeConfig.defaultRuntime: Unsupported value: "kata": supported values: "crun", "runc"'],
    ],
    [
      'MachineOSConfig',
      'repeated architecture',
      osConfig({ containerFile: [{ content: 'a' }, { content: 'b', containerfileArch: 'NoArch' }] }),
      ['spec.containerFile[1]: Duplicate value: {"containerfileArch":"NoArch"}'],
    ],
  ])('%s: %s', (kind, _case, object, expected) => {
    expect(errorsOf(kind, object).filter((error) => !error.startsWith('<nil>'))).toEqual(expected)
  })

  test('accepts what clients of the original write', () => {
    expect(
      errorsOf(
        'MachineConfig',
        named('99-worker', {
          spec: { osImageURL: '', config: null, kernelArguments: null, extensions: null, fips: false, kernelType: '' },
        }),
      ),
    ).toEqual([])
    expect(
      errorsOf(
        'MachineConfigPool',
        pool({ configuration: {}, maxUnavailable: '25%' }, { conditions: null, certExpirys: null }),
      ),
    ).toEqual([])
    expect(errorsOf('ControllerConfig', controllerConfig({ imageRegistryBundleData: null }))).toEqual([])
    expect(
      errorsOf('KubeletConfig', named('a', { spec: { tlsSecurityProfile: { type: 'Modern', modern: null } } })),
    ).toEqual([])
  })
})

describe('the published definitions', () => {
  test.each(customResourceDefinitions.map((crd) => [crd.metadata.name, crd] as const))(
    '%s is consistent',
    (name, crd) => {
      const { group, names, scope, versions } = crd.spec
      expect(name).toBe(`${names.plural}.${group}`)
      expect(scope).toBe('Cluster')
      expect(names).toMatchObject({ singular: names.kind.toLowerCase(), listKind: `${names.kind}List` })
      expect(versions.map(({ served, storage }) => [served, storage])).toEqual([[true, true]])
      if (group === 'machineconfiguration.openshift.io')
        expect(crd.metadata.labels).toEqual({ [crdLabel.operatorManaged]: '' })
    },
  )

  test('print the columns that tools know', () => {
    const columnsOf = (kind: string) =>
      customResourceDefinitions
        .find(({ spec }) => spec.names.kind === kind)
        ?.spec.versions[0]?.additionalPrinterColumns?.filter(({ priority = 0 }) => priority === 0)
        .map(({ name }) => name.toUpperCase())
    expect(columnsOf('MachineConfig')).toEqual(['GENERATEDBYCONTROLLER', 'IGNITIONVERSION', 'AGE'])
    expect(columnsOf('MachineConfigPool')).toEqual([
      'CONFIG',
      'UPDATED',
      'UPDATING',
      'DEGRADED',
      'MACHINECOUNT',
      'READYMACHINECOUNT',
      'UPDATEDMACHINECOUNT',
      'DEGRADEDMACHINECOUNT',
      'AGE',
    ])
    expect(columnsOf('MachineConfigNode')).toEqual(['POOLNAME', 'DESIREDCONFIG', 'CURRENTCONFIG', 'UPDATED', 'AGE'])
    expect(columnsOf('MachineOSBuild')).toEqual(['PREPARED', 'BUILDING', 'SUCCEEDED', 'INTERRUPTED', 'FAILED', 'AGE'])
  })

  test('hold no shared reference and no TypeScript hint', () => {
    expect(JSON.stringify(customResourceDefinitions)).not.toMatch(/\$ref|x-type-/)
  })
})

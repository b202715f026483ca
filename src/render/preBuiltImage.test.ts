import { expect, test } from 'vitest'
import type { MachineOSConfig } from '../api/machineOSConfig.ts'
import { preBuiltImageConfigs, preBuiltImageFault } from './preBuiltImage.ts'

const digest = 'a'.repeat(64)
const key = 'machineconfiguration.openshift.io/pre-built-image'

test.each([
  [`quay.io/x@sha256:${digest}`, undefined],
  ['', 'pre-built image spec cannot be empty'],
  ['quay.io/x:latest', 'pre-built image must use digested format (image@sha256:digest), got: "quay.io/x:latest"'],
  [`quay.io/x@sha256:${digest}a`, 'invalid reference format'],
  [`quay.io/x@sha256:${'z'.repeat(64)}`, 'invalid reference format'],
  [`quay.io/x@sha256:${digest.toUpperCase()}`, 'invalid checksum digest format'],
  ['quay.io/x@md5:00', 'unsupported digest algorithm'],
  ['quay.io/x@sha512:00', 'pre-built image must use SHA256 digest, got sha512'],
])('preBuiltImageFault of %j', (image, fault) => {
  const found = preBuiltImageFault(image)
  if (fault === undefined) expect(found).toBeUndefined()
  else expect(found).toContain(fault)
})

const osConfig = (name: string, pool: string, annotations?: Readonly<Record<string, string>>): MachineOSConfig => ({
  metadata: { name, ...(annotations && { annotations }) },
  spec: {
    machineConfigPool: { name: pool },
    imageBuilder: { imageBuilderType: 'Job' },
    renderedImagePushSecret: { name: 's' },
    renderedImagePushSpec: 'x',
  },
})

test('preBuiltImageConfigs makes a MachineConfig that overrides the image of the pool', () => {
  const image = `quay.io/x@sha256:${digest}`
  expect(preBuiltImageConfigs([osConfig('a', 'worker', { [key]: image })], new Set(['worker']))).toMatchObject({
    machineConfigs: [{ metadata: { name: '10-prebuiltimage-osimageurl-worker' }, spec: { osImageURL: image } }],
  })
})

test('preBuiltImageConfigs tells all faults at once and passes over what is built', () => {
  const built = osConfig('b', 'worker', { 'machineconfiguration.openshift.io/current-machine-os-build': 'x' })
  const result = preBuiltImageConfigs(
    [osConfig('a', 'worker'), built, osConfig('c', 'none', { [key]: 'x' })],
    new Set(['worker']),
  )
  expect(result).toEqual({
    kind: 'refused',
    message:
      `validation failed for MachineOSConfigs: MachineOSConfig "a" is missing required annotation "${key}" - this is required ` +
      'for install-time OCL; MachineOSConfig "c" references non-existent pool "none"',
  })
})

import { expect, test } from 'vitest'
import { fragment, ignition, withFile } from '../../test/kube/renderObjects.ts'
import { validateMachineConfig } from './validateMachineConfig.ts'

test('validateMachineConfig tells everything that is wrong, with paths in the object', () => {
  const storage = { files: [{ path: '/a', mode: 1023, contents: { source: 'data:,x' } }] }
  const issues = validateMachineConfig(
    fragment('a', { kernelType: 'fast', extensions: ['usbguard', 'typo'], config: ignition({ storage }) }),
  )
  expect(
    issues.filter(({ severity }) => severity === 'error').map(({ path, message }) => `${path}: ${message}`),
  ).toEqual([
    '$.spec.kernelType: kernelType "fast" is invalid; allowed are default, realtime and 64k-pages',
    '$.spec.config.storage.files[0].mode: invalid mode 01777 for /a, cannot exceed 0777',
    '$.spec.extensions[1]: extension "typo" is not known; see the list of supported extensions',
  ])
})

test('validateMachineConfig checks extensions without a config too', () => {
  expect(validateMachineConfig(fragment('a', { extensions: ['typo'] }))).toHaveLength(1)
})

test('validateMachineConfig reports an Ignition fault under spec.config', () => {
  const [issue] = validateMachineConfig(fragment('a', { config: withFile('relative') }))
  expect(issue).toMatchObject({ severity: 'error', path: '$.spec.config.storage.files[0].path' })
})

test('validateMachineConfig accepts a sound object', () => {
  expect(validateMachineConfig(fragment('a', { kernelType: 'realtime', config: withFile('/a') }))).toEqual([])
})

import { describe, expect, it } from 'vitest'
import { machineConfig } from '../../test/daemon/builders.ts'
import type { MachineConfig } from '../api/machineConfig.ts'
import { fragmentParser } from '../render/parseFragment.ts'
import { machineConfigView } from './machineConfigView.ts'

const prefix = 'machineconfiguration.openshift.io/'
const both = { [`${prefix}original-osimageurl`]: 'image:1', [`${prefix}ocl-osimageurl`]: 'built:1' }

function viewOf(spec: Record<string, unknown>, annotations: Record<string, string> = {}) {
  const { metadata, ...rest } = machineConfig({ name: 'rendered-1', spec })
  const object = { ...rest, metadata: { ...metadata, annotations } } as MachineConfig
  return machineConfigView(object, fragmentParser().parse(object))
}

describe('machineConfigView', () => {
  it('shows the plain fields and the parsed Ignition', () => {
    const spec = {
      osImageURL: 'image:1',
      kernelArguments: ['nosmt'],
      extensions: ['usbguard'],
      fips: true,
      kernelType: 'realtime',
    }
    expect(viewOf(spec)).toMatchObject({ kind: 'view', view: { name: 'rendered-1', ...spec } })
  })

  it.each([
    ['both marks', both, 'built:1'],
    ['no mark', {}, undefined],
    ['the built image alone', { [`${prefix}ocl-osimageurl`]: 'built:1' }, undefined],
    ['the base image alone', { [`${prefix}original-osimageurl`]: 'image:1' }, undefined],
  ])('names a built image only by %s together', (_name, annotations, expected) => {
    const result = viewOf({}, annotations)
    expect(result.kind === 'view' && result.view.layeredImage).toBe(expected)
  })

  it.each([
    ['an unknown Ignition version', { config: { ignition: { version: '9.0.0' } } }],
    ['no Ignition part', { config: null }],
    [
      'a broken Ignition part',
      { config: { ignition: { version: '3.5.0' }, storage: { files: [{ path: 'relative' }] } } },
    ],
  ])('refuses %s with a sentence', (_name, spec) => {
    const result = viewOf(spec)
    expect(result.kind).toBe('unreadable')
    expect(result.kind === 'unreadable' && result.error.length > 10).toBe(true)
  })
})

import { describe, expect, it } from 'vitest'
import { machineConfig } from '../../test/daemon/builders.ts'
import { loadConfig, parseRecordedConfig, withImage } from './loadConfig.ts'

describe('loadConfig', () => {
  it('reads absent members as empty, and no Ignition as an empty one', () => {
    const { view } = loadConfig({ metadata: { name: 'a' }, spec: { kernelArguments: ['x'] } })
    expect(view).toEqual({
      name: 'a',
      osImageURL: '',
      kernelArguments: ['x'],
      extensions: [],
      fips: false,
      kernelType: '',
      ignition: { ignition: { version: '3.5.0' } },
    })
  })
  it('reads Ignition 2.2 into the present form', () => {
    const config = {
      ignition: { version: '2.2.0' },
      storage: { files: [{ filesystem: 'root', path: '/etc/a', contents: { source: 'data:,x' }, mode: 420 }] },
    }
    expect(loadConfig({ metadata: { name: 'a' }, spec: { config } }).view.ignition.storage?.files?.[0]).toMatchObject({
      path: '/etc/a',
      mode: 420,
    })
  })
  it('refuses an Ignition version that it does not know, naming the config', () => {
    expect(() => loadConfig({ metadata: { name: 'a' }, spec: { config: { ignition: { version: '4.0.0' } } } })).toThrow(
      /from machineconfig "a" failed/,
    )
  })
  it('records no bookkeeping of the API server', () => {
    const object = machineConfig({ name: 'a' })
    const { text } = loadConfig({ ...object, metadata: { name: 'a', resourceVersion: '7', managedFields: [{}] } })
    expect(JSON.parse(text).metadata).toEqual({ name: 'a' })
  })
})

describe('parseRecordedConfig', () => {
  it('gives back what was recorded, text and all', () => {
    const { text, view } = loadConfig(machineConfig({ name: 'a', files: { '/etc/a': 'x' } }))
    expect(parseRecordedConfig(text, '/p')).toEqual({ text, view })
  })
  it.each([
    ['x', /\/p is not JSON/],
    ['{}', /\/p does not hold a MachineConfig/],
    ['{"metadata":{}}', /\/p does not hold a MachineConfig/],
  ])('refuses %s, naming the file', (text, expected) => {
    expect(() => parseRecordedConfig(text, '/p')).toThrow(expected)
  })
})

describe('withImage', () => {
  it('is the same config for an empty image, and never changes its input', () => {
    const loaded = loadConfig(machineConfig({ name: 'a' }))
    expect(withImage(loaded, '')).toBe(loaded)
    expect(withImage(loaded, 'img').view.layeredImage).toBe('img')
    expect(loaded.view.layeredImage).toBeUndefined()
  })
})

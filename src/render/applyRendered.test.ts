import { expect, test } from 'vitest'
import type { MachineConfig, MachineConfigSpec } from '../api/machineConfig.ts'
import type { ObjectMeta } from '../api/meta.ts'
import { applyRendered } from './applyRendered.ts'

const rendered = (spec: MachineConfigSpec = {}, metadata: ObjectMeta = {}): MachineConfig => ({
  metadata: { name: 'rendered-worker-1', ...metadata },
  spec,
})

const owner = {
  apiVersion: 'machineconfiguration.openshift.io/v1',
  kind: 'MachineConfigPool',
  name: 'worker',
  uid: 'u',
}
const configX = { ignition: { version: '3.5.0' } }

const rows: readonly (readonly [string, MachineConfig, MachineConfig, readonly string[]])[] = [
  ['an extra label', rendered({}, { labels: { extra: '1' } }), rendered(), []],
  [
    'a new label',
    rendered({}, { labels: { extra: '1' } }),
    rendered({}, { labels: { new: '1' } }),
    ['metadata.labels'],
  ],
  ['a missing owner', rendered(), rendered({}, { ownerReferences: [owner] }), ['metadata.ownerReferences']],
  ['an empty image', rendered({ osImageURL: '' }), rendered({ osImageURL: 'B' }), ['spec.osImageURL']],
  ['another image', rendered({ osImageURL: 'A' }), rendered({ osImageURL: 'B' }), ['spec.osImageURL']],
  ['an image that is not required', rendered({ osImageURL: 'A' }), rendered({ osImageURL: '' }), []],
  ['an unset config', rendered(), rendered({ config: configX }), ['spec.config']],
  ['an edited config', rendered({ config: { ignition: {} } }), rendered({ config: configX }), ['spec.config']],
  ['a null list', rendered({ kernelArguments: null }), rendered({ kernelArguments: [] }), []],
  ['an edited list', rendered({ kernelArguments: ['a'] }), rendered({ kernelArguments: [] }), ['spec.kernelArguments']],
  ['an edited flag', rendered({ fips: true }), rendered({ fips: false }), ['spec.fips']],
]

test.each(rows)('applyRendered over %s changes exactly what drifted', (_name, existing, required, changed) => {
  const application = applyRendered(existing, required)
  expect(application.kind === 'update' ? application.changed : []).toEqual(changed)
  expect(application.kind).toBe(changed.length > 0 ? 'update' : 'unchanged')
})

test('applyRendered keeps foreign labels beside the required ones', () => {
  const existing = rendered({}, { labels: { extra: '1' }, resourceVersion: '7' })
  const application = applyRendered(existing, rendered({}, { labels: { new: '1' } }))
  expect(application).toMatchObject({
    object: { metadata: { labels: { extra: '1', new: '1' }, resourceVersion: '7' } },
  })
})

test('applyRendered creates what is missing', () => {
  expect(applyRendered(undefined, rendered())).toEqual({ kind: 'create', object: rendered() })
})

test('applyRendered is settled after its own update', () => {
  const required = rendered({ osImageURL: 'B', config: configX, fips: true }, { ownerReferences: [owner] })
  const application = applyRendered(rendered({ osImageURL: 'A' }), required)
  expect(application.kind === 'update' && applyRendered(application.object, required).kind).toBe('unchanged')
})

import { expect, test } from 'vitest'
import { fragment, pool, roleSelector } from '../../test/kube/renderObjects.ts'
import type { LabelSelector } from '../api/meta.ts'
import { selectMachineConfigs } from './selectMachineConfigs.ts'

const configs = [fragment('w'), fragment('i', {}, { role: 'infra' }), { metadata: { name: 'unlabelled' } }]

test.each<readonly [string, LabelSelector | undefined, unknown]>([
  ['no selector', undefined, { kind: 'none' }],
  ['an empty selector', {}, { kind: 'selectingAll' }],
  ['an empty matchLabels', { matchLabels: {} }, { kind: 'selectingAll' }],
  ['a role', roleSelector('worker'), { kind: 'selected', configs: [configs[0]] }],
  ['a role nobody has', roleSelector('none'), { kind: 'none' }],
  [
    'an unknown operator',
    { matchExpressions: [{ key: 'a', operator: 'Foo' }] },
    { kind: 'invalid', message: 'invalid label selector: "Foo" is not a valid label selector operator' },
  ],
])('selectMachineConfigs with %s', (_name, machineConfigSelector, expected) => {
  const { spec: _default, ...bare } = pool()
  const selecting = { ...bare, spec: machineConfigSelector ? { machineConfigSelector } : {} }
  expect(selectMachineConfigs(selecting, configs)).toEqual(expected)
})

import { expect, test } from 'vitest'
import { controllerConfig, pool } from '../../test/kube/renderObjects.ts'
import type { ContainerRuntimeConfig } from '../api/containerRuntimeConfig.ts'
import type { KubeletConfig } from '../api/kubeletConfig.ts'
import type { LooseCondition } from '../api/meta.ts'
import { whyWaiting } from './renderGates.ts'

const condition = (type: string, status = 'True'): LooseCondition => ({
  type,
  status,
  lastTransitionTime: null,
  reason: '',
  message: '',
})

const everyPool = { matchLabels: {} }
const generated = (name: string, conditions: readonly LooseCondition[] | null, observedGeneration = 1) => ({
  metadata: { name, generation: 1 },
  status: { observedGeneration, conditions },
})
const kubelet = (...parts: Parameters<typeof generated>): KubeletConfig => ({
  ...generated(...parts),
  spec: { machineConfigPoolSelector: everyPool },
})
const runtime = (...parts: Parameters<typeof generated>): ContainerRuntimeConfig => ({
  ...generated(...parts),
  spec: { machineConfigPoolSelector: everyPool, containerRuntimeConfig: {} },
})

const settledInput = {
  pool: pool(),
  controllerConfig: controllerConfig(),
  kubeletConfigs: [],
  containerRuntimeConfigs: [],
}

test.each<readonly [string, readonly KubeletConfig[], readonly ContainerRuntimeConfig[], readonly string[]]>([
  ['nothing', [], [], []],
  ['an accepted KubeletConfig', [kubelet('k', [condition('Accepted')])], [], []],
  ['an old KubeletConfig with Success', [kubelet('k', [condition('Accepted', 'False'), condition('Success')])], [], []],
  [
    'a refused KubeletConfig',
    [kubelet('k', [condition('Accepted', 'False')])],
    [],
    ['KubeletConfig has not completed'],
  ],
  ['a KubeletConfig without conditions', [kubelet('k', null)], [], ['KubeletConfig has not completed']],
  [
    'a KubeletConfig of another generation',
    [kubelet('k', [condition('Accepted')], 0)],
    [],
    ['status for KubeletConfig k is being reported for 0, expecting it for 1'],
  ],
  ['a successful ContainerRuntimeConfig', [], [runtime('c', [condition('Success', 'False')])], []],
  [
    'a failed ContainerRuntimeConfig',
    [],
    [runtime('c', [condition('Failure')])],
    ['ContainerRuntimeConfig has not completed'],
  ],
  ['a ContainerRuntimeConfig without conditions', [], [runtime('c', [])], ['ContainerRuntimeConfig has not completed']],
  [
    'both broken',
    [kubelet('k', null)],
    [runtime('c', null)],
    ['ContainerRuntimeConfig has not completed', 'KubeletConfig has not completed'],
  ],
])('whyWaiting with %s tells every reason', (_name, kubeletConfigs, containerRuntimeConfigs, reasons) => {
  expect(whyWaiting({ ...settledInput, kubeletConfigs, containerRuntimeConfigs })).toEqual(reasons)
})

test('whyWaiting ignores a KubeletConfig that selects no pool or another one', () => {
  const { spec: _all, ...broken } = kubelet('k', null)
  const others = [
    { ...broken, spec: {} },
    { ...broken, spec: { machineConfigPoolSelector: { matchLabels: { pool: 'infra' } } } },
  ]
  expect(whyWaiting({ ...settledInput, kubeletConfigs: others })).toEqual([])
})

test('whyWaiting waits for the ControllerConfig until it is observed and completed', () => {
  const config = controllerConfig()
  const at = (status: NonNullable<typeof config.status>) =>
    whyWaiting({ ...settledInput, controllerConfig: { ...config, status } })
  expect(at({ observedGeneration: 0 })).toEqual([
    'status for ControllerConfig machine-config-controller is being reported for 0, expecting it for 1',
  ])
  expect(at({ observedGeneration: 1, conditions: [{ ...condition('TemplateControllerFailing') }] })).toEqual([
    'ControllerConfig has not completed: completed(false) running(false) failing(true)',
  ])
  expect(whyWaiting({ ...settledInput, controllerConfig: undefined })).toHaveLength(1)
})

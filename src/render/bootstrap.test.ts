import { expect, test } from 'vitest'
import {
  controllerConfig,
  fragment,
  hash,
  pool,
  roleSelector,
  version,
  withFile,
} from '../../test/kube/renderObjects.ts'
import type { MachineConfigPool } from '../api/machineConfigPool.ts'
import { type Bootstrap, renderPools } from './bootstrap.ts'

const configs = [
  fragment('99-m', { config: withFile('/etc/m') }, { role: 'master' }),
  fragment('00-m', {}, { role: 'master' }),
  fragment('00-w', { config: withFile('/etc/w') }),
  fragment('00-i', { config: withFile('/etc/w', 'infra') }, { role: 'infra' }),
]
const bootstrap = (pools: readonly MachineConfigPool[]): Bootstrap =>
  renderPools({ pools, configs, controllerConfig: controllerConfig(), version, hash })

test('renderPools lists the MachineConfigs of each pool itself, in merge order', () => {
  const infra = pool('infra', { machineConfigSelector: roleSelector('infra', 'worker') })
  const result = bootstrap([pool('master'), infra])
  const sources =
    result.kind === 'rendered'
      ? result.pools.map(({ spec }) => spec.configuration?.source?.map(({ name }) => name))
      : []
  expect(sources).toEqual([
    ['00-m', '99-m'],
    ['00-w', '00-i'],
  ])
})

test('renderPools fills in what a pool targets and what it has', () => {
  const result = bootstrap([pool()])
  if (result.kind === 'refused') throw new Error(result.message)
  const [worker] = result.pools
  expect(worker?.status?.configuration).toEqual(worker?.spec.configuration)
  expect(result.machineConfigs.map(({ metadata }) => metadata.name)).toEqual([worker?.spec.configuration?.name])
})

test('renderPools refuses a pool without MachineConfigs', () => {
  expect(bootstrap([pool('none')])).toEqual({
    kind: 'refused',
    message: "couldn't find any MachineConfigs for pool: none",
  })
})

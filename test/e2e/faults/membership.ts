import assert from 'node:assert/strict'
import { join } from 'node:path'
import { textOf, until } from '../harness.ts'
import { type Checks, customPool, type Lab, motd } from './lab.ts'

/** Pools and nodes that match in odd ways. */
export function membershipChecks(lab: Lab): Checks {
  const { run, cluster } = lab
  return {
    'an empty pool is Updated, follows every change, and takes its first node': async () => {
      await lab.apply(customPool('edge'))
      await until(async () => (await lab.target('edge')) !== '', 'a target of pool edge')
      await lab.converged('edge')
      await lab.apply(motd('edge', 'edge'))
      await until(
        async () => (await run(['get', 'mc', await lab.target('edge'), '-o', 'json'])).includes('data:,edge'),
        'edge',
      )
      await lab.converged('edge')
      assert.equal((await lab.pool('edge')).status?.machineCount, 0)
    },
    'a node of two custom pools says so, stays as it is, and goes on when one is taken away': async () => {
      const before = await lab.annotation('infra-0', 'currentConfig')
      await run(['label', 'node', 'infra-0', 'node-role.kubernetes.io/edge='])
      await lab.says(/node infra-0.*: node infra-0 belongs to 2 custom roles, cannot proceed with this Node/)
      await until(async () => (await lab.pool('infra')).status?.machineCount === 0, 'nobody to count it')
      assert.equal(await lab.annotation('infra-0', 'currentConfig'), before)
      await run(['label', 'node', 'infra-0', 'node-role.kubernetes.io/infra-'])
      await until(
        async () => (await textOf(join(cluster.nodeRoot('infra-0'), 'etc/motd'))) === 'edge\n',
        'the motd of edge',
        20_000,
      )
      await lab.converged('edge')
      await run(['label', 'node', 'infra-0', 'node-role.kubernetes.io/edge-', 'node-role.kubernetes.io/infra='])
      await lab.converged('infra')
      await until(
        async () => (await textOf(join(cluster.nodeRoot('infra-0'), 'etc/motd'))) !== 'edge\n',
        'the motd of infra',
        20_000,
      )
      await lab.converged('infra', 'edge')
    },
    'a control-plane node ignores a custom pool and says so': async () => {
      const before = await lab.annotation('master-0', 'desiredConfig')
      await run(['label', 'node', 'master-0', 'node-role.kubernetes.io/edge='])
      await lab.says(/node master-0.*: it is a control-plane node: the custom pool that selects it is ignored/)
      assert.equal((await lab.line('master-0')).pool, 'master')
      assert.equal((await lab.pool('edge')).status?.machineCount, 0)
      assert.equal(await lab.annotation('master-0', 'desiredConfig'), before)
      await run(['label', 'node', 'master-0', 'node-role.kubernetes.io/edge-'])
      await run(['delete', 'mcp', 'edge'])
      await run(['delete', 'mc', '90-edge-motd'])
    },
  }
}

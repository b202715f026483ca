import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { MachineConfig } from '../../../src/api/machineConfig.ts'
import type { MachineConfigNode } from '../../../src/api/machineConfigNode.ts'
import { textOf, until } from '../harness.ts'
import { type Checks, customPool, type Lab, motd } from './lab.ts'

/** Somebody deletes, or edits, what must not be touched. Nothing may need a hand on annotations afterwards. */
export function deletionChecks(lab: Lab): Checks {
  const { run, json, result, cluster, history } = lab
  const motdOf = (node: string) => textOf(join(cluster.nodeRoot(node), 'etc/motd'))
  const renderedNames = async () => (await run(['get', 'mc', '-o', 'name'])).match(/rendered-\S+/g)?.map(String) ?? []

  async function rollsOut(text: string): Promise<void> {
    await lab.retarget('worker', () => lab.apply(motd(text)))
    await lab.converged('worker', 'infra')
    for (const node of ['worker-0', 'worker-3', 'infra-0']) assert.equal(await motdOf(node), `${text}\n`)
  }

  return {
    'deleted: the rendered configs of now and next, in the middle of a rollout': async () => {
      const current = await lab.target('worker')
      const next = await lab.retarget('worker', () => lab.apply(motd('deleted')))
      await until(() => history.moments.some(({ desired }) => desired === next), 'a node on its way')
      await run(['delete', 'mc', next, current])
      await lab.converged('worker', 'infra')
      assert.equal(await motdOf('worker-3'), 'deleted\n')
    },
    'deleted: all rendered configs; the next change rolls out': async () => {
      await run(['delete', 'mc', ...(await renderedNames())])
      await rollsOut('after')
    },
    'deleted: a MachineConfigNode comes back and says Updated': async () => {
      const before = await json<MachineConfigNode>(['get', 'machineconfignode', 'worker-1'])
      await run(['delete', 'machineconfignode', 'worker-1'])
      await until(async () => {
        const { code, stdout } = await result(['get', 'machineconfignode', 'worker-1', '-o', 'json'])
        if (code !== 0) return false
        const { metadata, status }: MachineConfigNode = JSON.parse(stdout)
        const isUpdated = status?.conditions?.some(
          (condition) => condition.type === 'Updated' && condition.status === 'True',
        )
        return metadata.uid !== before.metadata.uid && isUpdated === true
      }, 'the MachineConfigNode to say Updated')
    },
    'deleted: a Node; made again it is Done at its old config, without a reboot': async () => {
      const boot = await lab.bootId('worker-1')
      const config = await lab.annotation('worker-1', 'currentConfig')
      await run(['delete', 'node', 'worker-1'])
      await until(async () => (await lab.pool('worker')).status?.machineCount === 3, 'three machines')
      await until(
        async () => (await result(['get', 'machineconfignode', 'worker-1'])).code !== 0,
        'no MachineConfigNode',
      )
      const labels = { 'kubernetes.io/os': 'linux', 'node-role.kubernetes.io/worker': '' }
      await lab.apply({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'worker-1', labels } })
      await lab.done('worker-1', 15_000)
      await lab.converged('worker')
      assert.equal(await lab.annotation('worker-1', 'currentConfig'), config)
      assert.equal(await lab.bootId('worker-1'), boot)
      await until(
        async () => (await result(['get', 'machineconfignode', 'worker-1'])).code === 0,
        'a MachineConfigNode',
      )
    },
    'deleted: what the operator owns comes back, and the next change rolls out': async () => {
      await run(['delete', 'controllerconfig', 'machine-config-controller'])
      await run(['delete', 'machineconfiguration', 'cluster'])
      await run(['delete', 'mc', '00-worker'])
      await run(['delete', 'mcp', 'worker'])
      await until(async () => (await result(['get', 'mcp', 'worker'])).code === 0, 'the worker pool')
      await until(async () => (await lab.target('worker')) !== '', 'a target of the worker pool')
      await lab.converged('worker', 'infra')
      await rollsOut('operator')
    },
    'deleted: a custom pool with a node in it; the node is a worker until the pool is back': async () => {
      const infra = await json<{ metadata: object; spec: object }>(['get', 'mcp', 'infra'])
      await lab.apply(motd('infra', 'infra'))
      await until(async () => (await motdOf('infra-0')) === 'infra\n', 'the motd of infra', 20_000)
      await run(['delete', 'mcp', 'infra'])
      await until(async () => (await motdOf('infra-0')) === 'operator\n', 'the motd of workers', 20_000)
      await lab.converged('worker')
      assert.equal((await lab.line('infra-0')).pool, 'worker')
      const { spec } = infra
      await lab.apply({ ...customPool('infra'), spec: { ...spec, configuration: undefined } })
      await until(async () => (await motdOf('infra-0')) === 'infra\n', 'the motd of infra again', 20_000)
      await run(['delete', 'mc', '90-infra-motd'])
      await until(async () => (await motdOf('infra-0')) === 'operator\n', 'no motd of infra', 20_000)
      await lab.converged('infra', 'worker')
    },
    'unlabelled: a pool without labels works; a node without a role is named': async () => {
      await run(['label', 'mcp', 'worker', 'machineconfiguration.openshift.io/mco-built-in-'])
      await run(['label', 'node', 'worker-2', 'node-role.kubernetes.io/worker-'])
      await lab.says(/node worker-2.*: no pool selects this node, so nothing updates it/)
      await lab.retarget('worker', () => lab.apply(motd('unlabelled')))
      await lab.converged('worker')
      assert.equal(await motdOf('worker-2'), 'operator\n')
      await run(['label', 'node', 'worker-2', 'node-role.kubernetes.io/worker='])
      await until(async () => (await motdOf('worker-2')) === 'unlabelled\n', 'the missed change', 20_000)
      await lab.converged('worker', 'infra')
    },
    'edited by hand: a rendered config, a target, a desired config are put right': async () => {
      const good = await lab.target('worker')
      const patch = (kind: string, name: string, body: object) =>
        result(['patch', kind, name, '--type=merge', '-p', JSON.stringify(body)])
      await patch('mc', good, { spec: { kernelArguments: ['hack=1'] } })
      await until(async () => {
        const { code, stdout } = await result(['get', 'mc', good, '-o', 'json'])
        if (code !== 0) return false
        const { spec }: MachineConfig = JSON.parse(stdout)
        return (spec?.kernelArguments ?? []).length === 0
      }, 'the rendered config to be itself again')
      await patch('mcp', 'worker', { spec: { configuration: { name: 'rendered-worker-nonsense' } } })
      await until(async () => (await lab.target('worker')) === good, 'the target to be itself again')
      const key = 'machineconfiguration.openshift.io/desiredConfig'
      await run(['annotate', 'node', 'worker-0', '--overwrite', `${key}=rendered-worker-nonsense`])
      await until(
        async () => (await lab.annotation('worker-0', 'desiredConfig')) === good,
        'the node to be sent back',
        20_000,
      )
      await lab.converged('worker', 'infra')
    },
  }
}

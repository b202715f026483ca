import assert from 'node:assert/strict'
import { appendFile, chmod, cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { textOf, until } from '../harness.ts'
import { type Checks, type Lab, motd } from './lab.ts'

const chrony = 'etc/chrony.conf'
const unit = 'etc/systemd/system/node-tuning.service'
const dropins = 'etc/systemd/system/kubelet.service.d'
const link = 'etc/systemd/system/multi-user.target.wants/node-tuning.service'
const keys = 'home/core/.ssh/authorized_keys.d/ignition'
const leaked = 's3cret-text'

/** Somebody changes a node's disk behind our back. */
export function driftChecks(lab: Lab): Checks {
  const { run, cluster, history } = lab
  const at = (node: string, path: string) => join(cluster.nodeRoot(node), path)
  const force = async (node: string) => {
    await mkdir(at(node, 'run'), { recursive: true })
    await writeFile(at(node, 'run/machine-config-daemon-force'), '')
  }
  const nodes = ['worker-0', 'worker-1', 'worker-2', 'worker-3', 'infra-0']
  return {
    'drift: every kind is named within seconds, never its contents': async () => {
      await run([
        'apply',
        '-f',
        'examples/chrony.yaml',
        '-f',
        'examples/ssh-key.yaml',
        '-f',
        'examples/unit-with-dropin.yaml',
      ])
      await until(async () => (await textOf(at('infra-0', keys))) !== undefined, 'the examples on infra-0')
      await until(async () => (await textOf(at('worker-3', unit))) !== undefined, 'the examples on worker-3')
      await lab.converged('worker', 'infra')
      await appendFile(at('worker-0', chrony), leaked)
      await chmod(at('worker-1', chrony), 0o777)
      await rm(at('worker-2', chrony))
      await appendFile(at('worker-3', unit), leaked)
      await appendFile(at('infra-0', keys), leaked)
      await lab.degraded('worker-0', /content mismatch for file "\/etc\/chrony\.conf"/)
      await lab.degraded('worker-1', /mode mismatch for file: "\/etc\/chrony\.conf".*0644.*0777/)
      await lab.degraded('worker-2', /could not stat file "\/etc\/chrony\.conf"/)
      await lab.degraded('worker-3', /content mismatch for file "\/etc\/systemd\/system\/node-tuning\.service"/)
      await lab.degraded('infra-0', /content mismatch for file "\/home\/core\/\.ssh\/authorized_keys\.d\/ignition"/)
      await lab.says(/pool worker.*: 4 nodes are degraded: worker-0, worker-1, worker-2, worker-3/)
      await lab.says(
        /node worker-2 \(warning\): .*\n +remedy: put it back, or create \/run\/machine-config-daemon-force/,
      )
      const everything = await run(['get', 'nodes,mcp,machineconfignodes,events', '-A', '-o', 'json'])
      assert.ok(!everything.includes(leaked), 'contents reach no object')
    },
    'drift: put back, it is Done again without a reboot or a drain': async () => {
      const boots = await Promise.all(nodes.map(lab.bootId))
      const from = history.moments.length
      await chmod(at('worker-1', chrony), 0o644)
      await cp(at('worker-1', chrony), at('worker-0', chrony))
      await cp(at('worker-1', chrony), at('worker-2', chrony))
      await cp(at('worker-0', unit), at('worker-3', unit))
      await cp(at('worker-0', keys), at('infra-0', keys))
      for (const node of nodes) await lab.done(node)
      await lab.converged('worker', 'infra')
      assert.deepEqual(await Promise.all(nodes.map(lab.bootId)), boots)
      assert.deepEqual(
        history.moments.slice(from).filter(({ unschedulable }) => unschedulable),
        [],
      )
    },
    'drift: the force file has everything written again, and goes': async () => {
      await rm(at('worker-0', link))
      await rm(at('worker-1', dropins), { recursive: true })
      await lab.degraded(
        'worker-0',
        /unit "node-tuning\.service" expected enabled=true, but systemd reports "disabled"/,
      )
      await lab.degraded(
        'worker-1',
        /could not stat file "\/etc\/systemd\/system\/kubelet\.service\.d\/20-limits\.conf"/,
      )
      await force('worker-0')
      await force('worker-1')
      await lab.done('worker-0', 15_000)
      await lab.done('worker-1', 15_000)
      assert.match((await textOf(at('worker-1', `${dropins}/20-limits.conf`))) ?? '', /LimitNOFILE/)
      for (const node of ['worker-0', 'worker-1'])
        assert.equal(await textOf(at(node, 'run/machine-config-daemon-force')), undefined)
      await lab.converged('worker')
    },
    'drift: a node that is not what it says takes no update until it is': async () => {
      await chmod(at('worker-0', chrony), 0o600)
      await lab.degraded('worker-0', /mode mismatch/)
      await lab.retarget('worker', () => lab.apply(motd('drifted')))
      await lab.says(/AtCapacity\): at most 1 of 4 nodes may be unavailable at once; degraded: worker-0/)
      assert.notEqual(await textOf(at('worker-0', 'etc/motd')), 'drifted\n')
      await chmod(at('worker-0', chrony), 0o644)
      await lab.converged('worker', 'infra')
      assert.equal(await textOf(at('worker-0', 'etc/motd')), 'drifted\n')
    },
  }
}

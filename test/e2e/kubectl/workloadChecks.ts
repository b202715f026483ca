import assert from 'node:assert/strict'
import { type Checks, fieldOf, type Tools, untilGone } from './tools.ts'

/** Pods and what makes them: from `run` to `rollout undo`. */
export function workloadChecks(tools: Tools): Checks {
  const { run, result, version } = tools
  const image = '.spec.template.spec.containers[0].image'
  const rolledOut = () => run(['rollout', 'status', 'deployment/shop', '--timeout=60s'])
  return {
    'run starts a pod, expose puts a service before it': async () => {
      assert.match(
        await run(['run', 'solo', '--image=example.com/solo:1', '--port=8080', '--env=A=b', '--labels=app=solo']),
        /pod\/solo created/,
      )
      assert.match(await run(['wait', 'pod/solo', '--for=condition=Ready', '--timeout=30s']), /condition met/)
      assert.match(
        await run(['get', 'pod', 'solo', '-o', 'wide']),
        /^NAME +READY +STATUS.*NODE.*\nsolo +1\/1 +Running +0 +\S+ +10\.\S+ +worker-/,
      )
      assert.equal(await fieldOf(tools, 'pod/solo', '.spec.containers[0].env[0].value'), 'b')
      assert.match(await run(['expose', 'pod', 'solo', '--port=80', '--target-port=8080']), /service\/solo exposed/)
      assert.match(await run(['get', 'service', 'solo']), /^solo +ClusterIP +10\.\S+ +<none> +80\/TCP/m)
      assert.match(
        await run(['describe', 'pod', 'solo']),
        /Status: +Running[\s\S]*Ready +True[\s\S]*Successfully assigned default\/solo/,
      )
    },
    'logs, exec, attach and port-forward say why they cannot work': async () => {
      const commands = [
        ['logs', 'solo'],
        ['exec', 'solo', '--', 'ls'],
        ['attach', 'solo'],
        ['port-forward', 'pod/solo', '0:8080'],
      ]
      for (const command of commands) {
        const refused = await result(command, { timeoutMs: 20_000 })
        assert.equal(refused.code, 1, command.join(' '))
        assert.match(refused.stderr, /pod "solo" is not possible: this API server has no connection to kubelets/)
      }
      assert.match((await result(['logs', 'nobody'])).stderr, /\(NotFound\): pods "nobody" not found/)
      assert.match((await result(['top', 'nodes'])).stderr, /Metrics API not available/)
    },
    'create service of each type shows its ports': async () => {
      await run(['create', 'service', 'clusterip', 'inside', '--tcp=80:8080'])
      await run(['create', 'service', 'nodeport', 'outside', '--tcp=80:8080'])
      await run(['create', 'service', 'externalname', 'elsewhere', '--external-name=example.com'])
      const table = await run(['get', 'services'])
      assert.match(table, /^inside +ClusterIP +10\.\S+ +<none> +80\/TCP/m)
      assert.match(table, /^outside +NodePort +10\.\S+ +<none> +80:3[0-2]\d{3}\/TCP/m)
      assert.match(table, /^elsewhere +ExternalName +<none> +example\.com +<none>/m)
      await run(['delete', 'service', 'inside', 'outside', 'elsewhere', 'solo'])
    },
    'delete --force takes a pod at once': async () => {
      assert.match(await run(['delete', 'pod', 'solo', '--force', '--grace-period=0']), /"solo" force deleted/)
      await untilGone(tools, 'pod/solo')
    },
    'a deployment is rolled out, scaled and exposed': async () => {
      assert.match(
        await run(['create', 'deployment', 'shop', '--image=example.com/shop:1', '--replicas=2']),
        /deployment\.apps\/shop created/,
      )
      assert.match(await rolledOut(), /"shop" successfully rolled out/)
      assert.match(await run(['scale', 'deployment/shop', '--replicas=3']), /shop scaled/)
      assert.match(await rolledOut(), /"shop" successfully rolled out/)
      assert.match(await run(['get', 'deployment', 'shop']), /^shop +3\/3 +3 +3 /m)
      assert.match(
        (await result(['scale', 'deployment/shop', '--current-replicas=9', '--replicas=1'])).stderr,
        /Expected replicas to be 9, was 3/,
      )
      assert.match(await run(['expose', 'deployment', 'shop', '--port=80']), /service\/shop exposed/)
      assert.equal(await fieldOf(tools, 'service/shop', '.spec.selector.app'), 'shop')
    },
    'a new image is rolled out, and undone': async () => {
      assert.match(await run(['set', 'image', 'deployment/shop', 'shop=example.com/shop:2']), /image updated/)
      assert.match(await rolledOut(), /successfully rolled out/)
      assert.match(await run(['rollout', 'history', 'deployment/shop']), /REVISION +CHANGE-CAUSE\n1 +<none>\n2 +<none>/)
      assert.match(await run(['rollout', 'undo', 'deployment/shop']), /rolled back/)
      assert.match(await rolledOut(), /successfully rolled out/)
      assert.equal(await fieldOf(tools, 'deployment/shop', image), 'example.com/shop:1')
      assert.match(await run(['rollout', 'history', 'deployment/shop']), /REVISION +CHANGE-CAUSE\n2 +<none>\n3 +<none>/)
    },
    'restart replaces every pod, pause holds changes back': async () => {
      const pods = async () =>
        (await run(['get', 'pods', '-l', 'app=shop', '--field-selector=status.phase=Running', '-o', 'name']))
          .split('\n')
          .filter(Boolean)
      const before = new Set(await pods())
      assert.match(await run(['rollout', 'restart', 'deployment/shop']), /restarted/)
      await rolledOut()
      const after = (await pods()).filter((pod) => !before.has(pod))
      assert.equal(after.length, 3)
      assert.match(await run(['rollout', 'pause', 'deployment/shop']), /paused/)
      await run(['set', 'env', 'deployment/shop', 'A=b'])
      assert.match(
        (await result(['rollout', 'status', 'deployment/shop', '--timeout=1s'])).stdout,
        /Waiting for deployment "shop" rollout to finish: 0 out of 3/,
      )
      assert.match(await run(['rollout', 'resume', 'deployment/shop']), /resumed/)
      assert.match(await rolledOut(), /successfully rolled out/)
    },
    'get all and describe show a deployment with what it has made': async () => {
      const all = await run(['get', 'all'])
      for (const row of [
        /^pod\/shop-\w+-\w+ +1\/1/m,
        /^service\/shop +ClusterIP/m,
        /^deployment\.apps\/shop +3\/3/m,
        /^replicaset\.apps\/shop-\w+ +3 +3 +3/m,
      ])
        assert.match(all, row)
      const description = await run(['describe', 'deployment', 'shop'])
      assert.match(
        description,
        /Annotations: +deployment\.kubernetes\.io\/revision: \d+[\s\S]*3 desired \| 3 updated \| 3 total \| 3 available[\s\S]*NewReplicaSet: +shop-\w+ \(3\/3 replicas created\)/,
      )
      await run(['delete', 'deployment,service', '--all'])
      assert.match((await result(['get', 'deployment', 'shop'])).stderr, /NotFound/)
    },
    'delete --cascade=orphan leaves the pods of a deployment': async () => {
      await run(['create', 'deployment', 'left', '--image=example.com/left:1'])
      await run(['wait', 'deployment/left', '--for=condition=Available', '--timeout=30s'])
      await run(['delete', 'deployment', 'left', '--cascade=orphan'])
      assert.match(await run(['get', 'replicasets', '-l', 'app=left']), /^left-\w+ +1 +1 +1/m)
      assert.match(await run(['delete', 'replicasets', '-l', 'app=left']), /"left-\w+" deleted/)
    },
    'create job runs to its end, create cronjob keeps its schedule': async () => {
      assert.match(await run(['create', 'job', 'once', '--image=example.com/once:1']), /job\.batch\/once created/)
      assert.match(await run(['wait', 'job/once', '--for=condition=Complete', '--timeout=30s']), /condition met/)
      assert.match(await run(['get', 'jobs']), /^once +(Complete +)?1\/1/m)
      if (version >= 21) {
        assert.match(
          await run(['create', 'cronjob', 'daily', '--image=example.com/daily:1', '--schedule=0 3 * * *']),
          /cronjob\.batch\/daily created/,
        )
        assert.match(await run(['get', 'cronjobs']), /^daily +0 3 \* \* \* +.*False +0 +<none>/m)
        assert.match(await run(['create', 'job', 'now', '--from=cronjob/daily']), /job\.batch\/now created/)
        await run(['delete', 'cronjob', 'daily'])
      } else {
        // It asks for batch/v1beta1, which no server has had since 1.25.
        assert.match(
          (await result(['create', 'cronjob', 'daily', '--image=x', '--schedule=0 3 * * *'])).stderr,
          /could not find the requested resource/,
        )
      }
      await run(['delete', 'jobs', '--all'])
    },
  }
}

import assert from 'node:assert/strict'
import { execute } from '../harness.ts'
import type { Checks, Tools } from './tools.ts'

/** Questions about the cluster and its objects, in every form of answer. */
export function inquiryChecks(tools: Tools): Checks {
  const { run, json, result, version, nodes, program, cluster } = tools
  return {
    'get --raw answers with the bytes of the server': async () => {
      assert.equal(JSON.parse(await run(['get', '--raw', '/version'])).major, '1')
      assert.equal(await run(['get', '--raw', '/readyz']), 'ok')
      assert.equal(JSON.parse(await run(['get', '--raw', '/api/v1/namespaces/default'])).metadata.name, 'default')
      const missing = await result(['get', '--raw', '/api/v1/nothing'])
      assert.equal(missing.code, 1)
      assert.match(missing.stderr, /could not find the requested resource/)
    },
    'get with a Go template, sorted, in chunks and by field': async () => {
      const names = await run(['get', 'nodes', '-o', 'go-template={{range .items}}{{.metadata.name}} {{end}}'])
      assert.deepEqual(names.trim().split(' '), [...nodes])
      const sorted = await run(['get', 'nodes', '--sort-by=.metadata.name', '-o', 'name'])
      assert.deepEqual(
        sorted.trim().split('\n'),
        [...nodes].sort().map((name) => `node/${name}`),
      )
      assert.equal(await run(['get', 'nodes', '--chunk-size=2', '-o', 'name']), sorted)
      assert.equal(
        (await run(['get', 'nodes', `--field-selector=metadata.name!=${nodes[0]}`, '-o', 'name'])).trim().split('\n')
          .length,
        nodes.length - 1,
      )
      assert.match(
        (await result(['get', 'nodes', '--field-selector=spec.podCIDR=x'])).stderr,
        /field label not supported: spec\.podCIDR/,
      )
    },
    'get events --watch shows an event as it happens': async () => {
      const watching = execute('timeout', [
        '6',
        program,
        '--kubeconfig',
        cluster.kubeconfig,
        'get',
        'events',
        '--watch-only',
      ])
      // The first may come before the watch has begun.
      for (const name of ['early', 'noticed']) {
        await run(['run', name, '--image=example.com/noticed:1'])
        await run(['wait', `pod/${name}`, '--for=condition=Ready', '--timeout=30s'])
      }
      assert.match((await watching).stdout, /Normal +Scheduled +pod\/noticed +Successfully assigned default\/noticed/)
      assert.match(await run(['describe', 'pod', 'noticed']), /Scheduled .*Successfully assigned default\/noticed/)
      await run(['delete', 'pod', 'early', 'noticed'])
    },
    'describe a CustomResourceDefinition and a namespace': async () => {
      const description = await run(['describe', 'crd', 'machineconfigpools.machineconfiguration.openshift.io'])
      assert.match(description, /Kind: +MachineConfigPool[\s\S]*Plural: +machineconfigpools[\s\S]*Type: +Established/)
      assert.match(await run(['describe', 'namespace', 'default']), /Name: +default[\s\S]*Status: +Active/)
      assert.match(await run(['describe', 'mc', '00-worker']), /Kind: +MachineConfig\n[\s\S]*Version: +3\.\d\.\d/)
    },
    'cluster-info and config view name the server and hide the keys': async () => {
      assert.match(
        await run(['cluster-info']),
        /Kubernetes (control plane|master).* is running at .*https:\/\/127\.0\.0\.1:\d+/,
      )
      const view = await run(['config', 'view'])
      assert.match(view, /server: https:\/\/127\.0\.0\.1:\d+/)
      assert.doesNotMatch(view, /BEGIN|LS0tLS1/)
      assert.match(await run(['config', 'current-context']), /kubernetes-admin@mco/)
    },
    'auth tells who one is and what one may do': async () => {
      assert.match(await run(['auth', 'can-i', '--list']), /\*\.\* +\[\] +\[\] +\[\*\]/)
      assert.match((await result(['auth', 'can-i', 'delete', 'nodes', '--as=jane'])).stdout, /no/)
      if (version >= 27) {
        assert.match(
          await run(['auth', 'whoami']),
          /Username +kubernetes-admin\nGroups +\[system:masters system:authenticated\]/,
        )
        assert.match(
          await run(['auth', 'whoami', '--as=jane', '--as-group=devs']),
          /Username +jane\nGroups +\[devs system:authenticated\]/,
        )
      }
    },
    'api-resources -o wide lists verbs, short names and categories': async () => {
      const table = await run(['api-resources', '-o', 'wide'])
      const verbs = '\\[?create[ ,]delete[ ,]deletecollection[ ,]get[ ,]list[ ,]patch[ ,]update[ ,]watch\\]?'
      assert.match(
        table,
        new RegExp(
          `^machineconfigpools +mcp +machineconfiguration\\.openshift\\.io/v1 +false +MachineConfigPool +${verbs}`,
          'm',
        ),
      )
      assert.match(table, new RegExp(`^deployments +deploy +apps/v1 +true +Deployment +${verbs}`, 'm'))
      const namespaced = await run(['api-resources', '--namespaced=false', '--verbs=list', '-o', 'name'])
      assert.match(namespaced, /^nodes$/m)
      assert.doesNotMatch(namespaced, /^pods$/m)
    },
    'an unknown kind, a missing object and a missing file are told apart': async () => {
      assert.match((await result(['get', 'nothing'])).stderr, /the server doesn't have a resource type "nothing"/)
      assert.match(
        (await result(['get', 'mc', 'nothing'])).stderr,
        /\(NotFound\): machineconfigs\.machineconfiguration\.openshift\.io "nothing" not found/,
      )
      assert.match((await result(['apply', '-f', '/nothing.yaml'])).stderr, /does not exist/)
    },
    'label and annotate every node at once, and list labels': async () => {
      assert.equal((await run(['label', 'nodes', '--all', 'round=1'])).match(/labeled/g)?.length, nodes.length)
      assert.match(await run(['label', 'node', nodes[0] ?? '', '--list']), /^round=1$/m)
      assert.match(
        (await result(['label', 'node', nodes[0] ?? '', 'round=2'])).stderr,
        /already has a value \(1\), and --overwrite is false/,
      )
      await run(['label', 'nodes', '--all', 'round-'])
      const { items } = await json<{ items: readonly { metadata: { labels: Record<string, string> } }[] }>([
        'get',
        'nodes',
      ])
      assert.ok(items.every(({ metadata }) => !('round' in metadata.labels)))
    },
  }
}

import assert from 'node:assert/strict'
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Checks, configMap, fieldOf, listOf, type Tools } from './tools.ts'

/** Objects that a user writes, changes and takes away again. */
export function objectChecks(tools: Tools): Checks {
  const { run, json, result, version, files, worker } = tools
  return {
    'create secret of each type; describe shows sizes, never contents': async () => {
      await run(['create', 'secret', 'generic', 'pair', '--from-literal=user=me', '--from-literal=password=s3cret'])
      await run([
        'create',
        'secret',
        'docker-registry',
        'pull',
        '--docker-server=example.com',
        '--docker-username=me',
        '--docker-password=s3cret',
      ])
      assert.match(
        await run(['get', 'secrets']),
        /^pair +Opaque +2 .*\n(.*\n)*pull +kubernetes\.io\/dockerconfigjson +1 /m,
      )
      const description = await run(['describe', 'secret', 'pair'])
      assert.match(description, /Type: +Opaque[\s\S]*password: +6 bytes/)
      assert.doesNotMatch(description, /s3cret/)
      assert.equal(
        await run(['get', 'secret', 'pair', '-o', 'go-template={{.data.password | base64decode}}']),
        's3cret',
      )
      await run(['delete', 'secret', 'pair', 'pull'])
    },
    'create serviceaccount, role and rolebinding; can-i --as obeys them': async () => {
      await run(['create', 'serviceaccount', 'reader'])
      await run(['create', 'role', 'read-pods', '--verb=get,list', '--resource=pods'])
      await run(['create', 'rolebinding', 'reader-reads', '--role=read-pods', '--serviceaccount=default:reader'])
      assert.match(await run(['describe', 'role', 'read-pods']), /pods +\[\] +\[\] +\[get list\]/)
      const as = '--as=system:serviceaccount:default:reader'
      assert.match(await run(['auth', 'can-i', 'list', 'pods', as]), /yes/)
      assert.match((await result(['auth', 'can-i', 'delete', 'pods', as])).stdout, /no/)
      assert.match(await run(['get', 'pods', as, '-o', 'name']), /^(pod\/|$)/)
      assert.match(
        (await result(['get', 'secrets', as])).stderr,
        /Forbidden.*"system:serviceaccount:default:reader" cannot list resource "secrets"/,
      )
      assert.match(await run(['auth', 'can-i', '--list', as]), /pods +\[\] +\[\] +\[get list\]/)
      await run(['create', 'clusterrole', 'read-nodes', '--verb=get', '--resource=nodes'])
      await run(['create', 'clusterrolebinding', 'jane-reads', '--clusterrole=read-nodes', '--user=jane'])
      assert.match(await run(['get', 'node', worker, '--as=jane', '-o', 'name']), new RegExp(worker))
      if (version >= 24) assert.match(await run(['create', 'token', 'reader']), /^[\w-]+\.[\w-]+\.[\w-]+$/)
      await run([
        'delete',
        'clusterrolebinding/jane-reads',
        'clusterrole/read-nodes',
        'rolebinding/reader-reads',
        'role/read-pods',
        'serviceaccount/reader',
      ])
    },
    'create poddisruptionbudget, and describe it': async () => {
      if (version < 21) {
        // It asks for policy/v1beta1, which no server has had since 1.25.
        assert.match(
          (await result(['create', 'poddisruptionbudget', 'two', '--selector=app=x', '--min-available=2'])).stderr,
          /policy\/v1beta1/,
        )
        const budget = {
          apiVersion: 'policy/v1',
          kind: 'PodDisruptionBudget',
          metadata: { name: 'two' },
          spec: { minAvailable: 2, selector: { matchLabels: { app: 'x' } } },
        }
        await run(['create', '-f', '-'], { input: JSON.stringify(budget) })
        assert.match(await fieldOf(tools, 'pdb/two', '.status.expectedPods'), /^0$/)
      } else {
        assert.match(
          await run(['create', 'poddisruptionbudget', 'two', '--selector=app=x', '--min-available=2']),
          /poddisruptionbudget\.policy\/two created/,
        )
      }
      assert.match(await run(['get', 'pdb']), /^two +2 +N\/A +0 /m)
      if (version >= 21)
        assert.match(await run(['describe', 'pdb', 'two']), /Min available: +2[\s\S]*Allowed disruptions: +0/)
      await run(['delete', 'pdb', 'two'])
    },
    'create refuses what exists, replace needs it': async () => {
      const missing = await result(['replace', '-f', '-'], { input: configMap('fruit', { a: '1' }) })
      assert.match(missing.stderr, /configmaps "fruit" not found/)
      assert.match(
        await run(['create', '-f', '-'], { input: configMap('fruit', { a: '1' }) }),
        /configmap\/fruit created/,
      )
      assert.match(
        (await result(['create', '-f', '-'], { input: configMap('fruit', {}) })).stderr,
        /AlreadyExists.*configmaps "fruit" already exists/,
      )
      assert.match(
        await run(['replace', '-f', '-'], { input: configMap('fruit', { b: '2' }) }),
        /configmap\/fruit replaced/,
      )
      assert.deepEqual((await json<{ data: unknown }>(['get', 'configmap', 'fruit'])).data, { b: '2' })
      const uid = await fieldOf(tools, 'configmap/fruit', '.metadata.uid')
      await run(['replace', '--force', '-f', '-'], { input: configMap('fruit', { c: '3' }) })
      assert.notEqual(await fieldOf(tools, 'configmap/fruit', '.metadata.uid'), uid)
    },
    'edit changes an object with an editor, also a custom resource': async () => {
      const editor = join(files, 'editor.sh')
      await writeFile(editor, '#!/bin/sh\nsed -i \'s/c: "3"/c: "4"/; s/maxUnavailable: 1/maxUnavailable: 2/\' "$1"\n')
      await chmod(editor, 0o755)
      const env = { KUBE_EDITOR: editor }
      assert.match(await run(['edit', 'configmap', 'fruit'], { env }), /configmap\/fruit edited/)
      assert.equal(await fieldOf(tools, 'configmap/fruit', '.data.c'), '4')
      await run(['patch', 'mcp', 'worker', '--type=merge', '-p', '{"spec":{"maxUnavailable":1}}'])
      assert.match(await run(['edit', 'mcp', 'worker'], { env }), /worker edited/)
      assert.equal(await fieldOf(tools, 'mcp/worker', '.spec.maxUnavailable'), '2')
      await run(['patch', 'mcp', 'worker', '--type=json', '-p', '[{"op":"remove","path":"/spec/maxUnavailable"}]'])
      assert.match((await result(['edit', 'configmap', 'fruit'], { env })).stderr, /Edit cancelled, no changes made/)
    },
    'patch --subresource=status changes the status only': async () => {
      if (version < 24) return
      const patch = JSON.stringify({ spec: { unschedulable: true }, status: { phase: 'Running' } })
      assert.match(await run(['patch', 'node', worker, '--subresource=status', '--type=merge', '-p', patch]), /patched/)
      assert.equal(await fieldOf(tools, `node/${worker}`, '.status.phase'), 'Running')
      assert.equal(await fieldOf(tools, `node/${worker}`, '.spec.unschedulable'), '')
      assert.match(await run(['get', 'mcp', 'worker', '--subresource=status', '-o', 'name']), /worker/)
    },
    'taint adds, refuses to overwrite, and removes': async () => {
      assert.match(await run(['taint', 'nodes', worker, 'dedicated=db:NoSchedule']), /tainted/)
      assert.match(await run(['describe', 'node', worker]), /Taints: +dedicated=db:NoSchedule/)
      assert.match(
        (await result(['taint', 'nodes', worker, 'dedicated=web:NoSchedule'])).stderr,
        /already has dedicated/,
      )
      assert.match(await run(['taint', 'nodes', worker, 'dedicated=web:NoSchedule', '--overwrite']), /modified/)
      assert.match(await run(['taint', 'nodes', worker, 'dedicated-']), /untainted/)
      assert.equal(await fieldOf(tools, `node/${worker}`, '.spec.taints'), '')
    },
    'apply --prune removes what the files no longer have': async () => {
      const set = { set: 'one' }
      await run(['apply', '-f', '-'], { input: listOf(configMap('kept', {}, set), configMap('dropped', {}, set)) })
      const flags = version >= 25 ? [] : ['--prune-whitelist=core/v1/ConfigMap']
      assert.match(
        await run(['apply', '--prune', '-l', 'set=one', ...flags, '-f', '-'], { input: configMap('kept', {}, set) }),
        /kept unchanged[\s\S]*dropped pruned/,
      )
      assert.equal((await run(['get', 'configmap', '-l', 'set=one', '-o', 'name'])).trim(), 'configmap/kept')
      assert.match(await run(['apply', 'view-last-applied', 'configmap/kept']), /name: kept/)
    },
    'diff --server-side shows what an apply would do': async () => {
      const diff = (value: string) =>
        result(['diff', '--server-side', '--force-conflicts', '-f', '-'], {
          input: configMap('kept', { a: value }, { set: 'one' }),
        })
      const before = await diff('1')
      assert.equal(before.code, 1)
      assert.match(before.stdout, /^\+ +a: "1"/m)
      await run(['apply', '--server-side', '--force-conflicts', '-f', '-'], {
        input: configMap('kept', { a: '1' }, { set: 'one' }),
      })
      assert.equal((await diff('1')).code, 0)
    },
    'wait --for=jsonpath and --for=delete return when it is so': async () => {
      if (version >= 23)
        assert.match(
          await run(['wait', 'configmap/kept', '--for=jsonpath={.data.a}=1', '--timeout=10s']),
          /condition met/,
        )
      const waiting = run(['wait', 'configmap/kept', '--for=delete', '--timeout=20s'])
      assert.match(await run(['delete', 'configmap', 'kept', '--wait=false']), /"kept" deleted/)
      await waiting.catch((error: unknown) => {
        // An older kubectl says so when the object has gone before it first looks.
        if (!/no matching resources found|NotFound/.test(String(error))) throw error
      })
      assert.match((await result(['get', 'configmap', 'kept'])).stderr, /NotFound/)
    },
    'apply -k builds a kustomization, delete -k takes it away': async () => {
      await writeFile(join(files, 'kustomization.yaml'), 'namePrefix: built-\nresources: [fruit.json]\n')
      await writeFile(join(files, 'fruit.json'), configMap('fruit', { a: '1' }))
      assert.match(await run(['apply', '-k', files]), /configmap\/built-fruit created/)
      assert.match(await run(['delete', '-k', files]), /"built-fruit" deleted/)
    },
    'create ingress routes a host to a service': async () => {
      const rule = '--rule=shop.example.com/*=shop:80'
      assert.match(await run(['create', 'ingress', 'shop', rule]), /ingress\.networking\.k8s\.io\/shop created/)
      assert.match(await run(['get', 'ingress']), /^shop +<none> +shop\.example\.com +80 /m)
      await run(['delete', 'ingress', 'shop'])
    },
    'a CustomResourceDefinition works at once': async () => {
      const crd = {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: 'widgets.example.com' },
        spec: {
          group: 'example.com',
          scope: 'Namespaced',
          names: { plural: 'widgets', singular: 'widget', kind: 'Widget', shortNames: ['wd'] },
          versions: [
            {
              name: 'v1',
              served: true,
              storage: true,
              additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }],
              schema: {
                openAPIV3Schema: {
                  type: 'object',
                  properties: {
                    spec: {
                      type: 'object',
                      required: ['size'],
                      properties: { size: { type: 'integer', minimum: 1 }, colour: { type: 'string', default: 'red' } },
                    },
                  },
                },
              },
            },
          ],
        },
      }
      const path = join(files, 'crd.json')
      await writeFile(path, JSON.stringify(crd))
      await run(['apply', '-f', path])
      await run(['wait', 'crd/widgets.example.com', '--for=condition=Established', '--timeout=20s'])
      const widget = (size: unknown) =>
        JSON.stringify({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' }, spec: { size } })
      await run(['apply', '-f', '-'], { input: widget(3) })
      assert.match(await run(['get', 'wd']), /^NAME +SIZE\nw +3\n/)
      assert.equal(await run(['get', 'wd', 'w', '-o', 'jsonpath={.spec.colour}']), 'red')
      const refused = await result(['apply', '-f', '-'], { input: widget(0) })
      assert.match(refused.stderr, /spec\.size.*greater than or equal to 1/)
      await run(['delete', 'crd', 'widgets.example.com'])
    },
    'delete --all empties a kind in a namespace': async () => {
      await run(['create', 'configmap', 'one'])
      await run(['delete', 'configmap', '--all'])
      assert.equal(await run(['get', 'configmap', '-o', 'name']), '')
    },
  }
}

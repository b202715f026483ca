import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execute, kubectlFor, suite, textOf, until, up } from './harness.ts'

/** Bad input gets a clear answer at the earliest place and loses nothing: offline, at admission, at render. */
const directory = await mkdtemp(join(tmpdir(), 'mco-bad-'))
const cluster = await up()
const { run, result } = kubectlFor(cluster)

const machineConfig = (spec: unknown, name = '90-worker-bad') => ({
  apiVersion: 'machineconfiguration.openshift.io/v1',
  kind: 'MachineConfig',
  metadata: { name, labels: { 'machineconfiguration.openshift.io/role': 'worker' } },
  spec,
})
const withFile = (file: unknown, version = '3.5.0') =>
  machineConfig({ config: { ignition: { version }, storage: { files: [file] } } })
const contents = { source: 'data:,x' }

/** What is wrong, and what the answer must name. `mco validate` refuses all; admission refuses those marked. */
const refused: readonly {
  readonly what: string
  readonly document: unknown
  readonly says: RegExp
  readonly admission?: false
}[] = [
  {
    what: 'unknown Ignition version',
    document: machineConfig({ config: { ignition: { version: '9.9.0' } } }),
    says: /9\.9\.0|version/i,
  },
  { what: 'no Ignition version', document: machineConfig({ config: { storage: {} } }), says: /version/i },
  {
    what: 'invalid data URL',
    document: withFile({ path: '/etc/a', contents: { source: 'data:;base64,YQ' } }),
    says: /data/i,
  },
  {
    what: 'contents that are not gzip',
    document: withFile({ path: '/etc/a', contents: { source: 'data:,plain', compression: 'gzip' } }),
    says: /gzip/i,
  },
  { what: 'mode as decimal 644', document: withFile({ path: '/etc/a', mode: 644, contents }), says: /644[\s\S]*0644/ },
  {
    what: 'duplicate paths',
    document: machineConfig({
      config: {
        ignition: { version: '3.5.0' },
        storage: {
          files: [
            { path: '/etc/a', contents },
            { path: '/etc/a', contents },
          ],
        },
      },
    }),
    says: /duplicate/i,
  },
  { what: 'a path with ..', document: withFile({ path: '/etc/../a', contents }), says: /path/i },
  {
    what: 'a unit with bad syntax',
    document: machineConfig({
      config: { ignition: { version: '3.5.0' }, systemd: { units: [{ name: 'a.service', contents: '[Unit\nfoo' }] } },
    }),
    says: /unit|section|a\.service/i,
  },
]

await suite('bad input', {
  ...Object.fromEntries(
    refused.flatMap(({ what, document, says }) => [
      [
        `validate refuses ${what}, with file, line and JSON path`,
        () => validateRefuses(what, JSON.stringify(document, null, 2), says),
      ],
      [
        `admission refuses ${what}`,
        async () => {
          const answer = await result(['apply', '--validate=false', '-f', '-'], { input: JSON.stringify(document) })
          assert.notEqual(answer.code, 0)
          assert.match(answer.stderr, says)
          assert.notEqual((await result(['get', 'mc', '90-worker-bad'])).code, 0, 'nothing was stored')
        },
      ],
    ]),
  ),
  'validate points at malformed YAML': () =>
    validateRefuses('malformed', 'apiVersion: v1\nkind: [MachineConfig\n', /malformed\.yaml:\d+:\d+/),
  'validate points at malformed JSON': () => validateRefuses('malformed-json', '{"apiVersion": "v1",,}', /:1:\d+/),
  'validate sees an empty spec by wrong indentation': () =>
    validateRefuses(
      'indentation',
      'apiVersion: machineconfiguration.openshift.io/v1\nkind: MachineConfig\nmetadata:\n  name: a\n  labels:\n    machineconfiguration.openshift.io/role: worker\nspec:\nconfig:\n  ignition:\n    version: 3.5.0\n',
      /config|spec/,
    ),
  'validate refuses a pool with an empty selector': () =>
    validateRefuses(
      'selector',
      JSON.stringify({
        apiVersion: 'machineconfiguration.openshift.io/v1',
        kind: 'MachineConfigPool',
        metadata: { name: 'p' },
        spec: { machineConfigSelector: {}, nodeSelector: {} },
      }),
      /[Ss]elector/,
    ),
  ...Object.fromEntries(
    ['60', '40 %'].map((value) => [
      `maxUnavailable ${JSON.stringify(value)} is refused by validate and admission`,
      async () => {
        const pool = {
          apiVersion: 'machineconfiguration.openshift.io/v1',
          kind: 'MachineConfigPool',
          metadata: { name: 'p' },
          spec: { maxUnavailable: value },
        }
        await validateRefuses('max', JSON.stringify(pool), /maxUnavailable/)
        const answer = await result([
          'patch',
          'mcp',
          'worker',
          '--type=merge',
          '-p',
          JSON.stringify({ spec: { maxUnavailable: value } }),
        ])
        assert.notEqual(answer.code, 0)
        assert.match(answer.stderr, /maxUnavailable/)
      },
    ]),
  ),
  'two configs that write one path are reported and the later wins': async () => {
    const named = (name: string, text: string) =>
      machineConfig(
        {
          config: {
            ignition: { version: '3.5.0' },
            storage: { files: [{ path: '/etc/shared', contents: { source: `data:,${text}` } }] },
          },
        },
        name,
      )
    const file = join(directory, 'overlap.yaml')
    await writeFile(
      file,
      [named('90-a', 'a'), named('91-b', 'b')].map((document) => JSON.stringify(document)).join('\n---\n'),
    )
    const answer = await execute('bin/mco', ['validate', file])
    assert.equal(answer.code, 0, answer.stderr)
    assert.match(`${answer.stdout}${answer.stderr}`, /\/etc\/shared[\s\S]*91-b/)
  },
  'a rendered config over the size limit: RenderDegraded is complete, Degraded repeats it, the old config stays':
    async () => {
      const before = await run(['get', 'mcp', 'worker', '-o', 'jsonpath={.spec.configuration.name}'])
      const big = `data:,${'x'.repeat(900_000)}`
      for (const name of ['80-big-a', '80-big-b']) {
        await run(['create', '--validate=false', '-f', '-'], {
          input: JSON.stringify(
            machineConfig(
              {
                config: {
                  ignition: { version: '3.5.0' },
                  storage: { files: [{ path: `/etc/${name}`, contents: { source: big } }] },
                },
              },
              name,
            ),
          ),
        })
      }
      const message = (type: string) =>
        run(['get', 'mcp', 'worker', '-o', `jsonpath={.status.conditions[?(@.type=="${type}")].message}`])
      await until(async () => /too large/.test(await message('RenderDegraded')), 'RenderDegraded')
      await until(async () => /too large/.test(await message('Degraded')), 'Degraded to repeat it')
      const now = await run(['get', 'mcp', 'worker', '-o', 'jsonpath={.spec.configuration.name}'])
      assert.equal((await result(['get', 'mc', now])).code, 0)
      await run(['delete', 'mc', '80-big-a', '80-big-b'])
      await run(['wait', 'mcp/worker', '--for=condition=Updated', '--timeout=120s'])
      await until(
        async () => (await run(['get', 'mcp', 'worker', '-o', 'jsonpath={.spec.configuration.name}'])) === before,
        'the first config again',
      )
      assert.equal(await message('Degraded'), '')
    },
  'a change that no node can make in place: refused at render, the old config stays': async () => {
    const before = await run(['get', 'mcp', 'worker', '-o', 'jsonpath={.spec.configuration.name}'])
    await run(['create', '-f', '-'], {
      input: JSON.stringify(
        machineConfig(
          { config: { ignition: { version: '3.5.0' }, storage: { disks: [{ device: '/dev/sda', wipeTable: true }] } } },
          '90-disks',
        ),
      ),
    })
    await until(
      async () =>
        /ignition disks section contains changes/.test(
          await run(['get', 'mcp', 'worker', '-o', 'jsonpath={.status.conditions[?(@.type=="Degraded")].message}']),
        ),
      'the reason on the pool',
    )
    assert.equal(await run(['get', 'mcp', 'worker', '-o', 'jsonpath={.spec.configuration.name}']), before)
    await run(['delete', 'mc', '90-disks'])
    await run(['wait', 'mcp/worker', '--for=condition=Degraded=False', '--timeout=60s'])
  },
  'the nodes never saw any of it': async () => {
    for (const name of (await run(['get', 'nodes', '-o', 'jsonpath={.items[*].metadata.name}'])).split(' ')) {
      assert.equal(await textOf(join(cluster.nodeRoot(name), 'etc/a')), undefined)
    }
  },
})
await cluster.stop()
await rm(directory, { recursive: true, force: true })

async function validateRefuses(what: string, text: string, says: RegExp): Promise<void> {
  const file = join(directory, `${what.replace(/\W+/g, '-')}.yaml`)
  await writeFile(file, text)
  const answer = await execute('bin/mco', ['validate', file])
  assert.equal(answer.code, 1, `exit code ${answer.code}\n${answer.stdout}\n${answer.stderr}`)
  const printed = `${answer.stdout}${answer.stderr}`
  assert.match(printed, says)
  assert.match(printed, /\.yaml:\d+:\d+/, `no position in: ${printed}`)
  assert.doesNotMatch(printed, /\n +at .*\(/, 'a stack trace for a user mistake')
}

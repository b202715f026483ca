import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { execute, mco, suite, textOf } from './harness.ts'

/** The verbs that need no cluster, as a person or a CI job runs them. */
const directory = await mkdtemp(join(tmpdir(), 'mco-offline-'))
const examples = (await readdir('examples'))
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => join('examples', name))

const write = async (name: string, value: unknown): Promise<string> => {
  const path = join(directory, name)
  await writeFile(path, typeof value === 'string' ? value : JSON.stringify(value))
  return path
}

const config = (name: string, spec: unknown, role = 'worker') => ({
  apiVersion: 'machineconfiguration.openshift.io/v1',
  kind: 'MachineConfig',
  metadata: { name, labels: { 'machineconfiguration.openshift.io/role': role } },
  spec,
})
const withFile = (name: string, path: string, source: string, mode = 0o644) =>
  config(name, {
    config: {
      ignition: { version: '3.5.0' },
      storage: { files: [{ path, mode, overwrite: true, contents: { source } }] },
    },
  })

await suite('offline', {
  'validate accepts every example, alone and together': async () => {
    for (const example of examples) await mco(['validate', example])
    const { stdout } = await mco(['validate', 'examples', '-o', 'json'])
    assert.equal(JSON.parse(stdout).errors, 0)
  },
  'validate points at line and column of a decimal mode in YAML': async () => {
    const path = await write(
      'mode.yaml',
      'apiVersion: machineconfiguration.openshift.io/v1\nkind: MachineConfig\nmetadata:\n  name: a\n  labels:\n    machineconfiguration.openshift.io/role: worker\nspec:\n  config:\n    ignition:\n      version: 3.5.0\n    storage:\n      files:\n        - path: /etc/a\n          mode: 644\n          contents:\n            source: data:,a\n',
    )
    const { stdout } = await mco(['validate', path], { code: 1 })
    assert.match(stdout, /mode\.yaml:14:17: error: \$\.spec\.config\.storage\.files\[0\]\.mode: .*0644/)
  },
  'validate reads several documents and standard input': async () => {
    const { stdout } = await mco(['validate', '-', '-o', 'json'], {
      input: `${JSON.stringify(config('a', { kernelArguments: ['a'] }))}\n---\n{"ignition":{"version":"3.4.0"}}\n`,
    })
    assert.equal(JSON.parse(stdout).documents, 2)
  },
  'render prints the name of a well-known spec': async () => {
    const path = await write('empty.json', config('00-worker', { config: { ignition: { version: '3.5.0' } } }))
    assert.equal(
      (await mco(['render', '--pool', 'worker', '-f', path, '-o', 'name'])).stdout.trim(),
      'rendered-worker-6da92b29d98fcd722bbf117520c22ee4',
    )
  },
  'render yaml and json agree, and a custom pool inherits worker configs': async () => {
    const { stdout: json } = await mco(['render', '--pool', 'infra', '-f', 'examples', '-o', 'json'])
    const rendered = JSON.parse(json)
    const paths = rendered.spec.config.storage.files.map((file: { path: string }) => file.path)
    assert.ok(paths.includes('/etc/motd') && paths.includes('/etc/chrony.conf'))
    assert.match(
      (await mco(['render', '--pool', 'infra', '-f', 'examples'])).stdout,
      new RegExp(`name: ${rendered.metadata.name}`),
    )
  },
  'render reads what kubectl get -o yaml prints': async () => {
    const list = {
      apiVersion: 'v1',
      kind: 'List',
      items: [config('00-worker', { config: { ignition: { version: '3.5.0' } } })],
    }
    assert.match(
      (await mco(['render', '--pool', 'worker', '-f', '-', '-o', 'name'], { input: JSON.stringify(list) })).stdout,
      /^rendered-worker-6da92b29/,
    )
  },
  'render names a pool that selects nothing': async () => {
    const answer = await mco(['render', '--pool', 'master', '-f', 'examples/chrony.yaml'], { code: 1 })
    assert.match(answer.stderr, /pool master selects none.*99-worker-chrony/)
  },
  'diff shows the text, the action and the rule': async () => {
    const [a, b] = [
      await write('a.json', withFile('a', '/etc/chrony.conf', 'data:,one%0A')),
      await write('b.json', withFile('b', '/etc/chrony.conf', 'data:,two%0A')),
    ]
    const { stdout } = await mco(['diff', a, b])
    assert.match(stdout, /-one\n +\+two/)
    assert.match(stdout, /On a node: reboot/)
    assert.match(stdout, /no node disruption policy for this path/)
    await mco(['diff', a, b, '--exit-code'], { code: 1 })
    assert.match((await mco(['diff', a, a, '--exit-code'])).stdout, /no difference/)
  },
  'diff of one MachineConfig and the same one with others shows only what the others bring': async () => {
    const bare = config('a', {
      config: {
        ignition: { version: '3.4.0' },
        storage: { files: [{ path: '/etc/chrony.conf', contents: { source: 'data:,one%0A' } }] },
      },
    })
    const motd = withFile('b', '/etc/motd', 'data:,two%0A')
    const a = await write('alone.json', bare)
    const b = await write('together.yaml', `${JSON.stringify(bare)}\n---\n${JSON.stringify(motd)}`)
    const { changes } = JSON.parse((await mco(['diff', a, b, '-o', 'json'])).stdout)
    assert.deepEqual(
      changes.map(({ subject }: { subject: string }) => subject),
      ['/etc/motd'],
    )
  },
  'diff takes the disruption policies of the new side': async () => {
    const [a, b] = [
      await write('p-a.json', withFile('a', '/etc/chrony.conf', 'data:,one%0A')),
      await write('p-b.json', withFile('b', '/etc/chrony.conf', 'data:,two%0A')),
    ]
    const policy = await readFile('examples/disruption-policy.yaml', 'utf8')
    const both = await write('p-both.yaml', `${await readFile(b, 'utf8')}\n---\n${policy}`)
    const { stdout } = await mco(['diff', a, both, '-o', 'json'])
    const report = JSON.parse(stdout)
    assert.equal(report.impact, 'restart')
    assert.deepEqual(report.actions, ['Restart chronyd.service'])
    assert.equal(report.drain, false)
  },
  'diff never shows a secret, unless asked': async () => {
    const [a, b] = [
      await write('s-a.json', withFile('a', '/etc/key', 'data:,hunter1', 0o600)),
      await write('s-b.json', withFile('b', '/etc/key', 'data:,hunter2', 0o600)),
    ]
    const { stdout } = await mco(['diff', a, b])
    assert.doesNotMatch(stdout, /hunter/)
    assert.match(stdout, /secret.*bytes sha256:/)
    assert.match((await mco(['diff', a, b, '--show-secrets'])).stdout, /hunter2/)
  },
  'diff says what no node can do in place': async () => {
    const [a, b] = [
      await write('r-a.json', config('a', { config: { ignition: { version: '3.5.0' } } })),
      await write(
        'r-b.json',
        config('b', {
          config: { ignition: { version: '3.5.0' }, storage: { disks: [{ device: '/dev/sda', wipeTable: true }] } },
        }),
      ),
    ]
    assert.match((await mco(['diff', a, b], { code: 1 })).stdout, /refused.*ignition disks section contains changes/)
  },
  'convert goes down and up, and refuses what would be lost': async () => {
    const { stdout } = await mco(['convert', 'examples/chrony.yaml', '--to', '2.2'])
    assert.equal(JSON.parse(stdout).ignition.version, '2.2.0')
    const back = await mco(['convert', '-', '--to', '3.5'], { input: stdout })
    assert.equal(JSON.parse(back.stdout).storage.files[0].path, '/etc/chrony.conf')
    const answer = await mco(['convert', '-', '--to', '3.1'], {
      code: 1,
      input: JSON.stringify({ ignition: { version: '3.5.0' }, kernelArguments: { shouldExist: ['a'] } }),
    })
    assert.match(answer.stderr, /cannot convert/)
    const unknown = await mco(['convert', 'examples/chrony.yaml', '--to', '9'], { code: 2 })
    assert.match(unknown.stderr, /'9' is invalid\. Allowed choices are 2\.2, 3\.1/)
  },
  'apply shows, applies and takes back on a directory': async () => {
    const root = await mkdtemp(join(directory, 'root-'))
    await writeFile(join(root, 'motd.before'), 'kept')
    const dry = await mco(['apply', 'examples/chrony.yaml', '--root', root, '--dry-run'])
    assert.match(dry.stdout, /^no config yet -> rendered-worker-/)
    assert.match(dry.stdout, /write \/etc\/chrony\.conf \(mode 0644\)/)
    assert.equal(await textOf(join(root, 'etc/chrony.conf')), undefined)
    await mco(['apply', 'examples/chrony.yaml', '--root', root, '--yes'])
    assert.match((await textOf(join(root, 'etc/chrony.conf'))) ?? '', /^pool time/)
    assert.equal((await stat(join(root, 'etc/chrony.conf'))).mode & 0o777, 0o644)
    assert.match((await mco(['apply', 'examples/chrony.yaml', '--root', root, '--yes'])).stdout, /nothing to do/)
    assert.match((await mco(['undo', '--root', root])).stdout, /^back as it was before the first apply/)
    assert.equal(await textOf(join(root, 'etc/chrony.conf')), undefined)
    assert.equal(await textOf(join(root, 'motd.before')), 'kept')
    assert.match((await mco(['undo', '--root', root], { code: 1 })).stderr, /no applied change/)
  },
  'drift says what differs, never contents, and exits with 1': async () => {
    const root = await mkdtemp(join(directory, 'drift-'))
    assert.match((await mco(['drift', '--root', root])).stdout, /^no config was applied/)
    await mco(['apply', 'examples/chrony.yaml', '--root', root, '--yes'])
    assert.match((await mco(['drift', '--root', root])).stdout, /^no difference: the machine is as rendered-worker-/)
    await writeFile(join(root, 'etc/chrony.conf'), 'hunter2')
    const { stdout } = await mco(['drift', '--root', root, '-o', 'json'], { code: 1 })
    assert.doesNotMatch(stdout, /hunter/)
    assert.deepEqual(JSON.parse(stdout).drift, [
      { kind: 'file', path: '/etc/chrony.conf', message: 'content mismatch for file "/etc/chrony.conf"' },
    ])
    assert.match((await mco(['drift', '--root', join(directory, 'none')], { code: 3 })).stderr, /no such directory/)
  },
  'host says what a machine can do and why not the rest': async () => {
    const root = await mkdtemp(join(directory, 'host-'))
    assert.match((await mco(['host', '--root', root])).stdout, /^OS image +no +this host is not updated by images/m)
    const { parts } = JSON.parse((await mco(['host', '--root', root, '-o', 'json'])).stdout)
    const files = parts.find(({ name }: { name: string }) => name === 'files')
    assert.equal(files.supported, true)
  },
  'what a system that does not run cannot do is refused before anything is touched, one without systemd as a whole':
    async () => {
      const system = async (id: string, init: string): Promise<string> => {
        const root = await mkdtemp(join(directory, `${id}-`))
        for (const path of ['etc', 'sbin', dirname(init)]) await mkdir(join(root, path), { recursive: true })
        await writeFile(join(root, 'etc/os-release'), `ID=${id}\n`)
        await writeFile(join(root, init), '#!/bin/sh\n', { mode: 0o755 })
        await symlink(`/${init}`, join(root, 'sbin/init'))
        return root
      }
      const unchanged = async (root: string, act: () => Promise<unknown>): Promise<void> => {
        // The lock against two at once is in /run, which no boot keeps.
        const paths = async () => (await readdir(root, { recursive: true })).filter((path) => !/^run($|\/)/.test(path))
        const before = await paths()
        await act()
        assert.deepEqual(await paths(), before)
      }
      const debian = await system('debian', 'usr/lib/systemd/systemd')
      await unchanged(debian, async () => {
        assert.match(
          (await mco(['host', '--root', debian])).stdout,
          /which does not run: debian[\s\S]*^kernel arguments +no /m,
        )
        const refused = await mco(['apply', 'examples/kernel-arguments.yaml', '--root', debian, '--yes'], { code: 1 })
        assert.match(refused.stderr, /kernelArguments.*does not run; nothing was touched/)
        const daemon = await mco(['daemon', '--node-name', 'a', '--root-mount', debian], { code: 3 })
        assert.match(daemon.stderr, /no systemd runs in .*mount the whole root of the machine/)
      })
      await mco(['apply', 'examples/chrony.yaml', '--root', debian, '--yes'])
      assert.match((await textOf(join(debian, 'etc/chrony.conf'))) ?? '', /^pool time/)
      const alpine = await system('alpine', 'bin/busybox')
      await unchanged(alpine, async () => {
        for (const args of [['host'], ['apply', 'examples/chrony.yaml', '--yes'], ['drift'], ['undo']]) {
          const { stderr } = await mco([...args, '--root', alpine], { code: 3 })
          assert.match(stderr, /\(alpine\) does not use systemd, .*; nothing was touched/)
        }
      })
    },
  'apply writes again what was changed by hand, and undo still takes the config back': async () => {
    const root = await mkdtemp(join(directory, 'repaired-'))
    const file = join(root, 'etc/chrony.conf')
    const args = ['apply', 'examples/chrony.yaml', '--root', root]
    await mco([...args, '--yes'])
    const wanted = await textOf(file)
    await writeFile(file, 'pool evil.example.com')
    assert.match((await mco([...args, '--dry-run'])).stdout, /changed by hand.*\n.*content mismatch for file/)
    assert.equal(await textOf(file), 'pool evil.example.com')
    assert.match((await mco([...args, '--yes'])).stderr, /^written again: \/etc\/chrony.conf$/m)
    assert.equal(await textOf(file), wanted)
    assert.match((await mco([...args, '--yes'])).stdout, /nothing to do/)
    assert.match((await mco(['undo', '--root', root])).stdout, /^back as it was before the first apply/)
  },
  'apply of another config writes again also what only a hand changed': async () => {
    const root = await mkdtemp(join(directory, 'both-'))
    const fragments = await mkdtemp(join(directory, 'fragments-'))
    await copyFile('examples/chrony.yaml', join(fragments, 'chrony.yaml'))
    await mco(['apply', fragments, '--root', root, '--yes'])
    await rm(join(root, 'etc/chrony.conf'))
    await copyFile('examples/sysctl.yaml', join(fragments, 'sysctl.yaml'))
    const { stdout, stderr } = await mco(['apply', fragments, '--root', root, '--yes'])
    assert.match(stdout, /^differs now: .*\/etc\/chrony\.conf/m)
    assert.match(stderr, /^applied rendered-worker-[\s\S]*^written again: \/etc\/chrony\.conf$/m)
    assert.match((await mco(['drift', '--root', root])).stdout, /^no difference/)
    await mco(['undo', '--root', root])
    assert.match((await mco(['drift', '--root', root])).stdout, /^no difference/)
  },
  'apply says at which place of which fragment it is not valid, and touches nothing': async () => {
    const root = await mkdtemp(join(directory, 'invalid-'))
    const fragments = await mkdtemp(join(directory, 'bad-'))
    await copyFile('examples/chrony.yaml', join(fragments, 'chrony.yaml'))
    const text = (await readFile('examples/chrony.yaml', 'utf8')).replace('mode: 0644', 'mode: 9999')
    await writeFile(join(fragments, 'mode.yaml'), text.replace('99-worker-chrony', '98-bad'))
    const { stderr } = await mco(['apply', fragments, '--root', root, '--yes'], { code: 1 })
    assert.match(stderr, /^error: the input is not valid; nothing was touched:\n {2}\S+mode\.yaml:\d+:\d+: \$\.spec\./)
    assert.deepEqual(await readdir(root), [])
  },
  'systemd accepts the example units, where it is installed': async () => {
    const units = (await readdir('examples/systemd')).map((name) => join('examples/systemd', name))
    assert.ok(units.length > 0)
    const { stdout } = await execute('sh', ['-c', 'command -v systemd-analyze || true'])
    if (stdout.trim() === '') return
    const { stderr } = await execute('systemd-analyze', ['verify', ...units])
    assert.equal(stderr, '')
  },
  'a record on the disk that is not readable is named, and no bug': async () => {
    const root = await mkdtemp(join(directory, 'damaged-'))
    await mkdir(join(root, 'etc/machine-config-daemon'), { recursive: true })
    await writeFile(join(root, 'etc/machine-config-daemon/currentconfig'), '{')
    await writeFile(join(root, 'etc/ignition-machine-config-encapsulated.json'), '{')
    for (const [verb, path] of [
      ['drift', '/etc/machine-config-daemon/currentconfig'],
      ['firstboot', '/etc/ignition-machine-config-encapsulated.json'],
    ] as const) {
      const { stderr } = await mco([verb, '--root', root], { code: 3 })
      assert.match(stderr, new RegExp(`^error: ${path} is not JSON; .*\\n$`))
    }
  },
  'apply asks before it touches anything': async () => {
    const root = await mkdtemp(join(directory, 'ask-'))
    const answer = await mco(['apply', 'examples/chrony.yaml', '--root', root], { code: 2, input: '' })
    assert.match(answer.stderr, /add --yes/)
    assert.equal(await textOf(join(root, 'etc/chrony.conf')), undefined)
  },
  'apply that is interrupted in the middle finishes first': async () => {
    const root = join(directory, 'interrupted')
    await mkdir(join(root, 'etc'), { recursive: true })
    const files = Array.from({ length: 500 }, (_, n) => ({
      path: `/etc/many/${n}`,
      contents: { source: `data:,${n}` },
    }))
    const path = await write('many.json', { ignition: { version: '3.5.0' }, storage: { files } })
    const child = spawn('bin/mco', ['apply', path, '--root', root, '--yes'], { stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => {
      if (said === '') child.kill('SIGINT')
      said += chunk.toString()
    })
    const [code] = await once(child, 'close')
    assert.equal(code, 0, said)
    assert.match(said, /SIGINT: the change is finished first[\s\S]*applied rendered-worker-/)
    assert.equal((await readdir(join(root, 'etc/many'))).length, 500)
  },
  'a reader that has enough ends a verb without a word': async () => {
    const child = spawn('bash', ['-c', 'set -o pipefail; bin/mco validate examples -o json | true; echo $?'])
    let [printed, said] = ['', '']
    child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
    await once(child, 'close')
    assert.deepEqual([printed, said], ['130\n', ''])
  },
  'apply never writes outside its root': async () => {
    const root = await mkdtemp(join(directory, 'escape-'))
    const outside = await mkdtemp(join(directory, 'outside-'))
    await symlink(outside, join(root, 'etc'))
    await execute('bin/mco', ['apply', 'examples/chrony.yaml', '--root', root, '--yes'])
    assert.deepEqual(await readdir(outside), [])
  },
  'errors are one sentence with the documented exit code': async () => {
    const missing = await mco(['validate', join(directory, 'nowhere.yaml')], { code: 3 })
    assert.match(missing.stderr, /^error: cannot read .*nowhere\.yaml: there is no such file or directory\n$/)
    await mco(['render', '--pool', 'worker'], { code: 2 })
    await mco(['frobnicate'], { code: 2 })
    const away = await mco(['status', '--kubeconfig', join(directory, 'none')], { code: 3 })
    assert.doesNotMatch(away.stderr, /\n +at /)
  },
  'up refuses fewer machines than its data directory has': async () => {
    const data = join(directory, 'cluster')
    await mkdir(join(data, 'nodes/worker-4/root'), { recursive: true })
    for (const flags of [
      ['--nodes', '5'],
      ['--pools', 'worker=2'],
      ['--scenario', 'pdb-deadlock'],
    ]) {
      const { stderr } = await mco(['up', '--data', data, '--port', '0', ...flags], { code: 2 })
      assert.match(stderr, /cluster holds a cluster that also has worker-4; continue it without --nodes/)
    }
  },
  'every verb has help with an example': async () => {
    for (const verb of [
      'up',
      'status',
      'validate',
      'render',
      'diff',
      'convert',
      'apply',
      'undo',
      'drift',
      'host',
      'daemon',
    ]) {
      assert.match((await mco([verb, '--help'])).stdout, /Examples?:\n {2}mco|Examples?:\n {2}/)
    }
  },
  'kubectl-mco is the same binary': async () => {
    const link = join(directory, 'kubectl-mco')
    await symlink(join(process.cwd(), 'bin/mco'), link)
    assert.equal((await execute(link, ['--version'])).stdout, (await mco(['--version'])).stdout)
  },
})
await rm(directory, { recursive: true, force: true })

import { describe, expect, test } from 'vitest'
import { fakeClock } from '../../test/kube/fakeClock.ts'
import {
  type ConnectionChoice,
  type ConnectionPorts,
  clusterConnection,
  systemConnectionPorts,
} from './clusterConnection.ts'

const kubeconfig = (user: object, cluster: object = {}) =>
  JSON.stringify({
    'current-context': 'x',
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    clusters: [{ name: 'c', cluster: { server: 'https://api:6443', ...cluster } }],
    users: [{ name: 'u', user }],
  })

function setUp(
  files: Record<string, string>,
  run: ConnectionPorts['run'] = async () => ({ exitCode: 0, stdout: '', stderr: '' }),
) {
  const clock = fakeClock()
  const reads: string[] = []
  const ports: ConnectionPorts = {
    clock,
    run,
    readFile: async (path) => {
      reads.push(path)
      const text = files[path]
      if (text === undefined) throw Object.assign(new Error(`ENOENT: ${path}`), { code: 'ENOENT' })
      return text
    },
  }
  const connect = (choice: Partial<ConnectionChoice> = {}) =>
    clusterConnection({ env: { HOME: '/home/me' }, ...choice }, ports)
  return { files, clock, reads, connect }
}

const home = '/home/me/.kube/config'
const base64 = (text: string) => Buffer.from(text).toString('base64')

describe('clusterConnection finds the cluster', () => {
  test('of the named file, before everything else', async () => {
    const { connect } = setUp({ '/named': kubeconfig({ token: 'named' }), [home]: kubeconfig({ token: 'home' }) })
    const { credentials, name, namespace, server } = await connect({
      kubeconfig: '/named',
      env: { KUBECONFIG: '/other' },
    })
    expect([await credentials.current(), name, namespace, server.href]).toEqual([
      { authorization: 'Bearer named' },
      'x',
      'default',
      'https://api:6443/',
    ])
  })

  test('of the KUBECONFIG list, leaving out files that do not exist', async () => {
    const { connect } = setUp({ '/b': kubeconfig({ token: 'b' }), [home]: kubeconfig({ token: 'home' }) })
    const { credentials } = await connect({ env: { KUBECONFIG: '/a:/b', HOME: '/home/me' } })
    expect(await credentials.current()).toEqual({ authorization: 'Bearer b' })
  })

  test('of the home folder', async () => {
    const { connect } = setUp({ [home]: kubeconfig({ username: 'me', password: 'pw' }) })
    const { credentials } = await connect()
    expect(await credentials.current()).toEqual({ authorization: `Basic ${base64('me:pw')}` })
  })

  test('that the pod runs in, and reads its token again once a minute and after a 401', async () => {
    const mount = '/var/run/secrets/kubernetes.io/serviceaccount'
    const { connect, files, clock } = setUp({
      [`${mount}/ca.crt`]: 'CA',
      [`${mount}/namespace`]: 'mco\n',
      [`${mount}/token`]: 'one\n',
    })
    const { credentials, server, tls, namespace, name } = await connect({
      env: { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '6443' },
    })
    expect([server.href, tls, namespace, name]).toEqual(['https://[fd00::1]:6443/', { ca: 'CA' }, 'mco', 'in-cluster'])
    expect(await credentials.current()).toEqual({ authorization: 'Bearer one' })
    files[`${mount}/token`] = 'two'
    await clock.advance(59_999)
    expect(await credentials.current()).toEqual({ authorization: 'Bearer one' })
    await clock.advance(1)
    expect(await credentials.current()).toEqual({ authorization: 'Bearer two' })
    files[`${mount}/token`] = 'three'
    credentials.reject()
    expect(await credentials.current()).toEqual({ authorization: 'Bearer three' })
  })
})

describe('clusterConnection takes', () => {
  test('client certificates from files, and picks up their rotation', async () => {
    const { connect, files, clock } = setUp({
      [home]: kubeconfig({ 'client-certificate': '/c', 'client-key': '/k' }),
      '/c': 'C1',
      '/k': 'K1',
    })
    const { credentials } = await connect()
    expect(await credentials.current()).toEqual({ cert: 'C1', key: 'K1' })
    Object.assign(files, { '/c': 'C2', '/k': 'K2' })
    await clock.advance(60_000)
    expect(await credentials.current()).toEqual({ cert: 'C2', key: 'K2' })
  })

  test('inline client certificates beside a token', async () => {
    const { connect } = setUp({
      [home]: kubeconfig({ 'client-certificate-data': base64('C'), 'client-key-data': base64('K'), token: 't' }),
    })
    expect(await (await connect()).credentials.current()).toEqual({ cert: 'C', key: 'K', authorization: 'Bearer t' })
  })

  test('the trust of the cluster', async () => {
    const trust = {
      'certificate-authority': 'ca.crt',
      'tls-server-name': 'kubernetes',
      'insecure-skip-tls-verify': true,
    }
    const { connect } = setUp({ [home]: kubeconfig({}, trust), '/home/me/.kube/ca.crt': 'CA' })
    expect((await connect()).tls).toEqual({ ca: 'CA', serverName: 'kubernetes', insecureSkipVerify: true })
  })
})

describe('clusterConnection refuses', () => {
  test.each([
    ['nothing at all', {}, {}, 'no file was found (KUBECONFIG is not set) and this is not a pod'],
    ['a named file that does not exist', {}, { kubeconfig: '/named' }, '/named does not exist'],
    ['a proxy', { [home]: kubeconfig({}, { 'proxy-url': 'http://p' }) }, {}, 'wants proxy-url, which is not supported'],
    [
      'a removed auth-provider',
      { [home]: kubeconfig({ 'auth-provider': { name: 'gcp' } }) },
      {},
      'uses auth-provider "gcp"',
    ],
    [
      'a certificate without its key',
      { [home]: kubeconfig({ 'client-certificate': '/c' }) },
      {},
      'only one of client-certificate and client-key',
    ],
    ['a server that is no URL', { [home]: kubeconfig({}, { server: 'api:6443' }) }, {}, 'is no http or https URL'],
    [
      'an authority file that does not exist',
      { [home]: kubeconfig({}, { 'certificate-authority': '/ca' }) },
      {},
      '/ca does not exist',
    ],
    ['a pod without a service account', {}, { env: { KUBERNETES_SERVICE_HOST: '10.0.0.1' } }, 'mount the pod'],
    [
      'an exec plugin that needs a terminal',
      {
        [home]: kubeconfig({
          exec: { apiVersion: 'client.authentication.k8s.io/v1', command: 'login', interactiveMode: 'Always' },
        }),
      },
      {},
      'login needs a terminal',
    ],
    [
      'an exec plugin of another version',
      { [home]: kubeconfig({ exec: { apiVersion: 'v9', command: 'login' } }) },
      {},
      'apiVersion "v9"; expected client.authentication.k8s.io/v1 or',
    ],
  ])('%s', async (_, files, choice, message) => {
    const { connect } = setUp(files)
    await expect(connect(choice)).rejects.toThrow(message)
  })
})

describe('an exec plugin', () => {
  const exec = {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: 'login',
    args: ['now'],
    env: [{ name: 'REGION', value: 'eu' }],
    provideClusterInfo: true,
    installHint: 'install login first',
  }
  const printed = (status: object) => JSON.stringify({ apiVersion: exec.apiVersion, kind: 'ExecCredential', status })

  test('gives a token that is kept until shortly before it expires, or until a 401', async () => {
    let runs = 0
    const { connect, clock } = setUp({ [home]: kubeconfig({ exec }) }, async (command, args, env) => {
      expect([command, args, env.REGION]).toEqual(['login', ['now'], 'eu'])
      expect(JSON.parse(env.KUBERNETES_EXEC_INFO ?? '')).toEqual({
        apiVersion: exec.apiVersion,
        kind: 'ExecCredential',
        spec: { interactive: false, cluster: { server: 'https://api:6443', 'insecure-skip-tls-verify': false } },
      })
      return {
        exitCode: 0,
        stdout: printed({ token: `t${++runs}`, expirationTimestamp: '2026-01-01T01:00:00Z' }),
        stderr: '',
      }
    })
    const { credentials } = await connect()
    const both = await Promise.all([credentials.current(), credentials.current()])
    expect(both).toEqual([{ authorization: 'Bearer t1' }, { authorization: 'Bearer t1' }])
    await clock.advance(3_589_999)
    expect(await credentials.current()).toEqual({ authorization: 'Bearer t1' })
    await clock.advance(1)
    expect(await credentials.current()).toEqual({ authorization: 'Bearer t2' })
    credentials.reject()
    expect(await credentials.current()).toEqual({ authorization: 'Bearer t3' })
  })

  test('gives a client certificate', async () => {
    const { connect } = setUp({ [home]: kubeconfig({ exec }) }, async () => ({
      exitCode: 0,
      stdout: printed({ clientCertificateData: 'C', clientKeyData: 'K' }),
      stderr: '',
    }))
    expect(await (await connect()).credentials.current()).toEqual({ cert: 'C', key: 'K' })
  })

  test.each([
    ['fails', 1, '', 'exec plugin login ended with 1: session expired'],
    ['prints what is no JSON, which is not quoted', 0, 'secret', 'printed 6 characters that are no JSON'],
    ['prints something else', 0, '{"kind":"Pod"}', 'printed no ExecCredential'],
    ['prints an empty status', 0, printed({}), 'printed neither a token nor a certificate'],
    [
      'prints an unreadable expiry',
      0,
      printed({ token: 't', expirationTimestamp: 'soon' }),
      'an expirationTimestamp that is no time',
    ],
  ])('that %s is an error', async (_, exitCode, stdout, message) => {
    const { connect } = setUp({ [home]: kubeconfig({ exec }) }, async () => ({
      exitCode,
      stdout,
      stderr: 'session expired\n',
    }))
    await expect((await connect()).credentials.current()).rejects.toThrow(message)
  })

  test('that is not installed says how to install it', async () => {
    const { connect } = setUp({ [home]: kubeconfig({ exec }) }, () => Promise.reject(new Error('spawn login ENOENT')))
    await expect((await connect()).credentials.current()).rejects.toThrow(
      'did not start: spawn login ENOENT; install login first',
    )
  })
})

test('systemConnectionPorts.run tells exit code and output of a program', async () => {
  const { run } = systemConnectionPorts
  expect(await run(process.execPath, ['-e', 'console.log(process.env.A); process.exitCode = 3'], { A: 'b' })).toEqual({
    exitCode: 3,
    stdout: 'b\n',
    stderr: '',
  })
  await expect(run('/does/not/exist', [], {})).rejects.toThrow('ENOENT')
})

import { describe, expect, test } from 'vitest'
import { chooseContext, mergeKubeconfigs, parseKubeconfig } from './kubeconfig.ts'

const base64 = (text: string) => Buffer.from(text).toString('base64')

const full = `
apiVersion: v1
kind: Config
current-context: here
contexts:
- name: here
  context: {cluster: c, user: u, namespace: shop}
clusters:
- name: c
  cluster:
    server: https://api:6443
    certificate-authority-data: ${base64('CA')}
    tls-server-name: kubernetes
users:
- name: u
  user:
    client-certificate: pki/me.crt
    client-key-data: ${base64('KEY')}
    exec: {apiVersion: client.authentication.k8s.io/v1, command: ./login, args: [--now], env: [{name: A, value: b}]}
`

test('parseKubeconfig reads a context with all that it points to; paths are relative to the file', () => {
  expect(chooseContext(parseKubeconfig(full, '/home/me/.kube/config'), undefined)).toEqual({
    name: 'here',
    namespace: 'shop',
    cluster: {
      server: 'https://api:6443',
      certificateAuthority: { kind: 'data', text: 'CA' },
      tlsServerName: 'kubernetes',
      insecureSkipTlsVerify: false,
    },
    user: {
      clientCertificate: { kind: 'file', path: '/home/me/.kube/pki/me.crt' },
      clientKey: { kind: 'data', text: 'KEY' },
      exec: {
        apiVersion: 'client.authentication.k8s.io/v1',
        command: '/home/me/.kube/login',
        args: ['--now'],
        env: [{ name: 'A', value: 'b' }],
        interactiveMode: 'IfAvailable',
        provideClusterInfo: false,
      },
    },
  })
})

const config = (context: string, server: string, current = '') =>
  parseKubeconfig(
    JSON.stringify({
      'current-context': current,
      contexts: [{ name: context, context: { cluster: 'c' } }],
      clusters: [{ name: 'c', cluster: { server } }],
    }),
    '/k',
  )

test('mergeKubeconfigs lets the first file that names something win', () => {
  const merged = mergeKubeconfigs([config('a', 'https://first'), config('b', 'https://second', 'b')])
  expect([merged.currentContext, [...merged.contexts.keys()].sort(), merged.clusters.get('c')?.server]).toEqual([
    'b',
    ['a', 'b'],
    'https://first',
  ])
})

describe('chooseContext says what is wrong and what there is', () => {
  const merged = mergeKubeconfigs([config('a', 'https://first'), config('b', '')])
  const empty = parseKubeconfig('', '/k')
  test.each([
    ['no current context', merged, undefined, 'no context is chosen; set current-context or name one of: a, b'],
    ['an unknown context', merged, 'x', 'no context "x"; known are: a, b'],
    ['an empty file', empty, 'x', 'no context "x"; known are: none'],
    [
      'a cluster without a server',
      config('b', ''),
      'b',
      'context "b" names cluster "c" without a server; known are: c',
    ],
  ])('%s', (_, found, name, message) => {
    expect(() => chooseContext(found, name)).toThrow(`kubeconfig: ${message}`)
  })
})

describe('parseKubeconfig refuses', () => {
  test.each([
    ['what is no YAML', 'token: [secret', /^(?!.*secret)kubeconfig: \/k is not YAML.*; /],
    ['a list at the top', '[]', /^kubeconfig: \/k \$ is not a mapping; /],
    ['contexts that are no list', 'contexts: 5', /\$\.contexts is not a list/],
    ['an entry without a name', 'users: [{user: {}}]', /\$\.users\[0\] has no name/],
    [
      'a token that is a number, without quoting it',
      'users: [{name: u, user: {token: 12345}}]',
      /^(?!.*12345).*\$\.users\[0\]\.user\.token is a number/,
    ],
    ['an exec plugin without a command', 'users: [{name: u, user: {exec: {}}}]', /exec\.command is empty/],
  ])('%s', (_, text, message) => {
    expect(() => parseKubeconfig(text, '/k')).toThrow(message)
  })
})

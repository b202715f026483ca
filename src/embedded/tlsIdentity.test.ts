import { afterAll, beforeAll, expect, test } from 'vitest'
import { defineKind } from '../api/kind.ts'
import type { KubernetesObject } from '../api/meta.ts'
import { kubeClient } from '../kube/client.ts'
import type { Identity } from '../kube/credentials.ts'
import { type HttpTransportOptions, httpTransport } from '../kube/httpTransport.ts'
import { type RunningApiServer, startApiServer } from './server/start.ts'

interface SelfSubjectReview extends KubernetesObject {
  readonly status?: { readonly userInfo?: { readonly username?: string } }
}
const SelfSubjectReview = defineKind<SelfSubjectReview>(
  'authentication.k8s.io',
  'v1',
  'SelfSubjectReview',
  'selfsubjectreviews',
)

let server: RunningApiServer
beforeAll(async () => {
  server = await startApiServer({ dataDir: ':memory:' })
})
afterAll(() => server.close())

/** Who the server thinks we are. */
async function whoAmI(options: Partial<HttpTransportOptions>): Promise<string | undefined> {
  const transport = httpTransport({ server: new URL(server.url), tls: { ca: server.caPem }, ...options })
  try {
    const { status } = await kubeClient(transport).create(SelfSubjectReview, { metadata: {} })
    return status?.userInfo?.username
  } finally {
    transport.close()
  }
}

async function certificateOf(user: string): Promise<Identity> {
  const { certificatePem, keyPem } = await server.issueClientCertificate(user, ['system:masters'])
  return { cert: certificatePem, key: keyPem }
}

test('a rotated client certificate is used for the next request, though the connection is kept alive', async () => {
  const [first, second] = [await certificateOf('first'), await certificateOf('second')]
  let identity = first
  const credentials = { current: async () => identity, reject: () => undefined }
  const transport = httpTransport({ server: new URL(server.url), tls: { ca: server.caPem }, credentials })
  const kube = kubeClient(transport)
  const names: (string | undefined)[] = []
  for (const next of [first, first, second]) {
    identity = next
    names.push((await kube.create(SelfSubjectReview, { metadata: {} })).status?.userInfo?.username)
  }
  transport.close()
  expect(names).toEqual(['first', 'first', 'second'])
})

test.each([
  ['an unknown authority', {}, /certificate|self.signed/i],
  [
    'a name that the certificate does not vouch for',
    { serverName: 'elsewhere.example.com' },
    /elsewhere\.example\.com/,
  ],
])('%s is refused before anything is sent', async (_, tls, message) => {
  const trust = 'serverName' in tls ? { ca: server.caPem, ...tls } : tls
  await expect(whoAmI({ tls: trust })).rejects.toMatchObject({
    name: 'Retryable',
    message: expect.stringMatching(message),
  })
})

test.each([
  ['the certificate is not verified when told so', { insecureSkipVerify: true }],
  ['another name is expected when told so', { serverName: 'kubernetes.default.svc' }],
])('%s', async (_, tls) => {
  const identity = await certificateOf('me')
  const credentials = { current: async () => identity, reject: () => undefined }
  expect(await whoAmI({ tls: 'serverName' in tls ? { ca: server.caPem, ...tls } : tls, credentials })).toBe('me')
})

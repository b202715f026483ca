import { deepEqual, equal, ok } from 'node:assert/strict'
import { execute, type Kubectl, type RunningCluster, until } from '../e2e/harness.ts'
import { type BootingMachines, bootingMachines } from './bootingMachines.ts'
import { fetchConfig, type JoinPlace, joinPlace, namespace, secretsBy } from './joinCluster.ts'

const pool = 'worker'
const authoritySecret = 'machine-config-server-ca'
const servingSecret = 'machine-config-server-tls'

/** Certificates and tokens change while machines boot, and no boot notices. */
export function rotationChecks(
  cluster: RunningCluster,
  kubectl: Kubectl,
): Readonly<Record<string, () => Promise<void>>> {
  const secrets = secretsBy(kubectl)
  const inNamespace = (args: readonly string[]): Promise<string> => kubectl.run(['-n', namespace, ...args])

  /** What the documentation tells an administrator to do. */
  const endNow = (secret: string): Promise<string> =>
    inNamespace([
      ...['annotate', '--overwrite', 'secret', secret],
      'auth.openshift.io/certificate-not-after=2000-01-01T00:00:00Z',
    ])
  const certificateOf = async (secret: string): Promise<string> => (await secrets(secret, 'tls.crt')).toString()
  const expireAt = (id: string, at: Date): Promise<string> => {
    const expires = Buffer.from(at.toISOString()).toString('base64')
    const patch = JSON.stringify({ data: { expires } })
    return inNamespace(['patch', 'secret', `join-token-${id}`, '--type=merge', '-p', patch])
  }
  const whenChanged = async (what: 'authority' | 'token', before: JoinPlace): Promise<JoinPlace> => {
    let place = before
    await until(async () => {
      place = await joinPlace(secrets, pool)
      return place[what] !== before[what]
    }, `the pointer to have a new ${what}`)
    return place
  }

  return {
    'a rotation of the authority fails no request of pointers of before and after it': async () => {
      const before = await joinPlace(secrets, pool)
      const serving = await certificateOf(servingSecret)
      const early = bootingMachines(before, { count: 10, firstAddress: 20 })
      await early.oneMoreEach()
      await endNow(authoritySecret)
      const after = await whenChanged('authority', before)
      equal(after.authority.match(/BEGIN CERTIFICATE/g)?.length, 2)
      const late = bootingMachines(after, { count: 10, firstAddress: 40 })
      await Promise.all([early.oneMoreEach(), late.oneMoreEach()])
      // It was not replaced at once: the pointers of before know its authority alone.
      equal(await certificateOf(servingSecret), serving)
      await allServed(early, 'the pointer of before')

      // The end of the overlap.
      await endNow(servingSecret)
      await until(async () => (await certificateOf(servingSecret)) !== serving, 'a new serving certificate')
      await until(() => isRefused(before), 'the server to use it')
      await late.oneMoreEach()
      await allServed(late, 'the pointer of after')
    },

    'a rotation of the token refuses no boot that began with a valid one; a revocation ends boots at once':
      async () => {
        const before = await joinPlace(secrets, pool)
        const id = before.token.split('.')[0] ?? ''
        const early = bootingMachines(before, { count: 10, firstAddress: 60 })
        await early.oneMoreEach()
        // Less than half of its life is left.
        await expireAt(id, new Date(Date.now() + 3_600_000))
        const after = await whenChanged('token', before)
        const late = bootingMachines(after, { count: 10, firstAddress: 80 })
        await Promise.all([early.oneMoreEach(), late.oneMoreEach()])
        await expireAt(id, new Date(Date.now() - 1000))
        await until(async () => {
          const { headers } = await fetchConfig(before, '3.3.0', { from: '127.0.0.99' })
          return headers['x-machine-config-error'] === 'TokenExpired'
        }, 'the old token to be expired for machines that begin now')
        await Promise.all([early.oneMoreEach(), late.oneMoreEach()])
        deepEqual([...new Set(early.attempts().map(({ outcome }) => outcome))], ['200'])

        const { stdout } = await execute('bin/mco', ['token', 'revoke', id, '--kubeconfig', cluster.kubeconfig])
        equal(stdout.trim(), 'revoked')
        await until(() => early.attempts().some(({ outcome }) => outcome !== '200'), 'the revocation to be seen')
        await Promise.all([early.oneMoreEach(), late.oneMoreEach()])
        const counts = await early.stop()
        deepEqual(Object.keys(counts).sort(), ['200', '401 TokenRevoked'])
        const seenAt = Math.min(
          ...early.attempts().map(({ outcome, endedAt }) => (outcome === '200' ? Infinity : endedAt)),
        )
        const later = early.attempts().filter(({ startedAt }) => startedAt > seenAt)
        ok(later.length >= 10)
        ok(later.every(({ outcome }) => outcome !== '200'))
        await allServed(late, 'the new token')
      },
  }
}

async function allServed(machines: BootingMachines, what: string): Promise<void> {
  const counts = await machines.stop()
  deepEqual(Object.keys(counts), ['200'], `${what}: ${JSON.stringify(counts)}`)
  ok((counts['200'] ?? 0) >= 20, `${what}: only ${counts['200']} requests were made`)
  console.log(`      ${what}: ${counts['200']} requests, all served`)
}

/** The certificate that the server shows leads to no authority that this pointer knows. */
const isRefused = (place: JoinPlace): Promise<boolean> =>
  fetchConfig(place, '3.3.0', { from: '127.0.0.98' }).then(
    () => false,
    (error: NodeJS.ErrnoException) => {
      if (/VERIFY|SELF_SIGNED|ISSUER/.test(error.code ?? '')) return true
      throw error
    },
  )

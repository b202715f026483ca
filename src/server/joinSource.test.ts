import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../kube/clock.ts'
import { silentLog } from '../kube/log.ts'
import { credentialDirectory } from './joinCredentials.ts'
import { joinFormats } from './joinFiles.ts'
import { joinFilesNow } from './joinSource.ts'

let directory = ''
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'mco-join-'))
})
afterEach(() => rm(directory, { recursive: true }))

const none = { own: undefined, everywhere: undefined }
const ports = { clock: systemClock, log: silentLog, intervalMs: 10 }
const open = async (files: Readonly<Record<string, string>>) => {
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text)
  return await credentialDirectory(directory, ports)
}
const filesOf = (found: ReturnType<typeof joinFilesNow>) => (found.kind === 'files' ? found.files : [])

describe('the files that let a machine join', () => {
  it.each([
    ['kubeconfig', ['/etc/kubernetes/kubeconfig']],
    ['kubeadm', ['/etc/kubernetes/bootstrap-kubelet.conf', '/etc/kubernetes/pki/ca.crt']],
    ['k3s', ['/etc/rancher/k3s/config.yaml']],
    ['rke2', ['/etc/rancher/rke2/config.yaml']],
  ] as const)('are those of %s', async (format, paths) => {
    const credentials = await open({ token: 'secret', 'ca.crt': 'CA' })
    const files = filesOf(joinFilesNow({ kind: 'credentials', credentials, format, apiServerUrl: 'https://api' }, none))
    expect(files.map(({ path }) => path)).toEqual(paths)
    expect(files[0]?.text).toContain('secret')
    expect(files[0]?.text).toContain('https://api')
    expect(joinFormats).toContain(format)
  })

  it('hold the token of a bootstrap Secret', async () => {
    const credentials = await open({ 'token-id': 'abcdef\n', 'token-secret': '0123456789abcdef', 'ca.crt': 'CA' })
    expect(credentials.current()?.token).toBe('abcdef.0123456789abcdef')
  })

  it('trust the bundle of the cluster first, then what came with the token, then what every namespace has', async () => {
    const caOf = (found: ReturnType<typeof joinFilesNow>) => filesOf(found)[1]?.text
    const [own, everywhere] = [Buffer.from('OWN'), Buffer.from('EVERYWHERE')]
    const choice = { kind: 'credentials', format: 'kubeadm', apiServerUrl: 'https://api' } as const
    const bare = await open({ token: 'secret' })
    expect(joinFilesNow({ ...choice, credentials: bare }, none)).toMatchObject({
      kind: 'failed',
      status: 503,
      reason: 'JoinCredentialsMissing',
    })
    expect(caOf(joinFilesNow({ ...choice, credentials: bare }, { own: undefined, everywhere }))).toBe('EVERYWHERE')
    const whole = await open({ token: 'secret', 'ca.crt': 'CA' })
    expect(caOf(joinFilesNow({ ...choice, credentials: whole }, { own: undefined, everywhere }))).toBe('CA')
    expect(caOf(joinFilesNow({ ...choice, credentials: whole }, { own, everywhere }))).toBe('OWN')
  })

  it('follow the directory, and stay when it cannot be read', async () => {
    const credentials = await open({ token: 'one', 'ca.crt': 'CA' })
    const seen: (string | undefined)[] = []
    credentials.onChange(() => seen.push(credentials.current()?.token))
    const stop = new AbortController()
    const following = credentials.follow(stop.signal)
    await rm(join(directory, 'token'))
    await writeFile(join(directory, 'ca.crt'), 'CA 2')
    await new Promise((resolve) => setTimeout(resolve, 40))
    expect(credentials.current()?.token).toBe('one')
    await writeFile(join(directory, 'token'), 'two')
    await expect.poll(() => seen).toEqual(['two'])
    stop.abort()
    await following
  })

  it('name the directory, not its contents, when there is no token', async () => {
    await expect(credentialDirectory(directory, ports)).rejects.toThrow(`failed to read ${directory}/token: expected`)
  })
})

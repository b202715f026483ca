import { beforeAll, describe, expect, it } from 'vitest'
import type { MachineConfig } from '../api/machineConfig.ts'
import type { MachineConfigPool } from '../api/machineConfigPool.ts'
import { encodeBase64DataUrl } from '../ignition/dataUrl.ts'
import { createAuthority } from './issueCertificate.ts'
import { pausedKubeletCa } from './pausedKubeletCa.ts'

const signer = 'openshift-kube-apiserver-operator_kube-apiserver-to-kubelet-signer@1638749108'
const pem: Record<'dec5' | 'dec7' | 'other' | 'renewed', string> = { dec5: '', dec7: '', other: '', renewed: '' }

beforeAll(async () => {
  const make = async (name: string, notAfter: string) =>
    (await createAuthority(name, new Date('2021-12-01T00:00:00Z'), { notAfter: new Date(notAfter) })).certificatePem
  pem.dec5 = await make(signer, '2022-12-05T00:00:00Z')
  pem.dec7 = await make('kube-apiserver-to-kubelet-signer', '2022-12-07T02:25:08Z')
  pem.other = await make('kubernetes', '2030-01-01T00:00:00Z')
  pem.renewed = await make(signer, '2023-12-05T00:00:00Z')
})

const config = (name: string, text: string): MachineConfig => ({
  apiVersion: 'machineconfiguration.openshift.io/v1',
  kind: 'MachineConfig',
  metadata: { name, labels: {} },
  spec: {
    config: {
      ignition: { version: '3.2.0' },
      storage: {
        files: [
          { path: '/etc/kubernetes/kubelet-ca.crt', contents: { source: encodeBase64DataUrl(Buffer.from(text)) } },
        ],
      },
    },
  },
})

const pool = ({ paused = true, target = 'new' } = {}): MachineConfigPool => ({
  apiVersion: 'machineconfiguration.openshift.io/v1',
  kind: 'MachineConfigPool',
  metadata: { name: 'worker' },
  spec: { paused, configuration: { name: target } },
  status: { configuration: { name: 'old' } },
})

describe('pausedKubeletCa', () => {
  it('is the end of the newest signer that the nodes have', () => {
    const held = `${pem.other}junk\n-----BEGIN CERTIFICATE-----\njunk\n-----END CERTIFICATE-----\n${pem.dec7}${pem.dec5}`
    expect(pausedKubeletCa(pool(), config('new', pem.renewed), config('old', held))).toBe(1670379908)
  })

  it('counts every certificate where the signer has another name', () => {
    expect(pausedKubeletCa(pool(), config('new', pem.renewed), config('old', pem.other))).toBe(1893456000)
  })

  it('is 0 while nothing of it waits', () => {
    const [waiting, held] = [config('new', pem.renewed), config('old', pem.dec5)]
    expect(pausedKubeletCa(pool({ paused: false }), waiting, held)).toBe(0)
    expect(pausedKubeletCa(pool({ target: 'old' }), waiting, held)).toBe(0)
    expect(pausedKubeletCa(pool(), config('new', pem.dec5), held)).toBe(0)
    expect(pausedKubeletCa(pool(), undefined, held)).toBe(0)
    expect(pausedKubeletCa(pool(), waiting, config('old', 'garbage'))).toBe(0)
  })
})

import { expect, it } from 'vitest'
import { FakeCluster } from '../../test/unit/fakeCluster.ts'
import { ConfigMap } from '../api/core.ts'
import { caBundleKey, certificateAnnotation, operatorNamespace, serverObject } from '../api/names.ts'
import { createAuthority } from '../certificates/issueCertificate.ts'
import type { ClusterSource } from './clusterSource.ts'
import { addGauges } from './processMetrics.ts'
import { serverMetricsPage } from './serverMetrics.ts'
import type { CertificateHolder } from './servingCertificate.ts'

it('the metrics page tells when the authority ends and whether its rotation fails', async () => {
  const cluster = new FakeCluster()
  const notAfter = new Date('2030-01-01T00:00:00Z')
  const { certificatePem } = await createAuthority('ca', cluster.clock.now(), { keyType: 'ECDSA-P256', notAfter })
  const metadata = { name: serverObject.ca, namespace: operatorNamespace }
  const page = serverMetricsPage()
  let isSynced = false
  addGauges(page, {
    source: { pools: () => [] } as unknown as ClusterSource,
    alive: new Map(),
    holder: { notAfter: () => notAfter } as unknown as CertificateHolder,
    informers: { cache: cluster.cache, hasSynced: () => isSynced },
    clock: cluster.clock,
  })
  const values = () => page.render().match(/^mcs_(ca|rotation)_\w+ \d+$/gm) ?? []
  expect(values()).toEqual([])
  isSynced = true
  const put = (annotations: Readonly<Record<string, string>>) => {
    cluster.put(ConfigMap, { metadata: { ...metadata, annotations }, data: { [caBundleKey]: certificatePem } })
    cluster.deliver()
  }
  put({})
  const end = `mcs_ca_not_after_seconds ${notAfter.getTime() / 1000}`
  expect(values()).toEqual([end, 'mcs_rotation_failing 0'])
  put({ [certificateAnnotation.rotationFault]: 'secrets is forbidden' })
  expect(values()).toEqual([end, 'mcs_rotation_failing 1'])
})

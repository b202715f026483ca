import type { MachineConfig } from '../api/machineConfig.ts'
import type { MachineConfigPool } from '../api/machineConfigPool.ts'
import { decodeContents } from '../ignition/contents.ts'
import { fragmentParser } from '../render/parseFragment.ts'
import { kubeletCaPath } from './bundles/bundleCatalogue.ts'
import { certificatesIn } from './pemCertificates.ts'

/**
 * When the nodes of a paused pool lose the API server: Unix time at which the newest signer in their present config ends
 * while another kubelet-ca.crt waits behind the pause. 0: no such thing waits. Where no certificate has the name of
 * OpenShift's signer, all of the file's count.
 */
export function pausedKubeletCa(
  pool: MachineConfigPool,
  specConfig: MachineConfig | undefined,
  statusConfig: MachineConfig | undefined,
): number {
  const isSame = pool.spec.configuration?.name === pool.status?.configuration?.name
  if (pool.spec.paused !== true || isSame || !specConfig || !statusConfig) return 0
  const [waiting, present] = [kubeletCaOf(specConfig), kubeletCaOf(statusConfig)]
  if (!waiting || !present || Buffer.compare(waiting, present) === 0) return 0
  const { certificates } = certificatesIn(present)
  const signers = certificates.filter(({ commonName }) => isSignerName(commonName))
  const ends = (signers.length > 0 ? signers : certificates).map(({ notAfter }) => notAfter.getTime())
  return ends.length === 0 ? 0 : Math.floor(Math.max(...ends) / 1000)
}

const signerPrefixes = [
  'openshift-kube-apiserver-operator_kube-apiserver-to-kubelet-signer@',
  'kube-apiserver-to-kubelet-signer',
]

const isSignerName = (commonName: string): boolean => signerPrefixes.some((prefix) => commonName.startsWith(prefix))

/** Undefined when the config cannot be read; empty when it has no such file. */
function kubeletCaOf(config: MachineConfig): Uint8Array | undefined {
  const { ignition } = parse(config)
  if (ignition.kind === 'refused') return undefined
  const files = ignition.kind === 'parsed' ? (ignition.config.storage?.files ?? []) : []
  return decodeContents(files.find(({ path }) => path === kubeletCaPath)?.contents).value
}

/** Remembers what it read: metrics ask on every scrape. */
const { parse } = fragmentParser({ maxRemembered: 20 })

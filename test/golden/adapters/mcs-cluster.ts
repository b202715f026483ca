import type { MachineConfig } from '../../../src/api/machineConfig.ts'
import type { MachineConfigPool } from '../../../src/api/machineConfigPool.ts'
import { encodePercentDataUrl } from '../../../src/ignition/dataUrl.ts'
import { parseIgnition } from '../../../src/ignition/parseIgnition.ts'
import { ignitionToJson } from '../../../src/ignition/serialize.ts'
import { negotiateVersion, type ServedVersion } from '../../../src/server/acceptHeader.ts'
import { kubeletKubeconfig } from '../../../src/server/kubeletKubeconfig.ts'
import { choosePoolSnapshot } from '../../../src/server/poolSnapshot.ts'
import { assembleConfig, compatibleStyle, serveDocument } from '../../../src/server/servedConfig.ts'
import type { Adapter, Input } from '../adapter.ts'

/** The recorded text is the form before conversion, where empty objects still stand; ours is compared without them. */
export const adapter: Adapter = {
  run(topic, input) {
    if (topic === 'encode') return { source: encodePercentDataUrl(Buffer.from(input.text)) }
    return topic === 'kubeconfig' ? kubeconfig(input) : getConfig(input)
  },
  recorded(topic, _input, expected) {
    if (topic !== 'get-config' || expected.raw === undefined) return expected
    const parsed = parseIgnition(expected.raw)
    if (parsed.value === undefined) throw new Error(parsed.wireError)
    return { raw: ignitionToJson(parsed.value) }
  },
  // That a file is missing is said by whoever reads the directory.
  refusalOnly: ['error'],
}

function kubeconfig({ ca, caData, token, url }: Input): unknown {
  const caPem = caData ? Buffer.from(caData, 'base64') : ca === null ? undefined : Buffer.from(ca)
  return caPem && token !== null ? { yaml: kubeletKubeconfig({ url, caPem, token }) } : { error: 'missing' }
}

function getConfig(input: Input): unknown {
  const version: ServedVersion | undefined = input.version === null ? undefined : negotiated(input.version)
  const snapshot = choosePoolSnapshot({
    pool: input.pools.find(({ metadata }: MachineConfigPool) => metadata.name === input.pool),
    poolName: input.pool,
    configOf: (name) => input.configs.find(({ metadata }: MachineConfig) => metadata.name === name),
    bundles: input,
    machineOSConfigs: input.machineOSConfigs ?? [],
    machineOSBuilds: input.machineOSBuilds ?? [],
    internalRegistries: [
      'image-registry.openshift-image-registry.svc:5000',
      'default-route-openshift-image-registry.apps.example.com',
    ],
    joinFiles: [{ path: '/etc/kubernetes/kubeconfig', text: input.kubeconfig }],
  })
  if (snapshot.kind === 'failed') return { error: snapshot.message }
  const document = version && serveDocument(snapshot.snapshot, version, compatibleStyle)
  if (document?.kind === 'failed') return { error: document.message }
  const assembled = assembleConfig(snapshot.snapshot, version, compatibleStyle)
  return assembled.kind === 'failed' ? { error: assembled.message } : { raw: ignitionToJson(assembled.config) }
}

function negotiated(version: string): ServedVersion {
  const answer = negotiateVersion(`application/vnd.coreos.ignition+json;version=${version}`)
  if (answer.kind === 'refused') throw new Error(answer.message)
  return answer.version
}

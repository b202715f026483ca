import { describe, expect, it } from 'vitest'
import { machineConfigAnnotation } from '../api/names.ts'
import type { ServedVersion } from './acceptHeader.ts'
import { assembleConfig, privateStyle, type ServeSnapshot } from './servedConfig.ts'

const snapshot = (config: object, annotations: Readonly<Record<string, string>> = {}): ServeSnapshot => ({
  pool: 'worker',
  config: 'rendered-worker-1',
  rendered: {
    metadata: { name: 'rendered-worker-1', annotations },
    spec: { config: { ignition: { version: '3.5.0' }, ...config } },
  },
  bundles: {},
  joinFiles: [{ path: '/etc/kubernetes/kubeconfig', text: 'token' }],
})

describe('assembleConfig', () => {
  it('keeps credentials and the whole config from other users of the machine', () => {
    const assembled = assembleConfig(snapshot({}), '3.5.0', privateStyle)
    const modes =
      assembled.kind === 'assembled' && assembled.config.storage?.files?.map(({ path, mode }) => [path, mode])
    expect(modes).toEqual([
      ['/etc/machine-config-daemon/node-annotations.json', 0o644],
      ['/etc/kubernetes/kubeconfig', 0o600],
      ['/etc/mcs-machine-config-content.json', 0o600],
      ['/etc/ignition-machine-config-encapsulated.json', 0o600],
    ])
  })

  it('refuses a config that writes what only the server may write', () => {
    const files = [{ path: '/etc/machine-config-daemon/node-annotations.json', contents: { source: 'data:,{}' } }]
    expect(assembleConfig(snapshot({ storage: { files } }), '3.5.0', privateStyle)).toMatchObject({
      kind: 'failed',
      reason: 'ConfigUnusable',
    })
  })

  it('names the secrets that the config holds, marked ones and credentials for images', () => {
    const files = ['/a', '/b', '/var/lib/kubelet/config.json'].map((path) => ({ path }))
    const systemd = { units: [{ name: 'c.service' }] }
    const marks = '/b,/etc/systemd/system/c.service,/not-there'
    const given = snapshot({ storage: { files }, systemd }, { [machineConfigAnnotation.secretPaths]: marks })
    expect(assembleConfig(given, '3.5.0', privateStyle)).toMatchObject({
      secretPaths: ['/b', '/etc/systemd/system/c.service', '/var/lib/kubelet/config.json'],
    })
  })

  it.each([
    ['3.2.0', undefined],
    ['3.3.0', { shouldExist: ['a=1 b=2'] }],
  ] as const)('moves kernel arguments where %s does not know them', (version: ServedVersion, native) => {
    const kernelArguments = { shouldExist: ['a=1 b=2'] }
    const assembled = assembleConfig(snapshot({ kernelArguments }), version, privateStyle)
    expect(assembled.kind === 'assembled' && assembled.config.kernelArguments).toEqual(native)
    const last = assembled.kind === 'assembled' ? assembled.config.storage?.files?.at(-1)?.contents?.source : ''
    expect(decodeURIComponent(last ?? '').includes('"kernelArguments":["a=1 b=2"]')).toBe(version === '3.2.0')
  })
})

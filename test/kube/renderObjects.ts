import type { ControllerConfig } from '../../src/api/controllerConfig.ts'
import type { MachineConfig, MachineConfigSpec } from '../../src/api/machineConfig.ts'
import type { MachineConfigPool, MachineConfigPoolSpec } from '../../src/api/machineConfigPool.ts'
import type { LabelSelector, ObjectMeta } from '../../src/api/meta.ts'
import { controllerConfigAnnotation, controllerConfigCondition, machineConfigLabel } from '../../src/api/names.ts'

/** Boring objects for tests around rendering. */
export const version = 'v1'
export const hash = 'abc123'

export const roleSelector = (...roles: readonly string[]): LabelSelector => ({
  matchExpressions: [{ key: machineConfigLabel.role, operator: 'In', values: roles }],
})

export function pool(name = 'worker', spec: MachineConfigPoolSpec = {}, metadata: ObjectMeta = {}): MachineConfigPool {
  return {
    apiVersion: 'machineconfiguration.openshift.io/v1',
    kind: 'MachineConfigPool',
    metadata: { name, uid: `uid-${name}`, generation: 1, ...metadata },
    spec: { machineConfigSelector: roleSelector(name), ...spec },
  }
}

export function fragment(name: string, spec: MachineConfigSpec = {}, { role = 'worker' } = {}): MachineConfig {
  return { metadata: { name, labels: { [machineConfigLabel.role]: role } }, spec }
}

export const ignition = (sections: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> => ({
  ignition: { version: '3.5.0' },
  ...sections,
})

export const withFile = (path: string, text = 'x'): Readonly<Record<string, unknown>> =>
  ignition({ storage: { files: [{ path, mode: 420, contents: { source: `data:,${text}` } }] } })

export function controllerConfig(overrides: Partial<ControllerConfig['spec']> = {}): ControllerConfig {
  return {
    metadata: {
      name: 'machine-config-controller',
      generation: 1,
      annotations: {
        [controllerConfigAnnotation.generatedByVersion]: version,
        [controllerConfigAnnotation.releaseImageVersion]: '4.23.0',
      },
    },
    spec: {
      clusterDNSIP: '',
      cloudProviderConfig: '',
      kubeAPIServerServingCAData: '',
      rootCAData: '',
      cloudProviderCAData: null,
      additionalTrustBundle: null,
      images: {},
      baseOSContainerImage: 'registry.example.com/os@sha256:00',
      baseOSExtensionsContainerImage: 'registry.example.com/ext@sha256:00',
      releaseImage: '',
      proxy: null,
      infra: null,
      dns: null,
      ipFamilies: 'IPv4',
      network: null,
      ...overrides,
    },
    status: {
      observedGeneration: 1,
      conditions: [{ type: controllerConfigCondition.completed, status: 'True', lastTransitionTime: null }],
    },
  }
}

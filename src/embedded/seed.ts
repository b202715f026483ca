import { CustomResourceDefinition } from '../api/apiextensions.ts'
import { ControllerConfig } from '../api/controllerConfig.ts'
import { ConfigMap, Namespace, Node } from '../api/core.ts'
import { customResourceDefinitions } from '../api/generated/crds.ts'
import type { Kind } from '../api/kind.ts'
import { MachineConfig } from '../api/machineConfig.ts'
import { MachineConfigPool } from '../api/machineConfigPool.ts'
import { MachineConfiguration } from '../api/machineConfiguration.ts'
import type { KubernetesObject } from '../api/meta.ts'
import {
  controllerConfigAnnotation,
  controllerConfigCondition,
  machineConfigAnnotation,
  machineConfigLabel,
  nodeLabel,
  operatorNamespace,
  poolLabel,
  poolName,
  singletonName,
} from '../api/names.ts'
import { isAlreadyExists, type KubeApi } from '../kube/kubeApi.ts'

/** Which build runs: rendered configs and the ControllerConfig carry it, and the guards of the render room compare it. */
export interface BuildIdentity {
  readonly version: string
  readonly hash: string
}

/**
 * What an installer leaves behind on a new cluster: the kinds, the operator's namespace, the built-in pools with their base
 * configs, a finished ControllerConfig and the MachineConfiguration. Only what is missing is created: a restart, and whatever
 * a user changed, stay as they are.
 */
export async function seedCluster(
  kube: KubeApi,
  build: BuildIdentity,
  customPools: readonly string[],
  now: Date,
  clientCaPem = '',
): Promise<void> {
  for (const definition of customResourceDefinitions) await createMissing(kube, CustomResourceDefinition, definition)
  await createMissing(kube, Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: operatorNamespace } })
  // As a control plane publishes who signs the clients that kubelets trust: the source of their bundle.
  if (clientCaPem !== '')
    await createMissing(kube, ConfigMap, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace: 'kube-system', name: 'extension-apiserver-authentication' },
      data: { 'client-ca-file': clientCaPem },
    })
  await seedOperatorObjects(kube, build, now, clientCaPem)
  const nodes = customPools.length > 0 ? (await kube.list(Node)).items : []
  for (const name of customPools) {
    // A pool whose machines are there already had been created, and a user has deleted or renamed it since.
    const isKnown = nodes.some(({ metadata }) => metadata.labels?.[`${nodeLabel.rolePrefix}${name}`] !== undefined)
    if (!isKnown) await createMissing(kube, MachineConfigPool, customPool(name))
  }
}

const builtInRoles = [poolName.master, poolName.worker] as const

/** The names of these objects, over all their kinds. */
export const seededNames: ReadonlySet<string> = new Set([
  singletonName.controllerConfig,
  singletonName.machineConfiguration,
  ...builtInRoles.flatMap((role) => [role, `00-${role}`]),
])

/** What the operator owns and never leaves out: deleted by mistake, it comes back (seedKeeper.ts). */
export async function seedOperatorObjects(
  kube: KubeApi,
  build: BuildIdentity,
  now: Date,
  clientCaPem = '',
): Promise<void> {
  await seedControllerConfig(kube, build, now, clientCaPem)
  await createMissing(kube, MachineConfiguration, {
    apiVersion: 'operator.openshift.io/v1',
    kind: 'MachineConfiguration',
    metadata: { name: singletonName.machineConfiguration },
    spec: { logLevel: 'Normal', operatorLogLevel: 'Normal' },
  })
  for (const role of builtInRoles) {
    await createMissing(kube, MachineConfig, baseConfig(role, build))
    await createMissing(kube, MachineConfigPool, builtInPool(role))
  }
}

async function createMissing<T extends KubernetesObject>(
  kube: KubeApi,
  kind: Kind<T>,
  object: T,
): Promise<T | undefined> {
  return kube.create(kind, object).catch((error: unknown) => {
    if (isAlreadyExists(error)) return undefined
    throw error
  })
}

/** The template controller's output for a cluster without cloud, proxy or certificates of its own. */
async function seedControllerConfig(
  kube: KubeApi,
  build: BuildIdentity,
  now: Date,
  clientCaPem: string,
): Promise<void> {
  const apiVersion = 'config.openshift.io/v1'
  const created = await createMissing(kube, ControllerConfig, {
    apiVersion: 'machineconfiguration.openshift.io/v1',
    kind: 'ControllerConfig',
    metadata: {
      name: singletonName.controllerConfig,
      annotations: {
        [controllerConfigAnnotation.generatedByVersion]: build.version,
        [controllerConfigAnnotation.releaseImageVersion]: build.version,
      },
    },
    spec: {
      clusterDNSIP: '10.96.0.10',
      cloudProviderConfig: '',
      kubeAPIServerServingCAData: Buffer.from(clientCaPem).toString('base64'),
      rootCAData: '',
      cloudProviderCAData: null,
      additionalTrustBundle: null,
      images: {},
      baseOSContainerImage: '',
      baseOSExtensionsContainerImage: '',
      osImageURL: '',
      releaseImage: '',
      proxy: null,
      infra: {
        apiVersion,
        kind: 'Infrastructure',
        metadata: { name: singletonName.clusterSettings },
        spec: {},
        status: {
          controlPlaneTopology: 'HighlyAvailable',
          infrastructureTopology: 'HighlyAvailable',
          platform: 'None',
          platformStatus: { type: 'None' },
        },
      },
      dns: {
        apiVersion,
        kind: 'DNS',
        metadata: { name: singletonName.clusterSettings },
        spec: { baseDomain: 'cluster.local' },
      },
      ipFamilies: 'IPv4',
      network: { mtuMigration: null },
    },
  })
  if (!created) return
  const condition = (type: string, status: 'True' | 'False') => ({
    type,
    status,
    lastTransitionTime: now.toISOString(),
    reason: '',
    message: '',
  })
  await kube.updateStatus(ControllerConfig, {
    ...created,
    status: {
      observedGeneration: created.metadata.generation ?? 1,
      conditions: [
        condition(controllerConfigCondition.completed, 'True'),
        condition(controllerConfigCondition.running, 'False'),
        condition(controllerConfigCondition.failing, 'False'),
      ],
      controllerCertificates: [],
    },
  })
}

const nodeSelectorOf: Readonly<Record<string, string>> = {
  [poolName.master]: nodeLabel.master,
  [poolName.worker]: nodeLabel.worker,
}

function builtInPool(name: string): MachineConfigPool {
  return {
    apiVersion: 'machineconfiguration.openshift.io/v1',
    kind: 'MachineConfigPool',
    metadata: {
      name,
      labels: {
        [poolLabel.builtIn]: '',
        [`${poolLabel.poolPrefix}${name}`]: '',
        ...(name === poolName.master ? { [poolLabel.requiredForUpgrade]: '' } : {}),
      },
    },
    spec: {
      machineConfigSelector: { matchLabels: { [machineConfigLabel.role]: name } },
      nodeSelector: { matchLabels: { [nodeSelectorOf[name] ?? `${nodeLabel.rolePrefix}${name}`]: '' } },
    },
  }
}

function customPool(name: string): MachineConfigPool {
  return {
    apiVersion: 'machineconfiguration.openshift.io/v1',
    kind: 'MachineConfigPool',
    metadata: { name, labels: { [`${poolLabel.poolPrefix}${name}`]: '' } },
    spec: {
      machineConfigSelector: {
        matchExpressions: [{ key: machineConfigLabel.role, operator: 'In', values: [poolName.worker, name] }],
      },
      nodeSelector: { matchLabels: { [`${nodeLabel.rolePrefix}${name}`]: '' } },
    },
  }
}

/** What every node of the simulated fleet has from the start; the pool's configs are merged over it. */
function baseConfig(role: string, build: BuildIdentity): MachineConfig {
  const kubelet =
    '[Unit]\nDescription=Kubernetes kubelet\n\n[Service]\nExecStart=/usr/bin/kubelet --config=/etc/kubernetes/kubelet-config.yaml\nRestart=always\n\n[Install]\nWantedBy=multi-user.target\n'
  return {
    apiVersion: 'machineconfiguration.openshift.io/v1',
    kind: 'MachineConfig',
    metadata: {
      name: `00-${role}`,
      labels: { [machineConfigLabel.role]: role },
      annotations: { [machineConfigAnnotation.generatedByControllerVersion]: build.hash },
    },
    spec: {
      config: {
        ignition: { version: '3.5.0' },
        storage: {
          files: [
            {
              path: '/etc/kubernetes/kubelet-config.yaml',
              mode: 0o644,
              overwrite: true,
              contents: {
                source: `data:,${encodeURIComponent('apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n')}`,
              },
            },
          ],
        },
        systemd: { units: [{ name: 'kubelet.service', enabled: true, contents: kubelet }] },
      },
    },
  }
}

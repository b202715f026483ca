import { describe, expect, it } from 'vitest'
import type { ApiObject, HookContext } from '../server/resource.ts'
import { assignClusterIP, encodeStringData } from './coreDefaults.ts'
import { storedAsCoreEvent } from './eventConversion.ts'
import { defaultPod, defaultPodSpec, pullPolicy, qosClass } from './podDefaults.ts'
import { builtinResources } from './resources.ts'
import {
  defaultDaemonSetSpec,
  defaultDeploymentSpec,
  defaultJobSpec,
  defaultStatefulSetSpec,
} from './workloadDefaults.ts'

const context: HookContext = { now: new Date('2026-01-02T03:04:05Z') }
const resource = (kind: string) => {
  const found = builtinResources.find((each) => each.kind === kind)
  if (!found) throw new Error(`no built-in kind ${kind}`)
  return found
}

describe('pullPolicy', () => {
  it.each([
    ['nginx', 'Always'],
    ['nginx:latest', 'Always'],
    ['registry:5000/nginx', 'Always'],
    ['nginx:1.27', 'IfNotPresent'],
    ['registry:5000/nginx:1.27', 'IfNotPresent'],
    ['nginx@sha256:0123', 'IfNotPresent'],
  ])('of image %s is %s', (image, policy) => {
    expect(pullPolicy(image)).toBe(policy)
  })
})

describe('defaultPodSpec', () => {
  it('requests what is limited and writes quantities in canonical form', () => {
    const spec = { containers: [{ name: 'a', image: 'a:1', resources: { limits: { cpu: 2, memory: '1024Mi' } } }] }
    expect(defaultPodSpec(spec).containers).toEqual([
      {
        name: 'a',
        image: 'a:1',
        imagePullPolicy: 'IfNotPresent',
        resources: { limits: { cpu: '2', memory: '1Gi' }, requests: { cpu: '2', memory: '1Gi' } },
      },
    ])
  })

  it('gives a volume without a source an empty directory', () => {
    expect(defaultPodSpec({ containers: [], volumes: [{ name: 'v' }] }).volumes).toEqual([{ name: 'v', emptyDir: {} }])
  })

  it('opens container ports on the host when the pod uses the host network', () => {
    const spec = { hostNetwork: true, containers: [{ name: 'a', image: 'a:1', ports: [{ containerPort: 80 }] }] }
    expect(defaultPodSpec(spec).containers).toMatchObject([{ ports: [{ containerPort: 80, hostPort: 80 }] }])
  })

  it('changes nothing when run again', () => {
    const once = defaultPod({ containers: [{ name: 'a', image: 'a', resources: { requests: { cpu: '1500m' } } }] })
    expect(defaultPod(once)).toEqual(once)
  })

  it('keeps an own toleration instead of adding the usual one', () => {
    const spec = defaultPod({ containers: [], tolerations: [{ operator: 'Exists' }] })
    expect(spec.tolerations).toEqual([{ operator: 'Exists' }])
  })
})

describe('qosClass', () => {
  const pod = (resources: unknown) => ({ containers: [{ name: 'a', resources }] })
  it.each([
    [{}, 'BestEffort'],
    [{ requests: { cpu: '1' } }, 'Burstable'],
    [{ limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '1', memory: '1Gi' } }, 'Guaranteed'],
    [{ limits: { cpu: '2', memory: '1Gi' }, requests: { cpu: '1', memory: '1Gi' } }, 'Burstable'],
  ])('of resources %j is %s', (resources, expected) => {
    expect(qosClass(pod(resources))).toBe(expected)
  })
})

describe('defaults of workloads', () => {
  it('make a Deployment roll by a quarter', () => {
    expect(defaultDeploymentSpec({}).strategy).toEqual({
      type: 'RollingUpdate',
      rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' },
    })
  })
  it('give a Recreate strategy no pace', () => {
    expect(defaultDeploymentSpec({ strategy: { type: 'Recreate' } }).strategy).toEqual({ type: 'Recreate' })
  })
  it('make a DaemonSet replace one pod at a time', () => {
    expect(defaultDaemonSetSpec({}).updateStrategy).toEqual({
      type: 'RollingUpdate',
      rollingUpdate: { maxUnavailable: 1, maxSurge: 0 },
    })
  })
  it('keep the claims of a StatefulSet', () => {
    expect(defaultStatefulSetSpec({}).persistentVolumeClaimRetentionPolicy).toEqual({
      whenDeleted: 'Retain',
      whenScaled: 'Retain',
    })
  })
  it('leave completions of a work queue open', () => {
    expect(defaultJobSpec({ parallelism: 3 })).toEqual({
      parallelism: 3,
      backoffLimit: 6,
      podReplacementPolicy: 'TerminatingOrFailed',
    })
    expect(defaultJobSpec({})).toMatchObject({ completions: 1, parallelism: 1 })
  })
})

describe('hooks of built-in kinds', () => {
  it('encode the text values of a Secret', () => {
    expect(encodeStringData({ data: { a: 'AQ==' }, stringData: { b: 'hi' } })).toEqual({
      data: { a: 'AQ==', b: 'aGk=' },
    })
  })

  it('label a namespace with its name and start it Active', () => {
    const namespace: ApiObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a' } }
    expect(resource('Namespace').hooks?.prepareForCreate?.(namespace, context)).toEqual({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'a', labels: { 'kubernetes.io/metadata.name': 'a' } },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    })
  })

  it('give a service an address that depends on its UID only', () => {
    const first = assignClusterIP({}, 'uid-1')
    expect(first).toEqual(assignClusterIP({}, 'uid-1'))
    expect(first.clusterIP).toMatch(/^10\.(9[6-9]|10\d|11[01])\.\d+\.\d+$/)
    expect(assignClusterIP({ clusterIP: 'None' }, 'uid-1')).toEqual({ clusterIP: 'None', clusterIPs: ['None'] })
  })

  it('show one stored event in both groups', () => {
    const event: ApiObject = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'e', namespace: 'a' },
      involvedObject: { kind: 'Node', name: 'n' },
      message: 'text',
      reason: 'Cordon',
      type: 'Normal',
    }
    const shown = storedAsCoreEvent.fromStored(event)
    expect(shown).toMatchObject({
      apiVersion: 'events.k8s.io/v1',
      regarding: { kind: 'Node', name: 'n' },
      note: 'text',
    })
    expect(storedAsCoreEvent.toStored(shown)).toEqual(event)
  })
})

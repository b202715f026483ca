import { describe, expect, it } from 'vitest'
import { builtinResources } from '../builtins/resources.ts'
import { type ApiObject, allVerbs, type ResourceDefinition } from '../server/resource.ts'
import { formatDuration } from './age.ts'
import { type IncludeObject, tableOf } from './table.ts'

const now = new Date('2026-01-02T00:00:00Z')
const yesterday = '2026-01-01T00:00:00Z'

const resource = (kind: string): ResourceDefinition => {
  const found = builtinResources.find((each) => each.kind === kind)
  if (!found) throw new Error(`no built-in kind ${kind}`)
  return found
}
function table(of: ResourceDefinition, object: object, includeObject: IncludeObject = 'None') {
  const { metadata = {}, ...rest } = object as { metadata?: object }
  const complete: ApiObject = {
    apiVersion: of.group === '' ? 'v1' : `${of.group}/${of.version}`,
    kind: of.kind,
    metadata: { name: 'x', creationTimestamp: yesterday, ...metadata },
    ...rest,
  }
  return tableOf(of, [complete], { includeObject, version: 'v1', now })
}
/** What `kubectl get` shows: cells by heading. */
function shown(
  kind: string | ResourceDefinition,
  object: object,
  { wide = false } = {},
): Readonly<Record<string, unknown>> {
  const { columnDefinitions, rows } = table(typeof kind === 'string' ? resource(kind) : kind, object)
  const cells = rows[0]?.cells ?? []
  expect(cells).toHaveLength(columnDefinitions.length)
  return Object.fromEntries(
    columnDefinitions.flatMap(({ name, priority }, index) => (priority === 0 || wide ? [[name, cells[index]]] : [])),
  )
}

describe('formatDuration', () => {
  it.each([
    [-5, '<invalid>'],
    [-1, '0s'],
    [0, '0s'],
    [119, '119s'],
    [120, '2m'],
    [330, '5m30s'],
    [600, '10m'],
    [179 * 60, '179m'],
    [3 * 3600 + 720, '3h12m'],
    [8 * 3600 + 60, '8h'],
    [47 * 3600, '47h'],
    [52 * 3600, '2d4h'],
    [8 * 86_400, '8d'],
    [730 * 86_400, '2y'],
    [800 * 86_400, '2y70d'],
    [3000 * 86_400, '8y'],
  ])('of %d seconds is %s', (seconds, expected) => {
    expect(formatDuration(seconds * 1000)).toBe(expected)
  })
})

describe('tableOf nodes', () => {
  const ready = { conditions: [{ type: 'Ready', status: 'True' }], nodeInfo: { kubeletVersion: 'v1.32.0' } }
  it.each([
    ['Ready', {}, ready],
    ['Ready,SchedulingDisabled', { unschedulable: true }, ready],
    ['NotReady', {}, { conditions: [{ type: 'Ready', status: 'Unknown' }] }],
    ['Unknown', {}, {}],
  ])('shows the status %s', (expected, spec, status) => {
    expect(shown('Node', { spec, status }).Status).toBe(expected)
  })

  it('shows roles, age and version, and more with -o wide', () => {
    const labels = { 'node-role.kubernetes.io/worker': '', 'node-role.kubernetes.io/infra': '', zone: 'a' }
    const status = { ...ready, addresses: [{ type: 'InternalIP', address: '10.0.0.1' }] }
    expect(shown('Node', { metadata: { labels }, status })).toEqual({
      Name: 'x',
      Status: 'Ready',
      Roles: 'infra,worker',
      Age: '24h',
      Version: 'v1.32.0',
    })
    expect(shown('Node', { status }, { wide: true })).toMatchObject({
      Roles: '<none>',
      'Internal-IP': '10.0.0.1',
      'External-IP': '<none>',
      'OS-Image': '<unknown>',
    })
  })
})

describe('tableOf pods', () => {
  const running = { name: 'a', ready: true, restartCount: 0, state: { running: {} } }
  const spec = { containers: [{ name: 'a' }] }
  it.each<[string, object]>([
    ['Running', { status: { phase: 'Running', containerStatuses: [running] } }],
    ['Pending', { status: { phase: 'Pending' } }],
    [
      'CrashLoopBackOff',
      {
        status: {
          phase: 'Running',
          containerStatuses: [{ ...running, state: { waiting: { reason: 'CrashLoopBackOff' } } }],
        },
      },
    ],
    [
      'Completed',
      {
        status: {
          phase: 'Succeeded',
          containerStatuses: [{ ...running, state: { terminated: { reason: 'Completed', exitCode: 0 } } }],
        },
      },
    ],
    [
      'ExitCode:3',
      { status: { phase: 'Failed', containerStatuses: [{ ...running, state: { terminated: { exitCode: 3 } } }] } },
    ],
    ['Evicted', { status: { phase: 'Failed', reason: 'Evicted' } }],
    ['Terminating', { metadata: { deletionTimestamp: yesterday }, status: { phase: 'Running' } }],
    ['Unknown', { metadata: { deletionTimestamp: yesterday }, status: { phase: 'Running', reason: 'NodeLost' } }],
    [
      'Init:0/1',
      {
        spec: { ...spec, initContainers: [{ name: 'i' }] },
        status: { phase: 'Pending', initContainerStatuses: [{ name: 'i', state: { running: {} } }] },
      },
    ],
    [
      'Init:Error',
      {
        spec: { ...spec, initContainers: [{ name: 'i' }] },
        status: {
          phase: 'Pending',
          initContainerStatuses: [{ name: 'i', state: { terminated: { reason: 'Error', exitCode: 1 } } }],
        },
      },
    ],
    [
      'SchedulingGated',
      {
        status: {
          phase: 'Pending',
          conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }],
        },
      },
    ],
  ])('shows the status %s', (expected, pod) => {
    expect(shown('Pod', { spec, ...pod }).Status).toBe(expected)
  })

  it('counts ready containers and restarts', () => {
    const restarted = { ...running, restartCount: 2, lastState: { terminated: { finishedAt: '2026-01-01T23:55:00Z' } } }
    const status = { phase: 'Running', podIP: '10.1.0.1', containerStatuses: [restarted] }
    const pod = { spec: { containers: [{ name: 'a' }, { name: 'b' }], nodeName: 'n' }, status }
    expect(shown('Pod', pod, { wide: true })).toEqual({
      Name: 'x',
      Ready: '1/2',
      Status: 'Running',
      Restarts: '2 (5m ago)',
      Age: '24h',
      IP: '10.1.0.1',
      Node: 'n',
      'Nominated Node': '<none>',
      'Readiness Gates': '<none>',
    })
  })

  it('marks a pod that is over', () => {
    expect(table(resource('Pod'), { status: { phase: 'Succeeded' } }).rows[0]?.conditions).toMatchObject([
      { type: 'Completed', status: 'True', reason: 'Succeeded' },
    ])
  })
})

describe('tableOf other kinds', () => {
  it.each<[string, object, object]>([
    [
      'Deployment',
      { spec: { replicas: 3 }, status: { readyReplicas: 1, updatedReplicas: 2, availableReplicas: 1 } },
      { Name: 'x', Ready: '1/3', 'Up-to-date': 2, Available: 1, Age: '24h' },
    ],
    ['ReplicaSet', { spec: { replicas: 2 } }, { Name: 'x', Desired: 2, Current: 0, Ready: 0, Age: '24h' }],
    [
      'DaemonSet',
      {
        spec: { template: { spec: { nodeSelector: { a: 'b' } } } },
        status: { desiredNumberScheduled: 2, numberReady: 1 },
      },
      {
        Name: 'x',
        Desired: 2,
        Current: 0,
        Ready: 1,
        'Up-to-date': 0,
        Available: 0,
        'Node Selector': 'a=b',
        Age: '24h',
      },
    ],
    ['StatefulSet', { spec: { replicas: 1 } }, { Name: 'x', Ready: '0/1', Age: '24h' }],
    [
      'Job',
      {
        spec: { completions: 1 },
        status: {
          succeeded: 1,
          startTime: '2026-01-01T00:00:00Z',
          completionTime: '2026-01-01T00:01:30Z',
          conditions: [{ type: 'Complete', status: 'True' }],
        },
      },
      { Name: 'x', Status: 'Complete', Completions: '1/1', Duration: '90s', Age: '24h' },
    ],
    ['Namespace', { status: { phase: 'Terminating' } }, { Name: 'x', Status: 'Terminating', Age: '24h' }],
    ['Lease', { spec: { holderIdentity: 'me' } }, { Name: 'x', Holder: 'me', Age: '24h' }],
    [
      'PodDisruptionBudget',
      { spec: { minAvailable: '50%' }, status: { disruptionsAllowed: 1 } },
      { Name: 'x', 'Min Available': '50%', 'Max Unavailable': 'N/A', 'Allowed Disruptions': 1, Age: '24h' },
    ],
    [
      'Ingress',
      { spec: { rules: [{}] } },
      { Name: 'x', Class: '<none>', Hosts: '*', Address: '', Ports: '80', Age: '24h' },
    ],
    [
      'Ingress',
      {
        spec: {
          ingressClassName: 'nginx',
          rules: ['a', 'b', 'c', 'd', 'e'].map((host) => ({ host })),
          tls: [{ hosts: ['a'] }],
        },
        status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }, { hostname: 'lb' }] } },
      },
      { Name: 'x', Class: 'nginx', Hosts: 'a,b,c + 2 more...', Address: '192.0.2.1,lb', Ports: '80, 443', Age: '24h' },
    ],
    ['ConfigMap', { data: { a: '1' }, binaryData: { b: 'AA==' } }, { Name: 'x', Data: 2, Age: '24h' }],
    ['Secret', { type: 'Opaque', data: { a: 'AA==' } }, { Name: 'x', Type: 'Opaque', Data: 1, Age: '24h' }],
    ['ServiceAccount', {}, { Name: 'x', Secrets: 0, Age: '24h' }],
    [
      'Service',
      { spec: { type: 'NodePort', clusterIP: '10.96.0.1', ports: [{ port: 80, nodePort: 30080, protocol: 'TCP' }] } },
      {
        Name: 'x',
        Type: 'NodePort',
        'Cluster-IP': '10.96.0.1',
        'External-IP': '<none>',
        'Port(s)': '80:30080/TCP',
        Age: '24h',
      },
    ],
    ['CustomResourceDefinition', {}, { Name: 'x', 'Created At': yesterday }],
    [
      'RoleBinding',
      { roleRef: { kind: 'Role', name: 'r' }, subjects: [{ kind: 'ServiceAccount', name: 's', namespace: 'n' }] },
      { Name: 'x', Role: 'Role/r', Age: '24h' },
    ],
  ])('shows a %s', (kind, object, expected) => {
    expect(shown(kind, object)).toEqual(expected)
  })

  it('shows one event alike in both API groups', () => {
    const core = {
      involvedObject: { kind: 'Node', name: 'a' },
      reason: 'Drain',
      message: 'done\n',
      type: 'Normal',
      lastTimestamp: '2026-01-01T23:59:00Z',
      count: 3,
    }
    const expected = { 'Last Seen': '60s', Type: 'Normal', Reason: 'Drain', Object: 'node/a', Message: 'done' }
    expect(shown('Event', core)).toEqual(expected)
    const events = builtinResources.find(({ group }) => group === 'events.k8s.io')
    const { involvedObject: regarding, message: note, lastTimestamp: deprecatedLastTimestamp, reason, type } = core
    expect(events && shown(events, { regarding, note, deprecatedLastTimestamp, reason, type })).toEqual(expected)
  })

  it('gives every built-in kind as many cells as columns', () => {
    for (const each of builtinResources) shown(each, {}, { wide: true })
  })
})

describe('tableOf custom resources', () => {
  const widget: ResourceDefinition = {
    group: 'example.com',
    version: 'v1',
    kind: 'Widget',
    plural: 'widgets',
    singular: 'widget',
    namespaced: false,
    verbs: allVerbs,
    custom: true,
  }
  const columns = [
    { name: 'Config', type: 'string', jsonPath: '.spec.configuration.name' },
    { name: 'Updated', type: 'string', jsonPath: '.status.conditions[?(@.type=="Updated")].status' },
    { name: 'Count', type: 'integer', jsonPath: '.status.machineCount' },
    { name: 'Seen', type: 'date', jsonPath: '.status.seen' },
    { name: 'Tags', type: 'string', jsonPath: '.spec.tags', priority: 1 },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ]

  it('follow their printer columns', () => {
    const object = {
      spec: { configuration: { name: 'rendered-a' }, tags: ['a', 'b'] },
      status: { machineCount: 3, conditions: [{ type: 'Updated', status: 'True' }], seen: '2026-01-01T23:59:30Z' },
    }
    expect(shown({ ...widget, columns }, object, { wide: true })).toEqual({
      Name: 'x',
      Config: 'rendered-a',
      Updated: 'True',
      Count: 3,
      Seen: '30s',
      Tags: '["a","b"]',
      Age: '24h',
    })
  })

  it('leave cells without a value empty', () => {
    expect(shown({ ...widget, columns }, {})).toEqual({
      Name: 'x',
      Config: null,
      Updated: null,
      Count: null,
      Seen: null,
      Age: '24h',
    })
  })

  it('show their age when they have no columns', () => {
    expect(shown(widget, {})).toEqual({ Name: 'x', Age: '24h' })
  })
})

describe('tableOf rows', () => {
  it.each<[IncludeObject, object | undefined]>([
    ['None', undefined],
    [
      'Metadata',
      {
        kind: 'PartialObjectMetadata',
        apiVersion: 'meta.k8s.io/v1',
        metadata: { name: 'x', creationTimestamp: yesterday },
      },
    ],
    [
      'Object',
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x', creationTimestamp: yesterday }, data: {} },
    ],
  ])('carry %s of the object', (includeObject, expected) => {
    expect(table(resource('ConfigMap'), { data: {} }, includeObject).rows[0]?.object).toEqual(expected)
  })
})

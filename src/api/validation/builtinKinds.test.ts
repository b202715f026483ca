import { describe, expect, test } from 'vitest'
import { formatFieldError } from '../../schema/fieldError.ts'
import { Lease } from '../coordination.ts'
import { ConfigMap, Namespace, Node, Pod, type PodSpec, Secret, ServiceAccount } from '../core.ts'
import type { Kind } from '../kind.ts'
import type { KubernetesObject } from '../meta.ts'
import { PodDisruptionBudget } from '../policy.ts'
import { ClusterRole } from '../rbac.ts'
import { nameRuleOf, validationOfKind } from './builtinKinds.ts'

type AnyKind = Pick<Kind<KubernetesObject>, 'group' | 'kind'>

function errorsOf(kind: AnyKind, members: object, old?: object): readonly string[] {
  const metadata = { name: 'a' }
  const complete = (value: object): KubernetesObject => ({ metadata, ...value })
  return validationOfKind(kind)(complete(members), old && complete(old)).map(formatFieldError)
}

const base64 = (text: string) => Buffer.from(text).toString('base64')
const pod = (spec: object = {}): { spec: PodSpec } => ({ spec: { containers: [{ name: 'c', image: 'i' }], ...spec } })
const taint = (key: string, effect: string, value?: string) => ({
  key,
  effect,
  ...(value === undefined ? {} : { value }),
})

describe('validationOfKind', () => {
  test.each<[string, AnyKind, object, readonly string[]]>([
    ['Node without spec', Node, {}, []],
    ['Node with taints', Node, { spec: { taints: [taint('a', 'NoSchedule'), taint('a', 'NoExecute', 'v')] } }, []],
    [
      'Node with a repeated taint',
      Node,
      { spec: { taints: [taint('a', 'NoSchedule'), taint('a', 'NoSchedule', 'v')] } },
      ['spec.taints[1]: Duplicate value: {"key":"a","effect":"NoSchedule"}'],
    ],
    [
      'Node with an unknown effect',
      Node,
      { spec: { taints: [taint('a', 'Never')] } },
      [
        'spec.taints[0].effect: Unsupported value: "Never": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
      ],
    ],
    ['Pod', Pod, pod(), []],
    ['Pod without containers', Pod, { spec: { containers: [] } }, ['spec.containers: Required value']],
    [
      'Pod with repeated names',
      Pod,
      pod({ initContainers: [{ name: 'c', image: 'i' }] }),
      ['spec.initContainers[0].name: Duplicate value: "c"'],
    ],
    ['Pod without image', Pod, { spec: { containers: [{ name: 'c' }] } }, ['spec.containers[0].image: Required value']],
    [
      'Pod with an unknown policy',
      Pod,
      pod({ restartPolicy: 'Maybe' }),
      ['spec.restartPolicy: Unsupported value: "Maybe": supported values: "Always", "OnFailure", "Never"'],
    ],
    ['budget by percentage', PodDisruptionBudget, { spec: { minAvailable: '50%', selector: {} } }, []],
    [
      'budget with both limits',
      PodDisruptionBudget,
      { spec: { minAvailable: 1, maxUnavailable: 1 } },
      ['spec: Invalid value: "minAvailable, maxUnavailable": minAvailable and maxUnavailable cannot be both set'],
    ],
    [
      'budget below zero',
      PodDisruptionBudget,
      { spec: { maxUnavailable: -1 } },
      ['spec.maxUnavailable: Invalid value: -1: must be greater than or equal to 0'],
    ],
    [
      'budget above 100%',
      PodDisruptionBudget,
      { spec: { maxUnavailable: '101%' } },
      ['spec.maxUnavailable: Invalid value: "101%": must not be greater than 100%'],
    ],
    [
      'budget with a bad selector',
      PodDisruptionBudget,
      { spec: { selector: { matchExpressions: [{ key: 'a', operator: 'Has' }] } } },
      ['spec.selector: Invalid value: "object": "Has" is not a valid label selector operator'],
    ],
    ['Lease', Lease, { spec: { leaseDurationSeconds: 15, leaseTransitions: 0 } }, []],
    [
      'Lease without duration',
      Lease,
      { spec: { leaseDurationSeconds: 0 } },
      ['spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0'],
    ],
    ['ConfigMap', ConfigMap, { data: { 'a.b': 'x' }, binaryData: { c: 'YQ==' } }, []],
    [
      'ConfigMap with one key twice',
      ConfigMap,
      { data: { a: 'x' }, binaryData: { a: 'YQ==' } },
      ['data[a]: Invalid value: "a": duplicate of key present in binaryData'],
    ],
    [
      'ConfigMap above 1 MiB',
      ConfigMap,
      { data: { a: 'x'.repeat(1024 * 1024 + 1) } },
      ['<nil>: Too long: may not be more than 1048576 bytes'],
    ],
    [
      'Secret with credentials',
      Secret,
      { type: 'kubernetes.io/dockerconfigjson', data: { '.dockerconfigjson': base64('{"auths":{}}') } },
      [],
    ],
    [
      'Secret without the key of its type',
      Secret,
      { type: 'kubernetes.io/dockerconfigjson' },
      ['data[.dockerconfigjson]: Required value'],
    ],
    [
      'Secret with broken credentials',
      Secret,
      { type: 'kubernetes.io/dockerconfigjson', data: { '.dockerconfigjson': base64('hunter2') } },
      [
        'data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": expected a JSON object of registry credentials',
      ],
    ],
    ['TLS Secret', Secret, { type: 'kubernetes.io/tls', data: { 'tls.crt': '' } }, ['data[tls.key]: Required value']],
    ['kind without rules', ServiceAccount, {}, []],
  ])('%s', (_case, kind, members, expected) => {
    expect(errorsOf(kind, members)).toEqual(expected)
  })

  const immutable = 'field is immutable when `immutable` is set'
  test.each<[string, AnyKind, object, object, readonly string[]]>([
    [
      'immutable ConfigMap',
      ConfigMap,
      { immutable: true, data: { a: '2' } },
      { immutable: true, data: { a: '1' } },
      [`data: Forbidden: ${immutable}`],
    ],
    [
      'ConfigMap made mutable',
      ConfigMap,
      { data: { a: '1' } },
      { immutable: true, data: { a: '1' } },
      [`immutable: Forbidden: ${immutable}`],
    ],
    ['type of a Secret', Secret, { type: 'b' }, { type: 'a' }, ['type: Invalid value: "b": field is immutable']],
    [
      'image and tolerations of a pod',
      Pod,
      pod({ containers: [{ name: 'c', image: 'j' }], tolerations: [{ operator: 'Exists' }] }),
      pod(),
      [],
    ],
    ['first node of a pod', Pod, pod({ nodeName: 'n' }), pod(), []],
    [
      'another node of a pod',
      Pod,
      pod({ nodeName: 'n' }),
      pod({ nodeName: 'm' }),
      [expect.stringMatching(/^spec: Forbidden: pod updates may not change fields other than/)],
    ],
    [
      'arguments of a container',
      Pod,
      pod({ containers: [{ name: 'c', image: 'i', args: ['x'] }] }),
      pod(),
      [expect.stringMatching(/^spec: Forbidden/)],
    ],
  ])('update of the %s', (_case, kind, members, old, expected) => {
    expect(errorsOf(kind, members, old)).toEqual(expected)
  })
})

test('nameRuleOf: labels for namespaces, path segments for roles, subdomains for the rest', () => {
  expect(nameRuleOf(Namespace)('a.b')).toHaveLength(1)
  expect(nameRuleOf(ClusterRole)('system:node')).toEqual([])
  expect(nameRuleOf(Node)('a.b')).toEqual([])
  expect(nameRuleOf(Node)('system:node')).toHaveLength(1)
})

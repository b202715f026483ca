import type { ApiObject } from '../server/resource.ts'
import {
  age,
  ageColumn,
  at,
  column,
  conditionOf,
  items,
  listOrNone,
  type Printer,
  printer,
  text,
  wide,
} from './printer.ts'

const columns = [
  column('Status', 'Whether the node is ready, and whether pods may be placed on it.'),
  column('Roles', 'Roles from the labels of the node.'),
  ageColumn,
  column('Version', 'Version of the kubelet.'),
  wide('Internal-IP', 'Address inside the cluster.'),
  wide('External-IP', 'Address outside the cluster.'),
  wide('OS-Image', 'Operating system as it calls itself.'),
  wide('Kernel-Version', 'Version of the kernel.'),
  wide('Container-Runtime', 'Container runtime and its version.'),
]

export const nodePrinter: Printer = printer(columns, (node, now) => {
  const info = at(node, 'status', 'nodeInfo')
  return [
    nodeStatus(node),
    listOrNone(nodeRoles(node)),
    age(node, now),
    text(at(info, 'kubeletVersion')),
    address(node, 'InternalIP'),
    address(node, 'ExternalIP'),
    text(at(info, 'osImage'), '<unknown>'),
    text(at(info, 'kernelVersion'), '<unknown>'),
    text(at(info, 'containerRuntimeVersion'), '<unknown>'),
  ]
})

function nodeStatus(node: ApiObject): string {
  const ready = conditionOf(node, 'Ready')
  const readiness = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady'
  return at(node, 'spec', 'unschedulable') === true ? `${readiness},SchedulingDisabled` : readiness
}

const rolePrefix = 'node-role.kubernetes.io/'

/** `node-role.kubernetes.io/ROLE` labels and the value of `kubernetes.io/role`. */
function nodeRoles(node: ApiObject): readonly string[] {
  const roles = Object.entries(node.metadata.labels ?? {}).flatMap(([label, value]) => {
    const role = label.startsWith(rolePrefix)
      ? label.slice(rolePrefix.length)
      : label === 'kubernetes.io/role'
        ? value
        : ''
    return role === '' ? [] : [role]
  })
  return [...new Set(roles)].sort()
}

const address = (node: ApiObject, type: string): string =>
  text(items(at(node, 'status', 'addresses')).find((each) => each.type === type)?.address, '<none>')

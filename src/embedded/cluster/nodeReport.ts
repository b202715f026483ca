import { createHash } from 'node:crypto'
import type { NodeCondition, NodeStatus, NodeSystemInfo, Taint } from '../../api/core.ts'
import { secondsOf } from './podConditions.ts'

/** One machine, as its kubelet will register it. */
export interface KubeletSpec {
  readonly name: string
  readonly labels?: Readonly<Record<string, string>>
  readonly taints?: readonly Taint[]
  readonly capacity?: Readonly<Record<string, string>>
  readonly address?: string
  readonly nodeInfo?: NodeSystemInfo
}

export type ReadyCondition = Pick<NodeCondition, 'status' | 'reason' | 'message'>

export const ready: ReadyCondition = {
  status: 'True',
  reason: 'KubeletReady',
  message: 'kubelet is posting ready status',
}

/** What a kubelet says about its node: everything but what others write there. */
export function reportedStatus(
  { nodeInfo, capacity = defaultCapacity }: KubeletSpec,
  { name, bootId, hostIp }: { readonly name: string; readonly bootId: string; readonly hostIp: string },
  condition: ReadyCondition,
  now: Date,
): NodeStatus {
  const time = secondsOf(now)
  const conditions = [...pressures, { type: 'Ready', ...condition }]
  return {
    capacity,
    allocatable: capacity,
    addresses: [
      { type: 'InternalIP', address: hostIp },
      { type: 'Hostname', address: name },
    ],
    nodeInfo: {
      ...defaultNodeInfo,
      ...nodeInfo,
      machineID: nodeInfo?.machineID || machineIdOf(name),
      systemUUID: nodeInfo?.systemUUID || machineIdOf(name),
      bootID: bootId,
    },
    conditions: conditions.map((each) => ({ ...each, lastHeartbeatTime: time, lastTransitionTime: time })),
  }
}

const fine = (type: string, reason: string, message: string): NodeCondition => ({
  type,
  status: 'False',
  reason,
  message,
})

const pressures: readonly NodeCondition[] = [
  fine('MemoryPressure', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'),
  fine('DiskPressure', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'),
  fine('PIDPressure', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'),
]

const defaultCapacity = { cpu: '4', memory: '16Gi', 'ephemeral-storage': '100Gi', pods: '250' }

const defaultNodeInfo: NodeSystemInfo = {
  kernelVersion: '6.1.0',
  osImage: 'Simulated Linux',
  containerRuntimeVersion: 'cri-o://1.33.0',
  kubeletVersion: 'v1.33.0',
  kubeProxyVersion: '',
  operatingSystem: 'linux',
  architecture: 'amd64',
}

/** 32 hexadecimal digits, the same for the same machine in every run. */
function machineIdOf(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, 32)
}

/** Where the test hosts see the unpacked image. */
export const imageInside = '/opt/mco-image'
/** On the node, where the service account's files are: a kubelet would mount them from a volume. */
export const accountInside = '/etc/mco-test/serviceaccount'

export interface ContainerOptions {
  /** Of `mco`. */
  readonly args: readonly string[]
  readonly env?: readonly string[]
  /** Mounts the files of a service account. */
  readonly account?: boolean
  /** Programs of the image that are as if they were not there. */
  readonly without?: readonly string[]
  /** False: a process namespace of its own, in which the host's init is not seen. */
  readonly hostProcesses?: boolean
}

/**
 * The OCI configuration that a kubelet would make of a DaemonSet's pod with `privileged`, `hostPID`, `hostNetwork`, the
 * root of the host at /rootfs (HostToContainer) and a read-only root of its own.
 */
export function containerBundle({
  args,
  env = [],
  account = false,
  without = [],
  hostProcesses = true,
}: ContainerOptions): object {
  return {
    ociVersion: '1.0.2',
    process: {
      terminal: false,
      user: { uid: 0, gid: 0 },
      args: ['/usr/bin/node', '/opt/mco/dist/mco.mjs', ...args],
      env: ['PATH=/usr/sbin:/usr/bin', ...env],
      cwd: '/',
      capabilities: Object.fromEntries(capabilitySets.map((set) => [set, capabilities])),
    },
    root: { path: imageInside, readonly: true },
    mounts: [
      { destination: '/proc', type: 'proc', source: 'proc' },
      { destination: '/dev', type: 'bind', source: '/dev', options: ['rbind', 'rslave'] },
      { destination: '/sys', type: 'bind', source: '/sys', options: ['rbind', 'rslave', 'ro'] },
      { destination: '/rootfs', type: 'bind', source: '/', options: ['rbind', 'rslave'] },
      ...(account ? [accountMount] : []),
      ...without.map((destination) => ({ destination, type: 'bind', source: '/dev/null', options: ['bind'] })),
    ],
    // The network is the host's.
    linux: {
      namespaces: ['mount', 'uts', 'ipc', ...(hostProcesses ? [] : ['pid'])].map((type) => ({ type })),
      rootfsPropagation: 'rslave',
    },
  }
}

const accountMount = {
  destination: '/var/run/secrets/kubernetes.io/serviceaccount',
  type: 'bind',
  source: accountInside,
  options: ['rbind', 'ro'],
}

const capabilitySets = ['bounding', 'effective', 'permitted']
/** The part of `privileged` that the daemon and its commands on the host use; a test host lacks some of the rest itself. */
const capabilities = [
  'CAP_CHOWN',
  'CAP_DAC_OVERRIDE',
  'CAP_DAC_READ_SEARCH',
  'CAP_FOWNER',
  'CAP_FSETID',
  'CAP_KILL',
  'CAP_LINUX_IMMUTABLE',
  'CAP_MKNOD',
  'CAP_SETFCAP',
  'CAP_SETGID',
  'CAP_SETPCAP',
  'CAP_SETUID',
  'CAP_SYS_ADMIN',
  'CAP_SYS_BOOT',
  'CAP_SYS_CHROOT',
  'CAP_SYS_PTRACE',
]

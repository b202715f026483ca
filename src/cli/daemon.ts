import process from 'node:process'
import { Command, Option } from 'commander'
import { type DriftMode, driftModes } from '../daemon/driftMode.ts'
import { HostInUse } from '../daemon/hostLock.ts'
import { runNodeProcess } from '../daemon/nodeProcess.ts'
import { defaultSshUser } from '../daemon/plan.ts'
import { systemClock } from '../kube/clock.ts'
import type { Log } from '../kube/log.ts'
import { hostAndPort } from './argumentParsers.ts'
import { connect } from './connect.ts'
import { CliError, exitCodes } from './exitCodes.ts'
import { type LogLevel, openLog } from './log.ts'
import { openHost } from './rootOption.ts'
import { leavingLastWords, terminationLogOption } from './terminationLog.ts'

interface DaemonFlags {
  readonly nodeName: string
  readonly kubeconfig?: string
  readonly context?: string
  readonly rootMount: string
  readonly driftMode: DriftMode
  readonly sshUser: string
  readonly authorizedKeys?: string
  readonly metricsUrl: { readonly host: string; readonly port: number }
  readonly kubeletHealthzEndpoint: string
  readonly terminationLog: string
  readonly logLevel: LogLevel
}

/** `mco daemon`: keeps one node at the config that the cluster wants for it, until SIGTERM. */
export function daemonCommand(): Command {
  return new Command('daemon')
    .description('keep one node at the config that its Node object asks for; runs on each node of a cluster')
    .addOption(new Option('--node-name <name>', 'the Node that this machine is').env('NODE_NAME').makeOptionMandatory())
    .option('--kubeconfig <file>', "kubeconfig file (default: $KUBECONFIG, ~/.kube/config, the pod's service account)")
    .option('--context <name>', 'context of the kubeconfig')
    .option('--root-mount <directory>', "where the machine's root is mounted; / without a container", '/rootfs')
    .addOption(
      new Option('--drift-mode <mode>', 'what to do about changes by hand, where the pool does not say')
        .choices([...driftModes])
        .default('degrade'),
    )
    .option('--ssh-user <name>', 'the user whose keys and password are managed', defaultSshUser)
    .option('--authorized-keys <file>', "key file below that user's home (default: the one that sshd reads)")
    .addOption(
      new Option('--metrics-url <host:port>', 'where /healthz and /metrics are answered')
        .argParser(hostAndPort)
        .default({ host: '127.0.0.1', port: 8797 }, '127.0.0.1:8797'),
    )
    .option(
      '--kubelet-healthz-endpoint <url>',
      'asked every 30 seconds; empty for never',
      'http://localhost:10248/healthz',
    )
    .addOption(terminationLogOption())
    .addOption(
      new Option('--log-level <level>', 'what goes to standard error')
        .choices(['debug', 'info', 'warn', 'error'])
        .default('info'),
    )
    .addHelpText(
      'after',
      '\nExamples:\n  mco daemon --node-name worker-0 --kubeconfig /etc/kubernetes/kubelet.conf --root-mount /\n  NODE_NAME=worker-0 mco daemon --root-mount /rootfs --drift-mode repair',
    )
    .action((flags: DaemonFlags) => {
      const log = openLog({ level: flags.logLevel })
      return leavingLastWords(flags.terminationLog, log.warn, () => run(flags, log))
    })
}

async function run(flags: DaemonFlags, log: Log): Promise<void> {
  const { nodeName, driftMode, sshUser, authorizedKeys, kubeletHealthzEndpoint: kubelet } = flags
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort(new Error(signal)))
  const host = await openHost(flags.rootMount, { option: '--root-mount', mustRun: true })
  try {
    await runNodeProcess(
      {
        nodeName,
        driftMode,
        sshUser,
        authorizedKeysFile: authorizedKeys ?? host.authorizedKeysFile,
        kube: await connect(flags, 'machine-config-daemon'),
        host,
        clock: systemClock,
        random: Math.random,
        log,
        status: flags.metricsUrl,
        ...(kubelet === '' ? {} : { probeKubelet: (signal) => fetch(kubelet, { signal }) }),
      },
      stop.signal,
    )
  } catch (error) {
    throw startFault(error, flags)
  } finally {
    host.close()
  }
}

function startFault(error: unknown, { metricsUrl: { host, port } }: DaemonFlags): unknown {
  if (error instanceof HostInUse) return new CliError(error.message, exitCodes.unavailable, { cause: error })
  if (error instanceof Error && 'code' in error && (error.code === 'EADDRINUSE' || error.code === 'EADDRNOTAVAIL'))
    return new CliError(
      `${host}:${port} cannot be listened on (${error.code}); choose another with --metrics-url`,
      exitCodes.unavailable,
      { cause: error },
    )
  return error
}

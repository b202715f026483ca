import process from 'node:process'
import { Command, InvalidArgumentError, Option } from 'commander'
import type { TlsSecurityProfile } from '../api/tlsSecurityProfile.ts'
import { systemClock } from '../kube/clock.ts'
import type { Log } from '../kube/log.ts'
import { defaultLimits, type ServiceLimits } from '../server/configService.ts'
import { directoryBodies, readTlsProfile } from '../server/directorySource.ts'
import { type JoinFormat, joinFormats } from '../server/joinFiles.ts'
import { compatibleStyle, privateStyle, type ServeStyle } from '../server/servedConfig.ts'
import { profileToTlsChoice } from '../server/tlsProfile.ts'
import { type TlsChoice, type TlsSettings, tlsSettings } from '../server/tlsSettings.ts'
import { type AccessMode, accessModes } from '../server/tokens/tokenGate.ts'
import { hostAndPort, wholeNumber } from './argumentParsers.ts'
import { connect } from './connect.ts'
import { CliError, exitCodes } from './exitCodes.ts'
import { type LogLevel, openLog } from './log.ts'
import { leavingLastWords, terminationLogOption } from './terminationLog.ts'
import { type TokenPlace, tokenNamespaceOption } from './tokenOptions.ts'

interface ServerFlags {
  readonly bindAddress?: string
  readonly securePort: number
  readonly insecurePort: number
  readonly cert: string
  readonly key: string
  readonly tlsCipherSuites: string
  readonly tlsMinVersion: string
  readonly payloadVersion?: string
  readonly metricsUrl: { readonly host: string; readonly port: number }
  readonly maxConnections: number
  readonly rateLimit: number
  readonly compatibleFileModes?: true
  readonly terminationLog: string
  readonly logLevel: LogLevel
}

interface StartFlags extends ServerFlags, TokenPlace {
  readonly apiserverUrl: string
  readonly kubeconfig?: string
  readonly context?: string
  readonly access: AccessMode
  readonly serveSecretsOpenly?: true
  readonly joinFormat: JoinFormat
  readonly joinCredentials: string
  readonly keep: string
}

interface BootstrapFlags extends ServerFlags {
  readonly serverBasedir: string
  readonly bootstrapKubeconfig: string
  readonly bootstrapCerts?: readonly string[]
}

/** `mco server`: hands their config to machines that boot for the first time. */
export function serverCommand(): Command {
  return new Command('server')
    .description('serve Ignition configs to machines that boot for the first time')
    .addCommand(startCommand().exitOverride())
    .addCommand(bootstrapCommand().exitOverride())
}

function startCommand(): Command {
  return withServerOptions(new Command('start').description('serve the pools of a running cluster'))
    .requiredOption('--apiserver-url <url>', 'where new machines reach the API server', apiServerUrl)
    .option('--kubeconfig <file>', "kubeconfig file (default: $KUBECONFIG, ~/.kube/config, the pod's service account)")
    .option('--context <name>', 'context of the kubeconfig')
    .addOption(
      new Option('--access <mode>', 'what a client must show: a join token; nothing, but say so; nothing at all')
        .choices([...accessModes])
        .default('token'),
    )
    .addOption(tokenNamespaceOption())
    .option('--serve-secrets-openly', 'give files that are marked as secret to clients without a token too')
    .addOption(
      new Option('--join-format <format>', 'how the machines of this distribution are told where to join')
        .choices([...joinFormats])
        .default('kubeconfig'),
    )
    .option(
      '--join-credentials <directory>',
      'a mounted Secret: token and ca.crt, or token-id and token-secret',
      '/etc/mcs/bootstrap-token',
    )
    .option(
      '--keep <directory>',
      'the last known configs, for starts without the API server; empty keeps none',
      '/var/lib/machine-config-server',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  mco server start --apiserver-url https://api-int.example.com:6443\n  mco server start --apiserver-url https://10.0.0.1:6443 --join-format kubeadm --cert tls.crt --key tls.key --kubeconfig admin.conf',
    )
    .action((flags: StartFlags) => untilItFails(flags, () => start(flags)))
}

async function start(flags: StartFlags): Promise<void> {
  const { access, joinFormat, joinCredentials, keep, apiserverUrl: url } = flags
  const signal = untilTold()
  // Loaded only here: the other verbs stay small.
  const { runServerProcess } = await import('../server/serverProcess.ts')
  await runServerProcess(
    {
      ...common(flags),
      kube: await connect(flags, 'machine-config-server'),
      random: Math.random,
      certificate: { kind: 'files', certFile: flags.cert, keyFile: flags.key, tokenNamespace: flags.tokenNamespace },
      tls: chosenTls(tlsFlags(flags)),
      access,
      allowsOpenSecrets: flags.serveSecretsOpenly ?? false,
      join: { kind: 'directory', directory: joinCredentials, format: joinFormat, apiServerUrl: url },
      style: styleOf(flags),
      ...(keep === '' ? {} : { keepDirectory: keep }),
    },
    signal,
  ).catch(startFault)
}

function bootstrapCommand(): Command {
  return withServerOptions(
    new Command('bootstrap').description('serve the control plane from a directory, before there is a cluster'),
  )
    .option('--server-basedir <directory>', 'machine-pools, machine-configs, controller-config', '/etc/mcs/bootstrap')
    .option('--bootstrap-kubeconfig <file>', 'served as it is', '/etc/kubernetes/kubeconfig')
    .option('--bootstrap-certs <pair...>', 'REGISTRY=FILE: certificates of registries, the file below the directory')
    .addHelpText(
      'after',
      '\nExample:\n  mco server bootstrap --server-basedir ./bootstrap --cert tls.crt --key tls.key',
    )
    .action((flags: BootstrapFlags) => untilItFails(flags, () => bootstrap(flags)))
}

async function bootstrap(flags: BootstrapFlags): Promise<void> {
  const { serverBasedir: directory, bootstrapKubeconfig: kubeconfigFile, bootstrapCerts = [] } = flags
  const signal = untilTold()
  const settings = common(flags)
  // Nothing about TLS may end an installation: what cannot be read is Intermediate.
  const profile = await readTlsProfile(directory).catch((error: unknown) => {
    settings.log.warn('the TLS profile cannot be read; Intermediate is used', { error: String(error) })
    return undefined
  })
  const bodies = directoryBodies({ directory, kubeconfigFile, registryCertificates: bootstrapCerts }, styleOf(flags))
  const { runBootstrapServer } = await import('../server/bootstrapProcess.ts')
  await runBootstrapServer(
    {
      ...settings,
      bodies,
      kubeconfigFile,
      files: { certFile: flags.cert, keyFile: flags.key },
      tls: profileOrIntermediate(profile, tlsFlags(flags), settings.log),
    },
    signal,
  ).catch(startFault)
}

const untilItFails = ({ terminationLog, logLevel }: ServerFlags, work: () => Promise<void>): Promise<void> =>
  leavingLastWords(terminationLog, (message) => openLog({ level: logLevel }).warn(message), work)

function withServerOptions(command: Command): Command {
  const port = wholeNumber(0, 65_535)
  return command
    .option('--bind-address <address>', 'listen there only (default: every address)')
    .option('--secure-port <port>', 'HTTPS', port, 22_623)
    .option('--insecure-port <port>', 'plain HTTP, where everybody on the way reads along; 0 for none', port, 0)
    .option('--cert <file>', 'serving certificate; read again when it changes', '/etc/ssl/mcs/tls.crt')
    .option('--key <file>', 'its private key', '/etc/ssl/mcs/tls.key')
    .option('--tls-cipher-suites <names>', 'IANA names, separated by commas (default: the Intermediate profile)', '')
    .option('--tls-min-version <version>', 'VersionTLS10 to VersionTLS13 (default: VersionTLS12)', '')
    .option('--payload-version <version>', 'version of the release, for the log')
    .addOption(
      new Option('--metrics-url <host:port>', 'where /healthz and /metrics are answered')
        .argParser(hostAndPort)
        .default({ host: '127.0.0.1', port: 8798 }, '127.0.0.1:8798'),
    )
    .option('--max-connections <count>', 'at once', wholeNumber(1, 1_000_000), defaultLimits.maxConnections)
    .option(
      '--rate-limit <requests>',
      'per second and address; 0 for none',
      wholeNumber(0, 1_000_000),
      defaultLimits.requestsPerSecond,
    )
    .addOption(terminationLogOption())
    .option('--compatible-file-modes', 'files with credentials are readable by every user of the machine, as ever')
    .addOption(
      new Option('--log-level <level>', 'what goes to standard error')
        .choices(['debug', 'info', 'warn', 'error'])
        .default('info'),
    )
}

function common(flags: ServerFlags) {
  const { bindAddress, securePort, insecurePort, metricsUrl, logLevel, payloadVersion } = flags
  const log = openLog({ level: logLevel, gathers: true })
  if (payloadVersion !== undefined) log.info('payload version', { version: payloadVersion })
  return {
    clock: systemClock,
    log,
    listen: {
      ...(bindAddress !== undefined && { host: bindAddress }),
      securePort,
      ...(insecurePort !== 0 && { insecurePort }),
    },
    status: metricsUrl,
    limits: limitsOf(flags),
  }
}

const limitsOf = ({ maxConnections, rateLimit }: ServerFlags): Partial<ServiceLimits> => ({
  maxConnections,
  requestsPerSecond: rateLimit,
  requestBurst: Math.max(1, rateLimit * 4),
})

const styleOf = ({ compatibleFileModes }: ServerFlags): ServeStyle =>
  compatibleFileModes ? compatibleStyle : privateStyle

/** What was given; an empty flag is none. */
const tlsFlags = ({ tlsMinVersion, tlsCipherSuites }: ServerFlags): TlsChoice => ({
  ...(tlsMinVersion !== '' && { minVersion: tlsMinVersion }),
  ...(tlsCipherSuites !== '' && { cipherSuites: tlsCipherSuites.split(',').map((name) => name.trim()) }),
})

function chosenTls(choice: TlsChoice): TlsSettings {
  const result = tlsSettings(choice)
  if (result.kind === 'settings') return result.settings
  throw new CliError(result.message, exitCodes.usage)
}

/** A profile that means nothing to us must not end an installation either; flags that are wrong do. */
function profileOrIntermediate(profile: TlsSecurityProfile | undefined, given: TlsChoice, log: Log): TlsSettings {
  const result = tlsSettings({ ...profileToTlsChoice(profile), ...given })
  if (result.kind === 'settings') return result.settings
  const plain = chosenTls(given)
  log.warn('the TLS profile cannot be used; Intermediate is', { error: result.message })
  return plain
}

function untilTold(): AbortSignal {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort(new Error(signal)))
  return stop.signal
}

/** What the machine or its files refuse, as one sentence; our own bugs stay what they are. */
function startFault(error: unknown): never {
  if (error instanceof Error && 'code' in error && 'syscall' in error) {
    const remedy = error.syscall === 'listen' ? '; choose another port' : ''
    throw new CliError(`${error.message}${remedy}`, exitCodes.unavailable, { cause: error })
  }
  if (error instanceof Error && error.message.startsWith('failed to read ')) {
    throw new CliError(error.message, exitCodes.unavailable, { cause: error })
  }
  throw error
}

function apiServerUrl(text: string): string {
  if (/^https?:\/\/[^/]+/.test(text) && URL.canParse(text)) return text
  throw new InvalidArgumentError('expected https://HOST:PORT')
}

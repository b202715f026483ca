import { readFile } from 'node:fs/promises'
import { Command, Option } from 'commander'
import { ControllerConfig } from '../api/controllerConfig.ts'
import { ConfigMap, Secret } from '../api/core.ts'
import { caBundleKey, operatorNamespace, serverObject, singletonName, userData } from '../api/names.ts'
import { messageOf } from '../kube/errors.ts'
import { ApiError, isNotFound, type KubeApi } from '../kube/kubeApi.ts'
import { pointerToCloudInit } from '../server/pointer/cloudInit.ts'
import { endpointOf, parseEndpoint } from '../server/pointer/endpoint.ts'
import { type PointerVersion, pointerToIgnition, pointerVersions } from '../server/pointer/pointerConfig.ts'
import { endpointInPointer, userDataOf } from '../server/userData/managedUserData.ts'
import { type ConnectFlags, connect } from './connect.ts'
import { CliError, exitCodes } from './exitCodes.ts'
import type { Terminal } from './terminal.ts'
import { newToken } from './token.ts'
import { addTokenOptions, type TokenFlags } from './tokenOptions.ts'

interface PointerFlags extends ConnectFlags, TokenFlags {
  readonly server?: string
  readonly ca?: string
  readonly systemCa: boolean
  readonly token?: string
  readonly newToken: boolean
  readonly ignitionVersion: PointerVersion
  readonly format: 'ignition' | 'cloud-init'
}

/** `mco pointer`: the user data of a machine that joins. */
export function pointerCommand(terminal: Terminal): Command {
  const command = new Command('pointer')
    .description("print the small Ignition config with which a new machine fetches its pool's config")
    .requiredOption('-p, --pool <name>', 'the pool that the machine joins')
    .option('--server <host:port>', 'where the machine reaches the config server (default: what the cluster says)')
    .option('--ca <file>', "PEM bundle that the server's certificate leads to (default: the cluster's)")
    .option('--system-ca', 'no bundle: the image trusts the certificate anyway', false)
    .addOption(new Option('--token <token>', 'a token to show').env('MCO_JOIN_TOKEN'))
    .option('--new-token', 'make a token for this pointer', false)
    .addOption(
      new Option('--ignition-version <version>', 'specification of the pointer')
        .choices(pointerVersions)
        .default('3.5'),
    )
    .addOption(
      new Option('--format <format>', 'for images with Ignition, or with cloud-init and mco')
        .choices(['ignition', 'cloud-init'])
        .default('ignition'),
    )
  return addTokenOptions(command)
    .option('--kubeconfig <file>', 'kubeconfig file (default: $KUBECONFIG, then ~/.kube/config)')
    .option('--context <name>', 'context of the kubeconfig')
    .addHelpText(
      'after',
      '\nThe pointer holds the token in the clear: keep it like a password.\n\nExamples:\n  mco pointer --pool worker --new-token --expires 2h --uses 1 > worker.ign\n  mco pointer --pool worker --server mcs.example.com:22623 --token "$(mco token create --pool worker)"',
    )
    .action(async (flags: PointerFlags) => {
      const isGiven = (flag: string): boolean => command.getOptionValueSource(flag) === 'cli'
      const idle = ofNewTokens.find(isGiven)
      if (idle !== undefined && !flags.newToken)
        throw new CliError(
          `--${idle === 'tokenNamespace' ? 'token-namespace' : idle} is for a new token: give --new-token too`,
          exitCodes.usage,
        )
      const pointer = await pointerText(flags)
      terminal.out(flags.format === 'cloud-init' ? pointerToCloudInit(pointer).trimEnd() : pointer)
    })
}

/** Options that say nothing about a token that exists. */
const ofNewTokens = ['expires', 'uses', 'machine', 'from', 'tokenNamespace'] as const

async function pointerText(flags: PointerFlags): Promise<string> {
  const { pool, server, ca, systemCa, newToken: isNew, ignitionVersion } = flags
  if (isNew && flags.token !== undefined) throw new CliError('give --token or --new-token, not both', exitCodes.usage)
  if (systemCa && ca !== undefined) throw new CliError('give --ca or --system-ca, not both', exitCodes.usage)
  const needsCluster = isNew || server === undefined || (ca === undefined && !systemCa)
  const kube = needsCluster ? await connect(flags) : undefined
  const endpoint = server === undefined ? await endpointOfCluster(kube, pool) : endpointOfFlag(server)
  const caBundle = systemCa ? undefined : ca === undefined ? await bundleOfCluster(kube) : await bundleOfFile(ca)
  const token = isNew && kube ? (await newToken(kube, flags)).text : flags.token
  const made = pointerToIgnition(
    { endpoint, pool, ...(caBundle && { caBundle }), ...(token !== undefined && { token }) },
    ignitionVersion,
  )
  if ('error' in made) throw new CliError(`no pointer of version ${ignitionVersion} can be made: ${made.error}`)
  return made.text
}

function endpointOfFlag(server: string): string {
  const parsed = parseEndpoint(server)
  if ('message' in parsed) throw new CliError(`--server: ${parsed.message}`, exitCodes.usage)
  return parsed.endpoint
}

/** Where the controllers' own pointer of the pool leads; for who may not read it, and pools without one, the Infrastructure. */
async function endpointOfCluster(kube: KubeApi | undefined, pool: string): Promise<string> {
  const key = { name: `${pool}${userData.managedSuffix}`, namespace: operatorNamespace }
  const managed = await kube?.get(Secret, key).catch(undefinedIfHidden)
  const named = managed && endpointInPointer(userDataOf(managed) ?? '')
  if (named !== undefined) return named
  const config = await kube?.get(ControllerConfig, { name: singletonName.controllerConfig }).catch(undefinedIfHidden)
  const found = endpointOf(config?.spec.infra)
  if (!found)
    throw new CliError('the cluster does not say where its config server is; give --server HOST:PORT', exitCodes.usage)
  return found.endpoint
}

function undefinedIfHidden(error: unknown): undefined {
  if (error instanceof ApiError && (error.status === 404 || error.status === 403)) return undefined
  throw error
}

async function bundleOfCluster(kube: KubeApi | undefined): Promise<Uint8Array> {
  const key = { name: serverObject.ca, namespace: operatorNamespace }
  const found = await kube?.get(ConfigMap, key).catch((error: unknown) => {
    if (isNotFound(error)) return undefined
    throw error
  })
  const text = found?.data?.[caBundleKey]
  if (text) return Buffer.from(text)
  throw new CliError(
    `the cluster has no ConfigMap ${key.namespace}/${key.name} with ${caBundleKey}; give --ca FILE or --system-ca`,
    exitCodes.unavailable,
  )
}

async function bundleOfFile(path: string): Promise<Uint8Array> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw new CliError(`--ca ${path} cannot be read: ${messageOf(error)}`, exitCodes.unavailable)
  })
  if (bytes.includes('-----BEGIN CERTIFICATE-----')) return bytes
  throw new CliError(`--ca ${path} holds no certificate in PEM form`, exitCodes.usage)
}

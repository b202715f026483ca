import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ControllerConfig } from '../api/controllerConfig.ts'
import type { MachineConfig } from '../api/machineConfig.ts'
import type { MachineConfigPool } from '../api/machineConfigPool.ts'
import { poolName, singletonName } from '../api/names.ts'
import type { TlsSecurityProfile } from '../api/tlsSecurityProfile.ts'
import { parseDocuments } from '../ignition/document.ts'
import { messageOf } from '../kube/errors.ts'
import type { Bodies } from './answerRequest.ts'
import { kubeletKubeconfigPath } from './joinFiles.ts'
import { readyBody } from './readyBody.ts'
import { type RegistryCertificate, type ServeSnapshot, type ServeStyle, serveDocument } from './servedConfig.ts'
import { failure, type ServeFailure } from './serveFailure.ts'

export interface DirectoryOptions {
  /** Holds `machine-pools`, `machine-configs` and `controller-config`. */
  readonly directory: string
  /** Served as it is. */
  readonly kubeconfigFile: string
  /** `REGISTRY=FILE`, the file below the directory. */
  readonly registryCertificates?: readonly string[]
}

type DirectoryAnswer = { readonly kind: 'chosen'; readonly snapshot: ServeSnapshot } | ServeFailure

/**
 * The config of a pool from files that were rendered before there is a cluster. Only for machines of the control plane: others
 * come once the cluster itself serves, because what is trusted now will not be trusted then.
 */
async function readPoolDirectory(pool: string, options: DirectoryOptions): Promise<DirectoryAnswer> {
  if (!servedPools.has(pool))
    return failure('PoolNotServed', `refusing to serve bootstrap configuration to pool ${JSON.stringify(pool)}`)
  try {
    return await readSnapshot(pool, options)
  } catch (error) {
    return failure('ConfigUnusable', messageOf(error))
  }
}

/** Reads the files for every request: whoever renders them anew need not tell the server. */
export function directoryBodies(options: DirectoryOptions, style: ServeStyle): Bodies {
  return {
    async find(pool, version) {
      const found = await readPoolDirectory(pool, options)
      if (found.kind === 'failed') return found
      const document = serveDocument(found.snapshot, version, style)
      return document.kind === 'failed'
        ? document
        : readyBody(found.snapshot.config, document.text, document.secretPaths)
    },
  }
}

/** The cluster's TLS profile, when the directory holds one. */
export async function readTlsProfile(directory: string): Promise<TlsSecurityProfile | undefined> {
  const server = await readObject<ApiServerSettings>(join(directory, 'api-server', 'api-server.yaml'))
  return server?.spec?.tlsSecurityProfile ?? undefined
}

interface ApiServerSettings {
  readonly spec?: { readonly tlsSecurityProfile?: TlsSecurityProfile | null }
}

const servedPools: ReadonlySet<string> = new Set([poolName.master, poolName.arbiter])

async function readSnapshot(pool: string, options: DirectoryOptions): Promise<DirectoryAnswer> {
  const { directory, kubeconfigFile } = options
  const machineConfigPool = await readObject<MachineConfigPool>(join(directory, 'machine-pools', `${pool}.yaml`))
  const name = machineConfigPool?.status?.configuration?.name ?? ''
  if (!isFileName(name))
    return failure('PoolWithoutConfig', `pool ${pool} has no rendered config in ${directory}/machine-pools`, 404)
  const rendered = await readObject<MachineConfig>(join(directory, 'machine-configs', `${name}.yaml`))
  if (!rendered) return failure('ConfigNotFound', `there is no ${directory}/machine-configs/${name}.yaml`, 404)
  const controllerConfig = await readObject<ControllerConfig>(
    join(directory, 'controller-config', `${singletonName.controllerConfig}.yaml`),
  )
  if (!controllerConfig) return failure('ClusterFactsMissing', 'could not find controller config on initial bootstrap')
  const snapshot: ServeSnapshot = {
    pool,
    config: name,
    rendered,
    bundles: controllerConfig.spec,
    joinFiles: [{ path: kubeletKubeconfigPath, text: await readFile(kubeconfigFile, 'utf8') }],
    registryCertificates: await readCertificates(options),
  }
  return { kind: 'chosen', snapshot }
}

/** A name from a file never leads out of its directory. */
const isFileName = (name: string): boolean => name !== '' && !name.includes('/') && !name.startsWith('.')

/** Undefined when there is no such file. The keys are sorted: the original reads these files through a map. */
async function readObject<T>(file: string): Promise<T | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  const { documents, issues } = parseDocuments(text, { fileName: file })
  const fault = issues.find(({ severity }) => severity === 'error')
  if (fault) throw new Error(`server: could not unmarshal file ${file}, err: ${fault.message}`)
  const value = documents[0]?.value
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`server: could not unmarshal file ${file}, err: it does not hold an object`)
  return sortedKeys(value) as T
}

function sortedKeys(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (Array.isArray(value)) return value.map(sortedKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, member]) => [key, sortedKeys(member)]))
}

async function readCertificates({
  directory,
  registryCertificates = [],
}: DirectoryOptions): Promise<readonly RegistryCertificate[]> {
  return await Promise.all(
    registryCertificates.map(async (pair) => {
      const [registry, file, ...more] = pair.split('=')
      if (!registry || !file || more.length > 0)
        throw new Error(`could not use cert, missing key or value ${pair}; expected REGISTRY=FILE`)
      return { registry, pem: await readFile(join(directory, file), 'utf8') }
    }),
  )
}

import { createHash } from 'node:crypto'
import { ControllerConfig } from '../../api/controllerConfig.ts'
import { ConfigMap, Secret } from '../../api/core.ts'
import { MachineConfigPool } from '../../api/machineConfigPool.ts'
import {
  bootImageAnnotation,
  caBundleKey,
  certificateAnnotation,
  eventReason,
  operatorNamespace,
  serverObject,
  singletonName,
  upgradeStubAnnotation,
  userData,
} from '../../api/names.ts'
import type { Clock } from '../../kube/clock.ts'
import { again, type Cache, type Controller, type Outcome, settled, watching } from '../../kube/controller.ts'
import { Waiting } from '../../kube/errors.ts'
import type { EventRecorder } from '../../kube/events.ts'
import { isAlreadyExists, type KubeApi } from '../../kube/kubeApi.ts'
import { listKnown } from '../../kube/listKnown.ts'
import type { Log } from '../../kube/log.ts'
import type { ServerEndpoint } from '../pointer/endpoint.ts'
import { pointerToIgnition } from '../pointer/pointerConfig.ts'
import { stubVersion, swapAuthority, upgradeStub } from '../pointer/userDataText.ts'
import { makeToken, type RandomBytes } from '../tokens/makeToken.ts'
import { isTokenSecret, secretToToken, tokenSecretName, tokenToSecret } from '../tokens/tokenRecord.ts'
import { parseTokenText } from '../tokens/tokenText.ts'
import { keepToken, userDataTokenLifetimeMs } from './keepToken.ts'
import { managedSecret, overwritten, tokenInPointer, userDataOf, withUserData } from './managedUserData.ts'

export interface UserDataPorts {
  readonly cache: Cache
  readonly kube: KubeApi
  readonly clock: Clock
  readonly events: EventRecorder
  readonly log: Log
  readonly randomBytes: RandomBytes
  /** Where machines reach the server; nothing is written while that is unknown. */
  readonly endpoint: (controllerConfig: ControllerConfig | undefined) => ServerEndpoint | undefined
  /** Of the bundle and the tokens. */
  readonly namespace?: string
  /** Where platforms look for user data: `openshift-machine-api` on OpenShift. */
  readonly userDataNamespace?: string
  /** False for pointers without a token, for a server with mode `open`. */
  readonly withTokens?: boolean
}

const fieldManager = 'user-data'

/**
 * Keeps what platforms hand to new machines: writes `<pool>-user-data-managed` for every pool, and brings the authority in
 * user data that others wrote up to date. Keys are `pool/NAME` and `secret/NAME`.
 */
export function userDataController(ports: UserDataPorts): Controller {
  const { cache, kube, clock, events, log } = ports
  const { namespace = operatorNamespace, userDataNamespace = operatorNamespace, withTokens = true } = ports
  const options = (signal: AbortSignal) => ({ signal, fieldManager })

  return {
    name: 'user-data',
    watches: [
      watching(MachineConfigPool, ({ old, now }) => [`pool/${(now ?? old)?.metadata.name}`]),
      watching(Secret, ({ old, now }) => keysOfSecret(now ?? old)),
      watching(ConfigMap, ({ old, now }) => {
        const { name, namespace: found } = (now ?? old)?.metadata ?? {}
        return name === serverObject.ca && found === namespace ? allKeys() : []
      }),
      watching(ControllerConfig, () => allKeys()),
    ],
    coalesceMs: 100,

    async reconcile(key, signal) {
      const bundle = cache.get(ConfigMap, { name: serverObject.ca, namespace })?.data?.[caBundleKey]
      if (bundle === undefined) return settled
      const [kind, name = ''] = key.split('/')
      return kind === 'pool'
        ? syncPool(name, Buffer.from(bundle), signal)
        : syncSecret(name, Buffer.from(bundle), signal)
    },
  }

  function keysOfSecret(secret: Secret | undefined): readonly string[] {
    const { name = '', namespace: found } = secret?.metadata ?? {}
    if (secret && found === namespace && isTokenSecret(secret)) {
      const read = secretToToken(secret)
      return read.kind === 'token' ? [`pool/${read.record.pool}`] : []
    }
    if (found !== userDataNamespace || secret?.data?.[userData.key] === undefined) return []
    return name.endsWith(userData.managedSuffix)
      ? [`pool/${name.slice(0, -userData.managedSuffix.length)}`]
      : [`secret/${name}`]
  }

  function allKeys(): readonly string[] {
    const pools = listKnown(cache, MachineConfigPool).map(({ metadata }) => `pool/${metadata.name}`)
    return [...pools, ...listKnown(cache, Secret).flatMap((secret) => keysOfSecret(secret))]
  }

  async function syncPool(name: string, caBundle: Uint8Array, signal: AbortSignal): Promise<Outcome> {
    const pool = cache.get(MachineConfigPool, { name })
    const server = ports.endpoint(cache.get(ControllerConfig, { name: singletonName.controllerConfig }))
    if (!pool || pool.metadata.deletionTimestamp || !server) return settled
    const found = cache.get(Secret, { name: `${name}${userData.managedSuffix}`, namespace: userDataNamespace })
    const { token, until } = withTokens ? await tokenFor(pool, found, signal) : {}
    const pointer = pointerToIgnition({ endpoint: server.endpoint, pool: name, caBundle, ...(token && { token }) })
    if ('error' in pointer) throw new Error(`the pointer of pool ${name} cannot be written: ${pointer.error}`)
    const wanted = managedSecret(pool, userDataNamespace, pointer.text)
    const change = found && overwritten(found, wanted)
    if (!found) await kube.create(Secret, wanted, options(signal))
    else if (change) await kube.update(Secret, change, options(signal))
    if (!found || change) log.info('user data of a pool was written', { pool: name, endpoint: server.endpoint })
    return until ? again(until) : settled
  }

  /** The token that the pool's user data shows, or a new one whose record is written before anybody can show it. */
  async function tokenFor(
    pool: MachineConfigPool,
    found: Secret | undefined,
    signal: AbortSignal,
  ): Promise<{ readonly token: string; readonly until: Date }> {
    const { name = '', uid = '' } = pool.metadata
    const now = clock.now()
    const shown = tokenInPointer((found && userDataOf(found)) ?? '')
    const decision = keepToken(shown, name, shown === undefined ? undefined : recordOf(shown), now)
    if (decision.kind === 'keep' && shown !== undefined) return { token: shown, until: decision.until }
    // The id follows from what is replaced, and the hour: passes that fail half-way do not leave a trail of tokens.
    const hour = Math.floor(now.getTime() / 3_600_000)
    const id = createHash('sha256')
      .update(`${uid}/${found?.metadata.resourceVersion ?? ''}/${hour}`)
      .digest('hex')
      .slice(0, 16)
    const made = makeToken({ pool: name, lifetimeMs: userDataTokenLifetimeMs, id }, ports.randomBytes, now)
    const secret = tokenToSecret(made.record, namespace)
    const { ownerReferences = [] } = managedSecret(pool, userDataNamespace, '').metadata
    const owned = { ...secret, metadata: { ...secret.metadata, ownerReferences } }
    try {
      await kube.create(Secret, owned, options(signal))
    } catch (error) {
      if (!isAlreadyExists(error)) throw error
      await replaceLeftover(owned, now, signal)
    }
    log.info('the token of user data was replaced', {
      pool: name,
      because: 'because' in decision ? decision.because : '',
    })
    return { token: made.text, until: new Date(now.getTime() + userDataTokenLifetimeMs / 2) }
  }

  function recordOf(shown: string) {
    const id = parseTokenText(shown)?.id
    const secret = id === undefined ? undefined : cache.get(Secret, { name: tokenSecretName(id), namespace })
    return secret && secretToToken(secret)
  }

  /** Of a pass that ended before user data was written: nobody has its text. A fresh one may only not be in the cache yet. */
  async function replaceLeftover(secret: Secret, now: Date, signal: AbortSignal): Promise<void> {
    const key = { name: secret.metadata.name ?? '', namespace }
    const { metadata } = await kube.get(Secret, key, { signal })
    const createdAt = new Date(metadata.creationTimestamp ?? 0)
    const at = new Date(createdAt.getTime() + leftoverMs)
    if (now < at) throw new Waiting(at, 'TokenBeingWritten', `Secret ${key.name} was made just now`)
    await kube.update(Secret, { ...secret, metadata: { ...metadata, ...secret.metadata } }, options(signal))
  }

  async function syncSecret(name: string, caBundle: Uint8Array, signal: AbortSignal): Promise<Outcome> {
    const secret = cache.get(Secret, { name, namespace: userDataNamespace })
    const before = secret && userDataOf(secret)
    const isManaged = secret?.metadata.labels?.[certificateAnnotation.managedCaBundleDerivedFromConfigMap] !== undefined
    if (!secret || before === undefined || isManaged || secret.immutable) return settled
    const upgraded = upgradeStubAnnotation in (secret.metadata.annotations ?? {}) ? upgradeStub(before) : undefined
    const text = upgraded?.kind === 'changed' ? upgraded.text : before
    const swapped = swapAuthority(text, caBundle)
    for (const result of [upgraded, swapped]) {
      if (result?.kind === 'refused') tellRefused(secret, result.message)
      if (result?.kind === 'skipped') log.debug('user data is left alone', { secret: name, because: result.message })
    }
    const after = swapped.kind === 'changed' ? swapped.text : text
    if (after === before) return settled
    const changed = withUserData(secret, after)
    await kube.update(Secret, upgraded?.kind === 'changed' ? withUpgradeRecord(changed) : changed, options(signal))
    log.info('user data has the present authority', { secret: name, upgraded: upgraded?.kind === 'changed' })
    return settled
  }

  function withUpgradeRecord(secret: Secret): Secret {
    const annotations = {
      ...secret.metadata.annotations,
      [bootImageAnnotation.stubIgnitionUpgradedTo]: stubVersion,
      [bootImageAnnotation.stubIgnitionUpgradedAt]: clock
        .now()
        .toISOString()
        .replace(/\.\d+Z$/, 'Z'),
    }
    return { ...secret, metadata: { ...secret.metadata, annotations } }
  }

  function tellRefused(secret: Secret, message: string): void {
    events.event(secret, 'Warning', eventReason.userDataNotUpdated, message)
    log.warn('user data was not updated: machines that boot with it may not trust the server', {
      secret: secret.metadata.name,
      because: message,
    })
  }
}

const leftoverMs = 60_000

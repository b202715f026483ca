import { ControllerConfig } from '../api/controllerConfig.ts'
import { ConfigMap, Secret } from '../api/core.ts'
import type { KubernetesObject } from '../api/meta.ts'
import {
  caBundleKey,
  certificateAnnotation,
  eventReason,
  operatorNamespace,
  serverObject,
  singletonName,
} from '../api/names.ts'
import type { Clock } from '../kube/clock.ts'
import { again, type Cache, type Controller, watching } from '../kube/controller.ts'
import { messageOf } from '../kube/errors.ts'
import type { EventRecorder } from '../kube/events.ts'
import { isConflict, type KubeApi } from '../kube/kubeApi.ts'
import type { Log } from '../kube/log.ts'
import { parseIp } from '../schema/cidr.ts'
import { mergeBundle, trustedNames } from './authorityBundle.ts'
import { rotationFault } from './certificateProblems.ts'
import {
  factsOf,
  findCertificate,
  pairOf,
  pairToData,
  recordToAnnotations,
  tlsSecretType,
} from './certificateSecret.ts'
import { decideRotation, type RotationReason } from './decideRotation.ts'
import { type CertificateRequest, createAuthority, issueCertificate, type KeyPair } from './issueCertificate.ts'
import type { KeyType } from './keyType.ts'

/** What the rotation counts, as a port; the process that exposes metrics builds the series. */
interface CertificateMetrics {
  notAfter(certificate: 'ca' | 'serving', at: Date): void
  rotated(certificate: 'ca' | 'serving', reason: RotationReason): void
  rotationFailed(): void
}

const noCertificateMetrics: CertificateMetrics = {
  notAfter: () => undefined,
  rotated: () => undefined,
  rotationFailed: () => undefined,
}

export interface ServerCertificatePorts {
  readonly cache: Cache
  readonly kube: KubeApi
  readonly clock: Clock
  readonly events: EventRecorder
  readonly log: Log
  readonly metrics?: CertificateMetrics
  /** Host names and addresses by which machines reach the server, as far as the ControllerConfig tells; none: no certificate yet. */
  readonly names: (controllerConfig: ControllerConfig | undefined) => readonly string[]
  readonly namespace?: string
  readonly keyType?: KeyType
  readonly validityMs?: number
  readonly refreshMs?: number
}

const dayMs = 24 * 3_600_000
const fieldManager = 'server-certificates'

/**
 * Makes and rotates what clients of the config server trust: the authority, the bundle of all valid ones, the serving
 * certificate. The bundle is written before anything is signed by a new authority.
 */
export function serverCertificateController(ports: ServerCertificatePorts): Controller {
  const { cache, kube, clock, events, log, metrics = noCertificateMetrics } = ports
  const { namespace = operatorNamespace, keyType = 'ECDSA-P256' } = ports
  const { validityMs = 3650 * dayMs, refreshMs = 8 * 365 * dayMs } = ports
  const ca = { name: serverObject.ca, namespace }
  const tls = { name: serverObject.tls, namespace }
  const isOurs = ({ old, now }: { readonly old?: KubernetesObject; readonly now?: KubernetesObject }) => {
    const metadata = (now ?? old)?.metadata
    const isNamed = metadata?.name === ca.name || metadata?.name === tls.name
    return isNamed && metadata?.namespace === namespace ? [key] : []
  }

  return {
    name: 'server-certificates',
    watches: [watching(Secret, isOurs), watching(ConfigMap, isOurs), watching(ControllerConfig, () => [key])],
    workers: 1,

    async reconcile(_key, signal) {
      try {
        const nextAt = await rotate(signal)
        await publishFault(undefined, signal)
        return again(nextAt)
      } catch (error) {
        metrics.rotationFailed()
        // A conflict is no fault: the next pass sees what the other has written.
        if (!isConflict(error)) await publishFault(messageOf(error), signal).catch(cannotPublish)
        throw error
      }
    },
  }

  /** On the bundle, where `mco status` and the config server's metrics read it. */
  async function publishFault(fault: string | undefined, signal: AbortSignal): Promise<void> {
    const bundle = cache.get(ConfigMap, ca)
    // Once told it stays as it is: texts that differ from pass to pass would wake this controller each time.
    if (!bundle || (rotationFault(bundle) === undefined) === (fault === undefined)) return
    const body = { metadata: { annotations: { [certificateAnnotation.rotationFault]: fault ?? null } } }
    await kube.patch(ConfigMap, ca, { type: 'merge', body }, { signal, fieldManager })
  }

  function cannotPublish(error: unknown): void {
    log.warn('that the rotation fails could not be written to the bundle', { error: messageOf(error) })
  }

  async function rotate(signal: AbortSignal): Promise<Date> {
    const now = clock.now()
    const signerSecret = cache.get(Secret, ca)
    const servingSecret = cache.get(Secret, tls)
    const bundle = cache.get(ConfigMap, ca)
    const names = ports.names(cache.get(ControllerConfig, { name: singletonName.controllerConfig }))
    const plan = decideRotation(
      {
        signer: findCertificate(signerSecret),
        serving: findCertificate(servingSecret),
        trusted: trustedNames(bundle?.data?.[caBundleKey] ?? '', now),
        names,
      },
      now,
    )
    const signer =
      (plan.signer ? await newSigner(signerSecret, plan.signer, now, signal) : pairOf(signerSecret)) ?? missing()
    await writeBundle(bundle, signer, now, signal)
    metrics.notAfter('ca', factsOf(signer.certificatePem).notAfter)
    if (names.length === 0) return plan.nextAt
    if (plan.serving) await newServing(servingSecret, plan.serving, { signer, names, now }, signal)
    else if (servingSecret && servingSecret.type !== tlsSecretType) await retype(servingSecret, signal)
    const serving = plan.serving ? undefined : pairOf(servingSecret)
    if (serving) metrics.notAfter('serving', factsOf(serving.certificatePem).notAfter)
    return plan.nextAt
  }

  async function newSigner(
    found: Secret | undefined,
    reason: RotationReason,
    now: Date,
    signal: AbortSignal,
  ): Promise<KeyPair> {
    const commonName = `${namespace}_${ca.name}@${Math.floor(now.getTime() / 1000)}`
    const pair = await createAuthority(commonName, now, { keyType, notAfter: new Date(now.getTime() + validityMs) })
    const record = { ...factsOf(pair.certificatePem), notBefore: now, refreshMs, hostnames: [] }
    const annotations = recordToAnnotations(record, 'Signs the serving certificate of the machine config server')
    const secret = await writeSecret(found, ca, pair, annotations, signal)
    told(secret, 'ca', reason, `a new authority is valid until ${record.notAfter.toISOString()}`)
    return pair
  }

  async function newServing(
    found: Secret | undefined,
    reason: RotationReason,
    { signer, names, now }: { readonly signer: KeyPair; readonly names: readonly string[]; readonly now: Date },
    signal: AbortSignal,
  ): Promise<void> {
    const until = Math.min(now.getTime() + validityMs, factsOf(signer.certificatePem).notAfter.getTime())
    const pair = await issueCertificate(signer, requestFor(names), now, { keyType, notAfter: new Date(until) })
    const record = { ...factsOf(pair.certificatePem), notBefore: now, refreshMs, hostnames: names }
    const annotations = recordToAnnotations(record, 'Serving certificate of the machine config server')
    const secret = await writeSecret(found, tls, pair, annotations, signal)
    metrics.notAfter('serving', record.notAfter)
    told(
      secret,
      'serving',
      reason,
      `a new certificate for ${names.join(', ')} is valid until ${record.notAfter.toISOString()}`,
    )
  }

  async function writeBundle(found: ConfigMap | undefined, signer: KeyPair, now: Date, signal: AbortSignal) {
    const before = found?.data?.[caBundleKey] ?? ''
    const text = mergeBundle(before, signer.certificatePem, now)
    if (text === before) return
    const data = { ...found?.data, [caBundleKey]: text }
    const options = { signal, fieldManager }
    if (found) await kube.update(ConfigMap, { ...found, data }, options)
    else await kube.create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata: ca, data }, options)
  }

  /** The type of a Secret cannot be changed: it is made again with the same contents. */
  async function retype(found: Secret, signal: AbortSignal): Promise<void> {
    await remove(found, signal)
    const { annotations = {}, labels = {} } = found.metadata
    const metadata = { ...tls, annotations, labels }
    await kube.create(
      Secret,
      { apiVersion: 'v1', kind: 'Secret', metadata, type: tlsSecretType, data: found.data ?? {} },
      { signal, fieldManager },
    )
  }

  async function remove({ metadata }: Secret, signal: AbortSignal): Promise<void> {
    const { name = '', uid, resourceVersion } = metadata
    const preconditions = {
      ...(uid !== undefined && { uid }),
      ...(resourceVersion !== undefined && { resourceVersion }),
    }
    await kube.delete(Secret, { name, namespace }, { signal, preconditions })
  }

  async function writeSecret(
    found: Secret | undefined,
    metadata: { readonly name: string; readonly namespace: string },
    pair: KeyPair,
    annotations: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<Secret> {
    const data = pairToData(pair)
    const options = { signal, fieldManager }
    if (found?.type === tlsSecretType) {
      const merged = { ...found.metadata, annotations: { ...found.metadata.annotations, ...annotations } }
      return kube.update(Secret, { ...found, metadata: merged, data }, options)
    }
    if (found) await remove(found, signal)
    const secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { ...metadata, annotations },
      type: tlsSecretType,
      data,
    }
    return kube.create(Secret, secret, options)
  }

  function told(secret: Secret, certificate: 'ca' | 'serving', reason: RotationReason, message: string): void {
    metrics.rotated(certificate, reason)
    events.event(secret, 'Normal', eventReason.certificateRotated, `${message}, because: ${reason}`)
    log.info('a certificate of the config server was made', { certificate, reason })
  }
}

const key = 'machine-config-server'

function requestFor(names: readonly string[]): CertificateRequest {
  const [commonName = ''] = names
  return {
    kind: 'server',
    commonName,
    dnsNames: names.filter((name) => !parseIp(name)),
    ipAddresses: names.filter((name) => parseIp(name)),
  }
}

function missing(): never {
  throw new Error('the authority was found usable and then not: its Secret changed during the pass')
}

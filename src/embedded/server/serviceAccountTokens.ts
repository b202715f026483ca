import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto'
import type { Database } from '../store/database.ts'
import type { Identity } from './apiRequest.ts'

const issuer = 'https://kubernetes.default.svc.cluster.local'

interface BoundObject {
  readonly name: string
  readonly uid: string
}

/** What a service account token says (public docs, "Managing Service Accounts", bound tokens). */
interface Claims {
  readonly iss: string
  readonly sub: string
  readonly aud: readonly string[]
  readonly iat: number
  readonly nbf: number
  readonly exp: number
  readonly jti: string
  readonly 'kubernetes.io': {
    readonly namespace: string
    readonly serviceaccount: BoundObject
    readonly pod?: BoundObject
    readonly node?: BoundObject
  }
}

export interface TokenSubject {
  readonly namespace: string
  readonly serviceAccount: BoundObject
  readonly pod?: BoundObject
  readonly node?: BoundObject
}

/** Issues and checks service account tokens: signed with ES256, valid as long as the account (and the bound pod) exists. */
export class ServiceAccountTokens {
  readonly #database: Database
  readonly #privateKey: KeyObject
  readonly #publicKey: KeyObject
  readonly #now: () => Date

  constructor(database: Database, now: () => Date, keyPem?: string) {
    this.#database = database
    this.#now = now
    this.#privateKey =
      keyPem === undefined ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey : createPrivateKey(keyPem)
    this.#publicKey = createPublicKey(this.#privateKey)
  }

  issue(
    { namespace, serviceAccount, pod, node }: TokenSubject,
    audiences: readonly string[],
    expires: Date,
    id: string,
  ): string {
    const now = Math.floor(this.#now().getTime() / 1000)
    const claims: Claims = {
      iss: issuer,
      sub: `system:serviceaccount:${namespace}:${serviceAccount.name}`,
      aud: audiences.length > 0 ? audiences : [issuer],
      iat: now,
      nbf: now,
      exp: Math.floor(expires.getTime() / 1000),
      jti: id,
      'kubernetes.io': {
        namespace,
        serviceaccount: serviceAccount,
        ...(pod ? { pod } : {}),
        ...(node ? { node } : {}),
      },
    }
    const text = `${encode({ alg: 'ES256', typ: 'JWT' })}.${encode(claims)}`
    const signature = sign('sha256', Buffer.from(text), { key: this.#privateKey, dsaEncoding: 'ieee-p1363' })
    return `${text}.${signature.toString('base64url')}`
  }

  /** Who the token stands for; undefined when it is not ours, expired, for somebody else, or its account is gone. */
  authenticate(token: string): Identity | undefined {
    const [header = '', payload = '', signature = '', ...more] = token.split('.')
    if (more.length > 0 || signature === '') return undefined
    const key = { key: this.#publicKey, dsaEncoding: 'ieee-p1363' as const }
    if (!verify('sha256', Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url')))
      return undefined
    // Signed by us: the claims have our shape.
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Claims
    const now = this.#now().getTime() / 1000
    if (now < claims.nbf - 60 || now >= claims.exp || !claims.aud.includes(issuer)) return undefined
    const { namespace, serviceaccount, pod, node } = claims['kubernetes.io']
    if (!this.#exists('core/serviceaccounts', namespace, serviceaccount)) return undefined
    if (pod && !this.#exists('core/pods', namespace, pod)) return undefined
    return {
      name: claims.sub,
      uid: serviceaccount.uid,
      groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`],
      extra: {
        'authentication.kubernetes.io/credential-id': [`JTI=${claims.jti}`],
        ...boundTo('pod', pod),
        ...boundTo('node', node),
      },
    }
  }

  #exists(collection: string, namespace: string, { name, uid }: BoundObject): boolean {
    return this.#database.get({ collection, namespace, name })?.object.metadata.uid === uid
  }
}

function boundTo(kind: 'pod' | 'node', bound: BoundObject | undefined): Readonly<Record<string, readonly string[]>> {
  if (!bound) return {}
  const prefix = `authentication.kubernetes.io/${kind}`
  return { [`${prefix}-name`]: [bound.name], ...(bound.uid === '' ? {} : { [`${prefix}-uid`]: [bound.uid] }) }
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

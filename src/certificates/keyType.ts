import { createPrivateKey, type KeyObject, webcrypto } from 'node:crypto'

/** Kinds of keys that certificates may have. */
export const keyTypes = ['ECDSA-P256', 'ECDSA-P384', 'RSA-2048', 'RSA-4096'] as const
export type KeyType = (typeof keyTypes)[number]

type SigningAlgorithm =
  | { readonly name: 'ECDSA'; readonly namedCurve: string; readonly hash: string }
  | { readonly name: 'RSASSA-PKCS1-v1_5'; readonly hash: string }

export async function generateKeys(type: KeyType) {
  const { modulusLength, ...algorithm } = algorithms[type]
  const parameters =
    modulusLength === undefined ? algorithm : { ...algorithm, modulusLength, publicExponent: new Uint8Array([1, 0, 1]) }
  return webcrypto.subtle.generateKey(parameters as webcrypto.EcKeyGenParams, true, ['sign', 'verify'])
}

export const signingAlgorithm = (type: KeyType): SigningAlgorithm => algorithmOf(type)

/** A key in PEM form (PKCS 8, or the older forms of `openssl`) with the algorithm that it signs by. */
export async function importSigningKey(
  pem: string,
): Promise<{ readonly key: webcrypto.CryptoKey; readonly algorithm: SigningAlgorithm }> {
  const found = readKey(pem)
  const algorithm = algorithmOf(typeOf(found))
  const bytes = found.export({ type: 'pkcs8', format: 'der' })
  return { key: await webcrypto.subtle.importKey('pkcs8', bytes, algorithm, true, ['sign']), algorithm }
}

function readKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem)
  } catch (error) {
    throw new Error(
      'the key of the certificate authority cannot be read, expected a private key in PEM form; put a copy of it back, or remove certificate and key so that new ones are made',
      { cause: error },
    )
  }
}

const algorithms: Readonly<Record<KeyType, SigningAlgorithm & { readonly modulusLength?: number }>> = {
  'ECDSA-P256': { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  'ECDSA-P384': { name: 'ECDSA', namedCurve: 'P-384', hash: 'SHA-384' },
  'RSA-2048': { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', modulusLength: 2048 },
  'RSA-4096': { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', modulusLength: 4096 },
}

function algorithmOf(type: KeyType): SigningAlgorithm {
  const { modulusLength: _, ...algorithm } = algorithms[type]
  return algorithm
}

function typeOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): KeyType {
  if (asymmetricKeyType === 'rsa') return 'RSA-2048'
  if (asymmetricKeyDetails?.namedCurve === 'prime256v1') return 'ECDSA-P256'
  if (asymmetricKeyDetails?.namedCurve === 'secp384r1') return 'ECDSA-P384'
  throw new Error(
    `the key of the authority is of type ${asymmetricKeyType} ${asymmetricKeyDetails?.namedCurve ?? ''}, expected one of ${keyTypes.join(', ')}`,
  )
}

import { webcrypto } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import { generateKeys, importSigningKey, type KeyType, signingAlgorithm } from './keyType.ts'

/** A certificate and its private key, as files and TLS options hold them. */
export interface KeyPair {
  readonly certificatePem: string
  readonly keyPem: string
}

/** Subject and use of a certificate. A client's common name is its user, its organizations are its groups. */
export type CertificateRequest =
  | {
      readonly kind: 'server'
      readonly commonName: string
      readonly dnsNames: readonly string[]
      readonly ipAddresses: readonly string[]
    }
  | { readonly kind: 'client'; readonly commonName: string; readonly organizations: readonly string[] }

const yearMs = 365 * 24 * 3600 * 1000
/** Clocks of clients may be behind. */
const backdateMs = 3600 * 1000

/** Lifetime and kind of key; by default ten years for an authority, one for what it signs. */
export interface CertificateOptions {
  readonly notAfter?: Date
  readonly keyType?: KeyType
}

export async function createAuthority(
  commonName: string,
  now: Date,
  { notAfter = new Date(now.getTime() + 10 * yearMs), keyType = 'ECDSA-P256' }: CertificateOptions = {},
): Promise<KeyPair> {
  const keys = await generateKeys(keyType)
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name: [{ CN: [commonName] }],
    notBefore: new Date(now.getTime() - backdateMs),
    notAfter,
    keys,
    signingAlgorithm: signingAlgorithm(keyType),
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(
        x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign | x509.KeyUsageFlags.digitalSignature,
        true,
      ),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return keyPair(certificate, keys.privateKey)
}

/** A certificate that is signed by the authority. */
export async function issueCertificate(
  authority: KeyPair,
  request: CertificateRequest,
  now: Date,
  { notAfter = new Date(now.getTime() + yearMs), keyType = 'ECDSA-P256' }: CertificateOptions = {},
): Promise<KeyPair> {
  const issuer = new x509.X509Certificate(authority.certificatePem)
  const signer = await importSigningKey(authority.keyPem)
  const keys = await generateKeys(keyType)
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject: [
      ...(request.kind === 'client' ? request.organizations.map((organization) => ({ O: [organization] })) : []),
      { CN: [request.commonName] },
    ],
    issuer: issuer.subjectName,
    notBefore: new Date(now.getTime() - backdateMs),
    notAfter,
    publicKey: keys.publicKey,
    signingKey: signer.key,
    signingAlgorithm: signer.algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature | x509.KeyUsageFlags.keyEncipherment, true),
      new x509.ExtendedKeyUsageExtension([
        request.kind === 'server' ? x509.ExtendedKeyUsage.serverAuth : x509.ExtendedKeyUsage.clientAuth,
      ]),
      await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey),
      ...(request.kind === 'server' ? [subjectAlternativeNames(request)] : []),
    ],
  })
  return keyPair(certificate, keys.privateKey)
}

function subjectAlternativeNames({
  dnsNames,
  ipAddresses,
}: {
  dnsNames: readonly string[]
  ipAddresses: readonly string[]
}) {
  return new x509.SubjectAlternativeNameExtension([
    ...dnsNames.map((value) => ({ type: 'dns' as const, value })),
    ...ipAddresses.map((value) => ({ type: 'ip' as const, value })),
  ])
}

/** Whether a certificate still has a month to go and names everything that the server is reached by. */
export function isServerCertificateUsable({ certificatePem }: KeyPair, names: readonly string[], now: Date): boolean {
  const certificate = new x509.X509Certificate(certificatePem)
  if (certificate.notAfter.getTime() - now.getTime() < yearMs / 12) return false
  const extension = certificate.getExtension(x509.SubjectAlternativeNameExtension)
  const present = new Set(extension?.names.items.map((item) => item.value) ?? [])
  return names.every((name) => present.has(name))
}

export function isExpiringSoon({ certificatePem }: KeyPair, now: Date): boolean {
  return new x509.X509Certificate(certificatePem).notAfter.getTime() - now.getTime() < yearMs / 12
}

async function keyPair(certificate: x509.X509Certificate, privateKey: webcrypto.CryptoKey): Promise<KeyPair> {
  const bytes = await webcrypto.subtle.exportKey('pkcs8', privateKey)
  return {
    certificatePem: `${certificate.toString('pem')}\n`,
    keyPem: `${x509.PemConverter.encode(bytes, 'PRIVATE KEY')}\n`,
  }
}

/** Positive and unique enough: 120 random bits. */
function serialNumber(): string {
  return `01${Buffer.from(webcrypto.getRandomValues(new Uint8Array(15))).toString('hex')}`
}

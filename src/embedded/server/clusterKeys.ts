import { generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  createAuthority,
  isExpiringSoon,
  isServerCertificateUsable,
  issueCertificate,
  type KeyPair,
} from '../../certificates/issueCertificate.ts'

/** The keys of one cluster: they live as long as its data. */
export interface ClusterKeys {
  readonly authority: KeyPair
  readonly server: KeyPair
  readonly admin: KeyPair
  /** Signs service account tokens. */
  readonly serviceAccountKeyPem: string
}

export interface ServerNames {
  readonly dnsNames: readonly string[]
  readonly ipAddresses: readonly string[]
}

/** Reads the keys below `directory`, makes what is missing and replaces what expires within a month. */
export async function loadClusterKeys(directory: string, names: ServerNames, now: Date): Promise<ClusterKeys> {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const authority = await pair(
    directory,
    'ca',
    () => true,
    () => createAuthority('mco-cluster', now),
  )
  return {
    authority,
    server: await pair(
      directory,
      'server',
      (found) => isServerCertificateUsable(found, [...names.dnsNames, ...names.ipAddresses], now),
      () => issueCertificate(authority, { kind: 'server', commonName: 'mco-apiserver', ...names }, now),
    ),
    admin: await pair(
      directory,
      'admin',
      (found) => !isExpiringSoon(found, now),
      () =>
        issueCertificate(
          authority,
          { kind: 'client', commonName: 'kubernetes-admin', organizations: ['system:masters'] },
          now,
        ),
    ),
    serviceAccountKeyPem: signingKey(join(directory, 'service-account.key')),
  }
}

async function pair(
  directory: string,
  name: string,
  isUsable: (found: KeyPair) => boolean,
  make: () => Promise<KeyPair>,
): Promise<KeyPair> {
  const certificatePath = join(directory, `${name}.crt`)
  const keyPath = join(directory, `${name}.key`)
  if (existsSync(certificatePath) && existsSync(keyPath)) {
    const found = { certificatePem: readFileSync(certificatePath, 'utf8'), keyPem: readFileSync(keyPath, 'utf8') }
    if (isUsable(found)) return found
  }
  const made = await make()
  writeFileSync(keyPath, made.keyPem, { mode: 0o600 })
  writeFileSync(certificatePath, made.certificatePem, { mode: 0o644 })
  return made
}

function signingKey(path: string): string {
  if (existsSync(path)) return readFileSync(path, 'utf8')
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  writeFileSync(path, pem, { mode: 0o600 })
  return pem
}

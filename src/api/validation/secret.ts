import { deepEqual } from '../../schema/deepEqual.ts'
import { type FieldError, invalid, required, tooLong } from '../../schema/fieldError.ts'
import { isJsonObject } from '../../schema/jsonSchemaProps.ts'
import type { Secret } from '../core.ts'
import { base64Bytes, dataBytesLimit, dataKeyErrors, immutabilityErrors } from './configMap.ts'

/** A Secret's own rules (Kubernetes documentation, "Types of Secret"). Never shows a value. */
export function validateSecret(secret: Secret, old?: Secret): readonly FieldError[] {
  const { data = {}, type } = secret
  const bytes = Object.values(data).reduce((sum, text) => sum + base64Bytes(text), 0)
  return [
    ...dataKeyErrors(data, 'data'),
    ...(bytes > dataBytesLimit ? [tooLong('data', dataBytesLimit)] : []),
    ...typeErrors(data, type),
    ...(old ? updateErrors(secret, old) : []),
  ]
}

function updateErrors(secret: Secret, old: Secret): readonly FieldError[] {
  return [
    ...(deepEqual(secret.type, old.type) ? [] : [invalid('type', secret.type ?? '', 'field is immutable')]),
    ...immutabilityErrors(secret, old, ['data']),
  ]
}

/** Members that a type promises. */
const requiredKeys: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
}

function typeErrors(data: Readonly<Record<string, string>>, type: string | undefined): readonly FieldError[] {
  const keys = requiredKeys[type ?? ''] ?? []
  const missing = keys.filter((key) => !Object.hasOwn(data, key)).map((key) => required(`data[${key}]`))
  const holdsJson = type === 'kubernetes.io/dockerconfigjson' || type === 'kubernetes.io/dockercfg'
  const broken = keys.filter((key) => holdsJson && Object.hasOwn(data, key) && !isBase64Json(data[key] ?? ''))
  return [
    ...missing,
    ...broken.map((key) =>
      invalid(`data[${key}]`, '<secret contents redacted>', 'expected a JSON object of registry credentials'),
    ),
  ]
}

function isBase64Json(text: string): boolean {
  try {
    return isJsonObject(JSON.parse(Buffer.from(text, 'base64').toString('utf8')))
  } catch {
    return false
  }
}

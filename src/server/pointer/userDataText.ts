import { encodeBase64DataUrl } from '../../ignition/dataUrl.ts'
import { parseIgnition } from '../../ignition/parseIgnition.ts'
import { ignitionToJson } from '../../ignition/serialize.ts'

/**
 * What is done to a user data text that somebody else wrote. `skipped` texts are none of ours (cloud-init, say); `refused`
 * ones are pointers that a person must look at. Messages never quote the text: user data holds credentials.
 */
export type Rewrite =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'changed'; readonly text: string }
  | { readonly kind: 'skipped'; readonly message: string }
  | { readonly kind: 'refused'; readonly message: string }

/** The pointer with another bundle as the authority to trust; everything else stays as its author wrote it. */
export function swapAuthority(text: string, bundle: Uint8Array): Rewrite {
  const pointer = readPointer(text)
  if ('message' in pointer) return { kind: 'skipped', ...pointer }
  const { document, ignition } = pointer
  const { security } = ignition
  const tls = isObject(security) ? security.tls : undefined
  const authorities = isObject(tls) ? tls.certificateAuthorities : undefined
  if (!isObject(security) || !isObject(tls) || !Array.isArray(authorities) || authorities.length === 0)
    return {
      kind: 'refused',
      message: 'found no entry in ignition.security.tls.certificateAuthorities, expected one to replace',
    }
  if (authorities.length > 1)
    return {
      kind: 'refused',
      message: `additional CAs detected: found ${authorities.length} entries in ignition.security.tls.certificateAuthorities, expected one; it is not known which of them is the server's, so replace it yourself`,
    }
  const [entry] = authorities as readonly unknown[]
  const source = encodeBase64DataUrl(bundle)
  if (!isObject(entry))
    return { kind: 'refused', message: 'the entry of ignition.security.tls.certificateAuthorities is not an object' }
  if (entry.source === source) return { kind: 'unchanged' }
  const swapped = { ...tls, certificateAuthorities: [{ ...entry, source }] }
  const changed = { ...document, ignition: { ...ignition, security: { ...security, tls: swapped } } }
  return { kind: 'changed', text: JSON.stringify(changed) }
}

/** A pointer of specification 2 as 3.5; later ones stay. Boot images of before 2020 cannot read the result. */
export function upgradeStub(text: string): Rewrite {
  const pointer = readPointer(text)
  if ('message' in pointer) return { kind: 'skipped', ...pointer }
  const { version } = pointer.ignition
  if (typeof version !== 'string')
    return { kind: 'refused', message: 'ignition.version is missing or no text, expected a version such as "2.2.0"' }
  if (version.startsWith('3')) return { kind: 'unchanged' }
  const { value } = parseIgnition(text)
  if (value === undefined)
    return { kind: 'refused', message: `this pointer of version ${version.slice(0, 20)} has no form in version 3.5` }
  return { kind: 'changed', text: ignitionToJson(value) }
}

/** The version that `upgradeStub` leads to. */
export const stubVersion = '3.5.0'

type JsonObject = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function readPointer(
  text: string,
): { readonly document: JsonObject; readonly ignition: JsonObject } | { readonly message: string } {
  const document = readJson(text)
  if (document === undefined) return { message: 'it is not JSON' }
  if (!isObject(document) || !isObject(document.ignition)) return { message: 'it has no object "ignition"' }
  return { document, ignition: document.ignition }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The parser's message would quote the text.
    return undefined
  }
}

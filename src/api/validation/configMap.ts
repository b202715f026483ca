import { deepEqual } from '../../schema/deepEqual.ts'
import { type FieldError, forbidden, invalid, tooLong } from '../../schema/fieldError.ts'
import { configMapKeyErrors } from '../../schema/names.ts'
import type { ConfigMap } from '../core.ts'

/** Sum of all values of one ConfigMap or Secret. */
export const dataBytesLimit = 1024 * 1024

/** A ConfigMap's own rules (Kubernetes documentation, "ConfigMaps"). Never shows a value. */
export function validateConfigMap(configMap: ConfigMap, old?: ConfigMap): readonly FieldError[] {
  const { data = {}, binaryData = {} } = configMap
  const bytes =
    Object.values(data).reduce((sum, text) => sum + Buffer.byteLength(text), 0) +
    Object.values(binaryData).reduce((sum, text) => sum + base64Bytes(text), 0)
  return [
    ...dataKeyErrors(data, 'data'),
    ...dataKeyErrors(binaryData, 'binaryData'),
    ...Object.keys(data)
      .filter((key) => Object.hasOwn(binaryData, key))
      .map((key) => invalid(`data[${key}]`, key, 'duplicate of key present in binaryData')),
    ...(bytes > dataBytesLimit ? [tooLong('', dataBytesLimit)] : []),
    ...(old ? immutabilityErrors(configMap, old, ['data', 'binaryData']) : []),
  ]
}

/** Keys must be usable as file names. */
export function dataKeyErrors(data: Readonly<Record<string, string>>, path: string): readonly FieldError[] {
  return Object.keys(data).flatMap((key) =>
    configMapKeyErrors(key).map((error) => invalid(`${path}[${key}]`, key, error)),
  )
}

export const base64Bytes = (text: string): number => Buffer.byteLength(text, 'base64')

/** Once `immutable` is set, neither it nor the data changes. */
export function immutabilityErrors<T extends { readonly immutable?: boolean }>(
  object: T,
  old: T,
  members: readonly (keyof T & string)[],
): readonly FieldError[] {
  if (old.immutable !== true) return []
  const immutable = 'field is immutable when `immutable` is set'
  return [
    ...(object.immutable === true ? [] : [forbidden('immutable', immutable)]),
    ...members.filter((name) => !deepEqual(object[name], old[name])).map((name) => forbidden(name, immutable)),
  ]
}

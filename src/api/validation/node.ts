import { duplicate, type FieldError, invalid, notSupported, required } from '../../schema/fieldError.ts'
import { labelValueErrors, qualifiedNameErrors } from '../../schema/names.ts'
import type { Node, Taint } from '../core.ts'

const effects: readonly string[] = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']

/** A Node's own rules beyond its schema: its taints (Kubernetes documentation, "Taints and Tolerations"). */
export function validateNode(node: Node): readonly FieldError[] {
  const taints = node.spec?.taints ?? []
  const identities = taints.map(({ key, effect }) => `${key}:${effect}`)
  return taints.flatMap((taint, index) => {
    const path = `spec.taints[${index}]`
    const isRepeated = identities.indexOf(`${taint.key}:${taint.effect}`) < index
    return [
      ...taintErrors(taint, path),
      ...(isRepeated ? [duplicate(path, { key: taint.key, effect: taint.effect })] : []),
    ]
  })
}

function taintErrors({ key, value = '', effect }: Taint, path: string): readonly FieldError[] {
  const effectError =
    effect === undefined ? required(`${path}.effect`) : notSupported(`${path}.effect`, effect, effects)
  return [
    ...qualifiedNameErrors(key).map((error) => invalid(`${path}.key`, key, error)),
    ...labelValueErrors(value).map((error) => invalid(`${path}.value`, value, error)),
    ...(effects.includes(effect) ? [] : [effectError]),
  ]
}

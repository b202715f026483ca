import { createHash } from 'node:crypto'
import type { PodTemplateSpec } from '../../api/core.ts'

export const templateHashLabel = 'pod-template-hash'
export const revisionHashLabel = 'controller-revision-hash'

/** Names a template: equal templates have equal hashes, whatever the order of their members. */
export function templateHash(template: PodTemplateSpec): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(template)))
    .digest('hex')
    .slice(0, 10)
}

/** The template with a label more, as the pods of its revision carry it. */
export function labelled(template: PodTemplateSpec, labels: Readonly<Record<string, string>>): PodTemplateSpec {
  return { ...template, metadata: { ...template.metadata, labels: { ...template.metadata?.labels, ...labels } } }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, sorted(member)]),
  )
}

import { defineKind } from './kind.ts'
import type { KubernetesObject, ObjectReference } from './meta.ts'

/** events.k8s.io/v1: the newer view of the same stored events. */
export interface EventV1 extends KubernetesObject {
  readonly eventTime: string | null
  readonly series?: { readonly count: number; readonly lastObservedTime: string }
  readonly reportingController?: string
  readonly reportingInstance?: string
  readonly action?: string
  readonly reason?: string
  readonly regarding?: ObjectReference
  readonly related?: ObjectReference
  readonly note?: string
  readonly type?: string
  readonly deprecatedSource?: { readonly component?: string; readonly host?: string }
  readonly deprecatedFirstTimestamp?: string | null
  readonly deprecatedLastTimestamp?: string | null
  readonly deprecatedCount?: number
}
export const EventV1 = defineKind<EventV1>('events.k8s.io', 'v1', 'Event', 'events', { namespaced: true })

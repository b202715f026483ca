import type { KubernetesObject } from '../api/meta.ts'

export type EventType = 'Normal' | 'Warning'

/**
 * Tells the people who look at an object what happened to it. Never blocks and never throws: events are best effort,
 * and a decision must not depend on them. `reason` is a stable word, shared with conditions, metrics and logs.
 */
export interface EventRecorder {
  event(object: KubernetesObject, type: EventType, reason: string, message: string): void
}

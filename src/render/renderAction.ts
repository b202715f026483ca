import type { MachineConfig } from '../api/machineConfig.ts'
import type { MachineConfigPoolConfiguration } from '../api/machineConfigPool.ts'

/** One write or message that a render asks for; `because` is for people. */
export type RenderAction =
  | { readonly kind: 'createRendered'; readonly object: MachineConfig; readonly because: string }
  | { readonly kind: 'updateRendered'; readonly object: MachineConfig; readonly because: string }
  | { readonly kind: 'setTarget'; readonly configuration: MachineConfigPoolConfiguration; readonly because: string }
  /** `failure` absent: the pool renders. Applied to the conditions that the pool has at that time. */
  | { readonly kind: 'setRenderDegraded'; readonly failure: string | undefined }
  | {
      readonly kind: 'event'
      readonly on: 'pool' | 'rendered'
      readonly type: 'Normal' | 'Warning'
      readonly reason: string
      readonly message: string
    }

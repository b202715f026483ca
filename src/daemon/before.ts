import type { UnitFileState } from '../host/host.ts'
import type { Attributes } from './step.ts'

/** What a step found before it ran: all that is needed to undo it. */
export type Before =
  | { readonly kind: 'path'; readonly state: PathState; readonly missingDirectories: readonly string[] }
  | { readonly kind: 'units'; readonly states: Readonly<Record<string, UnitFileState>> }
  | { readonly kind: 'passwordHash'; readonly saved: string | undefined }
  | { readonly kind: 'list'; readonly values: readonly string[] }
  | { readonly kind: 'value'; readonly value: string }

export type PathState =
  | { readonly kind: 'absent' }
  | ({ readonly kind: 'file'; readonly sha256: string; readonly saved: string } & Attributes)
  | ({ readonly kind: 'directory' } & Attributes)
  | { readonly kind: 'symlink'; readonly target: string }
  /** Not copied: the step moves it and moves it back. */
  | { readonly kind: 'moved' }

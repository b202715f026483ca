import { sha256 } from './hostFacts.ts'
import type { Attributes, ContentKey, Step, StepBody } from './step.ts'

/** A part of the change that this host cannot do at all, found before anything is touched. */
interface Refusal {
  /** The field of the config: `spec.osImageURL`. */
  readonly field: string
  readonly message: string
}

/** Something on the host or in the config that must be put right by a person first. */
interface Problem {
  readonly path: string
  readonly message: string
}

export interface UpdatePlan {
  readonly steps: readonly Step[]
  readonly contents: ReadonlyMap<ContentKey, Uint8Array>
  readonly refusals: readonly Refusal[]
  readonly problems: readonly Problem[]
  /** What was left out on purpose, for the log. */
  readonly notes: readonly string[]
}

/** Collects steps in order. The id is stable within a plan: number, kind and subject. */
export interface PlanBuilder {
  add(step: StepBody): void
  /** With the content's key, where it is known already. */
  writeFile(path: string, content: Uint8Array, attributes: Attributes, key?: ContentKey): void
  contentKey(content: Uint8Array): ContentKey
  refuse(field: string, message: string): void
  problem(path: string, message: string): void
  note(text: string): void
  build(): UpdatePlan
}

export function planBuilder(): PlanBuilder {
  const steps: Step[] = []
  const contents = new Map<ContentKey, Uint8Array>()
  const refusals: Refusal[] = []
  const problems: Problem[] = []
  const notes: string[] = []
  const add = (step: StepBody): void => {
    steps.push({ id: `${String(steps.length + 1).padStart(3, '0')} ${step.kind}`, ...step })
  }
  const contentKey = (content: Uint8Array, key = sha256(content)): ContentKey => {
    contents.set(key, content)
    return key
  }
  return {
    add,
    contentKey: (content) => contentKey(content),
    writeFile: (path, content, attributes, key) =>
      add({ kind: 'writeFile', path, attributes, content: contentKey(content, key) }),
    refuse: (field, message) => refusals.push({ field, message }),
    problem: (path, message) => problems.push({ path, message }),
    note: (text) => notes.push(text),
    build: () => ({ steps, contents, refusals, problems, notes }),
  }
}

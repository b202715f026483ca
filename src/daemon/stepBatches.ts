import type { Step } from './step.ts'

export interface PlannedStep {
  readonly step: Step
  /** Its place in the plan. */
  readonly index: number
}

/**
 * Steps that are announced together and made durable together, in order. What the host was before the first step of a
 * batch is all that undoing the batch needs, because each step brings its own path back to that. So only steps are joined
 * that change one path each, none below another and none made from another: a batch is looked at, then staged, then
 * put in its place, each as a whole.
 */
export function stepBatches(steps: readonly Step[]): readonly (readonly PlannedStep[])[] {
  const batches: PlannedStep[][] = []
  let open: PlannedStep[] = []
  let paths = new Set<string>()
  for (const [index, step] of steps.entries()) {
    const path = joinablePath(step)
    const fits = path !== undefined && open.length > 0 && open.length < maxBatchSteps && !dependsOn(step, path, paths)
    if (!fits) {
      open = []
      paths = new Set()
      batches.push(open)
    }
    open.push({ step, index })
    if (path === undefined) open = []
    else paths.add(path)
  }
  return batches
}

/** Bounds what one record of the journal, and one flush, can hold. */
const maxBatchSteps = 4000

function joinablePath(step: Step): string | undefined {
  switch (step.kind) {
    case 'writeFile':
    case 'copyFile':
    case 'writeSymlink':
    case 'writeHardLink':
    case 'remove':
      return step.path
    case 'makeDirectory':
    case 'setAside':
    case 'enableUnits':
    case 'disableUnits':
    case 'setPasswordHash':
    case 'setKernelArguments':
    case 'setOsImage':
    case 'setKernelType':
    case 'setExtensions':
      return undefined
    default:
      return step satisfies never
  }
}

function dependsOn(step: Step, path: string, paths: ReadonlySet<string>): boolean {
  if (step.kind === 'copyFile' && paths.has(step.from)) return true
  // Whatever its target is called, it may be one of these.
  if (step.kind === 'writeHardLink' && paths.size > 0) return true
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1))
    if (paths.has(path.slice(0, end))) return true
  return false
}

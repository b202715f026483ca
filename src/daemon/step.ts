/**
 * What an update does to a host, as data: printed by `plan`, drawn by the console, executed by the transaction and
 * killed at each point by the tests. A step never holds content: `content` is the key under which the plan carries it.
 */
export type Step = { readonly id: string } & StepBody

export type StepBody =
  | { readonly kind: 'makeDirectory'; readonly path: string; readonly attributes: Attributes }
  | { readonly kind: 'writeFile'; readonly path: string; readonly attributes: Attributes; readonly content: ContentKey }
  /** Content, mode and owner of `from`; a symlink is copied as a symlink. */
  | { readonly kind: 'copyFile'; readonly path: string; readonly from: string }
  | { readonly kind: 'writeSymlink'; readonly path: string; readonly target: string }
  | { readonly kind: 'writeHardLink'; readonly path: string; readonly target: string }
  | { readonly kind: 'remove'; readonly path: string }
  /** Renames what is in the way; it is deleted only after the update has succeeded. */
  | { readonly kind: 'setAside'; readonly path: string }
  | { readonly kind: 'enableUnits'; readonly units: readonly string[] }
  | { readonly kind: 'disableUnits'; readonly units: readonly string[] }
  | { readonly kind: 'setPasswordHash'; readonly user: string; readonly content: ContentKey }
  | { readonly kind: 'setKernelArguments'; readonly kernelArguments: readonly string[] }
  | { readonly kind: 'setOsImage'; readonly image: string }
  | { readonly kind: 'setKernelType'; readonly kernelType: string }
  | { readonly kind: 'setExtensions'; readonly extensions: readonly string[] }

export interface Attributes {
  readonly mode: number
  readonly uid: number
  readonly gid: number
}

/** SHA-256 of the content, in hex. */
export type ContentKey = string

/** One line for people; never content. */
export function describeStep(step: StepBody): string {
  switch (step.kind) {
    case 'makeDirectory':
      return `make directory ${step.path}`
    case 'writeFile':
      return `write ${step.path} (mode ${octal(step.attributes.mode)})`
    case 'copyFile':
      return `copy ${step.from} to ${step.path}`
    case 'writeSymlink':
      return `link ${step.path} to ${step.target}`
    case 'writeHardLink':
      return `hard link ${step.path} to ${step.target}`
    case 'remove':
      return `remove ${step.path}`
    case 'setAside':
      return `move ${step.path} out of the way`
    case 'enableUnits':
      return `enable ${step.units.join(' ')}`
    case 'disableUnits':
      return `disable ${step.units.join(' ')}`
    case 'setPasswordHash':
      return `set the password hash of ${step.user}`
    case 'setKernelArguments':
      return `set kernel arguments for the next boot: ${step.kernelArguments.join(' ') || 'none'}`
    case 'setOsImage':
      return `switch the next boot to OS image ${step.image}`
    case 'setKernelType':
      return `switch the next boot to the ${step.kernelType} kernel`
    case 'setExtensions':
      return `extensions for the next boot: ${step.extensions.join(' ') || 'none'}`
    default:
      return step satisfies never
  }
}

const octal = (mode: number): string => `0${mode.toString(8).padStart(3, '0')}`

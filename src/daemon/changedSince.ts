import type { Host } from '../host/host.ts'
import { type PathFact, pathFact } from './hostFacts.ts'
import type { Step } from './step.ts'

/** Paths that are no longer as an update left them. */
export async function changedSince(host: Host, steps: readonly Step[]): Promise<readonly string[]> {
  const last = new Map<string, Step>()
  for (const step of steps) if ('path' in step) last.set(step.path, step)
  const changed: string[] = []
  for (const [path, step] of last) if (!isAsLeft(step, await pathFact(host.files, path))) changed.push(path)
  return changed
}

function isAsLeft(step: Step, now: PathFact): boolean {
  switch (step.kind) {
    case 'writeFile': {
      const { mode, uid, gid } = step.attributes
      return (
        now.kind === 'file' && now.sha256 === step.content && now.mode === mode && now.uid === uid && now.gid === gid
      )
    }
    case 'writeSymlink':
      return now.kind === 'symlink' && now.target === step.target
    case 'remove':
      return now.kind === 'absent'
    case 'makeDirectory':
      return now.kind === 'directory'
    case 'copyFile':
    case 'writeHardLink':
      return now.kind !== 'absent'
    default:
      return true
  }
}

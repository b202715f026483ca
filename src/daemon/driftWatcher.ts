import type { FileWatch, HostFiles } from '../host/host.ts'
import type { Clock } from '../kube/clock.ts'

export interface DriftWatcher {
  close(): void
}

export interface DriftWatcherOptions {
  readonly files: HostFiles
  readonly clock: Clock
  readonly directories: readonly string[]
  /** Something may have changed: look again. Called once for a burst. */
  readonly onChange: () => void
  /** Whether a change in this directory is worth a look; asked for each burst. Every change is, by default. */
  readonly isWorthALook?: (directory: string) => Promise<boolean>
  readonly debounceMs?: number
  /** How much longer to wait before the call, asked when something changed. */
  readonly pauseMs?: () => number
  /** A missed notification is found at the latest after this. */
  readonly everyMs?: number
}

/**
 * Says when to compare the disk again: soon after a change in a watched directory, and now and then without one.
 * It compares nothing itself, so a spurious wake-up costs one comparison.
 */
export async function watchForDrift(options: DriftWatcherOptions): Promise<DriftWatcher> {
  const { files, clock, directories, onChange, debounceMs = 100, everyMs = 10 * 60_000, pauseMs = () => 0 } = options
  const { isWorthALook } = options
  const ended = new AbortController()
  let pending = false
  const later = (ms: number, then: () => void): void => {
    clock.sleep(ms, ended.signal).then(then, () => {
      // Only the abort of `close` ends the sleep early.
    })
  }
  const onEvent = (): void => {
    if (pending) return
    pending = true
    later(Math.max(debounceMs, pauseMs()), () => {
      pending = false
      onChange()
    })
  }
  const onEventIn = (directory: string): void => {
    if (pending) return
    if (!isWorthALook) onEvent()
    else
      isWorthALook(directory).then((worth) => {
        if (worth && !ended.signal.aborted) onEvent()
        // What cannot be judged is looked at; the look itself reports what is wrong.
      }, onEvent)
  }
  const tick = (): void =>
    later(everyMs, () => {
      onChange()
      tick()
    })
  const watch: FileWatch = await files.watch(directories, onEventIn)
  tick()
  return {
    close() {
      ended.abort()
      watch.close()
    },
  }
}

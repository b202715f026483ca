import { eventReason } from '../api/names.ts'
import type { NodeReport } from './nodeReport.ts'

/**
 * Tells that the end of this process is put off while its host is between two configs. That it is put off follows from
 * the daemon's loop, which ends only between two syncs.
 */
export class SigtermProtection {
  readonly #report: NodeReport
  #isOn = false

  constructor(report: NodeReport) {
    this.#report = report
  }

  add(): void {
    if (this.#isOn) return
    this.#isOn = true
    this.#report.event('Normal', eventReason.addSigtermProtection, 'Adding SIGTERM protection')
  }

  remove(): void {
    if (!this.#isOn) return
    this.#isOn = false
    this.#report.event('Normal', eventReason.removeSigtermProtection, 'Removing SIGTERM protection')
  }

  /** The process was asked to end. */
  asked(): void {
    if (!this.#isOn) return
    const message = 'Got SIGTERM during an update; the daemon ends when the update is on the disk or undone'
    this.#report.event('Warning', eventReason.gotSigtermDuringUpdate, message)
  }
}

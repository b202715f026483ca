import { nodeAnnotation } from '../api/names.ts'
import { owesBoot } from './bootDebt.ts'
import { deliverCertificates } from './certificates.ts'
import { deliveredPaths } from './clusterCertificates.ts'
import type { DegradeWord } from './daemonMetrics.ts'
import { readDiskRecord } from './diskRecord.ts'
import { obtainGrant } from './drainGrant.ts'
import { DriftMonitor } from './driftMonitor.ts'
import { DriftResponse } from './driftResponse.ts'
import { annotationsOf, type NodeContext, type NodeWorkPorts, newNodeMemory } from './nodeContext.ts'
import { finishNode, restNode } from './nodeDone.ts'
import { degradeNode } from './nodeFailure.ts'
import { introduceNode, makeFirstContact } from './nodeFirstContact.ts'
import { acknowledgeReboot, awaitedReboot, bootAgain } from './nodeReboot.ts'
import { endInstallation, recoverNode } from './nodeRecovery.ts'
import { decideNodeSync } from './nodeSync.ts'
import { updateNode } from './nodeUpdate.ts'
import { SigtermProtection } from './sigtermProtection.ts'

/**
 * Carries out what `decideNodeSync` says, one step per call: observe, decide, act. Each call answers when to look again
 * at the latest; undefined waits for a change. Whatever ends a call half way, the next one finds its way from the
 * annotations, the disk and the journal; memory only paces retries.
 */
export class NodeWork {
  readonly #context: NodeContext

  constructor(ports: NodeWorkPorts) {
    const { nodeName, report, clock, watchDrift } = ports
    const core = { ports, memory: newNodeMemory() }
    const degradeAs = (word: DegradeWord) => (message: string) => degradeNode(core, message, word)
    const delivered = () => deliveredPaths(ports.cluster.certificates())
    const drift = new DriftMonitor({ ...ports, watches: watchDrift, delivered, onEvent: report.event })
    this.#context = {
      ...core,
      drift,
      driftResponse: new DriftResponse({ ...ports, monitor: drift, degrade: degradeAs('ConfigDrift') }),
      drains: { nodeName, report, clock, degrade: degradeAs('DrainTimeout') },
      sigterm: new SigtermProtection(report),
    }
  }

  close(): void {
    this.#context.drift.close()
  }

  /** The process shall end; an update that is under way is brought to its end first. */
  stopping(): void {
    this.#context.sigterm.asked()
  }

  /** A person should look. */
  degrade(message: string): Promise<void> {
    return degradeNode(this.#context, message, 'SyncFailed')
  }

  async sync(): Promise<Date | undefined> {
    const context = this.#context
    const { report, host, clock } = context.ports
    const node = report.node()
    if (!node) return undefined
    const rebooting = await awaitedReboot(context)
    if (rebooting) return rebooting
    if (context.memory.journalMayBeOpen) {
      const again = await recoverNode(context)
      if (again !== 'clean') return again
    }
    acknowledgeReboot(context)
    if (await endInstallation(context)) return clock.now()
    // Here nothing else writes to this host, also between the steps of an update that waits for its drain.
    await deliverCertificates(context)
    const disk = await readDiskRecord(host)
    const decision = decideNodeSync({
      annotations: annotationsOf(context),
      deleting: node.metadata.deletionTimestamp !== undefined,
      diskConfig: disk.config?.view.name,
      diskImage: disk.image,
      initialAnnotations: disk.initialAnnotations,
      forceFile: disk.forceFile,
      bootOwed: await owesBoot(host),
      failed: context.memory.failed,
      now: clock.now(),
    })
    switch (decision.kind) {
      case 'ignore':
        return undefined
      case 'introduce':
        return introduceNode(context, decision.annotations)
      case 'firstContact':
        return makeFirstContact(context, node)
      case 'awaitDrain':
        return this.#awaitDrain()
      case 'awaitRetry':
        return decision.until
      case 'update':
        return updateNode(context, decision, disk)
      case 'finish':
        return finishNode(context, decision.target, disk)
      case 'bootAgain':
        return bootAgain(context, decision.target)
      case 'idle':
        return restNode(context, decision.target, disk)
      default:
        return decision satisfies never
    }
  }

  async #awaitDrain(): Promise<Date | undefined> {
    const context = this.#context
    const grant = await obtainGrant(context.drains, annotationsOf(context)[nodeAnnotation.desiredDrain] ?? '')
    return grant.kind === 'granted' ? context.ports.clock.now() : grant.again
  }
}

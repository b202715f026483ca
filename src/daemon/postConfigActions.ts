import { eventReason } from '../api/names.ts'
import type { PolicyAction } from '../forecast/disruptionPolicies.ts'
import type { Host } from '../host/host.ts'
import type { Clock } from '../kube/clock.ts'
import { messageOf } from '../kube/errors.ts'
import type { EventType } from '../kube/events.ts'
import { containerRuntime } from './reloadedService.ts'
import { repeatedActions } from './repeatedActions.ts'
import { isAmong } from './unitSteps.ts'

const trustService = 'coreos-update-ca-trust.service'

/** Longer than the limit of systemd's own jobs: what hangs for good must not hang the daemon with it. */
const actionLimitMs = 5 * 60_000

export interface ActionContext {
  readonly host: Host
  readonly clock: Clock
  readonly configName: string
  /** What the change brought, replaced or took away: an action on one of these that is gone ends what runs of it. */
  readonly changedUnits: ReadonlySet<string>
  readonly onEvent: (type: EventType, reason: string, message: string) => void
  readonly onLog: (message: string) => void
}

export class ActionFailed extends Error {
  override readonly name = 'ActionFailed'
}

/**
 * Does what follows a change on disk, in list order and each once; `isDone` skips what an earlier process finished. A
 * drain has happened before, a reboot is the caller's. Throws `ActionFailed` at the first service that refuses.
 */
export async function runActions(
  context: ActionContext,
  actions: readonly PolicyAction[],
  {
    isDone,
    onBegin = () => undefined,
    onDone,
  }: {
    readonly isDone: (index: number) => boolean
    readonly onBegin?: (action: PolicyAction) => void
    readonly onDone: (index: number) => Promise<void>
  },
): Promise<void> {
  const repeated = repeatedActions(actions)
  for (const [index, action] of actions.entries()) {
    if (isDone(index) || repeated.has(index) || action.type === 'Drain' || action.type === 'Reboot') continue
    context.onLog(`Performing post config change action: ${action.type} for config ${context.configName}`)
    onBegin(action)
    await runAction(context, action)
    await onDone(index)
  }
}

export const needsReboot = (actions: readonly PolicyAction[]): boolean =>
  actions.some((action) => action.type === 'Reboot')

export function describeAction(action: PolicyAction): string {
  switch (action.type) {
    case 'Reload':
    case 'Restart':
      return `${action.type} ${serviceOf(action)}`
    default:
      return action.type
  }
}

function serviceOf({ type, reload: toReload, restart: toRestart }: PolicyAction): string {
  const service = (type === 'Reload' ? toReload : toRestart)?.serviceName
  if (!service)
    throw new ActionFailed(
      `the action ${type} names no service; set ${type.toLowerCase()}.serviceName in the node disruption policy`,
    )
  return service
}

async function runAction(context: ActionContext, action: PolicyAction): Promise<void> {
  const { host, onEvent } = context
  switch (action.type) {
    case 'None':
      onEvent('Normal', eventReason.skipReboot, 'Config changes do not require reboot.')
      return
    case 'DaemonReload':
      try {
        return await withinLimit(context, 'the service manager', host.services.daemonReload())
      } catch (error) {
        throw new ActionFailed(`Failed to run systemctl daemon-reload: ${messageOf(error)}`, { cause: error })
      }
    case 'Reload':
      return reload(context, serviceOf(action))
    case 'Special':
      return reload(context, containerRuntime)
    case 'Restart':
      return restart(context, serviceOf(action))
    case 'Drain':
    case 'Reboot':
      return
    default:
      return action.type satisfies never
  }
}

async function reload(context: ActionContext, service: string): Promise<void> {
  const { host, changedUnits, onEvent, onLog } = context
  try {
    await withinLimit(context, service, host.services.reload(service, { mayBeGone: isAmong(changedUnits, service) }))
  } catch (error) {
    const message = `Reloading ${service} service failed. Error: ${messageOf(error)}`
    onEvent('Warning', eventReason.failedServiceReload, message)
    throw new ActionFailed(`could not apply update: ${message}`, { cause: error })
  }
  onEvent('Normal', eventReason.serviceReload, `Config changes do not require reboot. Service ${service} was reloaded.`)
  onLog(`${service} service reloaded successfully!`)
}

async function restart(context: ActionContext, service: string): Promise<void> {
  const { onEvent, onLog } = context
  try {
    await withinLimit(context, service, restartOrUpdateTrust(context, service))
  } catch (error) {
    const message = `Restarting ${service} service failed. Error: ${messageOf(error)}`
    onEvent('Warning', eventReason.failedServiceRestart, message)
    throw new ActionFailed(`could not apply update: ${message}`, { cause: error })
  }
  onEvent(
    'Normal',
    eventReason.serviceRestart,
    `Config changes do not require reboot. Service ${service} was restarted.`,
  )
  onLog(`${service} service restarted successfully!`)
}

async function restartOrUpdateTrust({ host, changedUnits }: ActionContext, service: string): Promise<void> {
  try {
    await host.services.restart(service, { mayBeGone: isAmong(changedUnits, service) })
  } catch (error) {
    // Older systems have the command but not the service.
    if (service !== trustService || host.trustStore.kind === 'unsupported') throw error
    await host.trustStore.use.update()
  }
}

async function withinLimit<T>({ clock }: ActionContext, subject: string, running: Promise<T>): Promise<T> {
  const ended = new AbortController()
  const overdue = clock.sleep(actionLimitMs, ended.signal).then(() => {
    throw new Error(
      `${subject} did not answer within ${actionLimitMs / 60_000} minutes; look at its status on the node`,
    )
  })
  try {
    return await Promise.race([running, overdue])
  } finally {
    ended.abort()
    // The sleep ends by the abort, which nobody waits for.
    overdue.catch(() => undefined)
  }
}

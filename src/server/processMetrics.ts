import { ConfigMap, Node } from '../api/core.ts'
import { operatorNamespace, serverObject } from '../api/names.ts'
import { authorityEndsAt, rotationFault } from '../certificates/certificateProblems.ts'
import type { Clock } from '../kube/clock.ts'
import type { Informers } from '../kube/informers.ts'
import type { Log } from '../kube/log.ts'
import type { ClusterSource } from './clusterSource.ts'
import { type FirstBoots, followFirstBoots } from './firstBoots.ts'
import type { ServerMetricsPage } from './serverMetrics.ts'
import type { CertificateHolder } from './servingCertificate.ts'
import type { AccessMetrics } from './tokens/tokenGate.ts'

/** What token checks count. */
export function accessMetrics(page: ServerMetricsPage): AccessMetrics {
  return {
    mode: (mode) =>
      page.addGauge({
        name: 'mcs_access_mode_info',
        help: 'How clients prove that they may have a config; alert on open and warn.',
        read: () => [{ labels: { mode }, value: 1 }],
      }),
    withoutToken: (reason, served) =>
      page.count('mcs_without_token_total', 'Requests for a config without a valid token.', {
        reason,
        served: String(served),
      }),
  }
}

/** Follows first boots and counts them. */
export function bootMetrics(informers: Informers, page: ServerMetricsPage, log: Log): FirstBoots {
  const boots = followFirstBoots(informers, {
    onStarted: ({ pool }) => page.count('mcs_first_boots_started_total', 'First boots: a machine fetched.', { pool }),
    onCompleted({ pool, remoteAddress }, node, seconds) {
      page.count('mcs_first_boots_completed_total', 'First boots whose Node became Ready.', { pool })
      page.observe('mcs_first_boot_duration_seconds', 'From the first fetch to a Ready Node.', seconds)
      log.info('first boot completed', { pool, remoteAddress, node, seconds })
    },
  })
  page.addGauge({
    name: 'mcs_first_boots_pending',
    help: 'Machines that fetched and have no Ready Node yet.',
    read: () => [{ value: boots.pending().length }],
  })
  return boots
}

interface GaugeSubjects {
  readonly source: ClusterSource
  readonly alive: ReadonlyMap<string, Date>
  readonly holder: CertificateHolder
  readonly informers: Pick<Informers, 'cache' | 'hasSynced'>
  readonly clock: Clock
}

/** What the server holds at the time of asking. */
export function addGauges(page: ServerMetricsPage, { source, alive, holder, informers, clock }: GaugeSubjects): void {
  page.addGauge({
    name: 'mcs_served_config_info',
    help: 'What a new machine of each pool gets now.',
    read: () =>
      (source.pools() ?? []).flatMap((pool) => {
        const found = source.snapshotOf(pool)
        if (found.kind === 'failed') return []
        return [{ labels: { pool, config: found.snapshot.config, source: found.source }, value: 1 }]
      }),
  })
  page.addGauge({
    name: 'mcs_cache_age_seconds',
    help: 'How long the API server has said nothing about a kind.',
    read: () =>
      [...alive]
        .filter(([kind]) => kind !== Node.kind)
        .map(([kind, at]) => ({ labels: { kind }, value: (clock.now().getTime() - at.getTime()) / 1000 })),
  })
  page.addGauge({
    name: 'mcs_tls_cert_not_after_seconds',
    help: 'Unix time at which the serving certificate ends.',
    read: () => [{ value: Math.floor(holder.notAfter().getTime() / 1000) }],
  })
  const bundle = (): ConfigMap | undefined =>
    informers.hasSynced(ConfigMap)
      ? informers.cache.get(ConfigMap, { name: serverObject.ca, namespace: operatorNamespace })
      : undefined
  page.addGauge({
    name: 'mcs_ca_not_after_seconds',
    help: 'Unix time at which the newest authority ends that machines are told to trust.',
    read: () => {
      const end = authorityEndsAt(bundle())
      return end ? [{ value: Math.floor(end.getTime() / 1000) }] : []
    },
  })
  page.addGauge({
    name: 'mcs_rotation_failing',
    help: '1 while the rotation of the certificates fails; mco status says with what.',
    read: () => (informers.hasSynced(ConfigMap) ? [{ value: rotationFault(bundle()) === undefined ? 0 : 1 }] : []),
  })
}

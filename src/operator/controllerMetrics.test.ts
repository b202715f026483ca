import { expect, test } from 'vitest'
import { sample } from '../forecast/metrics/clusterFamilies.ts'
import { Retryable } from '../kube/errors.ts'
import { controllerMetricsPage } from './controllerMetrics.ts'

function aPage(cluster = () => [sample('mco_pool_paused', { pool: 'worker' }, 1)]) {
  let nowMs = Date.parse('2026-01-01T00:00:00Z')
  let made = 0
  const page = controllerMetricsPage({
    version: '1.2.3',
    clock: { now: () => new Date(nowMs) } as Parameters<typeof controllerMetricsPage>[0]['clock'],
    cluster() {
      made += 1
      return cluster()
    },
  })
  const values = () =>
    page
      .render()
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
  const pass = (ms: number): void => {
    nowMs += ms
  }
  return { page, values, made: () => made, pass }
}

test('controllerMetricsPage counts passes, queues, caches, evictions and drains', () => {
  const { page, values } = aPage()
  page.reconciled('drain', 'settled', 500)
  page.reconciled('drain', 'settled', 1500)
  page.reconciled('drain', 'bug', 0)
  page.queue('drain', 3, 2500)
  page.cacheAlive('Node', new Date('2026-01-01T00:00:05.900Z'))
  page.watchFailed('Node', '410')
  page.leader('machine-config-controller', true)
  page.eventDropped('limit')
  page.evictions(2, 0)
  page.evictions(1, 4)
  page.drained('w-1', 90_000)
  expect(values()).toEqual([
    'mco_controller_info{version="1.2.3"} 1',
    'mco_leader{lease="machine-config-controller"} 1',
    'mco_reconciles_total{controller="drain",result="settled"} 2',
    'mco_reconciles_total{controller="drain",result="bug"} 1',
    'mco_reconcile_duration_seconds_sum{controller="drain"} 2',
    'mco_reconcile_duration_seconds_count{controller="drain"} 3',
    'mco_queue_depth{controller="drain"} 3',
    'mco_queue_oldest_seconds{controller="drain"} 2.5',
    'mco_cache_alive_timestamp_seconds{kind="Node"} 1767225605',
    'mco_watch_failures_total{kind="Node",reason="410"} 1',
    'mco_events_dropped_total{cause="limit"} 1',
    'mco_drain_duration_seconds_sum 90',
    'mco_drain_duration_seconds_count 1',
    'mco_evictions_total{result="granted"} 3',
    'mco_evictions_total{result="refused"} 4',
    'mco_cluster_metrics_duration_seconds 0',
    'mco_pool_paused{pool="worker"} 1',
  ])
})

test('controllerMetricsPage works the cluster out when asked, at most once in two seconds', () => {
  const { page, made, pass } = aPage()
  expect(made()).toBe(0)
  for (let scrape = 0; scrape < 5; scrape++) page.render()
  expect(made()).toBe(1)
  pass(1_999)
  page.render()
  expect(made()).toBe(1)
  pass(1)
  page.render()
  expect(made()).toBe(2)
})

test('controllerMetricsPage says nothing of the cluster while a cache is not complete, and does not hide a bug', () => {
  const young = aPage(() => {
    throw new Retryable('the cache of nodes is not complete yet')
  })
  expect(young.values()).toEqual(['mco_controller_info{version="1.2.3"} 1'])
  const broken = aPage(() => {
    throw new TypeError('bug')
  })
  expect(() => broken.page.render()).toThrow('bug')
})

test('each family of a page has one head, before its samples', () => {
  const { page } = aPage()
  const heads = page
    .render()
    .split('\n')
    .filter((line) => line.startsWith('# TYPE'))
  expect(heads).toEqual([
    '# TYPE mco_controller_info gauge',
    '# TYPE mco_cluster_metrics_duration_seconds gauge',
    '# TYPE mco_pool_paused gauge',
  ])
})

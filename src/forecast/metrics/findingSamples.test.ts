import { expect, test } from 'vitest'
import type { Finding, FindingSeverity } from '../finding.ts'
import { findingSamples } from './findingSamples.ts'

const finding = (code: string, severity: FindingSeverity, name: string): Finding => ({
  code,
  severity,
  subject: { kind: 'node', name },
  what: '',
  why: '',
  remedy: '',
  evidence: [],
})

test('findingSamples counts by word and severity, and names each subject once', () => {
  const found = findingSamples([
    finding('RebootOverdue', 'critical', 'w-1'),
    finding('DrainBlockedByBudget', 'warning', 'w-2'),
    finding('DrainBlockedByBudget', 'warning', 'w-2'),
    finding('DrainBlockedByBudget', 'warning', 'w-3'),
  ])
  expect(found.map(({ name, labels, value }) => [name, ...Object.values(labels), value])).toEqual([
    ['mco_findings', 'RebootOverdue', 'critical', 1],
    ['mco_findings', 'DrainBlockedByBudget', 'warning', 3],
    ['mco_finding_info', 'RebootOverdue', 'critical', 'node/w-1', 1],
    ['mco_finding_info', 'DrainBlockedByBudget', 'warning', 'node/w-2', 1],
    ['mco_finding_info', 'DrainBlockedByBudget', 'warning', 'node/w-3', 1],
  ])
})

test('findingSamples names at most two hundred and counts all', () => {
  const found = findingSamples(
    Array.from({ length: 1000 }, (_, index) => finding('NodeNotReady', 'warning', `w-${index}`)),
  )
  expect(found.filter(({ name }) => name === 'mco_finding_info')).toHaveLength(200)
  expect(found[0]).toMatchObject({ name: 'mco_findings', value: 1000 })
})

import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { alerts, runbookOf } from '../../../scripts/generate/monitoring/alerts.ts'
import { staleMonitoringFiles } from '../../../scripts/generate/monitoring/files.ts'
import { publishedNames, serverNames } from '../../docs/metricCatalogue.ts'

const published = publishedNames()
const metricNames = (text: string): readonly string[] =>
  [...text.matchAll(/\b(?:mco|mcc|mcd|mcs|machine_config|os_image)_[a-z_]+\b/g)].map(([name]) => name)

test('the generated files are those of the sources: run scripts/generate-monitoring.ts', async () => {
  expect(await staleMonitoringFiles()).toEqual([])
})

describe('alerts', () => {
  const names = [...new Set(alerts.map(({ name }) => name))].sort()

  test('each has a runbook of its name, and each runbook an alert', () => {
    const pages = readdirSync('docs/runbooks').sort()
    expect(pages).toEqual(names.map((name) => `${name}.md`))
  })

  test.each(names)('the runbook of %s says what it means, what to look at and what to do', (name) => {
    const text = readFileSync(runbookOf(name), 'utf8')
    expect(text.startsWith(`# ${name}\n\nSeverity: `)).toBe(true)
    for (const { severity } of alerts.filter((alert) => alert.name === name))
      expect(text.split('\n')[2]).toContain(severity)
    expect(text.match(/^## .*$/gm)).toEqual(['## Meaning', '## Impact', '## Diagnosis', '## Remedy'])
    for (const section of text.split(/^## .*$/m).slice(1)) expect(section.trim().length).toBeGreaterThan(4)
  })

  test.each(alerts.map((alert) => [alert.name, alert] as const))('%s asks for series that exist', (_, alert) => {
    const used = [...metricNames(alert.expr), ...metricNames(alert.description)]
    expect(metricNames(alert.expr)).not.toEqual([])
    expect(used.filter((name) => !published.has(name))).toEqual([])
  })
})

describe('dashboard', () => {
  interface Target {
    readonly expr: string
    readonly datasource: { readonly uid: string }
    readonly refId: string
  }
  interface PanelDocument {
    readonly id: number
    readonly title: string
    readonly type: string
    readonly datasource?: { readonly uid: string }
    readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
    readonly fieldConfig?: { readonly defaults: { readonly unit: string } }
    readonly targets?: readonly Target[]
  }
  interface DashboardDocument {
    readonly uid: string
    readonly title: string
    readonly schemaVersion: number
    readonly templating: { readonly list: readonly { readonly name: string }[] }
    readonly panels: readonly PanelDocument[]
  }
  const text = readFileSync('deploy/dashboards/machine-config.json', 'utf8')
  const document: DashboardDocument = JSON.parse(text)
  const panels = document.panels.filter(({ type }) => type !== 'row')

  test('has an identity, rows and panels with numbers of their own', () => {
    expect([document.uid, document.title, document.schemaVersion]).toEqual([
      'machine-config',
      'Machine Config Operator',
      39,
    ])
    const ids = document.panels.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(document.panels[0]?.type).toBe('row')
  })

  test.each(panels.map((panel) => [panel.title, panel] as const))(
    '"%s" has unit, source and queries',
    (title, panel) => {
      expect(title).not.toBe('')
      expect(panel.fieldConfig?.defaults.unit).toMatch(/^[a-zA-Z]+$/)
      // biome-ignore lint/suspicious/noTemplateCurlyInString: Grafana's notation
      expect(panel.datasource?.uid).toBe('${datasource}')
      const targets = panel.targets ?? []
      expect(targets).not.toEqual([])
      expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length)
      for (const { expr, datasource } of targets) {
        expect(datasource.uid).toBe(panel.datasource?.uid)
        expect(metricNames(expr)).not.toEqual([])
        expect(metricNames(expr).filter((name) => !published.has(name))).toEqual([])
      }
    },
  )

  test('no title comes twice, and no panel lies on another', () => {
    const titles = panels.map(({ title }) => title)
    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([])
    for (const { id, gridPos: a } of document.panels) {
      expect(a.x + a.w).toBeLessThanOrEqual(24)
      const covered = document.panels.filter(
        ({ id: other, gridPos: b }) =>
          other !== id && a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h,
      )
      expect(covered.map(({ title }) => title)).toEqual([])
    }
  })

  test('each variable that is used exists, and each that exists is used', () => {
    const declared = document.templating.list.map(({ name }) => name).sort()
    const used = [...text.matchAll(/\$(?:\{(\w+)\}|(\w+))/g)].map(([, braced, bare]) => braced ?? bare ?? '')
    expect([...new Set(used)].filter((name) => name !== '__all').sort()).toEqual(declared)
  })
})

test('the page about the config server names each of its series', () => {
  const page = readFileSync('docs/config-server.md', 'utf8')
  const isNamed = (name: string): boolean => page.includes(name) || page.includes(name.replace('mcs_first_boots', ''))
  expect(serverNames().filter((name) => !isNamed(name))).toEqual([])
  expect(serverNames()).toContain('mcs_requests_total')
})

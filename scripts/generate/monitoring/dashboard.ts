import { dashboardRows } from './dashboardRows.ts'

/** One panel: what it shows, in which unit, from which queries. `$pool` is the choice at the top of the page. */
export interface Panel {
  readonly title: string
  readonly description?: string
  readonly type: 'stat' | 'timeseries' | 'table'
  /** A unit of Grafana; `none` and `short` are plain numbers. */
  readonly unit: 'none' | 'short' | 's' | 'percentunit' | 'dateTimeFromNow' | 'reqps' | 'ops'
  readonly queries: readonly { readonly expr: string; readonly legend: string }[]
  /** Colours from this value on as a warning, or as an error. */
  readonly warnAt?: number
  readonly errorAt?: number
  readonly isStacked?: boolean
  /** In columns of 24; a third of the page by default. */
  readonly width?: number
}

export interface DashboardRow {
  readonly title: string
  readonly panels: readonly Panel[]
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: Grafana fills it in with the chosen data source
const source = { type: 'prometheus', uid: '${datasource}' }

/** The document that Grafana imports. */
export function dashboardDocument(): object {
  return {
    uid: 'machine-config',
    title: 'Machine Config Operator',
    tags: ['kubernetes', 'machine-config'],
    schemaVersion: 39,
    version: 1,
    editable: true,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    timezone: 'browser',
    annotations: { list: [] },
    links: [],
    templating: { list: [datasourceVariable, poolVariable] },
    panels: placed(dashboardRows),
  }
}

const datasourceVariable = {
  name: 'datasource',
  label: 'Data source',
  type: 'datasource',
  query: 'prometheus',
  refresh: 1,
  hide: 0,
  includeAll: false,
  multi: false,
}

const poolVariable = {
  name: 'pool',
  label: 'Pool',
  type: 'query',
  datasource: source,
  query: { query: 'label_values(mco_machine_count, pool)', refId: 'pool' },
  definition: 'label_values(mco_machine_count, pool)',
  refresh: 2,
  sort: 1,
  hide: 0,
  includeAll: true,
  allValue: '.*',
  multi: true,
  current: { text: 'All', value: '$__all' },
}

const columns = 24
const height: Readonly<Record<Panel['type'], number>> = { stat: 4, timeseries: 8, table: 8 }

/** Rows from top to bottom; panels from left to right, and below when the line is full. */
function placed(rows: readonly DashboardRow[]): readonly object[] {
  const placedPanels: object[] = []
  let y = 0
  for (const { title, panels } of rows) {
    const id = () => placedPanels.length + 1
    placedPanels.push({ id: id(), type: 'row', title, collapsed: false, panels: [], gridPos: box(0, y, columns, 1) })
    y += 1
    let x = 0
    let lineHeight = 0
    for (const panel of panels) {
      const { type, width = 8 } = panel
      if (x + width > columns) {
        x = 0
        y += lineHeight
        lineHeight = 0
      }
      placedPanels.push({ id: id(), ...panelDocument(panel), gridPos: box(x, y, width, height[type]) })
      x += width
      lineHeight = Math.max(lineHeight, height[type])
    }
    y += lineHeight
  }
  return placedPanels
}

const box = (x: number, y: number, w: number, h: number): object => ({ x, y, w, h })

function panelDocument(panel: Panel): object {
  const { title, description, type, unit, queries, warnAt, errorAt, isStacked = false } = panel
  const steps = [
    { color: 'green', value: null },
    ...(warnAt === undefined ? [] : [{ color: 'orange', value: warnAt }]),
    ...(errorAt === undefined ? [] : [{ color: 'red', value: errorAt }]),
  ]
  const custom = type === 'timeseries' ? { fillOpacity: 10, stacking: { mode: isStacked ? 'normal' : 'none' } } : {}
  return {
    title,
    ...(description !== undefined && { description }),
    type,
    datasource: source,
    fieldConfig: { defaults: { unit, min: 0, custom, thresholds: { mode: 'absolute', steps } }, overrides: [] },
    options: optionsOf(type),
    ...(type === 'table' && { transformations: [{ id: 'organize', options: { excludeByName: hiddenColumns } }] }),
    targets: queries.map(({ expr, legend }, index) => ({
      refId: String.fromCharCode(65 + index),
      datasource: source,
      expr,
      legendFormat: legend,
      ...(type === 'timeseries' ? { range: true } : { instant: true }),
      ...(type === 'table' && { format: 'table' }),
    })),
  }
}

const hiddenColumns = { Time: true, __name__: true, instance: true, job: true, endpoint: true, container: true }

function optionsOf(type: Panel['type']): object {
  switch (type) {
    case 'stat':
      return { colorMode: 'background', reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false } }
    case 'timeseries':
      return { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi' } }
    case 'table':
      return { showHeader: true }
    default:
      return type satisfies never
  }
}

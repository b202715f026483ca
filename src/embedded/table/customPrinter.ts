import type { ApiObject, PrinterColumn, ResourceDefinition } from '../server/resource.ts'
import { ageOf } from './age.ts'
import { findAll, type JsonPath, parseJsonPath } from './jsonPath.ts'
import { type Printer, printer } from './printer.ts'

const defaultColumns: readonly PrinterColumn[] = [
  {
    name: 'Age',
    type: 'date',
    jsonPath: '.metadata.creationTimestamp',
    description: 'Time since the object was created.',
  },
]

/**
 * Custom resources by their additionalPrinterColumns (public docs, "Additional printer columns"); the age when there are
 * none. A value that is absent, or is not of the column's type, leaves the cell empty.
 */
export function customPrinter({ columns }: ResourceDefinition): Printer {
  const parsed = (columns && columns.length > 0 ? columns : defaultColumns).map((column) => ({
    column,
    path: parseJsonPath(column.jsonPath),
  }))
  const headings = parsed.map(({ column: { name, type, format = '', description = '', priority = 0 } }) => ({
    name,
    type,
    format,
    description,
    priority,
  }))
  return printer(headings, (object, now) => parsed.map(({ column, path }) => cell(object, column.type, path, now)))
}

function cell(object: ApiObject, type: string, path: JsonPath | undefined, now: Date): unknown {
  const values = path ? findAll(object, path) : []
  const [first] = values
  if (first === undefined || first === null) return null
  switch (type) {
    case 'integer':
      return typeof first === 'number' ? Math.trunc(first) : null
    case 'number':
      return typeof first === 'number' ? first : null
    case 'boolean':
      return typeof first === 'boolean' ? first : null
    case 'date':
      return typeof first === 'string' ? ageOf(first, now) : null
    default:
      return values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(' ')
  }
}

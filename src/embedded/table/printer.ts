import { isObject, type JsonObject } from '../builtins/jsonObject.ts'
import type { ApiObject } from '../server/resource.ts'
import { ageOf } from './age.ts'

/** One heading of a table; columns of a priority above 0 are shown by `-o wide` only. */
export interface Column {
  readonly name: string
  readonly type: string
  readonly format: string
  readonly description: string
  readonly priority: number
}

/** How a kind is shown: its columns, and the cells of one object in the same order. */
export interface Printer {
  readonly columns: readonly Column[]
  cells(object: ApiObject, now: Date): readonly unknown[]
  /** Marks rows that are over (`Completed`), which some clients hide. */
  conditions?(object: ApiObject): readonly JsonObject[]
}

export function column(name: string, description: string, { type = 'string', format = '', wide = false } = {}): Column {
  return { name, type, format, description, priority: wide ? 1 : 0 }
}
export const wide = (name: string, description: string): Column => column(name, description, { wide: true })

const nameColumn: Column = column('Name', 'Name of the object.', { format: 'name' })
export const ageColumn: Column = column('Age', 'Time since the object was created.')

/** A printer whose first column is the name: all of them. */
export function printer(
  columns: readonly Column[],
  cells: (object: ApiObject, now: Date) => readonly unknown[],
): Printer {
  return {
    columns: [nameColumn, ...columns],
    cells: (object, now) => [object.metadata.name ?? '', ...cells(object, now)],
  }
}

export const age = (object: ApiObject, now: Date): string => ageOf(object.metadata.creationTimestamp, now)

/** A member somewhere inside, by names and positions. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((inner, step) => {
    if (typeof step === 'number') return Array.isArray(inner) ? inner[step] : undefined
    return isObject(inner) ? inner[step] : undefined
  }, value)
}

export function text(value: unknown, fallback = ''): string {
  if (value === undefined || value === null || value === '') return fallback
  return typeof value === 'string' ? value : String(value)
}
export const count = (value: unknown): number => (typeof value === 'number' ? value : 0)
export const items = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])
export const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : []
export const size = (value: unknown): number => (isObject(value) ? Object.keys(value).length : 0)

export const listOrNone = (values: readonly string[]): string => (values.length === 0 ? '<none>' : values.join(','))

/** The condition of a type. */
export const conditionOf = (object: unknown, type: string): JsonObject | undefined =>
  items(at(object, 'status', 'conditions')).find((condition) => condition.type === type)

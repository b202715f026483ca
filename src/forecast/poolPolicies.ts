import type { FilePolicy, PolicyAction, UserPolicies } from './disruptionPolicies.ts'

/** What a pool's annotation says, or the first thing that is wrong with it. */
export type ParsedPoolPolicies =
  | { readonly kind: 'parsed'; readonly policies: UserPolicies }
  | { readonly kind: 'unusable'; readonly problem: string }

/** The rules of the kind's schema, for a text that no API server has checked. */
export function parsePoolPolicies(text: string): ParsedPoolPolicies {
  try {
    return { kind: 'parsed', policies: policiesOf(parseJson(text)) }
  } catch (error) {
    if (error instanceof Unusable) return { kind: 'unusable', problem: error.message }
    throw error
  }
}

class Unusable extends Error {}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Unusable('it is not JSON', { cause: error })
  }
}

function policiesOf(value: unknown): UserPolicies {
  const { files, units, sshkey } = members(value, 'the policy', ['files', 'units', 'sshkey'])
  return {
    files: list(files, 'files').map((entry, index): FilePolicy => {
      const at = `files[${index}]`
      const { path, actions } = members(entry, at, ['path', 'actions'])
      return { path: text(path, `${at}.path`), actions: actionsOf(actions, `${at}.actions`) }
    }),
    units: list(units, 'units').map((entry, index) => {
      const at = `units[${index}]`
      const { name, actions } = members(entry, at, ['name', 'actions'])
      return { name: text(name, `${at}.name`), actions: actionsOf(actions, `${at}.actions`) }
    }),
    ...(sshkey === undefined
      ? {}
      : { sshkey: { actions: actionsOf(members(sshkey, 'sshkey', ['actions']).actions, 'sshkey.actions') } }),
  }
}

const types: readonly PolicyAction['type'][] = ['Reboot', 'Drain', 'Reload', 'Restart', 'DaemonReload', 'None']

function actionsOf(value: unknown, at: string): readonly PolicyAction[] {
  const actions = list(value, at).map((entry, index) => actionOf(entry, `${at}[${index}]`))
  if (actions.length === 0) throw new Unusable(`${at} names no action`)
  const alone = actions.find(({ type }) => type === 'Reboot' || type === 'None')
  if (alone && actions.length > 1) throw new Unusable(`${at}: ${alone.type} stands alone`)
  return actions
}

function actionOf(value: unknown, at: string): PolicyAction {
  const { type, reload, restart } = members(value, at, ['type', 'reload', 'restart'])
  const known = types.find((candidate) => candidate === type)
  if (!known) throw new Unusable(`${at}.type is ${JSON.stringify(type)}, expected one of ${types.join(', ')}`)
  if (known === 'Reload') return { type: known, reload: { serviceName: serviceOf(reload, `${at}.reload`) } }
  if (known === 'Restart') return { type: known, restart: { serviceName: serviceOf(restart, `${at}.restart`) } }
  return { type: known }
}

function serviceOf(value: unknown, at: string): string {
  const name = text(members(value, at, ['serviceName']).serviceName, `${at}.serviceName`)
  if (!/^[a-zA-Z0-9:._\\@-]+\.[a-z]+$/.test(name)) throw new Unusable(`${at}.serviceName is no name of a unit: ${name}`)
  return name
}

function members(value: unknown, at: string, known: readonly string[]): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Unusable(`${at} is no object`)
  const stranger = Object.keys(value).find((key) => !known.includes(key))
  if (stranger !== undefined) throw new Unusable(`${at} has an unknown member "${stranger}"`)
  return { ...value }
}

function list(value: unknown, at: string): readonly unknown[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) throw new Unusable(`${at} is no list`)
  return value
}

function text(value: unknown, at: string): string {
  if (typeof value !== 'string' || value === '') throw new Unusable(`${at} is no text`)
  return value
}

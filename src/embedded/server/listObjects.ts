import type { ListMeta } from '../../api/meta.ts'
import type { Collection } from '../store/collection.ts'
import type { Entry } from '../store/entry.ts'
import type { ServerContext } from './context.ts'
import { formatContinueToken, parseContinueToken } from './continueToken.ts'
import type { Filter } from './filter.ts'
import { collectionOf } from './registry.ts'
import type { ListOptions } from './requestOptions.ts'
import type { ResourceDefinition } from './resource.ts'
import { StatusError, tooLargeResourceVersion } from './statusError.ts'

export interface Page {
  readonly metadata: ListMeta
  readonly entries: readonly Entry[]
}

/** One page of a list, at one revision: pages that follow each other by `continue` show the state of the first. */
export function listPage(
  context: ServerContext,
  resource: ResourceDefinition,
  filter: Filter,
  options: ListOptions,
): Page {
  const collection = context.database.collection(collectionOf(resource))
  const { revision, afterKey, entries } = snapshot(context, collection, filter, options)
  const matching = filter.selectsAll ? entries : entries.filter((entry) => filter.matches(entry))
  const rest = afterKey === '' ? matching : matching.filter((entry) => entry.key > afterKey)
  const page = options.limit > 0 ? rest.slice(0, options.limit) : rest
  const last = page.at(-1)
  const more = rest.length - page.length
  return {
    metadata: {
      resourceVersion: String(revision),
      ...(more > 0 && last ? { continue: formatContinueToken({ revision, afterKey: last.key }) } : {}),
      // With selectors the number is unknown to the real server too, and clients must not rely on it.
      ...(more > 0 && filter.selectsAll ? { remainingItemCount: more } : {}),
    },
    entries: page,
  }
}

interface Snapshot {
  readonly revision: number
  readonly afterKey: string
  readonly entries: readonly Entry[]
}

/** API concepts, "Semantics for get and list". */
function snapshot({ database }: ServerContext, collection: Collection, filter: Filter, options: ListOptions): Snapshot {
  const { namespace } = filter
  const now = (afterKey: string): Snapshot => ({
    revision: database.revision,
    afterKey,
    entries: collection.list(namespace),
  })
  if (options.continueToken !== '') {
    const { revision, afterKey } = parseContinueToken(options.continueToken)
    if (revision < 0) return now(afterKey)
    const entries = revision > database.revision ? undefined : collection.listAt(revision, namespace)
    if (!entries) throw expiredToken(afterKey)
    return { revision, afterKey, entries }
  }
  const wanted = Number(options.resourceVersion)
  if (options.resourceVersion === '' || wanted === 0) return now('')
  if (wanted > database.revision) throw tooLargeResourceVersion(wanted, database.revision)
  const exact = options.resourceVersionMatch === 'Exact' || (options.resourceVersionMatch === '' && options.limit > 0)
  if (!exact) return now('')
  const entries = collection.listAt(wanted, namespace)
  if (!entries) throw new StatusError(410, 'Expired', `The resourceVersion for the provided list is too old.`)
  return { revision: wanted, afterKey: '', entries }
}

/** The answer carries a token that continues in the present state, for clients that can live with that. */
function expiredToken(afterKey: string): StatusError {
  return new StatusError(
    410,
    'Expired',
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without ' +
      'the continue parameter, or use the continue token in this response to retrieve the remainder of the results. ' +
      'Continuing with the provided token results in an inconsistent list - objects that were created, modified, or ' +
      'deleted between the time the first chunk was returned and now may show up in the list.',
    undefined,
    { metadata: { continue: formatContinueToken({ revision: -1, afterKey }) } },
  )
}

import type { ApiRequest, Identity } from './apiRequest.ts'
import { type Attributes, type Authorize, requireAuthorized } from './authorize.ts'
import { badRequest } from './statusError.ts'

/**
 * Who a request acts as: the one that it names in `Impersonate-*` headers (`kubectl --as`), when whoever sent it may
 * impersonate each of the names, else its sender (Kubernetes documentation, "User impersonation").
 */
export function impersonate(sender: Identity, headers: ApiRequest['headers'], authorize: Authorize): Identity {
  const name = headers['impersonate-user'] ?? ''
  const uid = headers['impersonate-uid'] ?? ''
  const groups = listOf(headers['impersonate-group'])
  const extra = extraOf(headers)
  if (name === '') {
    if (uid === '' && groups.length === 0 && extra.length === 0) return sender
    throw badRequest('the request has Impersonate headers without Impersonate-User; name the user as well')
  }
  const account = serviceAccount.exec(name)?.groups
  const wanted: readonly Attributes[] = [
    account
      ? may('', 'serviceaccounts', account.name ?? '', { namespace: account.namespace ?? '' })
      : may('', 'users', name),
    ...groups.map((group) => may('', 'groups', group)),
    ...(uid === '' ? [] : [may('authentication.k8s.io', 'uids', uid)]),
    ...extra.flatMap(([key, values]) =>
      values.map((value) => may('authentication.k8s.io', 'userextras', value, { subresource: key })),
    ),
  ]
  for (const attributes of wanted) requireAuthorized(authorize, sender, attributes)
  return {
    name,
    ...(uid === '' ? {} : { uid }),
    groups: [...new Set([...(groups.length > 0 ? groups : impliedGroups(account?.namespace)), stateOf(name)])],
    ...(extra.length === 0 ? {} : { extra: Object.fromEntries(extra) }),
  }
}

const serviceAccount = /^system:serviceaccount:(?<namespace>[^:]+):(?<name>[^:]+)$/

/** A service account that is named without groups has those that its tokens have. */
const impliedGroups = (namespace: string | undefined): readonly string[] =>
  namespace === undefined ? [] : ['system:serviceaccounts', `system:serviceaccounts:${namespace}`]

const stateOf = (name: string): string =>
  name === 'system:anonymous' ? 'system:unauthenticated' : 'system:authenticated'

function may(
  group: string,
  plural: string,
  name: string,
  { namespace = '', subresource = '' }: { readonly namespace?: string; readonly subresource?: string } = {},
): Attributes {
  return { kind: 'resource', verb: 'impersonate', group, plural, subresource, namespace, name }
}

/** A header that is sent several times arrives as one, joined by commas. */
const listOf = (header: string | undefined): readonly string[] =>
  (header ?? '')
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '')

const extraPrefix = 'impersonate-extra-'

function extraOf(headers: ApiRequest['headers']): readonly (readonly [key: string, values: readonly string[]])[] {
  return Object.entries(headers)
    .filter(([header]) => header.startsWith(extraPrefix))
    .map(([header, value]) => [keyOf(header.slice(extraPrefix.length)), listOf(value)] as const)
}

/** Keys may hold characters that a header name may not; they come percent-encoded. */
function keyOf(encoded: string): string {
  try {
    return decodeURIComponent(encoded)
  } catch (cause) {
    if (cause instanceof URIError) return encoded
    throw cause
  }
}

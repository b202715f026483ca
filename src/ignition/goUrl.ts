/**
 * URLs as Go's `net/url` takes them apart: the reference accepts exactly what that parser accepts, which is more
 * (`https://`, `http://h:99999/`) and less (`https://h/%zz`) than the WHATWG URL of this runtime.
 */
export function parseGoUrl(text: string): GoUrl | undefined {
  const hash = text.indexOf('#')
  const beforeFragment = hash < 0 ? text : text.slice(0, hash)
  if (hash >= 0 && !hasValidEscapes(text.slice(hash + 1))) return undefined
  if (hasControl(beforeFragment)) return undefined
  const scheme = splitScheme(beforeFragment)
  if (scheme === undefined) return undefined
  const [beforeQuery, query] = cut(scheme.rest, '?')
  if (!beforeQuery.startsWith('/')) {
    if (scheme.name !== '') return { scheme: scheme.name, opaque: beforeQuery, query }
    if (cut(beforeQuery, '/')[0].includes(':')) return undefined
    return hasValidEscapes(beforeQuery) ? { scheme: '', opaque: '', query } : undefined
  }
  const hasAuthority = beforeQuery.startsWith('//') && (scheme.name !== '' || !beforeQuery.startsWith('///'))
  const [authority, path] = hasAuthority ? splitAuthority(beforeQuery.slice(2)) : ['', beforeQuery]
  if (!isValidAuthority(authority) || !hasValidEscapes(path)) return undefined
  return { scheme: scheme.name, opaque: '', query }
}

export interface GoUrl {
  /** Lower case; empty without one. */
  readonly scheme: string
  /** What follows the scheme when it does not start with a slash: `arn:OPAQUE`. */
  readonly opaque: string
  readonly query: string
}

/** The values of one query parameter; broken pairs are skipped, as in Go. */
export function queryValues(query: string, name: string): readonly string[] {
  return query.split('&').flatMap((pair) => {
    if (pair.includes(';')) return []
    const [key, value] = cut(pair, '=')
    return hasValidEscapes(key) && hasValidEscapes(value) && decodeQuery(key) === name ? [decodeQuery(value)] : []
  })
}

function decodeQuery(text: string): string {
  const bytes = text
    .replaceAll('+', ' ')
    .replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return bytes
}

function cut(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)]
}

function splitScheme(text: string): { readonly name: string; readonly rest: string } | undefined {
  if (text.startsWith(':')) return undefined
  const name = /^[a-zA-Z][a-zA-Z0-9+.-]*(?=:)/.exec(text)?.[0]
  return name === undefined ? { name: '', rest: text } : { name: name.toLowerCase(), rest: text.slice(name.length + 1) }
}

function splitAuthority(text: string): [string, string] {
  const slash = text.indexOf('/')
  return slash < 0 ? [text, ''] : [text.slice(0, slash), text.slice(slash)]
}

function isValidAuthority(authority: string): boolean {
  const at = authority.lastIndexOf('@')
  const user = at < 0 ? '' : authority.slice(0, at)
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user) || !hasValidEscapes(user)) return false
  return isValidHost(authority.slice(at + 1))
}

function isValidHost(host: string): boolean {
  if (host.startsWith('[')) {
    const end = host.lastIndexOf(']')
    if (end < 0 || !isOptionalPort(host.slice(end + 1))) return false
    const [address = ''] = host.slice(1, end).split('%25')
    return URL.canParse(`http://[${address}]/`) && hasValidHostCharacters(host.slice(0, end + 1))
  }
  const colon = host.lastIndexOf(':')
  if (colon >= 0 && !isOptionalPort(host.slice(colon))) return false
  return !host.includes('[') && hasValidHostCharacters(host)
}

const isOptionalPort = (text: string): boolean => text === '' || /^:\d*$/.test(text)

/** Escapes in a host may only stand for bytes beyond ASCII; of ASCII only these characters may stand unescaped. */
function hasValidHostCharacters(host: string): boolean {
  const rest = host.replace(/%25|%[89a-fA-F][0-9a-fA-F]/g, '')
  return /^[A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"\u0080-\uffff]*$/.test(rest)
}

const hasValidEscapes = (text: string): boolean => !/%(?![0-9a-fA-F]{2})/.test(text)

// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
const hasControl = (text: string): boolean => /[\u0000-\u001f\u007f]/.test(text)

import { cleanPath } from '../ignition/goPath.ts'

/** What a request line asks for, by the rules of the original's request multiplexer. */
export type Route =
  | { readonly kind: 'config'; readonly pool: string }
  | { readonly kind: 'health' }
  | { readonly kind: 'ready' }
  | { readonly kind: 'redirect'; readonly location: string }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'badMethod' }
  | { readonly kind: 'badRequest' }

/**
 * The query counts for nothing here. A path that is not clean is redirected to the clean one. What is percent-encoded is decoded
 * only after that; the pool is the last segment then, so nothing that stands before it ever chooses what is looked up.
 */
export function routeOf(method: string, target: string): Route {
  const usual = plainTarget.exec(target)?.[1]
  if (usual !== undefined && (method === 'GET' || method === 'HEAD')) return { kind: 'config', pool: usual }
  const { path, query } = splitTarget(target)
  const decoded = path.startsWith('/') ? decodePath(path) : undefined
  if (decoded === undefined) return { kind: 'badRequest' }
  const clean = cleanUrlPath(path)
  const wanted = clean === '/config' ? '/config/' : clean
  if (wanted !== path) return { kind: 'redirect', location: wanted + query }
  if (method !== 'GET' && method !== 'HEAD') return { kind: 'badMethod' }
  if (path.startsWith('/config/')) return { kind: 'config', pool: lastSegment(decoded) }
  if (path === '/healthz') return { kind: 'health' }
  return path === '/readyz' ? { kind: 'ready' } : { kind: 'nothing' }
}

/** What machines ask for, with nothing in it that could be cleaned or decoded: the way below would find the same. */
const plainTarget = /^\/config\/([A-Za-z0-9_-]+)$/

/** A target may also be a whole URL, as proxies send it. `#` has no meaning in a request line and stays in the path. */
function splitTarget(target: string): { readonly path: string; readonly query: string } {
  const [, absolute] = /^https?:\/\/[^/?]*(.*)$/i.exec(target) ?? []
  const local =
    absolute === undefined ? target : absolute === '' || absolute.startsWith('?') ? `/${absolute}` : absolute
  const mark = local.indexOf('?')
  return mark < 0 ? { path: local, query: '' } : { path: local.slice(0, mark), query: local.slice(mark) }
}

/** Bytes that are no UTF-8 become replacement characters, which no pool's name holds. */
function decodePath(path: string): string | undefined {
  if (!path.includes('%')) return path
  if (/%(?![0-9a-fA-F]{2})/.test(path)) return undefined
  // The HTTP parser gives every byte as one character.
  const bytes = path.replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** A slash at the end stays. */
function cleanUrlPath(path: string): string {
  const clean = cleanPath(path)
  return path.endsWith('/') && clean !== '/' ? `${clean}/` : clean
}

/** Without slashes at the end; `/config/` itself asks for a pool of that name. */
function lastSegment(path: string): string {
  const trimmed = path.replace(/\/+$/, '')
  return trimmed.slice(trimmed.lastIndexOf('/') + 1)
}

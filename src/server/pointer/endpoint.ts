import type { Infrastructure } from '../../api/config.ts'
import { parseIp } from '../../schema/cidr.ts'

/** Where machines reach the config server: `HOST:PORT` with IPv6 in brackets, and what its certificate must name. */
export interface ServerEndpoint {
  readonly endpoint: string
  /** Host names and addresses of the serving certificate. */
  readonly names: readonly string[]
}

const defaultPort = 22623

/** `mcs.example.com`, `10.0.0.1:8443`, `[fd00::1]`, `fd00::1` or `https://mcs:22623`; otherwise what is wrong with it. */
export function parseEndpoint(text: string): ServerEndpoint | { readonly message: string } {
  const bare = parseIp(text) ? bracketed(text) : text.replace(/^https:\/\//, '').replace(/\/$/, '')
  const [, host, port] =
    /^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?)(?::(\d{1,5}))?$/.exec(bare) ?? []
  const name = host?.replace(/^\[|\]$/g, '') ?? ''
  if (host === undefined || (host.startsWith('[') && !parseIp(name)))
    return { message: `found ${JSON.stringify(text)}, expected HOST, HOST:PORT or https://HOST:PORT` }
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535))
    return { message: `found port ${port}, expected 1 to 65535` }
  return { endpoint: `${host}:${Number(port ?? defaultPort)}`, names: [name] }
}

/** As the cluster's Infrastructure says it; undefined when it says nothing, as on a cluster that has no such object. */
export function endpointOf(infrastructure: Infrastructure | null | undefined): ServerEndpoint | undefined {
  const status = infrastructure?.status
  if (!status) return undefined
  const host = hostOf(status.apiServerInternalURI)
  const platform = status.platformStatus?.type ?? status.platform ?? ''
  const addresses = addressesOf(infrastructure, platform)
  const [first] = addresses
  const chosen = addressFirst.has(platform) ? (first ?? host) : host
  if (chosen === undefined) return undefined
  const names = [...(host === undefined ? [] : [host]), ...(inCertificate.has(platform) ? addresses : [])]
  return {
    endpoint: `${bracketed(chosen)}:${defaultPort}`,
    names: [...new Set([...names, chosen])],
  }
}

/** Platforms whose machines come before any name can be looked up. */
const addressFirst: ReadonlySet<string> = new Set(['BareMetal', 'OpenStack', 'oVirt', 'VSphere'])
const inCertificate: ReadonlySet<string> = new Set([...addressFirst, 'Nutanix'])

function addressesOf({ status }: Infrastructure, platform: string): readonly string[] {
  const { baremetal, openstack, ovirt, vsphere, nutanix } = status?.platformStatus ?? {}
  const byPlatform = new Map([
    ['BareMetal', baremetal],
    ['OpenStack', openstack],
    ['oVirt', ovirt],
    ['VSphere', vsphere],
    ['Nutanix', nutanix],
  ])
  return byPlatform.get(platform)?.apiServerInternalIPs ?? []
}

function hostOf(uri: string | undefined): string | undefined {
  if (uri === undefined || !URL.canParse(uri)) return undefined
  const { hostname } = new URL(uri)
  return hostname === '' ? undefined : hostname.replace(/^\[|\]$/g, '')
}

const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host)

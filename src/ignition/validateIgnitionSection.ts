import type { Path } from './decode.ts'
import { parseGoUrl } from './goUrl.ts'
import type { Report } from './report.ts'
import type { Ignition } from './types.ts'
import { sourceFault, validateResource } from './validateResource.ts'

/** `ignition`: references to other configs, proxies and certificate authorities. */
export function validateIgnitionSection(report: Report, { config, proxy, security }: Ignition, minor: number): void {
  for (const [index, { source }] of (config?.merge ?? []).entries()) {
    // 3.0 leaves it open whether a reference has a source.
    if (minor >= 1) reportRequiredSource(report, ['ignition', 'config', 'merge', index], source, minor)
  }
  for (const [index, resource] of (config?.merge ?? []).entries()) {
    validateResource(report, ['ignition', 'config', 'merge', index], resource, minor)
  }
  if (config?.replace) validateResource(report, ['ignition', 'config', 'replace'], config.replace, minor)
  reportProxy(report, ['ignition', 'proxy', 'httpProxy'], proxy?.httpProxy, 'http')
  reportProxy(report, ['ignition', 'proxy', 'httpsProxy'], proxy?.httpsProxy, 'https')
  const path = ['ignition', 'security', 'tls', 'certificateAuthorities']
  const authorities = security?.tls?.certificateAuthorities ?? []
  for (const [index, { source }] of authorities.entries()) {
    if (minor >= 1) reportRequiredSource(report, [...path, index], source, minor)
    else if (!source)
      report.error([...path, index, 'source'], 'invalid url scheme', 'a certificate authority needs a source')
  }
  for (const [index, resource] of authorities.entries()) validateResource(report, [...path, index], resource, minor)
}

function reportRequiredSource(report: Report, path: Path, source: string | undefined, minor: number): void {
  if (!source) report.error(path, 'source is required', 'add a source URL')
  else report.error(path, sourceFault(source, minor))
}

function reportProxy(report: Report, path: Path, proxy: string | undefined, kind: 'http' | 'https'): void {
  if (proxy === undefined) return
  const url = parseGoUrl(proxy)
  if (url === undefined) report.error(path, 'unable to parse url', 'expected http://HOST:PORT or https://HOST:PORT')
  else if (url.scheme !== 'http' && url.scheme !== 'https') {
    report.error(path, 'proxies must be http(s)', 'expected http://HOST:PORT or https://HOST:PORT')
  } else if (url.scheme === 'http' && kind === 'https') {
    report.warning(path, 'insecure plaintext HTTP proxy specified for HTTPS resources')
  }
}

import type { Path } from './decode.ts'
import { parseGoUrl } from './goUrl.ts'
import type { Report } from './report.ts'
import type { Ignition, Resource } from './types.ts'
import { sourceFault, validateReference } from './validateResource.ts'

/** `ignition`: references to other configs, proxies and certificate authorities. */
export function validateIgnitionSection(report: Report, { config, proxy, security }: Ignition, minor: number): void {
  const { merge = [], replace } = config ?? {}
  const configPath = ['ignition', 'config']
  // 3.0 leaves it open whether a reference has a source.
  if (minor >= 1) reportRequiredSources(report, [...configPath, 'merge'], merge, minor)
  for (const [index, reference] of merge.entries()) {
    validateReference(report, [...configPath, 'merge', index], reference, minor)
  }
  if (replace) validateReference(report, [...configPath, 'replace'], replace, minor)
  reportProxy(report, ['ignition', 'proxy', 'httpProxy'], proxy?.httpProxy, 'http')
  reportProxy(report, ['ignition', 'proxy', 'httpsProxy'], proxy?.httpsProxy, 'https')
  const path = ['ignition', 'security', 'tls', 'certificateAuthorities']
  const authorities = security?.tls?.certificateAuthorities ?? []
  if (minor >= 1) reportRequiredSources(report, path, authorities, minor)
  for (const [index, authority] of authorities.entries()) {
    if (minor === 0 && !authority.source) {
      report.error([...path, index, 'source'], 'invalid url scheme', 'a certificate authority needs a source')
    }
    validateReference(report, [...path, index], authority, minor)
  }
}

function reportRequiredSources(report: Report, path: Path, references: readonly Resource[], minor: number): void {
  for (const [index, { source }] of references.entries()) {
    if (!source) report.error([...path, index], 'source is required', 'add a source URL')
    else report.error([...path, index], sourceFault(source, minor))
  }
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

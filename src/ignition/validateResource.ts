import { dataUrlFault } from './dataUrl.ts'
import type { Path } from './decode.ts'
import { type GoUrl, parseGoUrl, queryValues } from './goUrl.ts'
import type { Report } from './report.ts'
import type { Resource } from './types.ts'

/** A reference to another config or a certificate: in 3.0 it may have a hash without a source. */
export function validateReference(report: Report, path: Path, resource: Resource, minor: number): void {
  const { source, verification, ...others } = resource
  if (minor > 0 || source !== undefined) validateResource(report, path, resource, minor)
  else {
    validateResource(report, path, others, minor)
    if (verification?.hash !== undefined)
      reportHash(report, [...path, 'verification', 'hash'], verification.hash, minor)
  }
}

/** A remote or inline content. */
export function validateResource(report: Report, path: Path, resource: Resource, minor: number): void {
  const { compression, httpHeaders, source, verification } = resource
  if (compression !== undefined && compression !== '' && compression !== 'gzip') {
    report.error([...path, 'compression'], 'invalid compression method', 'only gzip is known; leave it out for none')
  }
  if (verification?.hash !== undefined && source === undefined) {
    report.error([...path, 'verification', 'hash'], 'source must be specified if verification is specified')
  }
  if (source) report.error([...path, 'source'], sourceFault(source, minor), sourceHint(source))
  if (httpHeaders && httpHeaders.length > 0) reportHeaderScheme(report, [...path, 'httpHeaders'], source)
  for (const [index, { name, value }] of (httpHeaders ?? []).entries()) {
    const at = [...path, 'httpHeaders', index]
    if (name === '') report.error([...at, 'name'], "HTTP header name can't be empty")
    if (value === '')
      report.error([...at, 'value'], 'unable to parse HTTP header', 'leave the value out to remove the header')
  }
  if (verification?.hash !== undefined) reportHash(report, [...path, 'verification', 'hash'], verification.hash, minor)
}

/** Why a source is not usable in specification 3.`minor`.0. */
export function sourceFault(source: string, minor: number): string | undefined {
  const url = parseGoUrl(source)
  if (url === undefined) return 'unable to parse url'
  switch (url.scheme) {
    case 'http':
    case 'https':
    case 'tftp':
      return undefined
    case 'gs':
      return minor >= 2 ? undefined : 'invalid url scheme'
    case 's3':
      return versionIdFault(url)
    case 'arn':
      return minor >= 4 ? arnFault(url) : 'invalid url scheme'
    case 'data':
      return dataUrlFault(source)
    default:
      return 'invalid url scheme'
  }
}

function sourceHint(source: string): string | undefined {
  if (/^data:/i.test(source))
    return 'expected data:[TYPE/SUBTYPE][;ATTRIBUTE=VALUE][;base64],PAYLOAD with every other byte as %XX'
  return /^[a-z][a-z0-9+.-]*:/i.test(source)
    ? 'expected http, https, tftp, s3, gs, arn or data'
    : 'expected a URL such as data:,text'
}

/** arn:PARTITION:s3:REGION:ACCOUNT:BUCKET/KEY or …:accesspoint/NAME/object/KEY */
function arnFault(url: GoUrl): string | undefined {
  const arn = `arn:${url.opaque}`
  const sections = arn.split(':')
  if (sections.length < 6 || sections[2] !== 's3') return 'invalid S3 ARN format'
  const steps = arn.split('/').length
  const isAccessPoint = sections.slice(5).join(':').startsWith('accesspoint/')
  if (steps < (isAccessPoint ? 3 : 2)) return 'invalid S3 ARN format'
  return versionIdFault(url)
}

const versionIdFault = ({ query }: GoUrl): string | undefined =>
  queryValues(query, 'versionId')[0] === '' ? 'invalid S3 object VersionId' : undefined

function reportHeaderScheme(report: Report, path: Path, source: string | undefined): void {
  const url = source ? parseGoUrl(source) : undefined
  if (url === undefined) report.error(path, 'unable to parse url', 'HTTP headers need an http or https source')
  else if (url.scheme !== 'http' && url.scheme !== 'https') {
    report.error(path, 'cannot use HTTP headers with this source scheme', 'only http and https send headers')
  }
}

function reportHash(report: Report, path: Path, hash: string, minor: number): void {
  const dash = hash.indexOf('-')
  const expected = minor >= 1 ? 'expected sha512-HEX or sha256-HEX' : 'expected sha512-HEX'
  if (dash < 0) {
    report.error(path, 'malformed hash specifier', expected)
    return
  }
  const digits = { sha512: 128, sha256: minor >= 1 ? 64 : undefined }[hash.slice(0, dash)]
  if (digits === undefined) report.error(path, 'unrecognized hash function', expected)
  else if (Buffer.byteLength(hash) - dash - 1 !== digits) {
    report.error(path, 'incorrect size for hash sum', `expected ${digits} hexadecimal digits after the dash`)
  }
}

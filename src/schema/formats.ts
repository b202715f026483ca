import { parseCidr, parseIp } from './cidr.ts'

/** Checks of the string formats that the API server enforces in CRD schemas; other formats are only documentation. */
export const formatChecks: Readonly<Record<string, (text: string) => boolean>> = {
  'date-time': isDateTime,
  datetime: isDateTime,
  date: isDate,
  byte: isBase64,
  duration: isDuration,
  uri: isUri,
  hostname: isHostname,
  ipv4: (text) => parseIp(text)?.family === 4,
  ipv6: (text) => parseIp(text)?.family === 6,
  ip: (text) => parseIp(text) !== undefined,
  cidr: (text) => parseCidr(text) !== undefined,
  uuid: (text) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(text),
  email: (text) => /^[^\s@]+@[^\s@]+$/.test(text),
  mac: (text) => /^([0-9a-f]{2}[:-]){5}[0-9a-f]{2}$/i.test(text),
}

/** RFC 3339, with seconds and a zone; a leap second passes. */
function isDateTime(text: string): boolean {
  const parts = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(\.\d+)?([Zz]|[+-](\d{2}):(\d{2}))$/.exec(text)
  if (!parts) return false
  const [, date = '', hour, minute, second, , , zoneHour = '0', zoneMinute = '0'] = parts
  return (
    isDate(date) &&
    Number(hour) < 24 &&
    Number(minute) < 60 &&
    Number(second) <= 60 &&
    Number(zoneHour) < 24 &&
    Number(zoneMinute) < 60
  )
}

function isDate(text: string): boolean {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (!parts) return false
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])]
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

/** Padded standard base64 (RFC 4648, section 4); line breaks are ignored, as Go's decoder does. */
function isBase64(text: string): boolean {
  const stripped = text.replace(/[\r\n]/g, '')
  return stripped.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(stripped)
}

/** Go's durations: `1h30m`, `1.5s`, `-2ms`. */
function isDuration(text: string): boolean {
  return /^[+-]?((\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h))+$/.test(text) || /^[+-]?0$/.test(text)
}

function isUri(text: string): boolean {
  return URL.canParse(text) || text.startsWith('/')
}

function isHostname(text: string): boolean {
  return (
    text.length <= 255 &&
    /^([a-zA-Z0-9_]([a-zA-Z0-9_-]{0,61}[a-zA-Z0-9_])?)(\.[a-zA-Z0-9_]([a-zA-Z0-9_-]{0,61}[a-zA-Z0-9_])?)*\.?$/.test(
      text,
    )
  )
}

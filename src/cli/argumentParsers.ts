import { InvalidArgumentError } from 'commander'

/** A whole number within limits. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= min && value <= max) return value
    throw new InvalidArgumentError(`expected a whole number from ${min} to ${max}`)
  }
}

/** `host:port`; without a host it is every address. */
export function hostAndPort(text: string): { readonly host: string; readonly port: number } {
  const [, host, port] = /^(.*):(\d{1,5})$/.exec(text) ?? []
  if (host === undefined || Number(port) > 65_535) throw new InvalidArgumentError('expected host:port')
  return { host: host === '' ? '0.0.0.0' : host.replace(/^\[|\]$/g, ''), port: Number(port) }
}

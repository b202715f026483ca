import { goQuote } from './goText.ts'

/**
 * The grammar of systemd unit files as the reference reads them (systemd.syntax(7) with the limits of its parser):
 * only what decides whether a unit is accepted, and which sections it has.
 */
export function readUnitFile(text: string): UnitFile {
  const sections = new Set<string>()
  const start = sectionStart(text)
  if (start.fault !== undefined) return { sections, fault: start.fault }
  for (let at = start.at; at < text.length; ) {
    const close = text.indexOf(']', at)
    if (close < 0) return { sections, fault: tooLong(text, at) ?? 'unable to find end of section' }
    const name = text.slice(at + 1, close)
    const end = lineEnd(text, close + 1)
    const garbage = text.slice(close + 1, end).trim()
    if (garbage !== '') return { sections, fault: `found garbage after section name : ${goQuote(garbage)}` }
    const next = readOptions(text, end + 1)
    if (next.fault !== undefined) return { sections, fault: next.fault }
    if (next.options > 0) sections.add(name)
    at = next.at
  }
  return { sections }
}

export interface UnitFile {
  /** Sections with at least one option. */
  readonly sections: ReadonlySet<string>
  readonly fault?: string
}

/** White space as Go counts it. */
const isSpace = (char: string): boolean => (char === '\u0085' || /\s/u.test(char)) && char !== '\ufeff'

/** systemd cuts longer lines off; the reference refuses them. */
const maxLineBytes = 2048

/** Text before the first section is skipped, character by character, comments line by line. */
function sectionStart(text: string): { readonly at: number; readonly fault?: string } {
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at)
    // The reference has not read anything yet at the very first character.
    const fault = at === 1 || (at > 0 && '\r\n'.includes(text.charAt(at - 1))) ? tooLong(text, at) : undefined
    if (fault !== undefined) return { at, fault }
    if (char === '[') return { at }
    if (char === '#' || char === ';') at = commentEnd(text, at)
  }
  return { at: text.length }
}

function readOptions(text: string, from: number): { at: number; options: number; fault?: string } {
  let options = 0
  for (let at = from; at < text.length; ) {
    const char = text.charAt(at)
    const long = tooLong(text, at)
    if (long !== undefined) return { at, options, fault: long }
    if (char === '[') return { at, options }
    if (char === '#' || char === ';') at = commentEnd(text, at) + 1
    else if (isSpace(char)) at += 1
    else {
      const equals = nameEnd(text, at)
      if (equals >= text.length) return { at, options, fault: 'EOF' }
      if (text.charAt(equals) !== '=')
        return { at, options, fault: 'unexpected newline encountered while parsing option name' }
      const value = optionEnd(text, equals + 1)
      if (value.fault !== undefined) return { at, options, fault: value.fault }
      options += 1
      at = value.end + 1
    }
  }
  return { at: text.length, options }
}

function nameEnd(text: string, from: number): number {
  let at = from
  while (at < text.length && !'=\r\n'.includes(text.charAt(at))) at += 1
  return at
}

/** A value goes on over line ends that follow a backslash. */
function optionEnd(text: string, from: number): { end: number; fault?: string } {
  for (let at = from; ; ) {
    const long = tooLong(text, at)
    if (long !== undefined) return { end: at, fault: long }
    const end = lineEnd(text, at)
    const line = text.slice(at, end)
    if (!line.endsWith('\\') || line.trim() === '' || end >= text.length) return { end }
    at = end + 1
  }
}

/** A comment too goes on after a backslash, also when one blank follows it. */
function commentEnd(text: string, from: number): number {
  for (let at = from; ; ) {
    const end = lineEnd(text, at)
    if (end >= text.length || !text.slice(at, end).replace(/ $/, '').endsWith('\\')) return end
    at = end + 1
  }
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}

function tooLong(text: string, at: number): string | undefined {
  let end = at
  while (end < text.length && end - at < maxLineBytes && text.charAt(end) !== '\n' && text.charAt(end) !== '\r')
    end += 1
  // A character has at most three bytes here.
  if ((end - at) * 3 < maxLineBytes || Buffer.byteLength(text.slice(at, end)) < maxLineBytes) return undefined
  return `line too long (max ${maxLineBytes} bytes)`
}

/** A fenced block of a page: what its info string says, its text, and where it stands. */
export interface Fence {
  readonly language: string
  readonly text: string
  /** Line of the opening fence, counted from 1. */
  readonly line: number
}

/** All fenced blocks of a page, in order. A block inside a list may be indented; its text loses that indent. */
export function fencesOf(page: string): readonly Fence[] {
  const fences: Fence[] = []
  let open: { language: string; indent: string; line: number; body: string[] } | undefined
  for (const [index, line] of page.split('\n').entries()) {
    const [, indent = '', language = ''] = /^( *)```([a-z]*)\s*$/.exec(line) ?? []
    const isFence = /^ *```/.test(line)
    if (!isFence) open?.body.push(line.startsWith(open.indent) ? line.slice(open.indent.length) : line)
    else if (open) {
      fences.push({ language: open.language, text: open.body.join('\n'), line: open.line })
      open = undefined
    } else open = { language, indent, line: index + 1, body: [] }
  }
  return fences
}

/** Targets of the links of a page that stay in the repository, with their anchors. */
export function localLinksOf(page: string): readonly string[] {
  const prose = page.replace(/^ *```[\s\S]*?^ *```/gm, '').replace(/`[^`\n]*`/g, '')
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
}

/** The anchors that a reader can link to: headings, as the usual viewers spell them. */
export function anchorsOf(page: string): ReadonlySet<string> {
  const prose = page.replace(/^ *```[\s\S]*?^ *```/gm, '')
  return new Set([...prose.matchAll(/^#{1,6} +(.+)$/gm)].map(([, title = '']) => anchorOf(title)))
}

const anchorOf = (title: string): string =>
  title
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')

/**
 * Replaces what stands between `<!-- begin NAME -->` and `<!-- end NAME -->`. Tables that have a source in the code are
 * kept in pages this way.
 */
export function replaceSection(page: string, name: string, text: string): string {
  const [begin, end] = [`<!-- begin ${name} -->`, `<!-- end ${name} -->`]
  const [start, stop] = [page.indexOf(begin), page.indexOf(end)]
  if (start < 0 || stop < start) throw new Error(`the page has no section between ${begin} and ${end}`)
  return `${page.slice(0, start)}${begin}\n\n${text}\n\n${page.slice(stop)}`
}

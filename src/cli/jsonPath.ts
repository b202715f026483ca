export type JsonPath = readonly (string | number)[]

/** Reads `$.a.b[0]`, `a.b[0]` and `metadata.labels[example.com/x]` into steps; `$` and the empty text are the root. */
export function jsonPathOf(text: string): JsonPath {
  const steps: (string | number)[] = []
  for (const match of text.replace(/^\$\.?/, '').matchAll(/\[(\d+)\]|\[([^\]]*)\]|([^.[\]]+)/g)) {
    const [, index, key, name] = match
    if (index !== undefined) steps.push(Number(index))
    else steps.push((key ?? name ?? '').replace(/^["']|["']$/g, ''))
  }
  return steps
}

export function jsonPathText(path: JsonPath): string {
  return path.reduce<string>((text, step) => (typeof step === 'number' ? `${text}[${step}]` : `${text}.${step}`), '$')
}

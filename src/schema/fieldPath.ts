/** The path of a member as the API server prints it. */
export function memberPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

/** The path of one key of a map (additionalProperties). */
export function keyPath(path: string, key: string): string {
  return `${path}[${key}]`
}

export function itemPath(path: string, index: number): string {
  return `${path}[${index}]`
}

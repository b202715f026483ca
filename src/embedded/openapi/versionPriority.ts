/**
 * Versions in the order of preference: stable before beta before alpha, higher numbers first, anything else after them
 * by name (public docs, "Versions in CustomResourceDefinitions", "Version priority").
 */
export function versionsByPriority(versions: readonly string[]): readonly string[] {
  return [...new Set(versions)].sort(compareVersions)
}

const stages: readonly (string | undefined)[] = [undefined, 'beta', 'alpha']

function compareVersions(a: string, b: string): number {
  const left = rankOf(a)
  const right = rankOf(b)
  if (!left || !right) return left ? -1 : right ? 1 : a < b ? -1 : a > b ? 1 : 0
  return left.stage - right.stage || right.major - left.major || right.minor - left.minor
}

function rankOf(version: string): { stage: number; major: number; minor: number } | undefined {
  const parts = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/.exec(version)
  if (!parts) return undefined
  const [, major, stage, minor] = parts
  return { stage: stages.indexOf(stage), major: Number(major), minor: Number(minor ?? 0) }
}

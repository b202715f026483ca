export function unpackedPackages(
  name: string,
  packages: readonly string[],
  programs: readonly string[],
): string | undefined

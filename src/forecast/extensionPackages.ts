import { allExtensionPackages, packagesOf } from '../render/extensions.ts'

/**
 * The arguments for one `rpm-ostree update` call that brings the layered packages to what the extensions need. Packages
 * that belong to no extension are somebody else's and stay.
 */
export function extensionsCommand(installed: readonly string[], extensions: readonly string[]): string[] {
  const wanted = new Set(extensions.flatMap(packagesOf))
  const present = new Set(installed)
  const install = [...wanted].filter((name) => !present.has(name)).sort()
  const uninstall = allExtensionPackages.filter((name) => present.has(name) && !wanted.has(name)).sort()
  return [...install.flatMap((name) => ['--install', name]), ...uninstall.flatMap((name) => ['--uninstall', name])]
}

/** The OS extensions that a MachineConfig may name, each with the packages behind it (OpenShift documentation, RHCOS extensions). */
const supportedExtensions: Readonly<Record<string, readonly string[]>> = {
  'two-node-ha': ['pacemaker', 'pcs', 'fence-agents-all'],
  ipsec: ['NetworkManager-libreswan', 'libreswan', 'openvswitch3.5-ipsec'],
  usbguard: ['usbguard'],
  kerberos: ['krb5-workstation', 'libkadm5'],
  'kernel-devel': ['kernel-devel', 'kernel-headers'],
  'sandboxed-containers': ['kata-containers'],
  sysstat: ['sysstat'],
}

export const extensionNames: readonly string[] = Object.keys(supportedExtensions).sort()

export const unknownExtensions = (extensions: readonly string[]): string[] =>
  extensions.filter((extension) => !Object.hasOwn(supportedExtensions, extension))

/** None for a name that is not supported. */
export const packagesOf = (extension: string): readonly string[] =>
  Object.hasOwn(supportedExtensions, extension) ? (supportedExtensions[extension] ?? []) : []

export const allExtensionPackages: readonly string[] = Object.values(supportedExtensions).flat()

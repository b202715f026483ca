/** Which TLS versions and ciphers a component offers; absent means Intermediate or inheritance, as its owner says. */
export interface TlsSecurityProfile {
  readonly type?: 'Old' | 'Intermediate' | 'Modern' | 'Custom'
  readonly old?: Readonly<Record<string, never>> | null
  readonly intermediate?: Readonly<Record<string, never>> | null
  readonly modern?: Readonly<Record<string, never>> | null
  readonly custom?: {
    readonly ciphers?: readonly string[]
    readonly minTLSVersion?: 'VersionTLS10' | 'VersionTLS11' | 'VersionTLS12' | 'VersionTLS13'
    readonly groups?: readonly string[]
  } | null
}

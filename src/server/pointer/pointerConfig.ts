import { type Converted, convertConfig } from '../../ignition/convert.ts'
import { encodeBase64DataUrl } from '../../ignition/dataUrl.ts'
import type { Resource } from '../../ignition/types.ts'

/** What a machine needs to fetch its config: where the server is, which pool, whom to trust, and what to show. */
export interface Pointer {
  /** `HOST:PORT`, an IPv6 address in brackets. */
  readonly endpoint: string
  readonly pool: string
  /** The PEM bundle that the server's certificate must lead to; absent for a certificate that the image trusts anyway. */
  readonly caBundle?: Uint8Array
  /** The join token's secret. It is in the clear in the pointer: whoever reads the machine's user data can read it. */
  readonly token?: string
}

/** Versions of the Ignition specification that a pointer can have; stock images of today read 3.5 or an older 3.x. */
export const pointerVersions = ['3.5', '3.4', '3.3', '3.2', '3.1', '3.0', '2.2'] as const
export type PointerVersion = (typeof pointerVersions)[number]

/**
 * The small Ignition config of a machine that has nothing yet: "merge this pool's config from there". Exact bytes of the
 * original for version 3.5 without a token.
 */
export function pointerToIgnition(pointer: Pointer, version: PointerVersion = '3.5'): Converted {
  const { caBundle } = pointer
  return convertConfig(
    {
      ignition: {
        config: { merge: [configResource(pointer, version)] },
        ...(caBundle && {
          security: { tls: { certificateAuthorities: [{ source: encodeBase64DataUrl(caBundle) }] } },
        }),
        version: '3.5.0',
      },
    },
    version,
  )
}

/** Where the pool's config is, without a credential. */
const configUrl = ({ endpoint, pool }: Pick<Pointer, 'endpoint' | 'pool'>): string =>
  `https://${endpoint}/config/${pool}`

/** Header of a request that shows a token. */
const bearer = (token: string): string => `Bearer ${token}`

/** Headers of a resource exist since 3.1; what is older shows its token in the URL. */
function configResource(pointer: Pointer, version: PointerVersion): Resource {
  const source = configUrl(pointer)
  const { token } = pointer
  if (token === undefined) return { source }
  return version === '2.2' || version === '3.0'
    ? { source: `${source}?token=${encodeURIComponent(token)}` }
    : { httpHeaders: [{ name: 'Authorization', value: bearer(token) }], source }
}

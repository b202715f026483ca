/** Who we are for the API server. Asked before every request, so that a rotated token or certificate is picked up. */
export interface Credentials {
  current(signal?: AbortSignal): Promise<Identity>
  /** The server answered 401: what is cached must not be offered again. */
  reject(): void
}

export interface Identity {
  /** Value of the `authorization` header. */
  readonly authorization?: string
  /** Client certificate and key, PEM. */
  readonly cert?: string
  readonly key?: string
}

export const anonymous: Credentials = { current: async () => ({}), reject: () => undefined }

export function fixedCredentials(identity: Identity): Credentials {
  return { current: async () => identity, reject: () => undefined }
}

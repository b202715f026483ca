import { createHash } from 'node:crypto'
import type { JoinCredentials } from './joinCredentials.ts'
import { type JoinFormat, joinFilesFor } from './joinFiles.ts'
import type { JoinFile } from './servedConfig.ts'
import { failure, type ServeFailure } from './serveFailure.ts'

/** Where the files come from that let a machine join. */
export type JoinChoice =
  | {
      readonly kind: 'credentials'
      readonly credentials: JoinCredentials
      readonly format: JoinFormat
      /** Where new machines reach the API server. */
      readonly apiServerUrl: string
    }
  | { readonly kind: 'fixed'; readonly files: readonly JoinFile[] }

export type JoinFiles =
  | {
      readonly kind: 'files'
      readonly files: readonly JoinFile[]
      /** Tells one set of files from another without showing them. */
      readonly stamp: string
    }
  | ServeFailure

/** The cluster's own bundle goes before the certificate that came with the token. */
export interface ApiBundles {
  readonly own: Buffer | undefined
  readonly everywhere: Buffer | undefined
}

export function joinFilesNow(choice: JoinChoice, bundles: ApiBundles): JoinFiles {
  if (choice.kind === 'fixed') return { kind: 'files', files: choice.files, stamp: stampOf(choice.files) }
  const { credentials, format, apiServerUrl: url } = choice
  const secret = credentials.current()
  const caPem = bundles.own ?? secret?.caPem ?? bundles.everywhere
  if (!secret || !caPem) {
    const missing = secret ? 'certificate of the API server' : 'token'
    return failure('JoinCredentialsMissing', `there is no ${missing} yet for machines that join`, 503)
  }
  const files = joinFilesFor(format, { url, caPem, token: secret.token })
  return { kind: 'files', files, stamp: stampOf(files) }
}

const stampOf = (files: readonly JoinFile[]): string =>
  createHash('sha256').update(JSON.stringify(files)).digest('base64url')

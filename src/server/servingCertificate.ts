import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import type { KeyPair } from '../certificates/issueCertificate.ts'
import type { Clock } from '../kube/clock.ts'
import { messageOf } from '../kube/errors.ts'
import type { Log } from '../kube/log.ts'

/** The certificate that the server shows; connections that are open keep the one that they began with. */
export interface ServingCertificate {
  current(): KeyPair
  onChange(listener: (pair: KeyPair) => void): void
  /** For a metric: when the certificate ends. */
  notAfter(): Date
}

export interface CertificateHolder extends ServingCertificate {
  /** True when the pair is new. One that does not fit together is refused by an error, and the present one stays. */
  replace(pair: KeyPair): boolean
}

export function certificateHolder(initial: KeyPair): CertificateHolder {
  let current = checkedPair(initial)
  const listeners: ((pair: KeyPair) => void)[] = []
  return {
    current: () => current.pair,
    notAfter: () => current.notAfter,
    onChange: (listener) => void listeners.push(listener),
    replace(pair) {
      if (pair.certificatePem === current.pair.certificatePem && pair.keyPem === current.pair.keyPem) return false
      current = checkedPair(pair)
      for (const listener of listeners) listener(pair)
      return true
    },
  }
}

function checkedPair(pair: KeyPair): { readonly pair: KeyPair; readonly notAfter: Date } {
  createSecureContext(tlsOptions(pair))
  return { pair, notAfter: new Date(new X509Certificate(pair.certificatePem).validTo) }
}

/** As `node:tls` names them. */
export const tlsOptions = ({ certificatePem, keyPem }: KeyPair): { readonly cert: string; readonly key: string } => ({
  cert: certificatePem,
  key: keyPem,
})

export interface CertificateFiles {
  readonly certFile: string
  readonly keyFile: string
}

export async function readPair({ certFile, keyFile }: CertificateFiles): Promise<KeyPair> {
  const [certificatePem, keyPem] = await Promise.all([readFile(certFile, 'utf8'), readFile(keyFile, 'utf8')])
  return { certificatePem, keyPem }
}

/**
 * Reads the files again every few seconds, until the signal. Looking is cheap and finds every way of replacing a file: written
 * in place, renamed over, or a whole directory swapped as the kubelet does for Secrets.
 */
export async function followFiles(
  holder: CertificateHolder,
  files: CertificateFiles,
  { clock, log, intervalMs = 5000 }: { readonly clock: Clock; readonly log: Log; readonly intervalMs?: number },
  signal: AbortSignal,
): Promise<void> {
  let refused = ''
  for (;;) {
    try {
      await clock.sleep(intervalMs, signal)
    } catch (error) {
      if (signal.aborted) return
      throw error
    }
    try {
      const before = holder.notAfter()
      if (!holder.replace(await readPair(files))) continue
      log.info('serving certificate replaced', {
        before: before.toISOString(),
        notAfter: holder.notAfter().toISOString(),
      })
      refused = ''
    } catch (error) {
      // Between two renames the key belongs to the other certificate; the next look finds both.
      said(messageOf(error))
    }
  }

  function said(message: string): void {
    if (message !== refused)
      log.warn('the certificate files cannot be used, the present certificate stays', { ...files, error: message })
    refused = message
  }
}

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openGate } from '../../../src/server/admission.ts'
import { type AnswerPorts, answerRequest } from '../../../src/server/answerRequest.ts'
import { type DirectoryOptions, directoryBodies } from '../../../src/server/directorySource.ts'
import { compatibleStyle } from '../../../src/server/servedConfig.ts'
import type { Adapter, Input } from '../adapter.ts'
import { wireForm } from './mcs-http.ts'

export const adapter: Adapter = {
  async run(_topic, { files, kubeconfig, target, accept, certs }: Input) {
    const directory = mkdtempSync(join(tmpdir(), 'mco-golden-'))
    try {
      const kubeconfigFile = join(directory, 'kubeconfig')
      writeFileSync(kubeconfigFile, kubeconfig)
      for (const [path, text] of Object.entries<string>(files)) {
        mkdirSync(dirname(join(directory, path)), { recursive: true })
        writeFileSync(join(directory, path), text)
      }
      const ports = portsOf({ directory, kubeconfigFile, registryCertificates: certs ?? [] })
      const headers = accept === null ? {} : { accept }
      const answer = await answerRequest({ method: 'GET', target, headers, remoteAddress: '192.0.2.1' }, ports)
      const { message } = answer.subject
      return {
        ...(wireForm(answer, 'GET') as object),
        ...(message !== undefined && answer.status === 500 && { internalError: message }),
      }
    } finally {
      rmSync(directory, { recursive: true })
    }
  },
  // Said in the log only; parsers of YAML and systems word their faults differently.
  refusalOnly: ['internalError'],
}

function portsOf(options: DirectoryOptions): AnswerPorts {
  return {
    gate: openGate,
    now: () => new Date(0),
    isReady: () => true,
    allowsOpenSecrets: true,
    bodies: directoryBodies(options, { ...compatibleStyle, encapsulatedVersion: '3.5.0' }),
  }
}

import { createHash } from 'node:crypto'
import type { Adapter } from '../adapter.ts'
import { merged } from './merge.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

export const adapter: Adapter = {
  run(_topic, input) {
    const { name, yaml, ignition, kernelArguments } = merged(input) ?? {}
    return {
      name,
      yamlSha256: sha256(String(yaml)),
      yamlBytes: Buffer.byteLength(String(yaml)),
      ignitionSha256: sha256(String(ignition)),
      ignitionBytes: Buffer.byteLength(String(ignition)),
      kernelArguments,
    }
  },
}

import { negotiateVersion } from '../../../src/server/acceptHeader.ts'
import type { Adapter } from '../adapter.ts'

export const adapter: Adapter = {
  run(_topic, { accept }: { readonly accept: string }) {
    const answer = negotiateVersion(accept)
    return answer.kind === 'accepted' ? { version: answer.version } : { error: answer.message }
  },
}

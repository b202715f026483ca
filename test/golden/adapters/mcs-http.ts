import { convertIgnition } from '../../../src/ignition/convert.ts'
import { openGate } from '../../../src/server/admission.ts'
import { type Answer, type AnswerPorts, answerRequest } from '../../../src/server/answerRequest.ts'
import { readyBody } from '../../../src/server/readyBody.ts'
import { failure } from '../../../src/server/serveFailure.ts'
import type { Adapter, Input } from '../adapter.ts'

export const adapter: Adapter = {
  async run(_topic, { method, target, headers, pools }: Input) {
    const lowerCase = Object.fromEntries(
      Object.entries<string>(headers).map(([name, value]) => [name.toLowerCase(), value]),
    )
    return wireForm(
      await answerRequest({ method, target, headers: lowerCase, remoteAddress: '192.0.2.1' }, portsOf(pools)),
      method,
    )
  },
}

/** The recorded server holds one config per pool and no cluster behind it. */
function portsOf(pools: Readonly<Record<string, unknown>>): AnswerPorts {
  return {
    gate: openGate,
    now: () => new Date(0),
    isReady: () => true,
    allowsOpenSecrets: true,
    bodies: {
      find(pool, version) {
        if (pool === 'boom') return failure('ConfigUnusable', 'boom')
        const held = pools[pool]
        if (held === undefined) return failure('PoolNotFound', 'no such pool', 404)
        const text = typeof held === 'string' ? held : JSON.stringify(held)
        const converted = convertIgnition(text, version.replace(/\.0$/, ''))
        if ('error' in converted) return failure('VersionCannotExpressConfig', converted.error)
        return readyBody(pool, converted.text, [])
      },
    },
  }
}

/** Without the headers that the original does not know. */
export function wireForm({ status, headers, body }: Answer, method: string): unknown {
  const kept = Object.entries(headers).filter(([name]) => !ours.has(name))
  return {
    status,
    headers: Object.fromEntries(kept.map(([name, value]) => [name, String(value)])),
    body: method === 'HEAD' ? '' : (body ?? '').toString(),
  }
}

const ours: ReadonlySet<string> = new Set(['X-Machine-Config-Error', 'ETag', 'Vary', 'Cache-Control', 'Allow'])

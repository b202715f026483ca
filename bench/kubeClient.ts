import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:http'
import process from 'node:process'
import { Node } from '../src/api/core.ts'
import { kubeClient } from '../src/kube/client.ts'
import { systemClock } from '../src/kube/clock.ts'
import { httpTransport } from '../src/kube/httpTransport.ts'
import { createInformers } from '../src/kube/informers.ts'
import { cpuMsSince, flags, report, residentMb } from './figures.ts'

/**
 * A cache over 5,000 Nodes of 8 KB and then 20,000 changes, from a server in a process of its own: time to the complete
 * cache, memory, and CPU per change; once as a list in pages and once as a stream (WatchList).
 */
const nodeCount = flags.quick ? 500 : 5_000
const eventCount = flags.quick ? 2_000 : 20_000

if (process.argv.includes('--serve')) serve()
else if (process.argv.includes('--measure')) console.log(JSON.stringify(await measure(process.argv.at(-1) ?? '')))
else await compare()

interface Figures {
  readonly syncMs: number
  readonly residentMb: number
  readonly cpuMicrosPerEvent: number
}

async function compare(): Promise<void> {
  const results: Record<string, Figures> = {}
  for (const mode of ['pages', 'stream']) {
    const server = spawn(
      process.execPath,
      [process.argv[1] ?? '', '--serve', ...(flags.quick ? ['--quick'] : []), mode],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    try {
      results[mode] = JSON.parse(await inOwnProcess(await firstLine(server)))
    } finally {
      server.kill()
    }
  }
  report({ nodes: nodeCount, events: eventCount, ...results }, () =>
    ['read     sync ms   resident MB   CPU µs per event', ...Object.entries(results).map(line)].join('\n'),
  )
}

function line([mode, { syncMs, residentMb: memory, cpuMicrosPerEvent }]: [string, Figures]): string {
  return `${mode.padEnd(7)} ${String(syncMs).padStart(8)} ${String(memory).padStart(13)} ${cpuMicrosPerEvent.toFixed(1).padStart(18)}`
}

async function inOwnProcess(url: string): Promise<string> {
  const args = [process.argv[1] ?? '', '--measure', ...(flags.quick ? ['--quick'] : []), url]
  return await firstLine(spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] }))
}

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  let text = ''
  for await (const chunk of stdout ?? []) {
    text += String(chunk)
    if (text.includes('\n')) return text.slice(0, text.indexOf('\n'))
  }
  throw new Error('the process ended without a word')
}

async function measure(url: string): Promise<Figures> {
  const stop = new AbortController()
  const kube = kubeClient(httpTransport({ server: new URL(url) }))
  const informers = createInformers({ kube, clock: systemClock, random: Math.random, signal: stop.signal })
  let changes = 0
  let onLast: () => void = () => undefined
  const last = new Promise<void>((resolve) => {
    onLast = resolve
  })
  const startMs = performance.now()
  informers.subscribe(Node, ({ old }) => {
    if (old && ++changes === eventCount) onLast()
  })
  await informers.synced(stop.signal, [Node])
  const syncMs = Math.round(performance.now() - startMs)
  const cpu = process.cpuUsage()
  await last
  const cpuMicrosPerEvent = (cpuMsSince(cpu) * 1000) / eventCount
  stop.abort(new Error('measured'))
  await informers.stopped()
  return { syncMs, residentMb: residentMb(), cpuMicrosPerEvent }
}

/** Answers lists in pages and one endless watch; prints its URL. The last argument says whether it knows WatchList. */
function serve(): void {
  const knowsStreams = process.argv.at(-1) === 'stream'
  const nodes = Array.from({ length: nodeCount }, (_, index) => JSON.stringify(fatNode(index, 1)))
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://server')
    response.setHeader('content-type', 'application/json')
    const wantsStream = searchParams.has('sendInitialEvents')
    if (wantsStream && !knowsStreams) {
      response.writeHead(422).end(JSON.stringify({ kind: 'Status', code: 422, reason: 'Invalid' }))
    } else if (searchParams.has('watch')) {
      // What is written while the first part is still on its way would delay that part.
      const present = wantsStream
        ? [...nodes.map((node) => `{"type":"ADDED","object":${node}}`), JSON.stringify(endMark), '']
        : []
      response.flushHeaders()
      response.write(`${present.join('\n')}\n`, () =>
        setTimeout(() => sendChanges((text) => response.write(text)), 500),
      )
    } else {
      const from = Number(searchParams.get('continue') ?? 0)
      const to = Math.min(nodes.length, from + Number(searchParams.get('limit') ?? nodes.length))
      const next = to < nodes.length ? `,"continue":"${to}"` : ''
      response.end(`{"metadata":{"resourceVersion":"1"${next}},"items":[${nodes.slice(from, to).join(',')}]}`)
    }
  })
  server.listen(0, '127.0.0.1', () => {
    const address = server.address()
    if (address && typeof address === 'object') console.log(`http://127.0.0.1:${address.port}`)
  })
}

const endMark = {
  type: 'BOOKMARK',
  object: { metadata: { resourceVersion: '1', annotations: { 'k8s.io/initial-events-end': 'true' } } },
}

function sendChanges(write: (text: string) => void): void {
  for (let index = 0; index < eventCount; index++) {
    write(`{"type":"MODIFIED","object":${JSON.stringify(fatNode(index % nodeCount, index + 2))}}\n`)
  }
}

/** About 8 KB, as a Node of a real cluster: half of it images and managedFields. */
function fatNode(index: number, resourceVersion: number): object {
  const image = (n: number) => ({
    names: [`registry.example.com/team/image-${n}@sha256:${'0'.repeat(64)}`],
    sizeBytes: 1e8,
  })
  return {
    metadata: {
      name: `node-${index}`,
      uid: `uid-${index}`,
      resourceVersion: String(resourceVersion),
      labels: Object.fromEntries(Array.from({ length: 15 }, (_, n) => [`example.com/label-${n}`, `value-${n}`])),
      managedFields: Array.from({ length: 4 }, (_, n) => ({
        manager: `manager-${n}`,
        fieldsV1: { 'f:status': Object.fromEntries(Array.from({ length: 20 }, (_, m) => [`f:field-${m}`, {}])) },
      })),
    },
    spec: { taints: [{ key: 'example.com/taint', effect: 'NoSchedule' }] },
    status: {
      capacity: { cpu: '16', memory: '64Gi', pods: '250' },
      conditions: Array.from({ length: 5 }, (_, n) => ({
        type: `Condition${n}`,
        status: 'False',
        reason: 'Fine',
        message: 'as it should be',
      })),
      images: Array.from({ length: 30 }, (_, n) => image(n)),
    },
  }
}

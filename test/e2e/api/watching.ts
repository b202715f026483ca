import assert from 'node:assert/strict'
import { connect } from 'node:http2'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../harness.ts'
import { configMap, configMaps, merge, type RawApi } from './rawApi.ts'
import { type SeenEvent, watchLog } from './watchLog.ts'

/** Lists and watches under concurrent writers, as informers need them. */
export const watching = (api: RawApi): Readonly<Record<string, () => Promise<void>>> => ({
  '5,000 random writes: no watch loses, doubles or reorders an event': async () => {
    const present = await api.ok('GET', configMaps)
    const start = present.metadata.resourceVersion
    const all = await watchLog(api, `${configMaps}?watch=1&resourceVersion=${start}`)
    const red = await watchLog(api, `${configMaps}?watch=1&resourceVersion=${start}&labelSelector=color%3Dred`)
    const one = await watchLog(api, `${configMaps}?watch=1&resourceVersion=${start}&fieldSelector=metadata.name%3Dr7`)
    await randomWrites(api, 5000)
    const late = await watchLog(api, `${configMaps}?watch=1&resourceVersion=${start}`)
    const list = await api.ok('GET', configMaps)
    await api.ok('POST', configMaps, configMap('r7-end', {}, { labels: { color: 'red' } }))
    for (const log of [all, red, late]) await log.until(({ name }) => name === 'r7-end', 'the last write')
    const events = all.events.slice(0, -1)
    // A few writes find their object as they would make it, which is no event.
    assert.ok(events.length > 4500, `only ${events.length} writes`)
    assertRising(events)
    assert.deepEqual(late.events.slice(0, -1).map(line), events.map(line))
    assert.deepEqual(replayed(names(present.items), events), names(list.items))
    assert.deepEqual(one.events.map(line), events.filter(({ name }) => name === 'r7').map(line))
    assert.deepEqual(red.events.slice(0, -1).map(line), selected(events))
    for (const log of [all, red, one, late]) log.close()
  },
  'a list in pages shows one state, whatever is written in between': async () => {
    const selector = 'labelSelector=paged%3Dyes'
    for (let index = 0; index < 30; index += 1) {
      const name = `paged-${String(index).padStart(2, '0')}`
      await api.ok('POST', configMaps, configMap(name, {}, { labels: { paged: 'yes' } }))
    }
    const whole = await api.ok('GET', `${configMaps}?${selector}`)
    const seen: string[] = []
    let token = ''
    const versions = new Set<string>()
    do {
      const page = await api.ok('GET', `${configMaps}?${selector}&limit=7&continue=${encodeURIComponent(token)}`)
      seen.push(...names(page.items))
      versions.add(page.metadata.resourceVersion)
      token = page.metadata.continue ?? ''
      await api.call('DELETE', `${configMaps}/${seen.at(-1)}`)
      await api.call('POST', configMaps, configMap(`paged-00${seen.length}`, {}, { labels: { paged: 'yes' } }))
    } while (token !== '')
    assert.deepEqual(seen, names(whole.items))
    assert.equal(versions.size, 1)
    const exact = `resourceVersion=${whole.metadata.resourceVersion}&resourceVersionMatch=Exact`
    assert.deepEqual(names((await api.ok('GET', `${configMaps}?${selector}&${exact}`)).items), seen)
    const newer = await api.ok('GET', `${configMaps}?${selector}&resourceVersion=0`)
    assert.notDeepEqual(names(newer.items), seen)
  },
  'resource versions and tokens: future ones are told to come back, broken ones are refused': async () => {
    const future = await api.call('GET', `${configMaps}?resourceVersion=999999999&resourceVersionMatch=NotOlderThan`)
    assert.equal(future.status, 504)
    assert.match(future.body.message, /^Too large resource version: 999999999, current: \d+/)
    assert.deepEqual(future.body.details.causes, [
      { reason: 'ResourceVersionTooLarge', message: 'Too large resource version' },
    ])
    for (const query of ['resourceVersion=x', 'resourceVersionMatch=Exact', 'limit=1&continue=garbage']) {
      const { status } = await api.call('GET', `${configMaps}?${query}`)
      assert.ok(status === 400 || status === 422, `${query} answered ${status}`)
    }
  },
  'WatchList, bookmarks and timeoutSeconds end where they should': async () => {
    const options = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=2'
    const started = Date.now()
    const log = await watchLog(api, `${configMaps}?watch=1&${options}`)
    await log.ended
    const took = Date.now() - started
    assert.ok(took > 1500 && took < 6000, `ended after ${took} ms`)
    const marks = log.events.filter(({ type }) => type === 'BOOKMARK')
    assert.equal(marks[0]?.object.metadata.annotations['k8s.io/initial-events-end'], 'true')
    assert.equal(log.events.at(-1)?.type, 'BOOKMARK')
  },
  '1,000 watches on one connection all see a write': async () => {
    const session = connect(api.url, { ca: api.ca, cert: api.admin.certificatePem, key: api.admin.keyPem })
    const version = (await api.ok('GET', configMaps)).metadata.resourceVersion
    let opened = 0
    let seen = 0
    for (let index = 0; index < 1000; index += 1) {
      const stream = session.request({ ':path': `${configMaps}?watch=1&resourceVersion=${version}` })
      stream.once('response', () => (opened += 1))
      stream.once('data', () => (seen += 1))
      stream.on('error', () => undefined)
    }
    await until(() => opened === 1000, '1,000 open watches', 20_000)
    await api.ok('POST', configMaps, configMap('for-everybody'))
    await until(() => seen === 1000, '1,000 watches to see the write', 20_000)
    session.destroy()
  },
  'readers that take nothing cost bounded memory and delay nobody': async () => {
    const before = await residentMb(api)
    const slow = Array.from({ length: 30 }, () => {
      const socket = api.open()
      socket.on('error', () => undefined)
      socket.write(`GET ${configMaps}?watch=1 HTTP/1.1\r\nHost: x\r\n\r\n`)
      socket.pause()
      return socket
    })
    // Half-closed: the client has said all it wants to say, and still listens.
    const half = api.open()
    half.end(`GET ${configMaps}?watch=1&resourceVersion=0 HTTP/1.1\r\nHost: x\r\n\r\n`)
    half.on('error', () => undefined)
    const text = 'x'.repeat(500_000)
    const quick = await watchLog(api, `${configMaps}?watch=1&fieldSelector=metadata.name%3Dlarge`)
    await api.ok('POST', configMaps, configMap('large', { text, count: '0' }))
    let slowest = 0
    for (let count = 1; count <= 100; count += 1) {
      const begun = Date.now()
      await api.ok('PATCH', `${configMaps}/large`, { data: { count: String(count) } }, merge)
      await quick.until(({ object }) => object.data.count === String(count), `change ${count}`)
      slowest = Math.max(slowest, Date.now() - begun)
    }
    const grown = (await residentMb(api)) - before
    for (const socket of [...slow, half]) socket.destroy()
    quick.close()
    await api.ok('DELETE', `${configMaps}/large`)
    assert.ok(slowest < 2000, `a change took ${slowest} ms`)
    assert.ok(grown < 400, `30 slow readers of 50 MB of changes cost ${grown} MB`)
    console.log(`      slowest change ${slowest} ms, memory grew by ${grown} MB`)
  },
})

/** `count` writes of a random kind by twenty writers on fifty names; what is refused does not count. */
export async function randomWrites(api: RawApi, count: number): Promise<void> {
  let left = count
  const write = async (): Promise<void> => {
    const name = `r${Math.floor(Math.random() * 50)}`
    const labels = { color: Math.random() < 0.5 ? 'red' : 'blue' }
    const dice = Math.random()
    const data = { v: String(left) }
    const { status } =
      dice < 0.35
        ? await api.call('POST', configMaps, configMap(name, data, { labels }))
        : dice < 0.85
          ? await api.call('PATCH', `${configMaps}/${name}`, { metadata: { labels }, data }, merge)
          : await api.call('DELETE', `${configMaps}/${name}`)
    if (status < 300) left -= 1
  }
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      while (left > 0) await write()
    }),
  )
}

const line = ({ type, name, version }: SeenEvent): string => `${type} ${name} ${version}`
const names = (items: readonly { readonly metadata: { readonly name: string } }[]): string[] =>
  items.map(({ metadata }) => metadata.name)

function assertRising(events: readonly SeenEvent[]): void {
  const wrong = events.findIndex(({ version }, index) => index > 0 && version <= (events[index - 1]?.version ?? 0))
  assert.equal(wrong, -1, `event ${wrong} is not newer than the one before it`)
}

/** The names that exist after the events; each event must fit the state it meets. */
function replayed(present: readonly string[], events: readonly SeenEvent[]): string[] {
  const state = new Set(present)
  for (const { type, name, version } of events) {
    assert.equal(state.has(name), type !== 'ADDED', `${type} ${name} at ${version} does not fit the state before it`)
    if (type === 'DELETED') state.delete(name)
    else state.add(name)
  }
  return [...state].sort()
}

/** What a watch of red objects must have seen, made from what a watch of all has. */
function selected(events: readonly SeenEvent[]): string[] {
  const red = new Set<string>()
  return events.flatMap(({ type, name, version, object }) => {
    const was = red.has(name)
    const is = type !== 'DELETED' && object.metadata.labels?.color === 'red'
    if (is) red.add(name)
    else red.delete(name)
    if (!was && !is) return []
    return [`${was ? (is ? 'MODIFIED' : 'DELETED') : 'ADDED'} ${name} ${version}`]
  })
}

/** Resident memory of the server's process, after what can be freed had a moment to be. */
async function residentMb(api: RawApi): Promise<number> {
  await sleep(500)
  return api.residentMb()
}

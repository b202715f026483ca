import assert from 'node:assert/strict'
import { gunzipSync } from 'node:zlib'
import { configMap, configMaps, merge, type RawApi } from './rawApi.ts'

/** What clients and attackers put on the wire: each is answered, precisely, and nothing of it stays. */
export const requests = (api: RawApi): Readonly<Record<string, () => Promise<void>>> => ({
  'HTTP/1.0, keep-alive and pipelined requests are answered': async () => {
    assert.match(await api.socket('GET /version HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 200 [\s\S]*"gitVersion"/)
    const get = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'
    assert.equal((await api.socket(`${get}${get}${get}`)).match(/HTTP\/1\.1 200 /g)?.length, 3)
  },
  'a request that two parsers could read differently is refused': async () => {
    const post = `POST ${configMaps} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`
    const smuggled = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'
    for (const headers of [
      `Content-Length: ${smuggled.length}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
      `Content-Length: 0\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}`,
      `Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${smuggled}`,
      `Content-Length: +5\r\n\r\n12345`,
    ]) {
      const answer = await api.socket(`${post}${headers}`)
      assert.doesNotMatch(answer, /200 OK/, headers)
      assert.match(answer, /^(HTTP\/1\.1 400 |$)/, headers)
    }
    assert.match(await api.socket('GET /healthz HTTP/1.1\r\nHost: x\r\nX: a\r\n b\0\r\n\r\n'), /^(HTTP\/1\.1 400 |$)/)
  },
  'methods that do not exist are 405, HEAD has no body': async () => {
    for (const method of ['OPTIONS', 'TRACE', 'PROPFIND']) {
      assert.equal((await api.call(method, configMaps)).status, 405, method)
    }
    for (const method of ['PUT', 'PATCH']) {
      assert.equal((await api.call(method, configMaps, configMap('a'), method === 'PATCH' ? merge : {})).status, 405)
    }
    const head = await api.call('HEAD', `${configMaps}?watch=1`)
    assert.deepEqual([head.status, head.bytes.length], [200, 0])
  },
  'paths that climb, hide or break are no resource': async () => {
    for (const [path, status] of [
      [`${configMaps}/../secrets`, 404],
      [`${configMaps}/%2e%2e`, 404],
      [`${configMaps}/..%2fsecrets`, 404],
      [`${configMaps}/a%00b`, 404],
      [`${configMaps}/%ff%fe`, 404],
      ['/api/v1/namespaces/default%2Fconfigmaps', 404],
      ['/apis/nowhere/v1/things', 404],
      ['/%2e%2e/%2e%2e/etc/passwd', 404],
      [`${configMaps}?unknown=1&unknown=2&%zz`, 200],
    ] as const) {
      assert.equal((await api.call('GET', path)).status, status, path)
    }
  },
  'bad bodies are told by their place, not by their content': async () => {
    const post = (body: string | Buffer, type = 'application/json') =>
      api.call('POST', configMaps, body, { headers: { 'content-type': type } })
    const broken = await post('{"data":{"password":"hunter2"')
    assert.equal(broken.status, 400)
    assert.match(broken.body.message, /not valid JSON: unexpected end of JSON input \(character 29\)/)
    assert.doesNotMatch(broken.bytes.toString(), /hunter2/)
    assert.equal((await post('[]')).status, 400)
    assert.equal((await post('a: [', 'application/yaml')).status, 400)
    assert.equal((await post(`{"a":${'['.repeat(500_000)}`)).status, 400)
    assert.equal((await post(`{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`)).status, 400)
    assert.equal((await post('a=b', 'application/x-www-form-urlencoded')).status, 415)
    assert.equal((await post(Buffer.from([0x1f, 0x8b, 0, 0]))).status, 400)
  },
  'large objects and bodies are 413 in the words that clients know': async () => {
    const large = (kib: number) => ({
      ...configMap('too-large'),
      kind: 'Secret',
      data: { a: Buffer.alloc((kib * 1024 * 3) / 4).toString('base64') },
    })
    const rendered = {
      apiVersion: 'machineconfiguration.openshift.io/v1',
      kind: 'MachineConfig',
      metadata: { name: 'too-large' },
      spec: { config: { ignition: { version: '3.2.0' }, x: 'x'.repeat(1_600_000) } },
    }
    const refused = await api.call('POST', '/apis/machineconfiguration.openshift.io/v1/machineconfigs', rendered)
    assert.ok([413, 422].includes(refused.status), `${refused.status}`)
    assert.equal((await api.call('POST', '/api/v1/namespaces/default/secrets', large(4096))).status, 413)
    const annotations = { annotations: { a: 'x'.repeat(256 * 1024 + 1) } }
    const annotated = await api.call('POST', configMaps, configMap('annotated', {}, annotations))
    assert.match(annotated.body.message, /metadata\.annotations: Too long: may not be more than 262144 bytes/)
  },
  'YAML bodies, charsets, gzip and odd headers are understood': async () => {
    const yaml = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: yaml}\ndata: {a: "ü"}\n'
    const type = { headers: { 'content-type': 'application/yaml; charset=utf-8', accept: 'application/yaml' } }
    const made = await api.call('POST', configMaps, yaml, type)
    assert.deepEqual([made.status, made.headers['content-type']], [201, 'application/yaml'])
    assert.equal((await api.ok('GET', `${configMaps}/yaml`)).data.a, 'ü')
    for (let index = 0; index < 10; index += 1) {
      await api.ok('POST', configMaps, configMap(`fill-${index}`, { text: 'x'.repeat(50_000) }))
    }
    const list = await api.call('GET', configMaps, undefined, { headers: { 'accept-encoding': 'gzip' } })
    assert.equal(list.headers['content-encoding'], 'gzip')
    assert.equal(JSON.parse(gunzipSync(list.bytes).toString()).kind, 'ConfigMapList')
    assert.ok(list.bytes.length < 100_000)
    const one = await api.call('GET', `${configMaps}/yaml`, undefined, { headers: { 'accept-encoding': 'gzip' } })
    assert.equal(one.headers['content-encoding'], undefined)
    assert.equal((await api.call('GET', configMaps, undefined, { headers: { accept: 'image/png' } })).status, 406)
  },
  'warnings about any field are a header that every client can read': async () => {
    const odd = { ...configMap('warned'), '日本 "x"\u0007': 1 }
    const answer = await api.call('POST', `${configMaps}?fieldValidation=Warn&dryRun=All`, odd)
    assert.equal(answer.status, 201)
    assert.match(Buffer.from(String(answer.headers.warning), 'latin1').toString(), /299 - "unknown field .*日本/)
    const many = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`unknown${index}`, 1]))
    assert.equal((await api.call('POST', `${configMaps}?dryRun=All`, { ...configMap('warned'), ...many })).status, 201)
    const strict = `${configMaps}?fieldValidation=Strict&dryRun=All`
    assert.equal((await api.call('POST', strict, odd)).status, 400)
    const repeated = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"a":"1","a":"2"}}'
    assert.match((await api.call('POST', strict, repeated)).body.message, /strict decoding error: duplicate field "a"/)
    assert.equal(
      (await api.call('POST', `${configMaps}?fieldValidation=Ignore&dryRun=All`, odd)).headers.warning,
      undefined,
    )
  },
  'names that every JavaScript object has are data': async () => {
    const data = JSON.parse('{"__proto__":"a","constructor":"b","toString":"c"}')
    await api.ok('POST', configMaps, configMap('inherited', data))
    const body = { ...configMap('inherited'), data: { valueOf: 'd' } }
    const type = { headers: { 'content-type': 'application/apply-patch+yaml' } }
    const applied = await api.ok('PATCH', `${configMaps}/inherited?fieldManager=me`, body, type)
    assert.deepEqual(Object.keys(applied.data).sort(), ['__proto__', 'constructor', 'toString', 'valueOf'])
    assert.deepEqual((await api.ok('GET', `${configMaps}?labelSelector=constructor`)).items, [])
    const bomb = Array.from({ length: 60 }, (_, index) => ({ op: 'copy', from: '/data', path: `/data/${index}` }))
    const json = { headers: { 'content-type': 'application/json-patch+json' } }
    assert.equal((await api.call('PATCH', `${configMaps}/inherited`, bomb, json)).status, 413)
  },
})

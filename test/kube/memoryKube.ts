import type { Kind } from '../../src/api/kind.ts'
import type { KubernetesObject } from '../../src/api/meta.ts'
import type { Cache } from '../../src/kube/controller.ts'
import { ApiError, type KubeApi, type ObjectKey, type Patch } from '../../src/kube/kubeApi.ts'

/** One write that arrived, as `verb plural/name` and the body that was sent. */
export interface Write {
  readonly what: string
  readonly body: unknown
}

/** An API server in a map, with resourceVersions and conflicts, for tests of controllers that read a cache and write. */
export interface MemoryKube {
  readonly kube: KubeApi
  readonly cache: Cache
  readonly writes: readonly Write[]
  put<T extends KubernetesObject>(kind: Kind<T>, object: T): T
  get<T extends KubernetesObject>(kind: Kind<T>, name: string): T | undefined
  /** The next write of this kind fails with the error. */
  failNext(what: string, error: ApiError): void
  clearWrites(): void
}

export const conflict = (): ApiError =>
  new ApiError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason: 'Conflict', code: 409 })

export function memoryKube(now: () => Date): MemoryKube {
  const objects = new Map<string, Map<string, KubernetesObject>>()
  const failures = new Map<string, ApiError>()
  let writes: Write[] = []
  let version = 0

  const bucket = (kind: Kind<KubernetesObject>) => {
    const known = objects.get(kind.plural) ?? new Map<string, KubernetesObject>()
    objects.set(kind.plural, known)
    return known
  }
  const keyOf = ({ name, namespace }: ObjectKey) => (namespace ? `${namespace}/${name}` : name)
  const objectKey = ({ metadata }: KubernetesObject): ObjectKey => ({
    name: metadata.name ?? '',
    ...(metadata.namespace && { namespace: metadata.namespace }),
  })
  const find = <T extends KubernetesObject>(kind: Kind<T>, key: ObjectKey) =>
    bucket(kind).get(keyOf(key)) as T | undefined
  const existing = <T extends KubernetesObject>(kind: Kind<T>, key: ObjectKey): T => {
    const object = find(kind, key)
    if (!object) throw failure(404, 'NotFound')
    return object
  }

  function store<T extends KubernetesObject>(kind: Kind<T>, object: T): T {
    version++
    const { uid = `uid-${version}`, creationTimestamp = now().toISOString() } = object.metadata
    const metadata = { ...object.metadata, uid, creationTimestamp, resourceVersion: String(version) }
    const stored = structuredClone({ ...object, metadata })
    bucket(kind).set(keyOf(objectKey(stored)), stored)
    return stored
  }

  function record(verb: string, kind: Kind<KubernetesObject>, name: string, body: unknown): void {
    const what = `${verb} ${kind.plural}/${name}`
    const error = failures.get(what)
    failures.delete(what)
    if (error) throw error
    writes.push({ what, body })
  }

  function guard(kind: Kind<KubernetesObject>, object: KubernetesObject): void {
    const wanted = object.metadata.resourceVersion
    const present = existing(kind, objectKey(object)).metadata.resourceVersion
    if (wanted !== undefined && wanted !== present) throw conflict()
  }

  const kube: KubeApi = {
    get: async (kind, key) => existing(kind, key),
    list: async <T extends KubernetesObject>(kind: Kind<T>) => ({
      metadata: {},
      items: [...bucket(kind).values()] as T[],
    }),
    watch: () => {
      throw new Error('watches are not part of this double')
    },
    create: async (kind, object) => {
      record('create', kind, object.metadata.name ?? '', object)
      if (find(kind, objectKey(object))) throw failure(409, 'AlreadyExists')
      return store(kind, object)
    },
    update: async (kind, object) => {
      record('update', kind, object.metadata.name ?? '', object)
      guard(kind, object)
      return store(kind, object)
    },
    updateStatus: async <T extends KubernetesObject>(kind: Kind<T>, object: T) => {
      record('status', kind, object.metadata.name ?? '', (object as { status?: unknown }).status)
      guard(kind, object)
      const present = existing(kind, objectKey(object))
      return store(kind, { ...present, status: (object as { status?: unknown }).status } as T)
    },
    patch: async <T extends KubernetesObject>(kind: Kind<T>, key: ObjectKey, patch: Patch) => {
      if (patch.type !== 'merge') throw new Error(`${patch.type} patches are not part of this double`)
      record('patch', kind, key.name, patch.body)
      const present = existing(kind, key)
      const merged = mergePatch(present, patch.body) as T
      if (merged.metadata.resourceVersion !== present.metadata.resourceVersion) throw conflict()
      return store(kind, merged)
    },
    delete: async (kind, key, { preconditions } = {}) => {
      record('delete', kind, key.name, preconditions)
      const { uid, resourceVersion } = existing(kind, key).metadata
      if (preconditions?.uid !== undefined && preconditions.uid !== uid) throw conflict()
      if (preconditions?.resourceVersion !== undefined && preconditions.resourceVersion !== resourceVersion)
        throw conflict()
      bucket(kind).delete(keyOf(key))
    },
    evict: async () => {
      throw new Error('evictions are not part of this double')
    },
  }

  return {
    kube,
    cache: {
      get: find,
      list: <T extends KubernetesObject>(kind: Kind<T>) => [...bucket(kind).values()] as T[],
      byIndex: () => {
        throw new Error('indices are not part of this double')
      },
    },
    get writes() {
      return writes
    },
    put: store,
    get: (kind, name) => find(kind, { name }),
    failNext: (what, error) => failures.set(what, error),
    clearWrites: () => {
      writes = []
    },
  }
}

const failure = (code: number, reason: string): ApiError =>
  new ApiError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason, code })

/** RFC 7386. */
function mergePatch(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch
  const isRecord = typeof target === 'object' && target !== null && !Array.isArray(target)
  const result: Record<string, unknown> = isRecord ? { ...(target as Record<string, unknown>) } : {}
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key]
    else if (value !== undefined) result[key] = mergePatch(result[key], value)
  }
  return result
}

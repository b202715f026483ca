import type { Entry } from '../store/entry.ts'
import type { Change } from '../store/history.ts'
import { BackgroundLoop } from './backgroundLoop.ts'
import type { ServerContext } from './context.ts'
import { cleanupFinalizer } from './customResources.ts'
import { definitionCollection, objectsOf } from './definitionLifecycle.ts'
import { changeStored, deleteStored, withoutFinalizer } from './internalWrites.ts'
import type { ApiObject } from './resource.ts'

const namespaceCollection = 'core/namespaces'

/**
 * Empties namespaces and kinds that are being deleted: their objects go first, then the finalizer that held the
 * Namespace or CustomResourceDefinition (public docs, "Namespaces"; "CustomResourceDefinitions", "Finalizers").
 */
export class ContainerCleanup {
  readonly #context: ServerContext
  readonly #loop: BackgroundLoop
  readonly #stopListening: () => void

  constructor(context: ServerContext, onFault: (error: unknown) => void) {
    this.#context = context
    this.#loop = new BackgroundLoop((key) => this.#empty(key), onFault)
    for (const collection of [namespaceCollection, definitionCollection]) {
      for (const entry of context.database.collection(collection).list()) this.#look(entry)
    }
    this.#stopListening = context.database.listen((change) => this.#onChange(change))
  }

  idle(): Promise<void> {
    return this.#loop.idle()
  }

  stop(): Promise<void> {
    this.#stopListening()
    return this.#loop.stop()
  }

  #onChange({ type, entry }: Change): void {
    const { collection, namespace } = entry.path
    if (type !== 'DELETED') {
      if (collection === namespaceCollection || collection === definitionCollection) this.#look(entry)
      return
    }
    const { database } = this.#context
    const owners = [
      namespace === '' ? undefined : database.collection(namespaceCollection).get(namespace),
      database.collection(definitionCollection).get(definitionName(collection)),
    ]
    for (const owner of owners) if (owner) this.#look(owner)
  }

  #look({ path, object }: Entry): void {
    if (object.metadata.deletionTimestamp !== undefined) this.#loop.add(`${path.collection} ${path.name}`)
  }

  async #empty(key: string): Promise<void> {
    const [collection = '', name = ''] = key.split(' ')
    const entry = this.#context.database.latest({ collection, namespace: '', name })
    if (entry?.object.metadata.deletionTimestamp === undefined) return
    const contents = collection === namespaceCollection ? this.#objectsIn(name) : this.#objectsOf(entry.object)
    // Deletions of one batch share a commit.
    await Promise.all(contents.map((content) => deleteStored(this.#context, content, undefined)))
    const left = contents.filter((content) => this.#context.database.latest(content.path) !== undefined)
    if (left.length === 0) await changeStored(this.#context, entry, released)
  }

  #objectsIn(namespace: string): readonly Entry[] {
    return this.#context.database.collections().flatMap((collection) => collection.list(namespace))
  }

  #objectsOf(object: ApiObject): readonly Entry[] {
    return this.#context.database.collection(objectsOf(object)).list()
  }
}

/** `example.com/widgets` is defined by `widgets.example.com`. */
function definitionName(collection: string): string {
  const [group, plural] = collection.split('/')
  return `${plural}.${group}`
}

function released(object: ApiObject): ApiObject {
  if (object.kind !== 'Namespace') return withoutFinalizer(object, cleanupFinalizer)
  const { finalizers = [], ...spec } = (object.spec ?? {}) as { finalizers?: readonly string[] }
  const left = finalizers.filter((finalizer) => finalizer !== 'kubernetes')
  return left.length === finalizers.length
    ? object
    : { ...object, spec: { ...spec, ...(left.length > 0 ? { finalizers: left } : {}) } }
}

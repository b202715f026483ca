/** Where an object lives: the collection (`group/plural` of the kind that owns the storage), then namespace and name. */
export interface ObjectPath {
  readonly collection: string
  /** Empty for cluster-scoped kinds. */
  readonly namespace: string
  readonly name: string
}

/** `core` stands for the empty group: a path segment is never empty. */
export function collectionId(group: string, plural: string): string {
  return `${group === '' ? 'core' : group}/${plural}`
}

/** The key within a collection; byte order of keys is the order of lists: by namespace, then name. */
export function keyOf(namespace: string, name: string): string {
  return namespace === '' ? name : `${namespace}/${name}`
}

export function formatPath(path: ObjectPath): string {
  return `${path.collection}/${keyOf(path.namespace, path.name)}`
}

export function parsePath(text: string): ObjectPath {
  const [group, plural, first, second] = text.split('/')
  if (group === undefined || plural === undefined || first === undefined) {
    throw new Error(
      `stored path ${JSON.stringify(text)} is not GROUP/PLURAL/[NAMESPACE/]NAME; the data directory is damaged`,
    )
  }
  return second === undefined
    ? { collection: `${group}/${plural}`, namespace: '', name: first }
    : { collection: `${group}/${plural}`, namespace: first, name: second }
}

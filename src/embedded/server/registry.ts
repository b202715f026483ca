import { collectionId } from '../store/objectPath.ts'
import type { ResourceDefinition } from './resource.ts'

/** All served resources: the built-in ones and those that CustomResourceDefinitions add and remove at runtime. */
export class ResourceRegistry {
  readonly #builtins: readonly ResourceDefinition[]
  /** By the name of the CustomResourceDefinition that they come from. */
  readonly #custom = new Map<string, readonly ResourceDefinition[]>()
  #byAddress = new Map<string, ResourceDefinition>()
  #generation = 0

  constructor(builtins: readonly ResourceDefinition[]) {
    this.#builtins = builtins
    this.#rebuild()
  }

  /** Rises with every change: documents built from the registry are cached by it. */
  get generation(): number {
    return this.#generation
  }

  all(): readonly ResourceDefinition[] {
    return [...this.#byAddress.values()]
  }

  find(group: string, version: string, plural: string): ResourceDefinition | undefined {
    return this.#byAddress.get(`${group}/${version}/${plural}`)
  }

  findKind(group: string, version: string, kind: string): ResourceDefinition | undefined {
    return this.all().find((each) => each.group === group && each.version === version && each.kind === kind)
  }

  /** The definition whose version the store holds. */
  stored(collection: string): ResourceDefinition | undefined {
    return this.all().find(
      (each) => each.storageVersion !== false && !each.storedAs && ownCollection(each) === collection,
    )
  }

  hasGroup(group: string): boolean {
    return this.all().some((each) => each.group === group)
  }

  setCustom(definitionName: string, resources: readonly ResourceDefinition[]): void {
    if (resources.length === 0) this.#custom.delete(definitionName)
    else this.#custom.set(definitionName, resources)
    this.#rebuild()
  }

  #rebuild(): void {
    this.#byAddress = new Map(
      [...this.#builtins, ...[...this.#custom.values()].flat()].map((resource) => [
        `${resource.group}/${resource.version}/${resource.plural}`,
        resource,
      ]),
    )
    this.#generation += 1
  }
}

const ownCollection = (resource: ResourceDefinition): string => collectionId(resource.group, resource.plural)

/** The collection that holds a resource's objects; two resources may share one. */
export function collectionOf(resource: ResourceDefinition): string {
  return resource.storedAs ? collectionId(resource.storedAs.group, resource.storedAs.plural) : ownCollection(resource)
}

import { Pod, type PodTemplateSpec } from '../../api/core.ts'
import type { KubernetesObject, OwnerReference } from '../../api/meta.ts'
import type { Random } from '../../kube/backOff.ts'
import type { Watch } from '../../kube/controller.ts'
import { watching } from '../../kube/controller.ts'
import type { Informers } from '../../kube/informers.ts'

/** Index of objects by the uid of their controller. */
export const controllerIndex = 'cluster/controller'

export function controllerOf({ metadata }: KubernetesObject): OwnerReference | undefined {
  return metadata.ownerReferences?.find(({ controller }) => controller === true)
}

export const byController = (object: KubernetesObject): readonly string[] => {
  const uid = controllerOf(object)?.uid
  return uid === undefined ? [] : [uid]
}

/** Registers what `podsOf` asks; every workload controller does, because each may run alone. */
export function indexPodsByController(informers: Informers): void {
  informers.addIndex(Pod, controllerIndex, byController)
}

export function podsOf(informers: Informers, owner: KubernetesObject): readonly Pod[] {
  return informers.cache.byIndex(Pod, controllerIndex, owner.metadata.uid ?? '')
}

/** Changes of pods, told to the owner of the kind. */
export function podsOfKind(kind: string): Watch<Pod> {
  return watching(Pod, ({ old, now }) => {
    const keys = [old, now].flatMap((pod) => {
      const owner = pod && controllerOf(pod)
      return owner?.kind === kind ? [`${pod?.metadata.namespace}/${owner.name}`] : []
    })
    return [...new Set(keys)]
  })
}

/** The characters of generated names: no vowels, so that they spell nothing. */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789'

export function randomSuffix(random: Random): string {
  return Array.from({ length: 5 }, () => alphabet[Math.floor(random() * alphabet.length)]).join('')
}

/** A pod as its template says, owned by `owner`. */
export function podFromTemplate(owner: KubernetesObject, template: PodTemplateSpec, name: string): Pod {
  return {
    metadata: {
      name,
      ...(owner.metadata.namespace !== undefined && { namespace: owner.metadata.namespace }),
      labels: template.metadata?.labels ?? {},
      annotations: template.metadata?.annotations ?? {},
      ownerReferences: [ownerReference(owner)],
    },
    spec: template.spec ?? { containers: [] },
  }
}

export function ownerReference({ apiVersion = '', kind = '', metadata }: KubernetesObject): OwnerReference {
  const { name = '', uid = '' } = metadata
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true }
}

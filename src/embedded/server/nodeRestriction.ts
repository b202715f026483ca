import type { AdmissionAnswer, AdmissionRequest, Admit } from './admission.ts'
import { nodeNameOf } from './authorize.ts'

const allowed: AdmissionAnswer = { allowed: true }

/**
 * What a node's own credentials may write, where the URL alone does not tell: the node it names, and pods that are bound
 * to it (public docs, "NodeRestriction").
 */
export const restrictNodes: Admit = (request) => {
  const node = nodeNameOf(request.identity)
  if (node === undefined) return allowed
  switch (request.resource.plural) {
    case 'nodes':
    case 'machineconfignodes':
    case 'leases':
      return request.name === node
        ? allowed
        : {
            allowed: false,
            message: `node "${node}" is not allowed to modify ${request.resource.plural} "${request.name}"`,
          }
    case 'pods':
      return nodeOfPod(request) === node
        ? allowed
        : { allowed: false, message: `node "${node}" can only write pods with spec.nodeName set to itself` }
    default:
      return allowed
  }
}

function nodeOfPod({ object, old }: AdmissionRequest): string | undefined {
  const spec = ((old ?? object)?.spec ?? {}) as { readonly nodeName?: string }
  return spec.nodeName
}

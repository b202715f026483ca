import { deepEqual } from '../../schema/deepEqual.ts'
import { duplicate, type FieldError, forbidden, invalid, notSupported, required } from '../../schema/fieldError.ts'
import { dns1123LabelErrors } from '../../schema/names.ts'
import type { Container, Pod, PodSpec } from '../core.ts'

const restartPolicies: readonly string[] = ['Always', 'OnFailure', 'Never']

/** A Pod's own rules: names and images of containers, and what an update may change. */
export function validatePod(pod: Pod, old?: Pod): readonly FieldError[] {
  const { spec } = pod
  if (!spec) return [required('spec')]
  const { containers = [], initContainers = [], restartPolicy } = spec
  return [
    ...(containers.length === 0 ? [required('spec.containers')] : []),
    ...containerErrors(containers, 'spec.containers', []),
    ...containerErrors(initContainers, 'spec.initContainers', containers),
    ...(restartPolicy === undefined || restartPolicies.includes(restartPolicy)
      ? []
      : [notSupported('spec.restartPolicy', restartPolicy, restartPolicies)]),
    ...(old ? updateErrors(spec, old.spec) : []),
  ]
}

function containerErrors(
  containers: readonly Container[],
  path: string,
  others: readonly Container[],
): readonly FieldError[] {
  const taken = new Set(others.map(({ name }) => name))
  return containers.flatMap(({ name, image = '' }, index) => {
    const place = `${path}[${index}]`
    const isRepeated = taken.has(name)
    taken.add(name)
    return [
      ...(name
        ? dns1123LabelErrors(name).map((error) => invalid(`${place}.name`, name, error))
        : [required(`${place}.name`)]),
      ...(isRepeated ? [duplicate(`${place}.name`, name)] : []),
      ...(image === '' ? [required(`${place}.image`)] : []),
    ]
  })
}

/** A pod that has no node yet may get one; everything else that is not listed in the message stays. */
function updateErrors(spec: PodSpec, old: PodSpec | undefined): readonly FieldError[] {
  if (!old || deepEqual(fixedPart(spec, old), fixedPart(old, old))) return []
  return [
    forbidden(
      'spec',
      'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
    ),
  ]
}

function fixedPart(spec: PodSpec, old: PodSpec): object {
  const {
    tolerations: _tolerations,
    terminationGracePeriodSeconds: _grace,
    activeDeadlineSeconds: _deadline,
    containers = [],
    initContainers = [],
    nodeName = '',
    ...rest
  }: PodSpec & { readonly activeDeadlineSeconds?: number } = spec
  return {
    ...rest,
    containers: containers.map(withoutImage),
    initContainers: initContainers.map(withoutImage),
    nodeName: (old.nodeName ?? '') === '' ? '' : nodeName,
  }
}

const withoutImage = ({ image: _image, ...rest }: Container): object => rest

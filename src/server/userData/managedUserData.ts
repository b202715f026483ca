import type { Secret } from '../../api/core.ts'
import { apiVersionOf } from '../../api/kind.ts'
import { MachineConfigPool } from '../../api/machineConfigPool.ts'
import { certificateAnnotation, userData } from '../../api/names.ts'
import { equalValue } from '../../ignition/equalValue.ts'

/** The Secret `<pool>-user-data-managed` as it should be. It goes with its pool, by garbage collection. */
export function managedSecret(pool: MachineConfigPool, namespace: string, pointer: string): Secret {
  const { name = '', uid = '' } = pool.metadata
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: `${name}${userData.managedSuffix}`,
      namespace,
      labels: { [certificateAnnotation.managedCaBundleDerivedFromConfigMap]: '' },
      ownerReferences: [{ apiVersion: apiVersionOf(MachineConfigPool), kind: MachineConfigPool.kind, name, uid }],
    },
    type: 'Opaque',
    data: {
      [userData.disableTemplatingKey]: base64('true\n'),
      [userData.key]: base64(pointer),
    },
  }
}

/** What must be written so that a Secret found is the one wanted; undefined when nothing differs. Foreign labels stay. */
export function overwritten(found: Secret, wanted: Secret): Secret | undefined {
  const labels = { ...found.metadata.labels, ...wanted.metadata.labels }
  const { ownerReferences = [] } = wanted.metadata
  const isAsWanted =
    equalValue(found.data, wanted.data) &&
    equalValue(found.metadata.labels ?? {}, labels) &&
    equalValue(found.metadata.ownerReferences ?? [], ownerReferences)
  return isAsWanted
    ? undefined
    : { ...found, metadata: { ...found.metadata, labels, ownerReferences }, data: wanted.data ?? {} }
}

/** The text of a Secret's user data; undefined without one. */
export function userDataOf({ data }: Secret): string | undefined {
  const encoded = data?.[userData.key]
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString('utf8')
}

export const withUserData = (secret: Secret, text: string): Secret => ({
  ...secret,
  data: { ...secret.data, [userData.key]: base64(text) },
})

/** The token that a pointer shows in its header; undefined without one. */
export function tokenInPointer(pointer: string): string | undefined {
  return /"Authorization","value":"Bearer ([A-Za-z0-9._-]+)"/.exec(pointer)?.[1]
}

/** Where a pointer of ours sends its machine: `HOST:PORT`; undefined when it says nothing of that kind. */
export function endpointInPointer(pointer: string): string | undefined {
  return /"source":"https:\/\/([^/"]+)\/config\//.exec(pointer)?.[1]
}

const base64 = (text: string): string => Buffer.from(text).toString('base64')

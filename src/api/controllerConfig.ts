import type { ControllerConfigSpec, ControllerConfigStatus } from './generated/controllerConfig.ts'
import { defineKind } from './kind.ts'
import type { KubernetesObject } from './meta.ts'

export type {
  ControllerCertificate,
  ControllerConfigCondition,
  ControllerConfigSpec,
  ControllerConfigStatus,
  ImageRegistryBundle,
  MtuMigration,
} from './generated/controllerConfig.ts'

/** The cluster's facts as the templates and the renderer need them; the operator writes the one object of this kind. Members of
 * format byte are base64 text. */
export interface ControllerConfig extends KubernetesObject {
  readonly spec: ControllerConfigSpec
  readonly status?: ControllerConfigStatus
}
export const ControllerConfig = defineKind<ControllerConfig>(
  'machineconfiguration.openshift.io',
  'v1',
  'ControllerConfig',
  'controllerconfigs',
)

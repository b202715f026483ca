import { MachineConfig } from '../api/machineConfig.ts'
import { messageOf, Retryable } from '../kube/errors.ts'
import { isNotFound, type KubeApi } from '../kube/kubeApi.ts'
import { emptyConfigName } from './change.ts'
import { emptyLoadedConfig, type LoadedConfig, loadConfig } from './loadConfig.ts'

/** Rendered configs by name. A rendered config never changes, so each is read and parsed once for all daemons. */
export interface ConfigSource {
  /** Throws `MissingConfig` while it is not there, `UnusableConfig` when it cannot be read. */
  load(name: string): Promise<LoadedConfig>
}

/** A rendered config that was deleted is made again at once while a pool wants it; any longer, and a person must know. */
export class MissingConfig extends Retryable {}

export function kubeConfigSource(kube: KubeApi, { maxRemembered = 16 } = {}): ConfigSource {
  const remembered = new Map<string, Promise<LoadedConfig>>()
  return {
    load(name) {
      if (name === emptyConfigName) return Promise.resolve(emptyLoadedConfig)
      const known = remembered.get(name)
      if (known !== undefined) {
        // Most recently used last.
        remembered.delete(name)
        remembered.set(name, known)
        return known
      }
      const loading = fetchConfig(kube, name)
      remembered.set(name, loading)
      for (const oldest of remembered.keys()) {
        if (remembered.size <= maxRemembered) break
        remembered.delete(oldest)
      }
      // A failure is not remembered; whoever asked gets it from the promise itself.
      loading.catch(() => remembered.delete(name))
      return loading
    },
  }
}

async function fetchConfig(kube: KubeApi, name: string): Promise<LoadedConfig> {
  try {
    return loadConfig(await kube.get(MachineConfig, { name }))
  } catch (error) {
    if (!isNotFound(error)) throw error
    throw new MissingConfig(
      `machineconfig.machineconfiguration.openshift.io "${name}" not found: ${messageOf(error)}`,
      {
        cause: error,
      },
    )
  }
}

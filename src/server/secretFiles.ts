import type { MachineConfig } from '../api/machineConfig.ts'
import { unitPath } from '../daemon/hostPaths.ts'
import type { IgnitionConfig } from '../ignition/types.ts'
import { secretPathsOf } from '../render/secretPaths.ts'

/** The files of a config that are secret: marked by an author, or known to hold credentials. */
export function secretFilesOf(rendered: MachineConfig, { storage, systemd }: IgnitionConfig): readonly string[] {
  const marked = new Set([...secretPathsOf([rendered]), ...alwaysSecret])
  const files = (storage?.files ?? []).map(({ path }) => path)
  const units = (systemd?.units ?? []).map(({ name }) => unitPath(name))
  return [...files, ...units].filter((path) => marked.has(path)).sort()
}

/** The credentials for pulling images. */
const alwaysSecret = ['/var/lib/kubelet/config.json'] as const

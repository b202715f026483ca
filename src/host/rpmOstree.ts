import { splitKernelArguments } from '../forecast/kernelArguments.ts'
import { bootedArguments } from './bootedArguments.ts'
import { type Exec, runOrFail } from './exec.ts'
import type { HostFiles, KernelArguments, OsImage } from './host.ts'
import { bootedDeployment, type Deployment, parseRpmOstreeStatus } from './rpmOstreeStatus.ts'

const longTimeoutMs = 1_800_000

/** Runs one rpm-ostree transaction; pulling and staging an image takes minutes. */
export async function rpmOstree(exec: Exec, ...args: readonly string[]): Promise<string> {
  return runOrFail(exec, { program: 'rpm-ostree', args, timeoutMs: longTimeoutMs })
}

export async function deployments(exec: Exec): Promise<readonly Deployment[]> {
  return parseRpmOstreeStatus(await rpmOstree(exec, 'status', '--json'))
}

export function rpmOstreeImage(exec: Exec): OsImage {
  return {
    booted: async () => bootedDeployment(await deployments(exec)).image,
    pending: async () => (await deployments(exec))[0]?.image ?? '',
    async setPending(image) {
      const found = await deployments(exec)
      // What is booted is there already: only what waits for the next boot has to go.
      if (bootedDeployment(found).image === image) {
        if (found[0]?.booted !== true) await rpmOstree(exec, 'cleanup', '-p')
        return
      }
      await rpmOstree(exec, 'rebase', '--experimental', `ostree-unverified-registry:${image}`)
    },
  }
}

export function rpmOstreeKernelArguments(exec: Exec, files: HostFiles): KernelArguments {
  const pending = async (): Promise<readonly string[]> => splitKernelArguments([await rpmOstree(exec, 'kargs')])
  return {
    pending,
    booted: () => bootedArguments(files),
    async setPending(list) {
      const changes = kernelArgumentChanges(await pending(), list)
      if (changes.length > 0) await rpmOstree(exec, 'kargs', ...changes)
    },
  }
}

/**
 * From one list to another in one call: what both start with stays, the rest is taken off and put on again. Order and
 * duplicates come out as asked for. An argument of the rest that the start holds too makes it start over from nothing:
 * a deletion would not know which of the two is meant.
 */
export function kernelArgumentChanges(from: readonly string[], to: readonly string[]): readonly string[] {
  let same = 0
  while (same < from.length && from[same] === to[same]) same++
  const start = new Set(from.slice(0, same))
  if (from.slice(same).some((argument) => start.has(argument))) same = 0
  return [
    ...from.slice(same).map((argument) => `--delete-if-present=${argument}`),
    ...to.slice(same).map((argument) => `--append=${argument}`),
  ]
}

import type { Host } from './host.ts'

/** Which container runtime a host has, by its units; none of them is undefined. */
export async function hostRuntime({ services }: Host): Promise<'cri-o' | 'containerd' | undefined> {
  if ((await services.unitFileState('crio.service')) !== 'not-found') return 'cri-o'
  return (await services.unitFileState('containerd.service')) === 'not-found' ? undefined : 'containerd'
}

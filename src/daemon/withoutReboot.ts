import type { Host } from '../host/host.ts'

/** Runs what a reboot in the middle would leave half done; reboots that somebody else asks for wait until its end. */
export async function withoutReboot<T>(host: Host, why: string, work: () => Promise<T>): Promise<T> {
  const hold = await host.power.holdOff(why)
  try {
    return await work()
  } finally {
    await hold.release()
  }
}

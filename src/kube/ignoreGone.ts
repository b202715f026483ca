import { isNotFound } from './kubeApi.ts'

/** Awaits a write to an object that somebody may have removed meanwhile: then there is nothing left to write. */
export async function ignoreGone(write: Promise<unknown>): Promise<void> {
  try {
    await write
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}

import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Replaces a file that only its owner reads: after a crash it is the old one or the new one, whole. */
export async function replaceFile(directory: string, name: string, text: string): Promise<void> {
  const temporary = join(directory, `.${name}.new`)
  await rm(temporary, { force: true })
  const file = await open(temporary, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(temporary, join(directory, name))
  const parent = await open(directory)
  try {
    await parent.sync()
  } finally {
    await parent.close()
  }
}

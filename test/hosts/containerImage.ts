import { cp, mkdir, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { execute } from '../e2e/harness.ts'

/** Beside Node.js, what gets a command of a container to the host: nothing of systemd, no shell. */
const hostEntryPrograms = ['/usr/bin/nsenter', '/usr/sbin/chroot']
const mountPoints = ['proc', 'dev', 'sys', 'rootfs', 'var/run/secrets/kubernetes.io/serviceaccount']

/** The root file system of a container image for `mco daemon`, unpacked: Node.js, the bundle, and two small programs. */
export async function containerImage(directory: string): Promise<string> {
  for (const point of mountPoints) await mkdir(join(directory, point), { recursive: true })
  await addFile(directory, process.execPath, '/usr/bin/node')
  for (const program of hostEntryPrograms) await addFile(directory, program, program)
  for (const program of [process.execPath, ...hostEntryPrograms]) {
    for (const library of await librariesOf(program)) await addFile(directory, library, library)
  }
  await cp('dist', join(directory, 'opt/mco/dist'), { recursive: true })
  return directory
}

async function addFile(directory: string, from: string, to: string): Promise<void> {
  const target = join(directory, to)
  await mkdir(dirname(target), { recursive: true })
  await cp(await realpath(from), target)
}

/** The loader and the libraries that `ldd` names, by the paths that the loader looks at. */
async function librariesOf(program: string): Promise<readonly string[]> {
  const { code, stdout, stderr } = await execute('ldd', [program])
  if (code !== 0) throw new Error(`ldd ${program}: ${stderr}`)
  return [...stdout.matchAll(/(\/[^\s]+) \(0x/g)].map(([, path = '']) => path)
}

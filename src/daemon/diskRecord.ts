import { forceFilePath } from '../api/names.ts'
import { type Host, isMissing } from '../host/host.ts'
import { currentConfigPath, currentImagePath, nodeAnnotationsDonePath, nodeAnnotationsPath } from './hostPaths.ts'
import { type LoadedConfig, parseRecordedConfig, withImage } from './loadConfig.ts'
import { UnusableConfig } from './unusableConfig.ts'

/** What the host remembers about itself. */
export interface DiskRecord {
  readonly config: LoadedConfig | undefined
  readonly image: string
  readonly initialAnnotations: Readonly<Record<string, string>> | undefined
  readonly forceFile: boolean
}

export async function readDiskRecord(host: Host): Promise<DiskRecord> {
  const text = await readText(host, currentConfigPath)
  const image = ((await readText(host, currentImagePath)) ?? '').trim()
  return {
    config: text === undefined ? undefined : withImage(parseRecordedConfig(text, currentConfigPath), image),
    image,
    initialAnnotations: await readInitialAnnotations(host),
    forceFile: (await host.files.status(forceFilePath)) !== undefined,
  }
}

/** They count once: after a restore of the cluster they would be older than the disk. */
export async function retireInitialAnnotations(host: Host): Promise<void> {
  if (await host.files.status(nodeAnnotationsPath))
    await host.files.rename(nodeAnnotationsPath, nodeAnnotationsDonePath)
}

async function readInitialAnnotations(host: Host): Promise<Readonly<Record<string, string>> | undefined> {
  const text = await readText(host, nodeAnnotationsPath)
  if (text === undefined) return undefined
  const parsed: unknown = JSON.parse(text)
  if (typeof parsed !== 'object' || parsed === null)
    throw new UnusableConfig(`${nodeAnnotationsPath} is not a JSON object of annotations`)
  return Object.fromEntries(
    Object.entries(parsed).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

async function readText(host: Host, path: string): Promise<string | undefined> {
  try {
    return (await host.files.read(path)).toString('utf8')
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

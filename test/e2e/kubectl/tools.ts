import { type Kubectl, type RunningCluster, until } from '../harness.ts'

/** What every check of the kubectl proof works with. */
export interface Tools extends Kubectl {
  readonly cluster: RunningCluster
  /** The program, for runs that need more than its arguments. */
  readonly program: string
  /** Minor version of the program: what it can do, and which API versions it asks for. */
  readonly version: number
  readonly worker: string
  readonly nodes: readonly string[]
  /** Folder for manifests; removed at the end. */
  readonly files: string
}

export type Checks = Readonly<Record<string, () => Promise<void>>>

export const configMap = (
  name: string,
  data: Readonly<Record<string, string>>,
  labels: Readonly<Record<string, string>> = {},
): string => JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels }, data })

/** Several objects as one document, as `kubectl apply -f -` takes them. */
export const listOf = (...documents: readonly string[]): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'List', items: documents.map((document) => JSON.parse(document)) })

/** One field of one object, as text. */
export const fieldOf = ({ run }: Tools, object: string, path: string): Promise<string> =>
  run(['get', object, '-o', `jsonpath={${path}}`])

export async function untilGone({ result }: Tools, object: string): Promise<void> {
  await until(async () => (await result(['get', object])).stderr.includes('NotFound'), `${object} to be gone`, 30_000)
}

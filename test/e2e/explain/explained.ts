import assert from 'node:assert/strict'
import type { Evidence, Finding } from '../../../src/forecast/finding.ts'
import { execute, type Kubectl, type RunningCluster, until } from '../harness.ts'

type Cluster = Pick<RunningCluster, 'kubeconfig'>

/** What `mco explain` says for programs. Its exit code must say whether somebody should act. */
export async function explained({ kubeconfig }: Cluster, object?: string): Promise<readonly Finding[]> {
  const args = ['explain', ...(object === undefined ? [] : [object]), '--kubeconfig', kubeconfig, '-o', 'json']
  const { code, stdout, stderr } = await execute('bin/mco', args)
  assert.ok(code === 0 || code === 1, stderr)
  const { findings } = JSON.parse(stdout) as { findings: readonly Finding[] }
  assert.equal(code, findings.some(({ severity }) => severity !== 'info') ? 1 : 0)
  return findings
}

/** Waits until `mco explain OBJECT` names this cause of it; fails with what it says instead. */
export async function namesCause(cluster: Cluster, object: string, code: string, timeoutMs = 10_000): Promise<Finding> {
  let said: readonly Finding[] = []
  let found: Finding | undefined
  await until(
    async () => {
      said = await explained(cluster, object)
      found = said.find(
        (finding) => finding.code === code && `${finding.subject.kind}/${finding.subject.name}` === object,
      )
      return found !== undefined
    },
    `mco explain ${object} to find ${code}`,
    timeoutMs,
  ).catch((error: unknown) => {
    const codes = said.map((finding) => `${finding.code} of ${finding.subject.name}: ${finding.what}`)
    throw new Error(
      `${error instanceof Error ? error.message : String(error)}; it finds ${codes.join('\n') || 'nothing'}`,
    )
  })
  assert.ok(found)
  return found
}

/** Asks the cluster for every fact of a finding. */
export async function checkFacts({ result }: Kubectl, { evidence }: Finding): Promise<void> {
  assert.ok(evidence.length > 0)
  for (const { object, path, value } of evidence) {
    const { stdout } = await result(['get', ...objectOf(object), '-o', `jsonpath={.${path}}`])
    // It prints nothing for what is empty, for what is not there, and for an object that does not exist.
    assert.equal(stdout, value === '(absent)' ? '' : value, `${object} ${path}`)
  }
}

function objectOf(object: Evidence['object']): readonly string[] {
  const [kind = '', ...rest] = object.split('/')
  const [namespace, name] = rest.length === 2 ? rest : [undefined, rest[0]]
  return [kind, name ?? '', ...(namespace === undefined ? [] : ['-n', namespace])]
}

/** Runs the remedy's command as it was printed. */
export async function runRemedy({ kubeconfig }: Cluster, { code, command, remedy }: Finding): Promise<void> {
  assert.ok(command !== undefined && remedy.includes(command), `${code} shows a command: ${remedy}`)
  const done = await execute('sh', ['-c', command], { env: { KUBECONFIG: kubeconfig } })
  assert.equal(done.code, 0, `${command}: ${done.stdout}${done.stderr}`)
}

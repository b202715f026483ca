import type { MachineConfigNode } from '../api/machineConfigNode.ts'
import { machineConfigNodeCondition, nodeAnnotation } from '../api/names.ts'
import { hasGivenUp } from './nodePredicates.ts'
import type { NodeView } from './nodeView.ts'
import { describeSilence } from './silentFailure.ts'

export interface DegradedNodes {
  readonly count: number
  /** One sentence per node and source, as the pool's NodeDegraded condition shows them. */
  readonly messages: readonly string[]
}

/**
 * Which nodes of a pool are degraded, and what they say. Count and texts come from one source: the node's state
 * annotation, or its MachineConfigNode where pools count by those. Of a node that says nothing
 * stands there what its objects tell.
 */
export function degradedNodes(
  nodes: readonly NodeView[],
  machineConfigNodes: readonly MachineConfigNode[],
  degradedByMachineConfigNode: ReadonlySet<string> | undefined,
): DegradedNodes {
  const isDegraded = (node: NodeView) => degradedByMachineConfigNode?.has(node.name) ?? hasGivenUp(node)
  const degraded = nodes.filter(isDegraded)
  const names = new Set(degraded.map(({ name }) => name))
  const reported = machineConfigNodes
    .filter(({ metadata }) => names.has(metadata.name ?? ''))
    .map((machineConfigNode) => ({
      name: machineConfigNode.metadata.name ?? '',
      text: degradedText(machineConfigNode),
    }))
    .filter(({ text }) => text !== '')
  const annotated = degraded
    .map((node) => ({ name: node.name, text: node.annotations[nodeAnnotation.reason] ?? '' }))
    .filter(({ name, text }) => text !== '' && !reported.some((said) => said.name === name && said.text.includes(text)))
  const heard = [...reported, ...annotated]
  const silent = degraded
    .filter(({ name }) => !heard.some((said) => said.name === name))
    .map((node) => ({
      name: node.name,
      text: describeSilence(
        node,
        machineConfigNodes.find(({ metadata }) => metadata.name === node.name),
      ),
    }))
  return {
    count: degraded.length,
    messages: [...heard, ...silent].map(({ name, text }) => `Node ${name} is reporting: ${goQuote(text)}`),
  }
}

function degradedText({ status }: MachineConfigNode): string {
  const condition = (status?.conditions ?? []).find(({ type }) => type === machineConfigNodeCondition.nodeDegraded)
  return condition?.status === 'True' ? condition.message : ''
}

const shortEscapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
}

/** Quoted as Go's %q quotes: tools parse these messages. */
function goQuote(text: string): string {
  const escaped = [...text].map((character) => {
    const short = shortEscapes[character]
    if (short) return short
    return /[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(character) ? character : codeEscape(character.codePointAt(0) ?? 0)
  })
  return `"${escaped.join('')}"`
}

function codeEscape(code: number): string {
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`
  return code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`
}

import { InvalidArgumentError } from 'commander'

/** An object as the command line names it. */
export interface Reference<K extends string> {
  readonly kind: K
  readonly name: string
}

const spellings: Readonly<Record<string, string>> = {
  mc: 'mc',
  machineconfig: 'mc',
  machineconfigs: 'mc',
  mcp: 'mcp',
  machineconfigpool: 'mcp',
  machineconfigpools: 'mcp',
  poolrollout: 'poolrollout',
  poolrollouts: 'poolrollout',
}

/** Reads `KIND/NAME`, with the kinds spelled as for kubectl. A group behind the kind is understood. */
export function referenceTo<K extends string>(...kinds: readonly K[]): (text: string) => Reference<K> {
  return (text) => {
    const [, spelled = '', name = ''] = /^([a-z]+)(?:\.[a-z.0-9]+)?\/([a-z0-9][-a-z0-9.]*)$/.exec(text) ?? []
    const kind = kinds.find((known) => known === spellings[spelled])
    if (kind === undefined) {
      throw new InvalidArgumentError(`expected ${kinds.map((each) => `${each}/NAME`).join(' or ')}, found ${text}`)
    }
    return { kind, name }
  }
}

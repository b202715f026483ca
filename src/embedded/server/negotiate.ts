import { notAcceptable } from './statusError.ts'

/** In which shape an object or list is answered. */
export type OutputForm =
  | { readonly kind: 'object' }
  | { readonly kind: 'table'; readonly version: string }
  | { readonly kind: 'metadata'; readonly version: string }

export interface Negotiated {
  readonly form: OutputForm
  readonly encoding: 'json' | 'yaml'
}

const offered = ['application/json', 'application/yaml']

/**
 * The first acceptable media range by weight, then by order (RFC 9110, 12.5.1), with the API server's `as`, `g`, `v`
 * parameters. Protobuf is not offered: clients that list JSON beside it get JSON, others 406.
 */
export function negotiate(accept: string | undefined): Negotiated {
  const plain: Negotiated = { form: { kind: 'object' }, encoding: 'json' }
  if (accept === undefined || accept.trim() === '') return plain
  for (const range of rangesByWeight(accept)) {
    const encoding = encodingOf(range.type)
    const form = encoding && formOf(range.parameters)
    if (encoding && form) return { form, encoding }
  }
  throw notAcceptable(offered)
}

interface MediaRange {
  readonly type: string
  readonly parameters: ReadonlyMap<string, string>
}

function rangesByWeight(accept: string): readonly MediaRange[] {
  return accept
    .split(',')
    .map((text) => {
      const [type = '', ...rest] = text.split(';').map((part) => part.trim())
      const parameters = new Map(
        rest.map((part): [string, string] => {
          const [name = '', value = ''] = part.split('=', 2)
          return [name.trim().toLowerCase(), value.trim().replace(/^"|"$/g, '')]
        }),
      )
      return { type: type.toLowerCase(), parameters, weight: Number(parameters.get('q') ?? 1) }
    })
    .filter((range) => range.weight > 0)
    .sort((a, b) => b.weight - a.weight)
}

function encodingOf(type: string): 'json' | 'yaml' | undefined {
  switch (type) {
    case 'application/json':
    case 'application/*':
    case '*/*':
      return 'json'
    case 'application/yaml':
      return 'yaml'
    default:
      return undefined
  }
}

function formOf(parameters: ReadonlyMap<string, string>): OutputForm | undefined {
  const as = parameters.get('as')
  if (as === undefined) return { kind: 'object' }
  const version = parameters.get('v') ?? 'v1'
  const known = parameters.get('g') === 'meta.k8s.io' && (version === 'v1' || version === 'v1beta1')
  if (!known) return undefined
  if (as === 'Table') return { kind: 'table', version }
  if (as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList') return { kind: 'metadata', version }
  return undefined
}

import { controllerConfigAnnotation } from '../api/names.ts'
import { type GenerateInput, type Generation, generate } from './generate.ts'

/**
 * `generate` that keeps the last result of each pool: a pool whose fragments and images did not change is not merged,
 * serialised and hashed again. Fragments are compared by identity (see `fragmentParser`).
 */
export function rememberGeneration(): (input: GenerateInput) => Generation {
  const last = new Map<string, { readonly input: GenerateInput; readonly generation: Generation }>()
  return (input) => {
    const pool = input.pool.metadata.name ?? ''
    const known = last.get(pool)
    if (known && isSameInput(known.input, input)) return known.generation
    const generation = generate(input)
    last.set(pool, { input, generation })
    return generation
  }
}

function isSameInput(a: GenerateInput, b: GenerateInput): boolean {
  return (
    a.version === b.version &&
    a.hash === b.hash &&
    a.pool.metadata.uid === b.pool.metadata.uid &&
    a.pool.spec.osImageStream?.name === b.pool.spec.osImageStream?.name &&
    sameFacts(a.controllerConfig, b.controllerConfig) &&
    a.streamSet?.osImage === b.streamSet?.osImage &&
    a.streamSet?.osExtensionsImage === b.streamSet?.osExtensionsImage &&
    (a.streamSet === undefined) === (b.streamSet === undefined) &&
    a.fragments.length === b.fragments.length &&
    a.fragments.every((fragment, index) => fragment === b.fragments[index])
  )
}

/** The ControllerConfig's status and certificates change often and do not matter here. */
function sameFacts(a: GenerateInput['controllerConfig'], b: GenerateInput['controllerConfig']): boolean {
  const annotation = (config: typeof a, key: string) => config.metadata.annotations?.[key]
  return (
    Object.values(controllerConfigAnnotation).every((key) => annotation(a, key) === annotation(b, key)) &&
    a.spec.baseOSContainerImage === b.spec.baseOSContainerImage &&
    a.spec.baseOSExtensionsContainerImage === b.spec.baseOSExtensionsContainerImage
  )
}

import { createHash } from 'node:crypto'
import { specYaml, type Unwritable, type YamlMap } from './specYaml.ts'

export const renderedPrefix = 'rendered-'

/** The constant that the original feeds into the hash before the text, 80 bytes (spec: render 7). */
const salt = Buffer.from(
  '107ccee48b38afaf4fe586769d9ad36e195d2ffdac6a2507ae0da0b96e115734db830cceda8d7487bcb5c097e93e7ea54053b3770fa8d0c5926b3ae385bcee1a211aebca20ad1fea2990944f06ce1716',
  'hex',
)

/** The pool that a rendered config was made for; undefined for a name that no renderer gives. */
export const poolOfRendered = (name: string): string | undefined => /^rendered-(.+)-[0-9a-f]{32}$/.exec(name)?.[1]

export interface RenderedName {
  readonly name: string
  /** The exact text that was hashed. */
  readonly yaml: string
}

/**
 * `rendered-<pool>-<md5>`: the name of a pool's merged spec. Only the spec counts, so two pools with equal content share the
 * hash. MD5 is the wire format of the name, not a safeguard: the name identifies, it does not authenticate.
 */
export function renderedName(pool: string, spec: YamlMap): RenderedName | Unwritable {
  const written = specYaml(spec)
  if ('error' in written) return written
  const hash = createHash('md5').update(salt).update(written.yaml, 'utf8').digest('hex')
  return { name: `${renderedPrefix}${pool}-${hash}`, yaml: written.yaml }
}

import { extensionsCommand } from '../../../src/forecast/extensionPackages.ts'
import { packagesOf, unknownExtensions } from '../../../src/render/extensions.ts'
import type { Adapter } from '../adapter.ts'

interface ExtensionsInput {
  readonly installed: readonly string[]
  readonly new: readonly string[]
}

export const adapter: Adapter = {
  run(_topic, { installed, new: wanted }: ExtensionsInput) {
    const unknown = unknownExtensions(wanted)
    return {
      args: extensionsCommand(installed, wanted),
      packages: unknown.length === 0 ? wanted.flatMap(packagesOf) : null,
      validateError: unknown.length === 0 ? null : `invalid extensions found: [${unknown.join(' ')}]`,
    }
  },
}

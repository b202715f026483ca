import type { Node } from '../api/core.ts'
import { nodeAnnotation } from '../api/names.ts'

/** What the node has, and what it is to have. */
export const renderedConfigsOf = ({ metadata: { annotations } }: Node): readonly string[] =>
  [nodeAnnotation.currentConfig, nodeAnnotation.desiredConfig].flatMap((key) => annotations?.[key] ?? [])

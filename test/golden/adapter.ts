/**
 * One golden area: turns a recorded case's input into what our rooms answer, in the shape of the case's `expected`.
 * An adapter calls the real functions of the rooms; it knows shapes, never case names.
 */
export interface Adapter {
  /** `raw` is the exact JSON text of the case, for inputs with integers above 2^53. */
  run(topic: string, input: Input, raw: string): unknown
  /** What a recorded answer means in the terms of `run`, e.g. the state that recorded commands lead to. */
  recorded?(topic: string, input: Input, expected: Input): unknown
  /**
   * Error members whose text never reaches the wire (golden README): compared only as present or absent.
   * JSON paths with `*` for any key, e.g. `parseError`, `steps.*.error`.
   */
  readonly refusalOnly?: readonly string[]
  /** Members whose text is compared with `line N col M` removed. */
  readonly ignorePositions?: readonly string[]
}

// biome-ignore lint/suspicious/noExplicitAny: recorded cases are data of many shapes, validated by the comparison itself
export type Input = any

import { kernelArgumentsCommand, splitKernelArguments } from '../../../src/forecast/kernelArguments.ts'
import type { Adapter } from '../adapter.ts'

export const adapter: Adapter = {
  run: (_topic, { old, new: next }) => ({
    oldParsed: splitKernelArguments(old),
    newParsed: splitKernelArguments(next),
    args: kernelArgumentsCommand(old, next),
  }),
}

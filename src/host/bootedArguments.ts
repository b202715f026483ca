import { splitKernelArguments } from '../forecast/kernelArguments.ts'
import type { HostFiles } from './host.ts'

/** What the running kernel was started with, in the form in which a config would ask for it. */
export async function bootedArguments(files: HostFiles): Promise<readonly string[]> {
  return parseCommandLine((await files.read('/proc/cmdline')).toString('utf8'))
}

/** Boot loaders hand `name="a b"` over as `"name=a b"`: the same argument to the kernel. */
export function parseCommandLine(text: string): readonly string[] {
  return splitKernelArguments([text]).map((argument) => argument.replace(/^"([^"=]+)=([^"]*)"$/, '$1="$2"'))
}

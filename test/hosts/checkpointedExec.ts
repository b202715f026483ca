import type { Exec, HostCommand } from '../../src/host/exec.ts'
import { findProgram } from '../../src/host/findProgram.ts'
import { hostExec } from '../../src/host/hostExec.ts'
import { rootFiles } from '../../src/host/rootFiles.ts'
import { openRoot } from '../../src/host/rootPath.ts'

/** Commands of this machine, with a point before, in the middle of and after each one that changes something. */
export function checkpointedExec(checkpoint: (point: string) => void): Exec {
  const files = rootFiles(openRoot('/'))
  const exec = hostExec({ kind: 'none' }, { find: (program) => findProgram(files, program) })
  return {
    hold: (command) => exec.hold(command),
    async run(command) {
      if (!isChange(command)) return exec.run(command)
      const words = [command.program, ...command.args].join(' ')
      checkpoint(`command before ${words}`)
      const running = exec.run(command)
      // Long enough for the program to have started, too short for any of these to be done.
      await new Promise((resolve) => setTimeout(resolve, 10))
      checkpoint(`command half ${words}`)
      const result = await running
      checkpoint(`command after ${words}`)
      return result
    },
  }
}

const changing = new Set([
  'enable',
  'disable',
  'mask',
  'unmask',
  'preset',
  'daemon-reload',
  'restart',
  'reload',
  'start',
])

export const isChange = ({ program, args }: Pick<HostCommand, 'program' | 'args'>): boolean =>
  ['update-grub', 'chpasswd', 'usermod', 'useradd'].includes(program) ||
  (program === 'systemctl' && args.some((word) => changing.has(word)))

import process from 'node:process'

/** Whoever read our output has enough (`mco status | head`): as if Ctrl-C was pressed, and no error. */
export function stopOnBrokenPipe(): void {
  let isBroken = false
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
      if (!isBroken) process.kill(process.pid, 'SIGINT')
      isBroken = true
    })
}

import { flags, percentile, ratioText, report } from './figures.ts'
import { mcoUp } from './mcoUp.ts'

/** `mco up` from a cold start, an empty data directory and 5 nodes, until all pools are Updated: the whole process. */
const targetMs = 5000
const runs: number[] = []
for (let run = 0; run < (flags.quick ? 1 : 5); run += 1) {
  const mco = await mcoUp(5)
  runs.push(Math.round(mco.readyMs))
  await mco.stop()
}
const medianMs = percentile(runs, 0.5)
report(
  { nodes: 5, runsMs: runs, medianMs, targetMs, ratioToTarget: medianMs / targetMs },
  () =>
    `mco up, 5 nodes, cold start to all pools Updated: median ${medianMs} ms of ${runs.length} (${ratioText(medianMs, targetMs, 'ms')})`,
)

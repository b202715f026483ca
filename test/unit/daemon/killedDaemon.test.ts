import { afterEach, describe, expect, it } from 'vitest'
import { nodeAnnotation as key } from '../../../src/api/names.ts'
import { Crash } from '../../../src/daemon/transaction.ts'
import { leftovers, text } from '../../daemon/builders.ts'
import { endWorlds, isDoneAt, kubeletUnit, nodeAt } from '../../daemon/world.ts'

afterEach(endWorlds)

/** Every n-th effect of an update; 1 visits all of them. */
const stride = 23

describe('a daemon that is killed anywhere in an update', () => {
  it.each([
    ['with a reboot', { '/etc/a': '2' }, [kubeletUnit]],
    ['with a service reload', { '/etc/a': '1', '/etc/containers/policy.json': '{}' }, []],
  ])(
    'is followed by one that finishes it, %s',
    async (_name, files, units) => {
      const it = await nodeAt({ name: 'rendered-1', files: { '/etc/a': '1' } })
      await it.stop()
      await it.render({ name: 'rendered-2', files, units })
      let effects = 0
      for (let point = 1; ; point += stride) {
        const [from, to] =
          (await it.annotations())[key.currentConfig] === 'rendered-1'
            ? ['rendered-1', 'rendered-2']
            : ['rendered-2', 'rendered-1']
        await it.desire(to)
        effects = 0
        const doomed = dying(point, () => (effects += 1))
        const first = it.start({ die: doomed.die })
        await Promise.race([doomed.death, it.until(isDoneAt(to))])
        await first.stop()
        const second = it.start()
        const annotations = await it.until(isDoneAt(to))
        await second.stop()
        const context = `killed at effect ${point} on the way from ${from}`
        expect(annotations[key.reason], context).toBe('')
        expect(JSON.parse(text(it.root, 'etc/machine-config-daemon/currentconfig')).metadata.name, context).toBe(to)
        expect(text(it.root, 'etc/a'), context).toBe(to === 'rendered-1' ? '1' : files['/etc/a'])
        expect(leftovers(it.root), context).toEqual([])
        if (effects < point) break
      }
      expect(effects).toBeGreaterThan(50)
    },
    60_000,
  )
})

/** From the n-th effect on every effect fails: nothing may be tidied up after death. */
function dying(n: number, count: () => number): { die: () => void; death: Promise<void> } {
  let died: () => void = () => undefined
  const death = new Promise<void>((resolve) => {
    died = resolve
  })
  return {
    death,
    die: () => {
      if (count() < n) return
      died()
      throw new Crash('killed')
    },
  }
}

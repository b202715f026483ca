import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { owesBoot } from '../../../src/daemon/bootDebt.ts'
import { completeFirstBoot } from '../../../src/daemon/firstBoot.ts'
import { openJournal } from '../../../src/daemon/journal.ts'
import { recover } from '../../../src/daemon/recover.ts'
import { Crash } from '../../../src/daemon/transaction.ts'
import { leftovers, machineConfig, newRoot, removeRoots, testHost, text } from '../../daemon/builders.ts'

afterEach(removeRoots)

const path = 'etc/ignition-machine-config-encapsulated.json'
const preset = 'etc/systemd/system-preset/20-ignition.preset'

describe('completeFirstBoot', () => {
  it('ends after a kill at any moment, and never loses the reboot', async () => {
    const files = {
      [path]: JSON.stringify(machineConfig({ name: 'rendered-worker-1', kernelArguments: ['nosmt'] })),
      [preset]: 'enable a.service\n',
      'boot/mco-kernel-arguments': 'quiet\n',
    }
    let wasKilled = true
    let points = 0
    for (; wasKilled; points += 1) {
      const root = newRoot(files)
      let left = points
      const checkpoint = () => {
        left -= 1
        if (left < 0) throw new Crash('killed')
      }
      const first = testHost(root, { checkpoint })
      wasKilled = await completeFirstBoot(first, openJournal(first.files)).then(
        () => false,
        (error: unknown) => error instanceof Crash,
      )
      first.close()
      const host = testHost(root)
      const journal = openJournal(host.files)
      const isAsked = existsSync(join(root, path)) || (await owesBoot(host))
      expect(isAsked, `at point ${points} nothing starts it again`).toBe(true)
      const recovered = await recover(host, journal)
      if (recovered.kind !== 'actionsLeft')
        expect(await completeFirstBoot(host, journal)).toMatchObject({ kind: 'complete', rebootNeeded: true })
      await host.power.reboot('test')
      expect(await recover(host, journal)).toMatchObject({ kind: 'committed' })
      expect(await owesBoot(host)).toBe(false)
      expect(text(root, 'boot/mco-kernel-arguments').match(/nosmt/g)).toHaveLength(1)
      expect(existsSync(join(root, path))).toBe(false)
      expect(existsSync(join(root, `${path}.bak`))).toBe(true)
      expect(existsSync(join(root, preset))).toBe(false)
      expect(leftovers(root)).toEqual([])
      host.close()
    }
    expect(points).toBeGreaterThan(20)
  })
})

import { afterEach, describe, expect, it } from 'vitest'
import { scriptedExec } from '../../test/host/scriptedExec.ts'
import { hostTree, type Tree } from '../../test/host/tree.ts'
import { HostError, type UnitFileState } from './host.ts'
import { systemdServices, unitFileStateOf } from './systemdServices.ts'

const trees: Tree[] = []
afterEach(() => {
  for (const tree of trees.splice(0)) tree.dispose()
})
const services = (exec = scriptedExec(), entries = {}) => {
  const tree = hostTree(entries)
  trees.push(tree)
  return { exec, services: systemdServices(exec, tree.files, { settleMs: 0 }) }
}

describe('systemdServices', () => {
  it.each<[string, string, UnitFileState]>([
    ['enabled\n', '', 'enabled'],
    ['indirect\n', '', 'static'],
    ['alias\n', '', 'static'],
    ['linked\n', '', 'disabled'],
    ['masked-runtime\n', '', 'masked-runtime'],
    ['not-found\n', '', 'not-found'],
    ['', 'Failed to get unit file state for a.service: No such file or directory\n', 'not-found'],
  ])('reads the state %j with the errors %j as %s', (stdout, stderr, state) => {
    expect(unitFileStateOf('a.service', stdout, stderr)).toBe(state)
  })

  it('does not take a broken connection to systemd for a missing unit', () => {
    expect(() => unitFileStateOf('a.service', '', 'Failed to connect to bus: Connection refused')).toThrow(
      'systemctl cannot tell the state of a.service: Failed to connect to bus: Connection refused',
    )
  })

  it('takes unit names for names, also those that begin with a dash', async () => {
    const { exec, services: manager } = services()
    await manager.enable(['-.mount', 'a.service'])
    await manager.disable(['-.mount'])
    expect(exec.ran).toEqual(['systemctl enable -- -.mount a.service', 'systemctl disable -- -.mount'])
  })

  const show = 'systemctl show --property=LoadState,ActiveState,SubState,NeedDaemonReload -- a.service'
  const view = (load: string, active: string, stale = 'no') =>
    `LoadState=${load}\nActiveState=${active}\nNeedDaemonReload=${stale}\n`
  it('reads changed unit files before a restart, and only then', async () => {
    const changed = services(scriptedExec({ [show]: view('loaded', 'active', 'yes') }))
    await changed.services.restart('a.service')
    expect(changed.exec.ran).toEqual([show, 'systemctl daemon-reload', show, 'systemctl restart -- a.service', show])
    const unchanged = services(scriptedExec({ [show]: view('loaded', 'active') }))
    await unchanged.services.reload('a.service')
    expect(unchanged.exec.ran).toEqual([show, 'systemctl reload -- a.service'])
  })

  it.each(['failed', 'activating'])('forgets the attempts of a service that is %s before a restart', async (state) => {
    const views = [view('loaded', state), view('loaded', 'active')]
    const { exec, services: manager } = services(scriptedExec({ [show]: () => views.shift() ?? '' }))
    await manager.restart('a.service')
    expect(exec.ran).toEqual([show, 'systemctl reset-failed -- a.service', 'systemctl restart -- a.service', show])
  })

  it.each<[string, boolean, readonly string[], readonly string[]]>([
    ['is gone and runs, whoever took it away', false, [view('not-found', 'active')], ['stop']],
    ['is masked and runs, whoever did that', false, [view('masked', 'active')], ['stop']],
    ['was loaded and taken away', true, [view('loaded', 'inactive', 'yes'), view('not-found', 'inactive')], []],
    ['was taken away and is about to end', true, [view('not-found', 'deactivating')], ['stop']],
    ['was never loaded and taken away', true, [view('not-found', 'inactive')], []],
    ['had failed and was taken away', true, [view('not-found', 'failed')], ['reset-failed']],
    ['was masked by the change', true, [view('masked', 'inactive')], []],
    ['was changed and is there', true, [view('loaded', 'active')], ['restart']],
    ['never was there', false, [view('not-found', 'inactive')], ['restart']],
  ])('asked to restart a unit that %s (may be gone: %s)', async (_, mayBeGone, views, verbs) => {
    const left = [...views]
    const { exec, services: manager } = services(scriptedExec({ [show]: () => left.shift() ?? '' }))
    await manager.restart('a.service', { mayBeGone })
    const looks = [show, 'systemctl daemon-reload']
    expect(exec.ran.filter((line) => !looks.includes(line))).toEqual(
      verbs.map((verb) => `systemctl ${verb} -- a.service`),
    )
  })

  it.each<[string, boolean, string, readonly string[]]>([
    ['was just brought and does not run', true, 'inactive', []],
    ['was changed and runs', true, 'active', ['reload']],
    ['was changed and has failed', true, 'failed', ['reload']],
    ['was not changed and does not run', false, 'inactive', ['reload']],
  ])('asked to reload a unit that %s (may be gone: %s)', async (_, mayBeGone, state, verbs) => {
    const { exec, services: manager } = services(scriptedExec({ [show]: view('loaded', state) }))
    await manager.reload('a.service', { mayBeGone })
    expect(exec.ran).toEqual([show, ...verbs.map((verb) => `systemctl ${verb} -- a.service`)])
  })

  it('reports a unit that fails with its last log lines', async () => {
    const said = 'Job for a.service failed because the control process exited with error code.\nSee "journalctl" …\n'
    const { services: manager } = services(
      scriptedExec({
        'systemctl restart -- a.service': { code: 1, stderr: said },
        'journalctl --no-pager --quiet --lines=10 --output=cat _SYSTEMD_UNIT=a.service + _UID=0 UNIT=a.service':
          'Starting A\nbad option "x"\n',
      }),
    )
    await expect(manager.restart('a.service')).rejects.toThrow(
      'systemctl restart -- a.service ended with exit code 1: Job for a.service failed because the control process ' +
        'exited with error code.; its last log lines: Starting A | bad option "x"',
    )
  })

  it.each([
    ['has failed', 'ActiveState=failed\nSubState=failed\n'],
    ['waits for its next attempt', 'ActiveState=activating\nSubState=auto-restart\n'],
  ])('reports a service that %s right after its start', async (_, after) => {
    const views = ['LoadState=loaded\nActiveState=active\n', after]
    const { services: manager } = services(
      scriptedExec({
        [show]: () => views.shift() ?? '',
        'journalctl --no-pager --quiet --lines=10 --output=cat _SYSTEMD_UNIT=a.service + _UID=0 UNIT=a.service':
          'a.service: status=203/EXEC\n',
      }),
    )
    await expect(manager.restart('a.service')).rejects.toThrow(
      'a.service was started and failed at once; its last log lines: a.service: status=203/EXEC',
    )
  })

  it('reports a restart that hangs with the log lines so far', async () => {
    const hangs = new HostError('ETIMEDOUT', 'systemctl', 'systemctl reload -- a.service did not end within 180 s')
    const { services: manager } = services(
      scriptedExec({
        'systemctl reload -- a.service': hangs,
        'journalctl --no-pager --quiet --lines=10 --output=cat _SYSTEMD_UNIT=a.service + _UID=0 UNIT=a.service':
          'Reloading A\n',
      }),
    )
    await expect(manager.reload('a.service')).rejects.toMatchObject({
      code: 'ETIMEDOUT',
      message: `${hangs.message}; its last log lines: Reloading A`,
    })
  })

  it('finds preset rules in files, where a link to /dev/null hides the vendor rule', async () => {
    const { services: manager } = services(scriptedExec(), {
      'usr/lib/systemd/system-preset/90-vendor.preset': 'enable a.service\ndisable *\n',
      'usr/lib/systemd/system-preset/80-hidden.preset': 'disable a.service\n',
      'etc/systemd/system-preset/80-hidden.preset': { link: '/dev/null' },
    })
    expect(await manager.presetRule('a.service')).toBe('enable')
    expect(await manager.presetRule('b.service')).toBe('disable')
  })
})

import { equal, match } from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { machineConfig } from '../daemon/builders.ts'
import type { TestHost } from './testHost.ts'

const ownFile = '/home/core/.ssh/authorized_keys'

/** A machine whose sshd reads each user's own file only: the config's keys are a block in it, the rest is the user's. */
export function keyFiles(host: TestHost): Record<string, () => Promise<void>> {
  const key = async (name: string): Promise<string> => {
    await host.must('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', `/root/${name}`])
    return (await host.must('cat', [`/root/${name}.pub`])).trim()
  }
  const apply = async (keys: readonly string[]): Promise<void> => {
    const config = machineConfig({ name: `keys-${keys.length}`, ...(keys.length > 0 ? { keys } : {}) })
    await writeFile(join(host.root, 'root/keys.json'), JSON.stringify({ config }))
    const outcome = JSON.parse(await host.must('node', ['/opt/mco-test/apply.mjs', 'apply', '/root/keys.json']))
    equal(outcome.kind, 'applied', outcome.message)
  }
  const options = ['StrictHostKeyChecking=no', 'BatchMode=yes', 'LogLevel=ERROR', 'IdentitiesOnly=yes']
  const logsIn = async (name: string): Promise<boolean> => {
    const flags = ['-i', `/root/${name}`, ...options.flatMap((option) => ['-o', option])]
    const { code, stdout, stderr } = await host.run('ssh', [...flags, 'core@127.0.0.1', 'id', '-un'])
    if (code === 0) equal(stdout, 'core\n')
    else match(stderr, /Permission denied \(publickey/)
    return code === 0
  }
  const state = { ours: '', theirs: '' }

  return {
    'a key of the config logs in beside the keys that the user has': async () => {
      state.ours = await key('ours')
      state.theirs = await key('theirs')
      await host.must('sh', [
        ...['-e', '-c'],
        `echo "AuthorizedKeysFile .ssh/authorized_keys" > /etc/ssh/sshd_config.d/10-keys.conf
         install -d -m 0700 -o core -g core /home/core/.ssh
         echo "$0" > ${ownFile}; chown core:core ${ownFile}; chmod 0600 ${ownFile}
         systemctl restart ssh.service`,
        state.theirs,
      ])
      equal(await logsIn('ours'), false)
      await apply([state.ours])
      equal(await logsIn('ours'), true)
      equal(await logsIn('theirs'), true)
      equal((await host.must('stat', ['-c', '%U:%G %a', ownFile])).trim(), 'core:core 600')
    },
    'a key that the user adds later stays when the config changes': async () => {
      const later = await key('later')
      await host.must('sh', ['-c', `echo "$0" >> ${ownFile}`, later])
      await apply([])
      equal(await logsIn('later'), true)
      equal(await logsIn('theirs'), true)
      equal(await host.must('cat', [ownFile]), `${state.theirs}\n${later}\n`)
    },
    'a key that the config took back is locked out': async () => {
      equal(await logsIn('ours'), false)
      await host.must('rm', ['/etc/ssh/sshd_config.d/10-keys.conf'])
    },
  }
}

import { execFileSync } from 'node:child_process'
import { afterEach, describe, expect, it } from 'vitest'
import { scriptedExec } from '../../test/host/scriptedExec.ts'
import { hostTree, program, type Tree } from '../../test/host/tree.ts'
import { parseCommandLine } from './bootedArguments.ts'
import { grubDropIn, grubKernelArguments, parseGrubDropIn, renderGrubDropIn } from './grubKernelArguments.ts'
import { isMissing } from './host.ts'

const trees: Tree[] = []
afterEach(() => {
  for (const tree of trees.splice(0)) tree.dispose()
})
const debian = {
  'usr/sbin/update-grub': program,
  'usr/sbin/grub-mkconfig': { text: 'for x in $sysconfdir/default/grub.d/*.cfg ; do', mode: 0o755 },
  'boot/grub/': '',
  'proc/cmdline': 'BOOT_IMAGE=/vmlinuz ro "bar=hello world" nosmt\n',
}
const grub = async (entries: Parameters<typeof hostTree>[0] = debian, exec = scriptedExec()) => {
  const tree = hostTree(entries)
  trees.push(tree)
  const capability = await grubKernelArguments(exec, tree.files)
  return { exec, tree, capability }
}
const supported = async (exec = scriptedExec()) => {
  const { capability, ...rest } = await grub(debian, exec)
  if (capability.kind === 'unsupported') throw new Error(capability.reason)
  return { ...rest, use: capability.use }
}
const dropIn = (tree: Tree) =>
  tree.files.read(grubDropIn).then(
    (content) => content.toString(),
    (error: unknown) => {
      if (isMissing(error)) return undefined
      throw error
    },
  )

describe('grubKernelArguments', () => {
  it('writes the drop-in, lets GRUB take it over, and reads the list back', async () => {
    const { use, exec, tree } = await supported()
    expect(await use.pending()).toEqual([])
    await use.setPending(['nosmt', 'console=ttyS0,115200n8'])
    expect(await dropIn(tree)).toContain(`GRUB_CMDLINE_LINUX="$GRUB_CMDLINE_LINUX "'nosmt console=ttyS0,115200n8'`)
    expect(await use.pending()).toEqual(['nosmt', 'console=ttyS0,115200n8'])
    expect(exec.ran).toEqual(['update-grub'])
    await use.setPending([])
    expect(await dropIn(tree)).toBeUndefined()
  })

  it('puts the old drop-in back when update-grub fails', async () => {
    const { use, tree } = await supported(scriptedExec({ 'update-grub': { code: 1, stderr: 'cannot find a device' } }))
    await expect(use.setPending(['nosmt'])).rejects.toThrow(/update-grub ended with exit code 1: cannot find a device/)
    expect(await dropIn(tree)).toBeUndefined()
  })

  it('reads what the kernel was started with', async () => {
    const { use } = await supported()
    expect(await use.booted()).toEqual(['BOOT_IMAGE=/vmlinuz', 'ro', 'bar="hello world"', 'nosmt'])
  })

  it.each([
    [{}, /not installed/],
    [{ ...debian, 'usr/sbin/grub-mkconfig': program }, /does not read \/etc\/default\/grub.d/],
    [
      { 'usr/sbin/update-grub': program, 'usr/sbin/grub-mkconfig': debian['usr/sbin/grub-mkconfig'] },
      /no \/boot\/grub/,
    ],
  ])('says what is missing', async (entries, reason) => {
    const { capability } = await grub(entries)
    expect(capability).toMatchObject({ kind: 'unsupported', reason: expect.stringMatching(reason) })
  })

  it('survives both of its readers, whatever an argument holds', () => {
    const list = ['a=$(touch /tmp/x)', "b='quoted'", 'c="two words"', 'd=`id`;reboot', 'e=\\n']
    const text = renderGrubDropIn(list)
    expect(parseGrubDropIn(text)).toEqual(list)
    const sourced = execFileSync('sh', ['-c', `${text}\nprintf %s "$GRUB_CMDLINE_LINUX"`], { encoding: 'utf8' })
    expect(sourced).toBe(` a=\\$(touch /tmp/x) b=\\'quoted\\' c="two words" d=\`id\`\\;reboot e=\\\\n`)
  })

  it('refuses a control character and a drop-in that was edited into nonsense', () => {
    expect(() => renderGrubDropIn(['a="x\ny"'])).toThrow(/control character/)
    expect(() => parseGrubDropIn('# arguments: [oops')).toThrow(/changed by hand/)
  })
})

describe('parseCommandLine', () => {
  it('puts quotes back where a config has them', () => {
    expect(parseCommandLine('"a=1 2" b "c d"')).toEqual(['a="1 2"', 'b', '"c d"'])
  })
})

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { directoryHost } from './directoryHost.ts'

describe('readOsIdentity', () => {
  it.each([
    [
      'ID="rhcos"\nVERSION_ID="4.13"\nRHEL_VERSION="9.2"\nVARIANT_ID=coreos\n',
      { id: 'rhcos', versionId: '9.2', imageBased: true },
    ],
    ['ID="rhel"\nVERSION_ID="10.1"\nVARIANT_ID=coreos\n', { id: 'rhel', versionId: '10.1', imageBased: true }],
    ['ID=fedora\nVERSION_ID=37\nVARIANT_ID=server\n', { id: 'fedora', variantId: 'server', imageBased: false }],
    [
      'ID="rocky"\nID_LIKE="rhel centos fedora"\n',
      { id: 'rocky', like: ['rhel', 'centos', 'fedora'], imageBased: false },
    ],
    ['ID=scos\nVERSION_ID=9\n', { id: 'scos', imageBased: true }],
    ['ID=debian\nVERSION_ID="12"\n# ID=other\n', { id: 'debian', versionId: '12', imageBased: false }],
    ['', { id: 'linux' }],
  ])('%j', async (text, expected) => {
    const root = mkdtempSync(join(tmpdir(), 'mco-os-'))
    mkdirSync(join(root, 'etc'))
    writeFileSync(join(root, 'etc/os-release'), text)
    const host = directoryHost(root)
    expect(await host.identity()).toMatchObject(expected)
    host.close()
    rmSync(root, { recursive: true })
  })
})

import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { HostFiles } from '../../src/host/host.ts'
import { ownerRecord } from '../../src/host/ownerRecord.ts'
import { rootFiles } from '../../src/host/rootFiles.ts'
import { closeRoot, openRoot } from '../../src/host/rootPath.ts'

export interface Tree {
  readonly path: string
  readonly files: HostFiles
  dispose(): void
}

type Entry = string | { readonly text: string; readonly mode: number } | { readonly link: string }

/** A host's root with these files: `''` makes an empty file, a trailing slash a directory. */
export function hostTree(entries: Readonly<Record<string, Entry>>): Tree {
  const path = mkdtempSync(join(tmpdir(), 'mco-host-'))
  for (const [name, entry] of Object.entries(entries)) put(join(path, name), entry)
  const root = openRoot(path)
  let owners = ''
  const store = {
    load: () => owners || undefined,
    save: (text: string) => {
      owners = text
    },
  }
  return {
    path,
    files: rootFiles(root, { durable: false, owners: ownerRecord(store) }),
    dispose() {
      closeRoot(root)
      rmSync(path, { recursive: true, force: true })
    },
  }
}

export const program: Entry = { text: '#!/bin/sh\n', mode: 0o755 }

function put(path: string, entry: Entry): void {
  if (path.endsWith('/')) return void mkdirSync(path, { recursive: true })
  mkdirSync(dirname(path), { recursive: true })
  if (typeof entry === 'string') writeFileSync(path, entry)
  else if ('link' in entry) symlinkSync(entry.link, path)
  else {
    writeFileSync(path, entry.text)
    chmodSync(path, entry.mode)
  }
}

import { expect, test } from 'vitest'
import { fragment, ignition } from '../../test/kube/renderObjects.ts'
import type { File } from '../ignition/types.ts'
import { contentHazards } from './contentHazards.ts'
import { mergeMachineConfigs, mergeOrder } from './mergeMachineConfigs.ts'
import { fragmentParser } from './parseFragment.ts'

function hazardsOf(...files: readonly Omit<File, 'path'>[]): string[] {
  const configs = files.map((file, index) =>
    fragment(`${index}`, { config: ignition({ storage: { files: [{ path: '/a', ...file }] } }) }),
  )
  const ordered = mergeOrder(configs.map(fragmentParser().parse))
  const merge = mergeMachineConfigs(ordered, { osImage: '', extensionsImage: '' })
  if (merge.kind !== 'merged') throw new Error(JSON.stringify(merge))
  return contentHazards(ordered, merge.spec.config).map(({ message }) => message)
}

const gzip = { contents: { source: 'data:;base64,H4sIAAAAAAAAA0vLz+cCAKhlMn4EAAAA', compression: 'gzip' } }
const plain = { contents: { source: 'data:,new' } }
const hashed = { contents: { source: 'data:,old', verification: { hash: `sha512-${'0'.repeat(128)}` } } }

test.each([
  ['a lone file', [gzip], []],
  ['a plain file over a gzip file', [gzip, plain], []],
  [
    'a mode over a gzip file',
    [gzip, { mode: 384 }],
    [
      '/a loses the compression that 0 gave it, because 1 changes it without contents: repeat source and compression in 1',
    ],
  ],
  [
    'a content over a hashed one',
    [hashed, plain],
    ['/a keeps the hash of 0, but its content comes from 1: give 1 a verification.hash'],
  ],
  ['a hashed content over a plain one', [plain, hashed], []],
])('contentHazards of %s', (_name, files, expected) => {
  expect(hazardsOf(...files)).toEqual(expected)
})

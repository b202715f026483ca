import { expect, test } from 'vitest'
import { chooseDefaultStream } from './defaultStream.ts'

const both = [{ name: 'rhel-10' }, { name: 'rhel-9' }]

test.each([
  ['4.20.3', 'rhel-9'],
  ['5.0.0', 'rhel-10'],
  ['v4.21.0-rc.1', 'rhel-9'],
])('chooseDefaultStream of an installation at %s is %s', (installVersion, name) => {
  expect(chooseDefaultStream({ available: both, installVersion })).toEqual({ kind: 'chosen', name })
})

test('chooseDefaultStream prefers what was asked for, then what was chosen before', () => {
  const existing = { spec: { defaultStream: 'rhel-9' }, status: { defaultStream: 'rhel-10' } }
  expect(chooseDefaultStream({ available: both, existing })).toMatchObject({ name: 'rhel-9' })
  expect(chooseDefaultStream({ available: both, existing: { status: existing.status } })).toMatchObject({
    name: 'rhel-10',
  })
})

test('chooseDefaultStream of a community build is centos-10', () => {
  const available = [...both, { name: 'centos-10' }]
  expect(chooseDefaultStream({ available, community: true })).toEqual({ kind: 'chosen', name: 'centos-10' })
})

test('chooseDefaultStream refuses a stream that is not available, naming those that are', () => {
  expect(chooseDefaultStream({ available: both, existing: { spec: { defaultStream: 'x' } } })).toEqual({
    kind: 'refused',
    message: 'could not find the requested x default stream in the list of OSImageStreams [rhel-10 rhel-9]',
  })
})

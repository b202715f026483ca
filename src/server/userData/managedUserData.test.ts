import { expect, it } from 'vitest'
import { pointerToIgnition } from '../pointer/pointerConfig.ts'
import { endpointInPointer, tokenInPointer } from './managedUserData.ts'

const token = 'abcd1234.t0aaaa.secret'

it.each(['mcs.example.com:22623', '10.0.0.1:8443', '[fd00::1]:22623'])(
  'a pointer to %s says where it points to and what it shows',
  (endpoint) => {
    const caBundle = Buffer.from('an authority')
    const made = pointerToIgnition({ endpoint, pool: 'worker', caBundle, token })
    const text = 'text' in made ? made.text : ''
    expect([endpointInPointer(text), tokenInPointer(text)]).toEqual([endpoint, token])
  },
)

it.each(['', '#cloud-config', '{"ignition":{"version":"3.5.0"}}'])(
  'user data without a pointer says nothing: %j',
  (text) => expect([endpointInPointer(text), tokenInPointer(text)]).toEqual([undefined, undefined]),
)

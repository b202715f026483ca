import { describe, expect, it } from 'vitest'
import { cleanPath, extensionOf, joinPath } from './goPath.ts'
import { parseGoUrl, queryValues } from './goUrl.ts'

describe('parseGoUrl', () => {
  it.each([
    ['https://h:99999/x?q=1#f', 'https'],
    ['HTTPS://h', 'https'],
    ['https:///x', 'https'],
    ['http://[::1]:80/x', 'http'],
    ['http://user:p%40ss@h/x', 'http'],
    ['data:,%zz', 'data'],
    ['p:3128', 'p'],
    ['h/x', ''],
    ['//h/x', ''],
    ['', ''],
    [':x', undefined],
    ['https://h/%zz', undefined],
    ['https://h/#%zz', undefined],
    ['https://a b/x', undefined],
    ['https://h:port/x', undefined],
    ['http://[::1/x', undefined],
    ['http://[]/x', undefined],
    ['http://[fe80::1%25eth0]/x', 'http'],
    ['http://%41/x', undefined],
    ['http://us er@h/', undefined],
    ['https://h/\n', undefined],
    ['1:2', undefined],
  ])('finds in %j the scheme %j', (text, scheme) => {
    expect(parseGoUrl(text)?.scheme).toBe(scheme)
  })

  it('finds query values', () => {
    expect(queryValues('a=1&versionId=x%20y&versionId=', 'versionId')).toEqual(['x y', ''])
    expect(queryValues('', 'versionId')).toEqual([])
  })
})

describe('cleanPath', () => {
  it.each([
    ['', '.'],
    ['/', '/'],
    ['//', '/'],
    ['/a//b/../c/', '/a/c'],
    ['/..', '/'],
    ['../a/..', '..'],
    ['a/./b', 'a/b'],
  ])('makes %j to %j', (path, expected) => {
    expect(cleanPath(path)).toBe(expected)
  })

  it('joins and finds extensions like the reference', () => {
    expect(joinPath('/a', '../b')).toBe('/b')
    expect(joinPath('', '')).toBe('')
    expect(extensionOf('a.b/c')).toBe('')
    expect(extensionOf('a.service')).toBe('.service')
  })
})

import { describe, expect, test } from 'vitest'
import { managerOfUserAgent, parseDeleteOptions, parseListOptions, parseWriteOptions } from './requestOptions.ts'

const query = (text: string) => new URLSearchParams(text)

describe('parseListOptions', () => {
  test.each([
    ['resourceVersionMatch=Exact', false, 'resourceVersionMatch is forbidden unless resourceVersion is provided'],
    [
      'resourceVersionMatch=Exact&resourceVersion=0',
      false,
      'resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
    ],
    [
      'resourceVersionMatch=Exact&resourceVersion=5&continue=x',
      false,
      'resourceVersionMatch is forbidden when continue is provided',
    ],
    ['resourceVersionMatch=Other&resourceVersion=5', false, 'Unsupported value: "Other"'],
    ['resourceVersion=abc', false, 'invalid resource version'],
    ['sendInitialEvents=true', false, 'sendInitialEvents is forbidden for list'],
    ['sendInitialEvents=true', true, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'],
    [
      'resourceVersionMatch=NotOlderThan',
      true,
      'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
    ],
    ['limit=many', false, 'invalid syntax'],
  ])('refuses %s (watch: %s)', (text, watch, message) => {
    expect(() => parseListOptions(query(text), watch)).toThrow(message)
  })

  test('takes what clients send for a streaming list', () => {
    const options = parseListOptions(
      query(
        'watch=true&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&timeoutSeconds=300',
      ),
      true,
    )
    expect(options).toMatchObject({
      allowWatchBookmarks: true,
      sendInitialEvents: true,
      timeoutSeconds: 300,
      resourceVersion: '',
    })
  })
})

describe('parseWriteOptions', () => {
  test('names the manager after the user agent when the request does not', () => {
    expect(parseWriteOptions(query(''), 'kubectl/v1.32 (linux/amd64)').fieldManager).toBe('kubectl')
    expect(parseWriteOptions(query('fieldManager=me'), 'kubectl/v1.32').fieldManager).toBe('me')
    expect(managerOfUserAgent('')).toBe('unknown')
  })

  test.each([
    ['dryRun=Some', 'Unsupported value: "Some": supported values: "All"'],
    ['fieldValidation=Loud', 'Unsupported value: "Loud"'],
    [`fieldManager=${'x'.repeat(129)}`, 'may not be more than 128 bytes'],
  ])('refuses %s', (text, message) => {
    expect(() => parseWriteOptions(query(text), 'x')).toThrow(message)
  })
})

describe('parseDeleteOptions', () => {
  test('prefers the body to the query', () => {
    const options = parseDeleteOptions(
      { gracePeriodSeconds: 5, propagationPolicy: 'Foreground' },
      query('gracePeriodSeconds=9&propagationPolicy=Orphan'),
    )
    expect(options).toMatchObject({ gracePeriodSeconds: 5, propagationPolicy: 'Foreground' })
  })

  test.each([
    ['orphanDependents=true', 'Orphan'],
    ['orphanDependents=false', 'Background'],
    ['propagationPolicy=Background', 'Background'],
    ['', undefined],
  ])('reads the policy of %j as %s', (text, policy) => {
    expect(parseDeleteOptions({}, query(text)).propagationPolicy).toBe(policy)
  })
})

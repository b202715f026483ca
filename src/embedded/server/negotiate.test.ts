import { describe, expect, test } from 'vitest'
import { negotiate } from './negotiate.ts'
import { StatusError } from './statusError.ts'

const table = 'application/json;as=Table;v=v1;g=meta.k8s.io'

describe('negotiate', () => {
  test.each([
    [undefined, 'object', 'json'],
    ['', 'object', 'json'],
    ['*/*', 'object', 'json'],
    ['application/json', 'object', 'json'],
    ['application/vnd.kubernetes.protobuf,application/json', 'object', 'json'],
    ['application/yaml', 'object', 'yaml'],
    ['application/yaml;q=0.5, application/json;q=0.9', 'object', 'json'],
    [`${table},application/json`, 'table', 'json'],
    [`application/json;as=Table;v=v2;g=meta.k8s.io,${table}`, 'table', 'json'],
    ['application/json;as=Table;v=v9;g=meta.k8s.io,application/json', 'object', 'json'],
    ['application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io', 'metadata', 'json'],
  ])('answers Accept %s with %s as %s', (accept, form, encoding) => {
    const found = negotiate(accept)
    expect([found.form.kind, found.encoding]).toEqual([form, encoding])
  })

  test.each(['application/vnd.kubernetes.protobuf', 'text/html', 'application/json;q=0'])(
    'refuses Accept %s with 406',
    (accept) => {
      expect(() => negotiate(accept)).toThrow(StatusError)
      expect(() => negotiate(accept)).toThrow(
        'only the following media types are accepted: application/json, application/yaml',
      )
    },
  )
})

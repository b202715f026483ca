import { describe, expect, test } from 'vitest'
import { formatFieldError } from '../../schema/fieldError.ts'
import type { Deployment } from '../apps.ts'
import { validateWorkload } from './workload.ts'

const deployment = (spec: object = {}): Deployment => ({
  metadata: { name: 'a' },
  spec: {
    selector: { matchLabels: { app: 'a' } },
    template: { metadata: { labels: { app: 'a', tier: 'web' } }, spec: { containers: [] } },
    ...spec,
  },
})
const errorsOf = (now: Deployment, old?: Deployment) => validateWorkload(now, old).map(formatFieldError)

describe('validateWorkload', () => {
  test('takes a selector that fits the template, and leaves it alone', () => {
    expect(errorsOf(deployment())).toEqual([])
    expect(errorsOf(deployment({ replicas: 3 }), deployment({ replicas: 1 }))).toEqual([])
  })

  test.each<[string, object, readonly string[]]>([
    ['negative replicas', { replicas: -1 }, ['spec.replicas: Invalid value: -1: must be greater than or equal to 0']],
    ['no selector', { selector: undefined }, ['spec.selector: Required value']],
    ['an empty selector', { selector: {} }, ['spec.selector: Invalid value: {}: empty selector is invalid']],
    [
      'a selector of other pods',
      { selector: { matchLabels: { app: 'b' } } },
      [
        'spec.template.metadata.labels: Invalid value: {"app":"a","tier":"web"}: `selector` does not match template `labels`',
      ],
    ],
  ])('refuses %s', (_, spec, expected) => {
    expect(errorsOf(deployment(spec))).toEqual(expected)
  })

  test('refuses another selector later', () => {
    const narrowed = deployment({ selector: { matchLabels: { tier: 'web' } } })
    expect(errorsOf(narrowed, deployment())).toEqual([
      'spec.selector: Invalid value: {"matchLabels":{"tier":"web"}}: field is immutable',
    ])
  })
})

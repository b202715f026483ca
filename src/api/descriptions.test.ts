import { describe, expect, test } from 'vitest'
import type { JSONSchemaProps } from '../schema/jsonSchemaProps.ts'
import { customResourceDefinitions } from './generated/crds.ts'

/** What `kubectl explain` answers for the kinds that people write by hand. */
describe('descriptions', () => {
  test.each(['MachineConfig', 'MachineConfigPool'])('%s explains itself, its spec and every member of it', (kind) => {
    const definition = customResourceDefinitions.find(({ spec }) => spec.names.kind === kind)
    const schema: JSONSchemaProps | undefined = definition?.spec.versions[0]?.schema?.openAPIV3Schema
    const spec = schema?.properties?.spec
    const members = Object.entries(spec?.properties ?? {})
    expect(members.length).toBeGreaterThan(3)
    expect([schema?.description, spec?.description]).not.toContain(undefined)
    expect(members.filter(([, member]) => !member.description).map(([name]) => name)).toEqual([])
  })
})

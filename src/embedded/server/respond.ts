import type { Entry } from '../store/entry.ts'
import { type IncludeObject, tableOf } from '../table/table.ts'
import type { ApiResponse } from './apiRequest.ts'
import { bytesResponse } from './apiRequest.ts'
import type { Page } from './listObjects.ts'
import type { Negotiated, OutputForm } from './negotiate.ts'
import { objectWriter, partialObject } from './outputForm.ts'
import { type ResourceDefinition, resourceApiVersion } from './resource.ts'
import { served } from './served.ts'
import { warningHeaders } from './warningHeaders.ts'
import { formatYaml } from './yamlBody.ts'

export interface AnswerContext {
  readonly resource: ResourceDefinition
  readonly negotiated: Negotiated
  readonly includeObject: IncludeObject
  readonly now: Date
  readonly warnings: ReadonlySet<string>
}

export function answerObject(answer: AnswerContext, status: number, entry: Entry): ApiResponse {
  const { resource, negotiated, includeObject, now } = answer
  return encoded(answer, status, objectWriter(resource, negotiated.form, includeObject, () => now).write(entry, true))
}

/** A body that is not one of the resource's own objects: a Status, a Scale, an Eviction's answer. */
export function answerValue(answer: AnswerContext, status: number, value: unknown): ApiResponse {
  return encoded(answer, status, Buffer.from(JSON.stringify(value)))
}

export function answerPage(answer: AnswerContext, page: Page): ApiResponse {
  return encoded(answer, 200, pageBytes(answer, page, answer.negotiated.form))
}

function pageBytes({ resource, includeObject, now }: AnswerContext, page: Page, form: OutputForm): Buffer {
  switch (form.kind) {
    case 'object': {
      const kind = resource.listKind ?? `${resource.kind}List`
      const objects = page.entries.map((entry) => served(resource, entry).json)
      return listBytes({ kind, apiVersion: resourceApiVersion(resource), metadata: page.metadata }, objects)
    }
    case 'metadata': {
      const head = {
        kind: 'PartialObjectMetadataList',
        apiVersion: `meta.k8s.io/${form.version}`,
        metadata: page.metadata,
      }
      const items = page.entries.map((entry) => partialObject(served(resource, entry), form.version))
      return Buffer.from(JSON.stringify({ ...head, items }))
    }
    case 'table': {
      const objects = page.entries.map((entry) => served(resource, entry).object)
      const table = tableOf(resource, objects, { includeObject, version: form.version, now })
      return Buffer.from(JSON.stringify({ ...table, metadata: page.metadata }))
    }
    default:
      return form satisfies never
  }
}

/** Joins objects that are already serialised: a list costs copying, not serialising. */
function listBytes(head: Readonly<Record<string, unknown>>, objects: readonly Buffer[]): Buffer {
  const parts: Buffer[] = [Buffer.from(`${JSON.stringify(head).slice(0, -1)},"items":[`)]
  for (const [index, object] of objects.entries()) parts.push(...(index === 0 ? [object] : [comma, object]))
  parts.push(end)
  return Buffer.concat(parts)
}

const comma = Buffer.from(',')
const end = Buffer.from(']}')

function encoded({ negotiated, warnings }: AnswerContext, status: number, json: Buffer): ApiResponse {
  const headers = warningHeaders(warnings)
  if (negotiated.encoding === 'json') return bytesResponse(status, json, headers)
  const yaml = Buffer.from(formatYaml(JSON.parse(json.toString('utf8'))))
  return bytesResponse(status, yaml, { ...headers, 'content-type': 'application/yaml' })
}

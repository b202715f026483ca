import { parseDocuments } from '../../ignition/document.ts'
import { badRequest } from './statusError.ts'

export { formatYaml } from '../../ignition/document.ts'

/** The one document of a YAML body. Messages name places, never contents. */
export function parseYamlBody(text: string): unknown {
  const { documents, issues } = parseDocuments(text)
  const problem = issues.find(({ severity }) => severity === 'error')
  if (problem)
    throw badRequest(`the body of the request is not valid YAML${problem.line ? ` (line ${problem.line})` : ''}`)
  if (documents.length > 1) throw badRequest('the body of the request holds several YAML documents; expected one')
  return withNumbers(documents[0]?.value)
}

/** JSON has one kind of number; integers beyond 2^53 lose their last digits as in a JSON body. */
function withNumbers(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (Array.isArray(value)) return value.map(withNumbers)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withNumbers(member)]))
}

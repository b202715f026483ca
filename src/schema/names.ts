/**
 * The rules for names, label keys and label values, in the API server's words (Kubernetes documentation, "Object Names and
 * IDs" and "Labels and Selectors"). Each function returns what is wrong, as sentences; none means valid.
 */

const dns1123Label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/
const dns1123Subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const dns1035Label = /^[a-z]([-a-z0-9]*[a-z0-9])?$/
const qualifiedNamePart = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/
const labelValue = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/
const configMapKey = /^[-._a-zA-Z0-9]+$/

export function dns1123LabelErrors(value: string): readonly string[] {
  return collect(
    tooLong(value, 63),
    !dns1123Label.test(value) &&
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
  )
}

export function dns1123SubdomainErrors(value: string): readonly string[] {
  return collect(
    tooLong(value, 253),
    !dns1123Subdomain.test(value) &&
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  )
}

export function dns1035LabelErrors(value: string): readonly string[] {
  return collect(
    tooLong(value, 63),
    !dns1035Label.test(value) &&
      "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
  )
}

/** A name with an optional DNS prefix: label, annotation and finalizer keys, condition types. */
export function qualifiedNameErrors(value: string): readonly string[] {
  const parts = value.split('/')
  if (parts.length > 2) {
    return [
      `a qualified name ${qualifiedNameRule} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ]
  }
  const [prefix, name] = parts.length === 2 ? [parts[0] ?? '', parts[1] ?? ''] : [undefined, parts[0] ?? '']
  const prefixErrors =
    prefix === undefined
      ? []
      : prefix === ''
        ? ['prefix part must be non-empty']
        : dns1123SubdomainErrors(prefix).map((error) => `prefix part ${error}`)
  return [
    ...prefixErrors,
    ...collect(
      name === '' && 'name part must be non-empty',
      name.length > 63 && 'name part must be no more than 63 bytes',
      !qualifiedNamePart.test(name) && `name part ${qualifiedNameRule}`,
    ),
  ]
}

const qualifiedNameRule =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"

export function labelValueErrors(value: string): readonly string[] {
  return collect(
    tooLong(value, 63),
    !labelValue.test(value) &&
      "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
  )
}

/** A name that may stand as one segment of a URL path. */
export function pathSegmentErrors(value: string): readonly string[] {
  if (value === '.' || value === '..') return [`may not be '${value}'`]
  return collect(value.includes('/') && "may not contain '/'", value.includes('%') && "may not contain '%'")
}

/** Keys of ConfigMap and Secret data. */
export function configMapKeyErrors(value: string): readonly string[] {
  return collect(
    tooLong(value, 253),
    !configMapKey.test(value) &&
      "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
    value === '.' && "must not be '.'",
    (value === '..' || value.startsWith('..')) && "must not start with '..'",
  )
}

const tooLong = (value: string, max: number): string | false =>
  value.length > max && `must be no more than ${max} bytes`

const collect = (...errors: readonly (string | false)[]): readonly string[] =>
  errors.filter((error): error is string => error !== false)

/** Where the kernel says whether it runs in FIPS mode. */
const fipsFilePath = '/proc/sys/crypto/fips_enabled'

/**
 * A running kernel's FIPS mode cannot be changed: the desired value must be what the kernel says. `content` is the text of
 * the kernel's flag file, undefined when the kernel has none. Returns why the change is refused, in the original's words.
 */
export function whyFipsRefused(content: string | undefined, desired: boolean): string | undefined {
  if (content === undefined) return undefined
  const text = content.replace(/\n+$/, '')
  if (!trueWords.has(text) && !falseWords.has(text)) {
    return `error parsing FIPS file at ${fipsFilePath}: strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax`
  }
  return trueWords.has(text) === desired
    ? undefined
    : 'detected change to FIPS flag; refusing to modify FIPS on a running cluster'
}

const trueWords = new Set(['1', 't', 'T', 'true', 'TRUE', 'True'])
const falseWords = new Set(['0', 'f', 'F', 'false', 'FALSE', 'False'])

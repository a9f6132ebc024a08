// What a schema allows, in words.
import type { Json } from '../../language/json/json.ts'
import type { JsonSchema } from '../../language/manifest/manifest.ts'

const LIMITS: readonly (readonly [keyword: string, words: (limit: string) => string])[] = [
  ['minimum', (limit) => `at least ${limit}`],
  ['maximum', (limit) => `at most ${limit}`],
  ['exclusiveMinimum', (limit) => `more than ${limit}`],
  ['exclusiveMaximum', (limit) => `less than ${limit}`],
  ['minItems', (limit) => `at least ${counted(limit, 'element')}`],
  ['maxItems', (limit) => `at most ${counted(limit, 'element')}`],
  ['minLength', (limit) => `at least ${counted(limit, 'character')}`],
  ['maxLength', (limit) => `at most ${counted(limit, 'character')}`],
  ['minProperties', (limit) => `at least ${counted(limit, 'member')}`],
  ['pattern', (limit) => `matches \`${limit}\``],
  ['format', (limit) => FORMATS[limit] ?? `format ${limit}`],
]

function counted(limit: string, noun: string): string {
  return limit === '1' ? `1 ${noun}` : `${limit} ${noun}s`
}

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': 'RFC 3339 time',
  'iso-time': 'ISO 8601 time with offset, or day',
  date: 'date, YYYY-MM-DD',
  uri: 'URI',
  binary: 'a file, or its bytes as base64 text',
  int64: '64-bit integer; as text where a double would lose digits',
  epoch_s: 'in seconds since 1970',
  epoch_ms: 'in milliseconds since 1970',
  duration_s: 'in seconds',
  duration_ms: 'in milliseconds',
}

/** Guards against abuse that every list and text has; callers need not plan with them. */
const UNREMARKABLE: ReadonlySet<string> = new Set([
  'maxItems 10000',
  'maxLength 4096',
  'minLength 1',
])

function textOf(limit: Json): string {
  return typeof limit === 'string' ? limit : JSON.stringify(limit)
}

const OF_TEXT: ReadonlySet<string> = new Set(['minLength', 'maxLength', 'pattern'])

/** Whether a limit is that of texts alone, where a value may be something else. */
function isOfText({ type }: JsonSchema, keyword: string): boolean {
  return (
    OF_TEXT.has(keyword) &&
    Array.isArray(type) &&
    type.some((each) => !['string', 'null'].includes(String(each)))
  )
}

/** The limits of a value as one sentence; empty where there are none worth saying. */
export function limitSentence(schema: JsonSchema): readonly string[] {
  const { description } = schema
  const said = LIMITS.flatMap(([keyword, words]) => {
    const limit = schema[keyword]
    if (limit === undefined || UNREMARKABLE.has(`${keyword} ${textOf(limit)}`)) return []
    const sentence = isOfText(schema, keyword)
      ? `as text ${limit === 0 ? 'only the empty one' : words(textOf(limit))}`
      : words(textOf(limit))
    // What the description says already is not said twice.
    const isSaid = typeof description === 'string' && description.includes(sentence)
    return isSaid ? [] : [sentence]
  })
  if (said.length === 0) return []
  const sentence = said.join(', ')
  return [`${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`]
}

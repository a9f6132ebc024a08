// What a Content-Type header says.

export interface ContentType {
  /** `type/subtype` in lower case; `unknown` for what is no type. */
  readonly type: string
  /** The charset in lower case, null where none is named. */
  readonly charset: string | null
}

/** A third party uses a handful of types, so what was read is kept; one that sends ever new ones empties the store. */
const MAX_KEPT = 100
const MAX_KEPT_LENGTH = 200
const known = new Map<string, ContentType | null>()

/** Reads a Content-Type header; null when it is missing or empty. Source: RFC 9110, section 8.3. */
export function readContentType(header: string | undefined): ContentType | null {
  if (header === undefined) return null
  let read = known.get(header)
  if (read === undefined) {
    read = parseContentType(header)
    if (known.size >= MAX_KEPT) known.clear()
    if (header.length <= MAX_KEPT_LENGTH) known.set(header, read)
  }
  return read
}

function parseContentType(header: string): ContentType | null {
  if (header.trim() === '') return null
  const [type = '', ...parameters] = header.toLowerCase().split(';')
  return { type: TYPE.exec(type.trim())?.[0] ?? 'unknown', charset: charsetOf(parameters) }
}

/**
 * Whether a type announces JSON: `application/json`, any `+json`, and the names JSON had before it had its own.
 */
export function isJsonType(type: string): boolean {
  return type.endsWith('/json') || type.endsWith('+json') || OLDER_NAMES.has(type)
}

/** Whether a type announces XML that is no page: `application/xml`, `text/xml`, any other `+xml`. */
export function isXmlType(type: string): boolean {
  return (type.endsWith('/xml') || type.endsWith('+xml')) && !isHtmlType(type)
}

/** Whether a type announces a page for people. */
export function isHtmlType(type: string): boolean {
  return type === 'text/html' || type === 'application/xhtml+xml'
}

/** Names of at most 127 characters on each side. Source: RFC 6838, section 4.2. */
const TYPE = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}$/

const OLDER_NAMES: ReadonlySet<string> = new Set([
  'text/javascript',
  'application/javascript',
  'application/x-javascript',
  'text/x-json',
  'application/x-json',
])

function charsetOf(parameters: readonly string[]): string | null {
  for (const parameter of parameters) {
    const [name = '', value = ''] = parameter.split('=')
    if (name.trim() === 'charset') return value.trim().replace(/^"(.*)"$/, '$1') || null
  }
  return null
}

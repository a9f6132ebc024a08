// Request bodies: bounded, every digit kept, no member that could reach a prototype.
import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'
import { ConnectorError } from '../../errors.ts'
import { isExactNumber } from '../../json/exact-number.ts'
import type { Json, JsonObject } from '../../json/json.ts'
import { JsonError, parseJson } from '../../json/parse-json.ts'

const MAX_DEPTH = 32

/**
 * Reads a request body. Integers beyond 2^53 keep their digits.
 * Throws `request_malformed` for text that is no JSON object, nested deeper than 32, no UTF-8, or with a member that
 * names a prototype. Nothing of the text is in the message.
 */
export function readBody(bytes: Buffer): JsonObject {
  if (!isUtf8(bytes)) throw malformed('the body is not UTF-8')
  const text = bytes.toString()
  let value: Json
  try {
    value = parseJson(text, { maxDepth: MAX_DEPTH })
  } catch (error) {
    if (error instanceof JsonError) throw malformed(`the body cannot be read: ${error.message}`)
    throw error
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isExactNumber(value))
    throw malformed('the body must be a JSON object')
  if (PROTOTYPE_NAMES.test(text)) refusePrototypes(value, null)
  return value as JsonObject
}

/**
 * The body that came with these headers; undefined where there is none. Throws `media_type_unsupported` for anything but
 * JSON in UTF-8 without `Content-Encoding`, and what `readBody` throws.
 */
export function readJsonBody(headers: IncomingHttpHeaders, bytes: Buffer): JsonObject | undefined {
  if (bytes.length === 0) return undefined
  // `identity` says nothing, and belongs into no such header: RFC 9110, section 8.4.
  if (headers['content-encoding'] !== undefined)
    throw unsupported('the body must be sent as it is, without Content-Encoding')
  const contentType = headers['content-type'] ?? ''
  if (contentType !== 'application/json') checkType(contentType)
  return readBody(bytes)
}

function checkType(contentType: string): void {
  const [type = '', ...parameters] = contentType.split(';').map((part) => part.trim().toLowerCase())
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))
  if (type !== 'application/json') throw wrongMediaType()
  if (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset))
    throw unsupported('the body must be UTF-8')
}

export function wrongMediaType(): ConnectorError {
  return unsupported('the body must be sent as Content-Type: application/json')
}

function unsupported(message: string): ConnectorError {
  return new ConnectorError('media_type_unsupported', message)
}

/** What the text of a member that names a prototype has; it may be written with escapes. */
const PROTOTYPE_NAMES = /__proto__|"constructor"|\\u/

/** Where a value stands. A pointer is made of it only when one is needed: a body may hold half a million values. */
interface Place {
  readonly name: string | number
  readonly within: Place | null
}

function refusePrototypes(value: object, place: Place | null): void {
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const element: unknown = value[index]
      if (isContainer(element)) refusePrototypes(element, { name: index, within: place })
    }
    return
  }
  for (const name in value) {
    // What a parser built has own enumerable members only.
    const member: unknown = (value as Readonly<Record<string, unknown>>)[name]
    const isPrototype =
      name === '__proto__' ||
      (name === 'constructor' && isContainer(member) && Object.hasOwn(member, 'prototype'))
    if (isPrototype)
      throw malformed(`the body has a member "${name}"`, pointerTo({ name, within: place }))
    if (isContainer(member)) refusePrototypes(member, { name, within: place })
  }
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !isExactNumber(value)
}

function pointerTo({ name, within }: Place): string {
  const above = within === null ? '' : pointerTo(within)
  return `${above}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

function malformed(message: string, pointer = ''): ConnectorError {
  return new ConnectorError('request_malformed', message, {
    errors: [{ pointer, code: 'malformed', detail: message }],
  })
}

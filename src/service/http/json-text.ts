// Request bodies: bounded, every digit kept, no member twice and none that could reach a prototype.
import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'
import { ConnectorError, problemError } from '../../errors.ts'
import { isExactNumber } from '../../language/json/exact-number.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import { JsonReading, JsonRefused, MAX_MEMBERS } from '../../language/json/json-reading.ts'
import { JsonError } from '../../language/json/parse-json.ts'

const MAX_DEPTH = 32

export interface BodyReading {
  /**
   * Reads on until the end or until `isOver`; true: all is read. Integers beyond 2^53 keep their digits.
   * Throws `request_malformed` for text that is no JSON object, nested deeper than 32, with a member that is given twice or
   * names a prototype, or with an object of more than 10,000 members. Nothing of the text is in the message.
   */
  readOn(isOver: () => boolean): boolean
  readonly body: JsonObject
}

/**
 * Begins to read the body that came with these headers. Throws `media_type_unsupported` for anything but JSON in UTF-8
 * without `Content-Encoding`, `request_malformed` for bytes that are no UTF-8.
 */
export function openJsonBody(headers: IncomingHttpHeaders, bytes: Buffer): BodyReading {
  // `identity` says nothing, and belongs into no such header: RFC 9110, section 8.4.
  if (headers['content-encoding'] !== undefined)
    throw unsupported('the body must be sent as it is, without Content-Encoding')
  const contentType = headers['content-type'] ?? ''
  if (contentType !== 'application/json') checkType(contentType)
  if (!isUtf8(bytes)) throw malformed('the body is not UTF-8')
  return new ReadingOfBody(new JsonReading(bytes.toString(), MAX_DEPTH))
}

class ReadingOfBody implements BodyReading {
  readonly #reading: JsonReading

  constructor(reading: JsonReading) {
    this.#reading = reading
  }

  readOn(isOver: () => boolean): boolean {
    try {
      if (!this.#reading.readOn(isOver)) return false
    } catch (error) {
      throw translate(error)
    }
    requireObject(this.#reading.value)
    return true
  }

  get body(): JsonObject {
    return requireObject(this.#reading.value)
  }
}

function requireObject(value: Json): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isExactNumber(value))
    throw malformed('the body must be a JSON object')
  return value as JsonObject
}

function translate(error: unknown): unknown {
  if (error instanceof JsonError) return malformed(`the body cannot be read: ${error.message}`)
  if (!(error instanceof JsonRefused)) return error
  const { kind, pointer, member } = error
  switch (kind) {
    case 'prototype':
      return malformed(`the body has a member "${member}"`, pointer)
    case 'duplicate':
      return malformed('the body has a member twice', pointer, 'duplicate')
    case 'many':
      return malformed(`the body has an object of more than ${MAX_MEMBERS} members`, pointer)
  }
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

function malformed(message: string, pointer = '', code = 'malformed'): ConnectorError {
  return problemError('request_malformed', { pointer, code, detail: message })
}

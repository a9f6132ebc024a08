// A request whose files are not in its JSON: multipart/form-data with the part `operation` in front and each file behind
// it, read as it arrives. Source: RFC 7578.
import { createHash, type Hash, randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { finished, type Readable } from 'node:stream'
import type { BusboyEvents, BusboyInstance } from '@fastify/busboy'
import { ConnectorError, isConnectorError, problemError } from '../../errors.ts'
import type { FileSource, OpenFile } from '../../language/expression/file-source.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import { isJsonObject } from '../../language/json/members.ts'
import { own } from '../../language/json/own.ts'
import type { JsonSchema } from '../../language/manifest/manifest.ts'
import { compileValidator } from '../../language/manifest/validator.ts'
import { bodyTooLarge, clientLeft } from './arrival.ts'

/** The part that says what the files are for. */
export const OPERATION_PART = 'operation'

const FACTS: Readonly<Record<string, JsonSchema>> = {
  name: { type: 'string', maxLength: 1024, description: 'The name of the file.' },
  type: { type: 'string', maxLength: 256, description: 'Its content type.' },
  size: {
    type: 'integer',
    minimum: 0,
    description:
      'In bytes. Without it, the file is sent to the vendor in chunks, which some refuse.',
  },
  sha256: {
    type: 'string',
    pattern: '^[0-9a-f]{64}$',
    description: 'Digest of its bytes, in hexadecimal digits. Required with an Idempotency-Key.',
  },
}

/** The member of the part `operation` that a JSON body does not have. */
export const FILES_MEMBER: JsonSchema = {
  type: 'object',
  maxProperties: 16,
  description:
    'What is known about each file, by the name of its parameter. Required if there are several: all of them, in the order of their parts.',
  additionalProperties: { type: 'object', additionalProperties: false, properties: FACTS },
}

/** Files that came with a request. Each can be read once, in the order in which they arrive. */
export interface ArrivingFiles {
  readonly given: Readonly<Record<string, FileSource>>
  /** What the caller said of them. */
  readonly described: JsonObject
}

export const NO_FILES: ArrivingFiles = { given: {}, described: {} }

const FORM = /^multipart\/form-data\s*(?:;|$)/i
const MAX_PARTS = 32
const MAX_HEADER_BYTES = 16 * 1024
const MAX_HEADERS = 32
/** Of a file, between the connection and its reader: with room for more than one piece they would be copied together. */
const HIGH_WATER_BYTES = 64 * 1024

export function isForm({ 'content-type': type }: IncomingHttpHeaders): boolean {
  return type !== undefined && FORM.test(type)
}

/** A form that is being read. Who opens one closes it. */
export class ArrivingForm {
  /** The bytes of the first part. */
  readonly operation: Buffer
  readonly #parts: Parts

  private constructor(operation: Buffer, parts: Parts) {
    this.operation = operation
    this.#parts = parts
  }

  /**
   * Reads the first part. Rejects with `request_malformed` where it is not `operation`, and with `body_too_large` where it
   * is larger than `limitBytes`.
   */
  static async open(
    headers: IncomingHttpHeaders,
    body: Readable,
    limitBytes: number,
  ): Promise<ArrivingForm> {
    // `identity` says nothing, and belongs into no such header: RFC 9110, section 8.4.
    if (headers['content-encoding'] !== undefined)
      throw new ConnectorError(
        'media_type_unsupported',
        'the body must be sent as it is, without Content-Encoding',
      )
    const parts = await Parts.of(headers, body)
    try {
      const first = await parts.next()
      if (first?.name !== OPERATION_PART)
        throw malformed(`the first part of the form must be ${OPERATION_PART}, which is JSON`)
      return new ArrivingForm(await wholePart(first, limitBytes), parts)
    } catch (error) {
      parts.close()
      throw brokenForm(error)
    }
  }

  /** How many bytes of files were read. */
  get bytes(): number {
    return this.#parts.bytes
  }

  /**
   * The files behind the first part, none of which is read yet. `told`: what the operation says of them; undefined
   * where it says nothing, which is enough for one file. Rejects with `request_malformed`.
   */
  async files(told: Json = {}): Promise<ArrivingFiles> {
    const errors = checkFacts({ files: told })
    const described = isJsonObject(told) ? told : {}
    if (errors.length > 0)
      throw new ConnectorError(
        'request_malformed',
        errors.map(({ pointer, detail }) => `${pointer} ${detail}`).join('; '),
        { errors },
      )
    const first = await this.#parts.peek().catch((error: unknown) => {
      throw brokenForm(error)
    })
    const known = Object.keys(described)
    const names = known.length === 0 && first !== null ? [first.name] : known
    const [name] = names
    if (first !== null && first.name !== name)
      throw malformed(
        `the part ${JSON.stringify(first.name)} comes where ${JSON.stringify(name)} should: files come in the order of the member files`,
      )
    const files = names.map((each, index) => {
      const facts = own(described, each)
      const part = index === 0 ? first : null
      return [each, this.#file(names, index, isJsonObject(facts) ? facts : {}, part)] as const
    })
    return { given: Object.fromEntries(files), described }
  }

  /** Reads nothing more; what is still on its way is left to who carries it. */
  close(): void {
    this.#parts.close()
  }

  #file(
    names: readonly string[],
    index: number,
    { name, type, size, sha256 }: JsonObject,
    part: Part | null,
  ): FileSource {
    const parts = this.#parts
    let isOpened = false
    let isWhole = false
    const onWhole = (): void => {
      isWhole = true
    }
    return {
      id: randomUUID(),
      name: typeof name === 'string' ? name : (part?.filename ?? null),
      type: typeof type === 'string' ? type : (part?.type ?? null),
      size: typeof size === 'number' ? size : null,
      bytes: null,
      canOpen: () => !isOpened,
      open(): OpenFile {
        isOpened = true
        const digest = typeof sha256 === 'string' ? sha256 : null
        const read = (): AsyncGenerator<Uint8Array> =>
          readFile(parts, { names, index, digest, onWhole })
        return {
          [Symbol.asyncIterator]: read,
          destroy: () => {
            if (!isWhole) parts.fail(interrupted('the form was read no further'))
          },
        }
      },
      openAt: null,
    }
  }
}

const checkFacts = compileValidator(
  { type: 'object', properties: { files: FILES_MEMBER } },
  {},
  { noun: 'member', pointer: '' },
)

interface Wanted {
  readonly names: readonly string[]
  readonly index: number
  /** null: its sender said none. */
  readonly digest: string | null
  /** Called when nothing can be wrong any more. */
  readonly onWhole: () => void
}

/**
 * The bytes of a file. Its last piece is given when all is known to be right: what follows it, and its digest. Who gets them
 * has no whole file before.
 */
async function* readFile(
  parts: Parts,
  { names, index, digest, onWhole }: Wanted,
): AsyncGenerator<Uint8Array> {
  const part = await parts.next()
  const name = names[index] ?? ''
  if (part === null) throw interrupted(`the form has no part ${JSON.stringify(name)}`)
  if (part.name !== name)
    throw interrupted(
      `the part ${JSON.stringify(part.name)} comes where the third party needs ${JSON.stringify(name)}: send the files in that order`,
    )
  const hash: Hash | null = digest === null ? null : createHash('sha256')
  let held: Uint8Array | null = null
  for await (const piece of part.content as AsyncIterable<Uint8Array>) {
    if (held !== null) yield held
    held = piece
    hash?.update(piece)
    parts.bytes += piece.length
  }
  const next = await parts.peek()
  const expected = names[index + 1]
  if (next?.name !== expected)
    throw interrupted(
      next === null
        ? `the form ends before its part ${JSON.stringify(expected)}`
        : `the part ${JSON.stringify(next.name)} is not expected here: name all files in the member files of the operation, in the order of their parts`,
    )
  if (hash !== null && hash.digest('hex') !== digest)
    throw interrupted(`the file ${JSON.stringify(name)} has another sha256 than was said`)
  onWhole()
  if (held !== null) yield held
}

interface Part {
  readonly name: string
  readonly filename: string | undefined
  readonly type: string
  readonly content: Readable
}

async function wholePart({ content }: Part, limitBytes: number): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of content as AsyncIterable<Uint8Array>) {
    bytes += piece.length
    if (bytes > limitBytes) throw bodyTooLarge(limitBytes)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

type FileEvent = Parameters<BusboyEvents['file']>

/** The parts of a form in their order. A part that nobody reads holds its connection back. */
class Parts {
  bytes = 0
  readonly #body: Readable
  readonly #parser: BusboyInstance
  readonly #arrived: Part[] = []
  #current: Part | null = null
  #error: ConnectorError | null = null
  #isEnded = false
  #wake: () => void = () => {}

  private constructor(body: Readable, parser: BusboyInstance) {
    this.#body = body
    this.#parser = parser
    parser.on('file', (...[name, content, filename, , type]: FileEvent) => {
      // An error is told to who reads it; one that nobody reads has none to tell.
      content.on('error', () => {})
      this.#arrived.push({ name, filename, type, content })
      this.#wake()
    })
    parser.on('finish', () => {
      this.#isEnded = true
      this.#wake()
    })
    parser.on('partsLimit', () =>
      this.fail(interrupted(`the form has more than ${MAX_PARTS} parts`)),
    )
    parser.on('error', (cause) =>
      this.fail(interrupted('the form ends before its last boundary', cause)),
    )
    finished(body, { writable: false }, (cause) => {
      if (cause) this.fail(interrupted('the client left before the form was complete', cause))
    })
    body.pipe(parser)
  }

  /** Throws `request_malformed` for a form without a boundary. The parser is loaded by the first form. */
  static async of(headers: IncomingHttpHeaders, body: Readable): Promise<Parts> {
    const { Busboy } = await import('@fastify/busboy')
    let parser: BusboyInstance
    try {
      parser = new Busboy({
        headers: { ...headers, 'content-type': headers['content-type'] ?? '' },
        isPartAFile: () => true,
        fileHwm: HIGH_WATER_BYTES,
        limits: { parts: MAX_PARTS, headerPairs: MAX_HEADERS, headerSize: MAX_HEADER_BYTES },
      })
    } catch (cause) {
      throw malformed('the form names no boundary', cause)
    }
    return new Parts(body, parser)
  }

  /** The next part, which is taken; null: there is none. Rejects with `upload_interrupted`. */
  async next(): Promise<Part | null> {
    const part = await this.peek()
    if (part !== null) this.#current = this.#arrived.shift() ?? null
    return part
  }

  /** The next part, which stays. */
  async peek(): Promise<Part | null> {
    for (;;) {
      const [part] = this.#arrived
      if (part !== undefined) return part
      if (this.#error !== null) throw this.#error
      if (this.#isEnded) return null
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }

  /** Reads nothing more, and tells it to who waits. What is still on its way is thrown away. */
  close(): void {
    this.fail(clientLeft())
    this.#body.unpipe(this.#parser)
    for (const { content } of this.#arrived) content.destroy()
    this.#body.resume()
  }

  /** Breaks what is being read, and what still would be. */
  fail(error: ConnectorError): void {
    if (this.#error !== null || this.#isEnded) return
    this.#error = error
    this.#body.unpipe(this.#parser)
    this.#current?.content.destroy(error)
    for (const { content } of this.#arrived.splice(0)) content.destroy(error)
    this.#wake()
  }
}

/** A form that breaks before its first file asks for nothing. */
function brokenForm(error: unknown): unknown {
  if (isConnectorError(error))
    return error.code === 'upload_interrupted' ? malformed(error.message) : error
  // Of the parser.
  return malformed('the form ends in its first part', error)
}

function interrupted(message: string, cause?: unknown): ConnectorError {
  return new ConnectorError(
    'upload_interrupted',
    `${message}; nothing was completed at the third party`,
    {
      cause,
    },
  )
}

function malformed(detail: string, cause?: unknown): ConnectorError {
  if (cause !== undefined) return new ConnectorError('request_malformed', detail, { cause })
  return problemError('request_malformed', { pointer: '', code: 'form', detail })
}

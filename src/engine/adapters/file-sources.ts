// Files as host code has them (bytes, a Blob, a stream, a path) → the files of an operation.
import { createReadStream, promises } from 'node:fs'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import { type ConnectorError, problemError } from '../../errors.ts'
import type { FileSource } from '../../language/expression/file-source.ts'
import { pointerTo } from '../../language/json/pointer.ts'
import { nodeCrypto } from '../../late-modules.ts'

/** What is known of a file and not said by itself. `size`: in bytes; of a stream that does not say it. */
export interface AboutFile {
  readonly name?: string | undefined
  readonly type?: string | undefined
  readonly size?: number | undefined
}

/** A file on this machine. It is read when it is sent, and again when it is sent again. */
export interface FilePath {
  readonly path: string
}

/** Bytes that are there once: a stream of Node or of the web, or any other source of pieces. */
export type ByteStream = AsyncIterable<Uint8Array>

const BRAND: unique symbol = Symbol.for('tenon.GivenFile') as never

/** A file with what is said of it. Only `fileFrom` makes one, so that no JSON of a stranger can name a path. */
export interface GivenFile {
  readonly [BRAND]: true
  readonly source: Uint8Array | Blob | ByteStream | FilePath
  readonly about: AboutFile
}

/** A file for a parameter that takes one; text is its base64. */
export type FileInput = string | Uint8Array | Blob | ByteStream | GivenFile

/**
 * A file for a parameter, with its name, content type or size where its source does not say them:
 * `fileFrom({ path: './report.pdf' })`, `fileFrom(stream, { name: 'report.pdf', size: 1024 })`.
 */
export function fileFrom(source: GivenFile['source'], about: AboutFile = {}): GivenFile {
  return Object.freeze({ [BRAND]: true as const, source, about })
}

/** Whether a value is a file, and no JSON. */
export function isFileInput(value: unknown): value is Exclude<FileInput, string> {
  return (
    typeof value === 'object' &&
    value !== null &&
    (value instanceof Uint8Array ||
      value instanceof Blob ||
      Symbol.asyncIterator in value ||
      BRAND in value)
  )
}

/**
 * The file as an operation takes it. Throws `params_invalid` at the parameter `name` for a path that leads to no file that
 * can be read.
 */
export async function fileSourceOf(
  name: string,
  given: Exclude<FileInput, string>,
): Promise<FileSource> {
  const { source, about } = BRAND in given ? given : { source: given, about: {} }
  if (source instanceof Uint8Array) return fileOf({ size: source.length, bytes: source }, about)
  if (source instanceof Blob) return blobFile(source, about)
  if (Symbol.asyncIterator in source) return streamFile(source, about)
  return await pathFile(name, source, about)
}

type Found = Partial<Omit<FileSource, 'id'>>

/** Plain members: a copy of it reads the same file. */
function fileOf(found: Found, about: AboutFile): FileSource {
  const { bytes = null } = found
  const openBytes = (offset: number): Readable =>
    Readable.from([(bytes ?? new Uint8Array()).subarray(offset)])
  const { openAt = openBytes } = found
  return {
    id: nodeCrypto().randomUUID(),
    name: about.name ?? found.name ?? null,
    type: about.type ?? (found.type || null),
    size: found.size ?? about.size ?? null,
    bytes,
    canOpen: true,
    open: () => (openAt ?? openBytes)(0),
    openAt,
  }
}

function blobFile(blob: Blob, about: AboutFile): FileSource {
  const name = 'name' in blob && typeof blob.name === 'string' ? blob.name : null
  const openAt = (offset: number): Readable => Readable.from(blob.slice(offset).stream())
  return fileOf({ name, type: blob.type, size: blob.size, openAt }, about)
}

async function pathFile(param: string, { path }: FilePath, about: AboutFile): Promise<FileSource> {
  const found = await promises.stat(path).catch((cause: NodeJS.ErrnoException) => {
    const why =
      cause.code === 'ENOENT' ? 'there is no such file' : `it cannot be read (${cause.code})`
    throw notReadable(param, `${JSON.stringify(path)}: ${why}`)
  })
  if (!found.isFile()) throw notReadable(param, `${JSON.stringify(path)} is no file`)
  const openAt = (start: number): Readable =>
    createReadStream(path, { start, highWaterMark: PIECE_BYTES })
  return fileOf({ name: basename(path), size: found.size, openAt }, about)
}

/** Of a file that is read: fewer, larger pieces cost less. */
const PIECE_BYTES = 256 * 1024

function notReadable(param: string, detail: string): ConnectorError {
  const pointer = pointerTo('/params', [param])
  return problemError('params_invalid', { pointer, code: 'file', detail })
}

/** What can be read once. A stream that breaks before it is read is told of when it is read. */
function streamFile(source: ByteStream, about: AboutFile): FileSource {
  const stream = source instanceof Readable ? source : null
  stream?.on('error', () => {})
  let isOpened = false
  return {
    ...fileOf({ openAt: null }, about),
    get canOpen() {
      return !isOpened && stream?.readableDidRead !== true && !isLocked(source)
    },
    open() {
      isOpened = true
      return stream ?? Readable.from(source)
    },
  }
}

/** Of a stream of the web that somebody else reads. */
function isLocked(source: ByteStream): boolean {
  return 'locked' in source && source.locked === true
}

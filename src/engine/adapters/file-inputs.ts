// Files as host code has them (bytes, a Blob, a stream, a path): how they are given, the same on every platform.
import type { FileSource, OpenFile } from '../../language/expression/file-source.ts'

/** What is known of a file that the file does not say. `size`: in bytes; of a stream that does not say it. */
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
    (value instanceof Uint8Array || value instanceof Blob || isByteStream(value) || BRAND in value)
  )
}

/** Where the bytes are, and what is said of them. */
export function readFileInput(
  given: Exclude<FileInput, string>,
): Pick<GivenFile, 'source' | 'about'> {
  return BRAND in given ? given : { source: given, about: {} }
}

/** Not every browser iterates the streams of the web: they are read all the same. */
export function isByteStream(source: object): source is ByteStream {
  return Symbol.asyncIterator in source || source instanceof ReadableStream
}

type Found = Pick<FileSource, 'openAt'> &
  Partial<Pick<FileSource, 'name' | 'type' | 'size' | 'bytes' | 'blob'>>

/** Plain members: a copy of it reads the same file. */
export function fileOf({ openAt, ...found }: Found, about: AboutFile): FileSource {
  return {
    id: crypto.randomUUID(),
    name: about.name ?? found.name ?? null,
    type: about.type ?? (found.type || null),
    size: found.size ?? about.size ?? null,
    bytes: found.bytes ?? null,
    ...(found.blob === undefined ? {} : { blob: found.blob }),
    canOpen: () => true,
    open: () => open(openAt),
    openAt,
  }
}

function open(openAt: FileSource['openAt']): OpenFile {
  if (openAt === null) throw new TypeError('a file that is read once is opened by its own means')
  return openAt(0)
}

/** The name of a Blob that is a File. */
export function nameOfBlob(blob: Blob): string | null {
  return 'name' in blob && typeof blob.name === 'string' ? blob.name : null
}

/** Whether somebody else reads a stream of the web. */
export function isLocked(source: object): boolean {
  return 'locked' in source && source.locked === true
}

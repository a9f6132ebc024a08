// Files as host code has them (file-inputs.ts) → the files of an operation, in Node.
import { createReadStream, promises } from 'node:fs'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import { type ConnectorError, problemError } from '../../errors.ts'
import type { FileSource } from '../../language/expression/file-source.ts'
import { pointerTo } from '../../language/json/pointer.ts'
import {
  type AboutFile,
  type ByteStream,
  type FileInput,
  fileOf,
  type FilePath,
  isByteStream,
  isLocked,
  nameOfBlob,
  readFileInput,
} from './file-inputs.ts'

/**
 * The file as an operation takes it. Throws `params_invalid` at the parameter `name` for a path that leads to no file that
 * can be read.
 */
export async function fileSourceOf(
  name: string,
  given: Exclude<FileInput, string>,
): Promise<FileSource> {
  const { source, about } = readFileInput(given)
  if (source instanceof Uint8Array) return bytesFile(source, about)
  if (source instanceof Blob) return blobFile(source, about)
  if (isByteStream(source)) return streamFile(source, about)
  return await pathFile(name, source, about)
}

function bytesFile(bytes: Uint8Array, about: AboutFile): FileSource {
  const openAt = (offset: number): Readable => Readable.from([bytes.subarray(offset)])
  return fileOf({ size: bytes.length, bytes, openAt }, about)
}

function blobFile(blob: Blob, about: AboutFile): FileSource {
  const openAt = (offset: number): Readable => Readable.from(blob.slice(offset).stream())
  return fileOf({ name: nameOfBlob(blob), type: blob.type, size: blob.size, openAt }, about)
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
    canOpen() {
      return !isOpened && stream?.readableDidRead !== true && !isLocked(source)
    },
    open() {
      isOpened = true
      return stream ?? Readable.from(source)
    },
  }
}

// Files as host code has them (../../engine/adapters/file-inputs.ts) → the files of an operation, by the standards of the web.
import {
  type AboutFile,
  type FileInput,
  fileOf,
  isByteStream,
  isLocked,
  nameOfBlob,
  readFileInput,
} from '../../engine/adapters/file-inputs.ts'
import { problemError } from '../../errors.ts'
import type { FileSource, OpenFile } from '../../language/expression/file-source.ts'
import { pointerTo } from '../../language/json/pointer.ts'
import { isInBrowser } from './runtime.ts'

/**
 * Larger files have no digest here: the standard makes one of bytes that are all in memory. They are sent all the same,
 * without a key.
 */
const MAX_DIGEST_BYTES = 32 * 1024 * 1024

/** The file as an operation takes it. Throws `params_invalid` at the parameter for a path, and in pages for a stream. */
export async function openFile(
  param: string,
  given: Exclude<FileInput, string>,
): Promise<FileSource> {
  const { source, about } = readFileInput(given)
  if (source instanceof Uint8Array) return bytesFile(source, about)
  if (source instanceof Blob) return blobFile(source, about)
  if (!isByteStream(source))
    throw refused(param, 'a path leads to no file here: give its bytes, or a Blob or File')
  if (isInBrowser())
    throw refused(
      param,
      'browsers send no streams over HTTP/1.1: give a Blob or File; of a stream, await new Response(stream).blob()',
    )
  return streamFile(source, about)
}

/** The SHA-256 of a file in hexadecimal; null: it is too large for one. */
export async function digest(file: FileSource): Promise<string | null> {
  const { blob, size } = file
  if (blob === undefined || size === null || size > MAX_DIGEST_BYTES) return null
  const hash = await crypto.subtle.digest('SHA-256', await blob.arrayBuffer())
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

function bytesFile(bytes: Uint8Array, about: AboutFile): FileSource {
  const blob = new Blob([bytes])
  return blobOf(blob, { bytes, name: null }, about)
}

function blobFile(blob: Blob, about: AboutFile): FileSource {
  return blobOf(blob, { bytes: null, name: nameOfBlob(blob) }, about)
}

function blobOf(
  blob: Blob,
  known: Pick<FileSource, 'bytes' | 'name'>,
  about: AboutFile,
): FileSource {
  const { type, size } = blob
  const openAt = (offset: number): OpenFile => openedStream(blob.slice(offset).stream())
  return fileOf({ ...known, type, size, blob, openAt }, about)
}

/** What can be read once. */
function streamFile(source: AsyncIterable<Uint8Array>, about: AboutFile): FileSource {
  let isOpened = false
  return {
    ...fileOf({ openAt: null }, about),
    canOpen() {
      return !isOpened && !isLocked(source)
    },
    open() {
      isOpened = true
      return source instanceof ReadableStream ? openedStream(source) : openedPieces(source)
    },
  }
}

/** By its reader: not every runtime iterates streams. */
function openedStream(stream: ReadableStream<Uint8Array>): OpenFile {
  const reader = stream.getReader()
  async function destroy(error?: Error): Promise<void> {
    try {
      await reader.cancel(error)
    } catch {
      // What broke before is told to who reads it.
    }
  }
  async function* read(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const { done, value } = await reader.read()
        if (done) return
        yield value
      }
    } finally {
      await destroy()
    }
  }
  return { [Symbol.asyncIterator]: read, destroy }
}

function openedPieces(source: AsyncIterable<Uint8Array>): OpenFile {
  const pieces = source[Symbol.asyncIterator]()
  return {
    [Symbol.asyncIterator]: () => pieces,
    destroy: () => pieces.return?.().catch(() => {}),
  }
}

function refused(param: string, detail: string): Error {
  return problemError('params_invalid', {
    pointer: pointerTo('/params', [param]),
    code: 'file',
    detail,
  })
}

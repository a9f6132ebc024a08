// The file of an action that sends it in parts, and what its templates know of it.
import { problemError } from '../../errors.ts'
import type { FilesByMark, FileSource, OpenFile } from '../../language/expression/file-source.ts'
import type { Scope } from '../../language/expression/syntax.ts'
import { decodeBase64 } from '../../language/expression/text-value.ts'
import { ValueError } from '../../language/expression/value-error.ts'
import type { JsonObject } from '../../language/json/json.ts'
import { ownAt } from '../../language/json/members.ts'
import { pointerTo } from '../../language/json/pointer.ts'
import type { Upload } from '../../language/manifest/manifest.ts'

/** Where the file comes from: next to the parameters, or as base64 text in one. */
interface Given {
  readonly params: JsonObject
  readonly files: FilesByMark
}

/** The file of an upload. Throws `params_invalid` where none is given, or none that the vendor takes. */
export function uploadedFile(upload: Upload, { params, files }: Given): FileSource {
  const value = ownAt(params, upload.file) ?? null
  const refused = (detail: string): Error =>
    problemError('params_invalid', {
      pointer: pointerTo('/params', upload.file),
      code: 'file',
      detail,
    })
  if (value === null) throw refused('is needed: a file')
  const file = typeof value === 'string' ? files.get(value) : undefined
  if (file?.size === null && upload.withoutSize !== true)
    throw refused(
      'is a stream whose size is not known, and the third party must know it first; say its size, or give bytes, a Blob or a path',
    )
  if (file !== undefined) return file
  try {
    return fileInMemory(decodeBase64(value), { name: null, type: null })
  } catch (error) {
    throw error instanceof ValueError ? refused(error.message) : error
  }
}

/** What templates see of the file: a part has its place in addition. */
export function uploadScope({ name, type, size }: FileSource): NonNullable<Scope['upload']> {
  return {
    ...(name !== null && { name }),
    ...(type !== null && { type }),
    ...(size !== null && { size, total: size }),
  }
}

/** Pieces in which bytes in memory are sent, so that it is seen whether they move. */
const PIECE_BYTES = 256 * 1024

/** Bytes as a file, read in pieces. */
export function fileInMemory(
  bytes: Uint8Array,
  about: Pick<FileSource, 'name' | 'type'>,
): FileSource {
  const openAt = (offset: number): OpenFile => {
    async function* pieces(): AsyncGenerator<Uint8Array> {
      for (let at = offset; at < bytes.length; at += PIECE_BYTES)
        yield bytes.subarray(at, at + PIECE_BYTES)
    }
    return { [Symbol.asyncIterator]: pieces, destroy: () => {} }
  }
  const { name, type } = about
  return {
    id: '',
    name,
    type,
    size: bytes.length,
    bytes: null,
    canOpen: () => true,
    open: () => openAt(0),
    openAt,
  }
}

// JSON from bytes by the short way, which most answers can take.
import type { Json } from './json.ts'
import { JsonError, parsePlain } from './parse-json.ts'
import { createPlainJsonReader, type PlainJsonReader } from './plain-json-reader.ts'

/** Shorter texts are read at once in any way. */
const SHORT = 1024
/** Starting the reader takes as long as reading this much without it. */
const WORTH_STARTING = 64 * 1024

/** Undefined: not started yet; null: there is none. */
let reader: PlainJsonReader | null | undefined
/** Bytes that the reader would have been given. */
let missed = 0

/**
 * Reads one JSON text as `parseJson` does, if it can be seen from its bytes that no number of it and no nesting beyond
 * `maxDepth` needs the care of `parseJson`.
 *
 * Undefined says nothing: the bytes are to be read in the ordinary way. So are those that are no JSON, no UTF-8 or
 * begin with a byte order mark, short and very long ones, and the first ones that a process reads.
 */
export function parsePlainJson(bytes: Buffer, maxDepth = 64): Json | undefined {
  if (bytes.length < SHORT) return undefined
  if (reader === undefined) {
    missed += bytes.length
    if (missed < WORTH_STARTING) return undefined
    reader = createPlainJsonReader()
  }
  const text = reader?.textOf(bytes, maxDepth) ?? null
  if (text === null) return undefined
  try {
    return parsePlain(text)
  } catch (error) {
    // Where the mistake is, the ordinary way can tell.
    if (error instanceof JsonError) return undefined
    throw error
  }
}

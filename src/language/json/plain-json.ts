// JSON from bytes by the short way, which most answers can take.
import { jsonBlocksFor } from './json-blocks.ts'
import type { Json } from './json.ts'
import { JsonError, parsePlain } from './parse-json.ts'

/**
 * Reads one JSON text as `parseJson` does, if it can be seen from its bytes, which may lie in pieces, that no number of
 * it and no nesting beyond `maxDepth` needs the care of `parseJson`.
 *
 * Undefined says nothing: the bytes are to be read in the ordinary way. So are those that are no JSON, no UTF-8 or
 * begin with a byte order mark, short and very long ones, and the first ones that a process reads.
 */
export function parsePlainJson(pieces: readonly Buffer[], maxDepth = 64): Json | undefined {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  const text = jsonBlocksFor(length)?.plainText(pieces, maxDepth) ?? null
  if (text === null) return undefined
  try {
    return parsePlain(text)
  } catch (error) {
    // Where the mistake is, the ordinary way can tell.
    if (error instanceof JsonError) return undefined
    throw error
  }
}

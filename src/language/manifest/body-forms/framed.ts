// Bodies of several parts. Source: RFC 2046.
import { nodeCrypto } from '../../../late-modules.ts'
import type { FileSource } from '../../expression/file-source.ts'
import type { Body, BodyPiece } from './body-form.ts'

export interface WrittenPart {
  readonly headers: readonly string[]
  readonly content: BodyPiece
}

/**
 * The parts with a boundary that none of them can hold: it is made of a hash over all of them. Of a file that is read
 * later its id is hashed, which nobody can guess who wrote the file.
 */
export function framed(parts: readonly WrittenPart[], type: string): Body {
  const hash = nodeCrypto().createHash('sha256')
  for (const { headers, content } of parts)
    hash
      .update(headers.join('\r\n'))
      .update('\0')
      .update(isBytes(content) ? content : content.id)
  const boundary = `tenon-${hash.digest('hex').slice(0, 32)}`
  const pieces = parts.flatMap(({ headers, content }) => [
    Buffer.from(`--${boundary}\r\n${headers.join('\r\n')}\r\n\r\n`),
    content,
    Buffer.from('\r\n'),
  ])
  return {
    content: joined([...pieces, Buffer.from(`--${boundary}--\r\n`)]),
    type: `${type}; boundary=${boundary}`,
  }
}

/** One piece where all is in memory; else bytes and files in turn. */
function joined(pieces: readonly BodyPiece[]): Uint8Array | readonly BodyPiece[] {
  if (pieces.every(isBytes)) return Buffer.concat(pieces)
  const together: BodyPiece[] = []
  let waiting: Uint8Array[] = []
  const settle = (): void => {
    if (waiting.length > 0) together.push(Buffer.concat(waiting))
    waiting = []
  }
  for (const piece of pieces) {
    if (isBytes(piece)) waiting.push(piece)
    else {
      settle()
      together.push(piece)
    }
  }
  settle()
  return together
}

function isBytes(piece: Uint8Array | FileSource): piece is Uint8Array {
  return piece instanceof Uint8Array
}

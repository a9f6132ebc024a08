// Archives to the files in them.
import { ConnectorError, type Outcome } from '../../errors.ts'
import { nodeZlib, whenLoaded, zipReader } from '../../late-modules.ts'
import type { ResponseRules } from '../../language/manifest/manifest.ts'

/** How an answer is packed. */
export type Packing = NonNullable<ResponseRules['unpack']>[number]

/** Bytes that come out of one answer, all its files together: as many as an answer may have that is not packed. */
const MAX_BYTES = 32 * 1024 * 1024
/** Bytes that come out for each that went in, judged beyond the first MiB. */
const MAX_RATIO = 200
const RATIO_FREE_BYTES = 1024 * 1024
/** Files of one archive. */
const MAX_FILES = 10_000

/**
 * The files of a packed answer in their order, `packings` undone from left to right; of an empty answer none.
 *
 * Stops as soon as more has come out than an answer may have, or far more than was sent, whatever an archive says about
 * its sizes: a bomb costs that much memory and no more. Folders are left out. Throws `upstream_response_too_large`, and
 * `upstream_malformed` for what is not packed so, is damaged or is encrypted; `outcome`: what that says about a write.
 */
export async function unpackBody(
  body: Buffer,
  packings: readonly Packing[],
  outcome: Outcome,
): Promise<readonly Buffer[]> {
  let files: readonly Buffer[] = body.length === 0 ? [] : [body]
  for (const packing of packings) {
    const room = roomFor(files)
    const unpacked: Buffer[] = []
    for (const file of files) {
      try {
        await UNPACK[packing](file, room, unpacked)
      } catch (error) {
        throw unpackError(error, packing, outcome)
      }
    }
    files = unpacked
  }
  return files
}

/** How many bytes may still come out. */
interface Room {
  left: number
}

function roomFor(files: readonly Buffer[]): Room {
  const packed = files.reduce((sum, { length }) => sum + length, 0)
  return { left: Math.min(MAX_BYTES, Math.max(packed * MAX_RATIO, RATIO_FREE_BYTES)) }
}

const UNPACK: Readonly<
  Record<Packing, (packed: Buffer, room: Room, files: Buffer[]) => Promise<void>>
> = {
  gzip: async (packed, room, files) => {
    const { createGunzip } = nodeZlib()
    const gunzip = createGunzip()
    gunzip.end(packed)
    const file = await readAll(gunzip, room)
    // Zeros behind the last member are padding. What stands behind them would be left out without a word.
    if (packed.subarray(gunzip.bytesWritten).some((byte) => byte !== 0))
      throw new Unreadable('something stands behind its end')
    files.push(file)
  },
  zip: async (packed, room, files) => {
    const archive = await (await whenLoaded(zipReader)).fromBufferPromise(packed)
    if (archive.entryCount > MAX_FILES) throw new TooLarge()
    for await (const entry of archive.eachEntry()) {
      if (entry.fileName.endsWith('/')) continue
      if (entry.isEncrypted()) throw new Unreadable('a file of the archive is encrypted')
      const file = await readAll(await archive.openReadStreamPromise(entry), room)
      if (nodeZlib().crc32(file) !== entry.crc32)
        throw new Unreadable('a file of the archive is damaged')
      files.push(file)
    }
  },
}

async function readAll(stream: AsyncIterable<Buffer>, room: Room): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of stream) {
    room.left -= piece.length
    if (room.left < 0) throw new TooLarge()
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

class TooLarge extends Error {}
class Unreadable extends Error {}

function unpackError(error: unknown, packing: Packing, outcome: Outcome): ConnectorError {
  if (error instanceof TooLarge) {
    const message = 'The answer of the third party is too large when it is unpacked'
    return new ConnectorError('upstream_response_too_large', message, { outcome })
  }
  const reason =
    error instanceof Unreadable ? error.message : `it is no ${packing} archive, or is damaged`
  const message = `The answer of the third party cannot be read: ${reason}`
  return new ConnectorError('upstream_malformed', message, { outcome, cause: error })
}

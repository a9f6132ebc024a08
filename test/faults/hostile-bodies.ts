// Bodies that hurt a reader that does not look.
import { constants, deflateRawSync, gzipSync } from 'node:zlib'

const MIB = 1024 * 1024

/** A gzip header: no name, no time, unknown system (RFC 1952, section 2.3). */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])

/** An empty last block, then a checksum and a length that nobody reaches. */
const GZIP_END = Buffer.from([0x03, 0x00, 0, 0, 0, 0, 0, 0, 0, 0])

/**
 * One gzip stream that inflates to `mib` MiB of zeros, about a thousandth of that in size. The same compressed block
 * is written again and again, so it costs nothing to make.
 */
export function gzipBomb(mib: number): Buffer {
  const block = deflateRawSync(Buffer.alloc(MIB), { finishFlush: constants.Z_FULL_FLUSH })
  return Buffer.concat([GZIP_HEADER, ...Array<Buffer>(mib).fill(block), GZIP_END])
}

/** The same as many gzip files behind each other, which is valid gzip too. */
export function gzipBombOfMembers(mib: number): Buffer {
  return Buffer.concat(Array<Buffer>(mib).fill(gzipSync(Buffer.alloc(MIB))))
}

/** `depth` arrays inside each other. */
export function deepJson(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth)
}

/** An array of small objects, at least `bytes` long. */
export function hugeJson(bytes: number): string {
  const item = '{"id":"1234567890","name":"a name of ordinary length"}'
  return `[${Array<string>(Math.ceil(bytes / (item.length + 1)))
    .fill(item)
    .join(',')}]`
}

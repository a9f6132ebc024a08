// The picture of an application: which files may be one. What is shown to users is decided by the bytes, never by a name
// or a claim; a file that is anything else as well (a page, an archive, a program) is refused.
import type { ServiceReply } from './route.ts'

/** What a picture is served as. */
type LogoType = 'image/png' | 'image/jpeg' | 'image/webp'

export const MAX_LOGO_BYTES: number = 64 * 1024
/** Of each side: a small file may claim to be large enough to fill a browser's memory. */
export const MAX_LOGO_PIXELS = 1024

interface Format {
  readonly type: LogoType
  /** Whether a file begins as one. */
  readonly begins: (file: Buffer) => boolean
  /** Its size in pixels; a text says what is wrong with it. */
  readonly measure: (file: Buffer) => readonly [width: number, height: number] | string
}

const DAMAGED = 'is cut off or damaged, or has something behind its end'
const MOVES = 'is animated; give a picture that stands still'

const FORMATS: readonly Format[] = [
  {
    type: 'image/png',
    begins: (file) => file.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n',
    measure: measurePng,
  },
  {
    type: 'image/jpeg',
    begins: (file) => file.toString('latin1', 0, 3) === '\xff\xd8\xff',
    measure: measureJpeg,
  },
  {
    type: 'image/webp',
    begins: (file) =>
      file.toString('latin1', 0, 4) === 'RIFF' && file.toString('latin1', 8, 12) === 'WEBP',
    measure: measureWebp,
  },
]

/** The picture for pages of ours alone, as what its bytes are. */
export function logoReply(image: Uint8Array): ServiceReply {
  const bytes = Buffer.from(image.buffer, image.byteOffset, image.byteLength)
  const format = FORMATS.find(({ begins }) => begins(bytes))
  return {
    status: 200,
    headers: {
      'content-type': format?.type ?? 'application/octet-stream',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'private, max-age=600',
    },
    content: { before: '', bytes, after: '' },
  }
}

/** Why a file cannot be the picture of an application, as the end of a sentence; null: it can. */
export function logoProblem(file: Buffer): string | null {
  if (file.length > MAX_LOGO_BYTES)
    return `has ${file.length} bytes; the largest picture has ${MAX_LOGO_BYTES}`
  const format = FORMATS.find(({ begins }) => begins(file))
  if (format === undefined)
    return 'is no PNG, JPEG or WebP; other pictures, SVG among them, have to be converted to one of these'
  const size = format.measure(file)
  if (typeof size === 'string') return size
  const [width, height] = size
  return Math.min(width, height) >= 1 && Math.max(width, height) <= MAX_LOGO_PIXELS
    ? null
    : `has ${width} × ${height} pixels; each side has 1 to ${MAX_LOGO_PIXELS}`
}

/** Chunks up to IEND, which ends the file. Source: PNG (Third Edition), sections 5.3, 11.2 and 11.3.6. */
function measurePng(file: Buffer): ReturnType<Format['measure']> {
  if (file.toString('latin1', 12, 16) !== 'IHDR') return DAMAGED
  for (let at = 8; at + 12 <= file.length;) {
    const kind = file.toString('latin1', at + 4, at + 8)
    at += 12 + file.readUInt32BE(at)
    if (kind === 'acTL') return MOVES
    if (kind === 'IEND')
      return at === file.length ? [file.readUInt32BE(16), file.readUInt32BE(20)] : DAMAGED
  }
  return DAMAGED
}

/** Segments up to the scan, of which one is the frame. Source: ITU-T T.81, annex B. */
function measureJpeg(file: Buffer): ReturnType<Format['measure']> {
  let size: readonly [number, number] | null = null
  for (let at = 2; at + 9 < file.length && file[at] === 0xff;) {
    const marker = file.readUInt8(at + 1)
    if (isFrame(marker)) size = [file.readUInt16BE(at + 7), file.readUInt16BE(at + 5)]
    const isWhole = file.readUInt16BE(file.length - 2) === 0xffd9
    if (marker === 0xda) return size !== null && isWhole ? size : DAMAGED
    at += 2 + file.readUInt16BE(at + 2)
  }
  return DAMAGED
}

/** SOF0 to SOF15, without the three of that range that are other things (DHT, JPG, DAC). */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
}

/** One RIFF file whose first chunk has the size. Source: RFC 9649, sections 2.4 to 2.7. */
function measureWebp(file: Buffer): ReturnType<Format['measure']> {
  if (file.length < 30 || file.readUInt32LE(4) + 8 !== file.length) return DAMAGED
  switch (file.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return [file.readUInt16LE(26) & 0x3fff, file.readUInt16LE(28) & 0x3fff]
    case 'VP8L': {
      const bits = file.readUInt32LE(21)
      return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1]
    }
    case 'VP8X':
      return (file.readUInt8(20) & 2) === 0
        ? [file.readUIntLE(24, 3) + 1, file.readUIntLE(27, 3) + 1]
        : MOVES
    default:
      return DAMAGED
  }
}

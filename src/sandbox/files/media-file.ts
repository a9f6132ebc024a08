// Files that exist only as a rule: any size, any part of them at once, always the same bytes.
import { Readable } from 'node:stream'

export interface MediaFile {
  readonly contentType: string
  /** In bytes, head included. */
  readonly size: number
  /** A strong entity tag, with its quotation marks. */
  readonly etag: string
  /** The bytes from `start` to `end`, both included. Made while they are read, never held as a whole. */
  read(start: number, end: number): Readable
}

/** One format: the bytes before the content, and a block of content whose frames repeat to the end. */
interface Format {
  head(contentBytes: number): Buffer
  block(): Buffer
  /** Where in a block its own number goes, so that no two blocks are equal. */
  readonly mark: number
}

/** A multiple of every frame and sample size below. */
const BLOCK_BYTES = 48 * 1024
const MP3_FRAME_BYTES = 384

const FORMATS: Readonly<Record<string, Format>> = {
  'audio/wav': { head: wavHead, block: sineBlock, mark: 0 },
  'audio/mpeg': { head: () => Buffer.alloc(0), block: silentFrames, mark: MP3_FRAME_BYTES - 4 },
  'video/mp4': { head: mp4Head, block: plainBlock, mark: 0 },
}
const PLAIN: Format = { head: () => Buffer.alloc(0), block: plainBlock, mark: 0 }

/** What stands for a whole family of types. */
const FAMILIES: Readonly<Record<string, string>> = {
  audio: 'audio/mpeg',
  video: 'video/mp4',
  image: 'image/png',
  text: 'text/plain',
  '*': 'application/octet-stream',
}

/** The content type that a list such as `['audio/*', 'application/pdf']` is answered with. */
export function contentTypeFor(types: readonly string[]): string {
  const [first = '*/*'] = types
  const [family = '*', kind = '*'] = first.split('/')
  return kind === '*' ? (FAMILIES[family] ?? 'application/octet-stream') : first
}

/**
 * A file of `size` bytes. WAV (a soft tone), MP3 (silent 128 kbit/s frames) and MP4 (an empty film with its data)
 * open in players; other types are a pattern. Sizes below the head of a format are raised to it.
 */
export function createMediaFile(options: {
  readonly name: string
  readonly contentType: string
  readonly size: number
}): MediaFile {
  const format = FORMATS[options.contentType] ?? PLAIN
  const smallest = format.head(0).length
  const size = Math.max(options.size, smallest)
  const head = format.head(size - smallest)
  const pattern = format.block()
  return {
    contentType: options.contentType,
    size,
    etag: `"${Buffer.from(`${options.name}:${size}`).toString('base64url')}"`,
    read: (start, end) =>
      Readable.from(bytesOf({ head, pattern, mark: format.mark, start, end }), {
        objectMode: false,
        highWaterMark: 4 * BLOCK_BYTES,
      }),
  }
}

function* bytesOf(file: {
  readonly head: Buffer
  readonly pattern: Buffer
  readonly mark: number
  readonly start: number
  readonly end: number
}): Generator<Buffer> {
  const { head, pattern, mark, end } = file
  let position = file.start
  if (position < head.length) {
    yield head.subarray(position, Math.min(head.length, end + 1))
    position = head.length
  }
  while (position <= end) {
    const content = position - head.length
    const number = Math.floor(content / BLOCK_BYTES)
    const from = content % BLOCK_BYTES
    const block = Buffer.from(pattern)
    block.writeUInt32LE(number >>> 0, mark)
    const to = Math.min(BLOCK_BYTES, from + (end - position + 1))
    yield block.subarray(from, to)
    position += to - from
  }
}

/** RIFF header of 16-bit mono PCM at 48 kHz. */
function wavHead(contentBytes: number): Buffer {
  const format = Buffer.alloc(16)
  format.writeUInt32LE(0x0001_0001, 0) // PCM, one channel
  format.writeUInt32LE(48_000, 4)
  format.writeUInt32LE(96_000, 8)
  format.writeUInt32LE(0x0010_0002, 12) // bytes per frame, bits per sample
  return Buffer.concat([
    chunkHead('RIFF', 36 + contentBytes),
    Buffer.from('WAVE', 'latin1'),
    chunkHead('fmt ', format.length),
    format,
    chunkHead('data', contentBytes),
  ])
}

function chunkHead(type: string, bytes: number): Buffer {
  const head = Buffer.from(`${type}0000`, 'latin1')
  head.writeUInt32LE(bytes, 4)
  return head
}

/** 375 Hz: 128 samples per wave, so that blocks join without a click. */
function sineBlock(): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES)
  for (let sample = 0; sample < BLOCK_BYTES / 2; sample++) {
    block.writeInt16LE(Math.round(2_000 * Math.sin((2 * Math.PI * sample) / 128)), sample * 2)
  }
  return block
}

/** MPEG-1 layer III, 128 kbit/s, 48 kHz, mono: a frame is 384 bytes. Empty side information means silence. */
function silentFrames(): Buffer {
  const block = Buffer.alloc(BLOCK_BYTES)
  for (let at = 0; at < BLOCK_BYTES; at += MP3_FRAME_BYTES) block.writeUInt32BE(0xfffb94c0, at)
  return block
}

function plainBlock(): Buffer {
  return Buffer.from(Uint8Array.from({ length: BLOCK_BYTES }, (_, index) => (index * 31) % 251))
}

/** `ftyp`, an empty `moov`, and the start of `mdat`. */
function mp4Head(contentBytes: number): Buffer {
  const mvhd = Buffer.alloc(100)
  mvhd.writeUInt32BE(1_000, 12) // time units per second
  mvhd.writeUInt32BE(0x00010000, 20) // rate 1.0
  mvhd.writeUInt16BE(0x0100, 24) // volume 1.0
  mvhd.writeUInt32BE(0x00010000, 36) // unity matrix, with the next two
  mvhd.writeUInt32BE(0x00010000, 52)
  mvhd.writeUInt32BE(0x40000000, 68)
  mvhd.writeUInt32BE(1, 96) // next track
  return Buffer.concat([
    box('ftyp', Buffer.from('isom\0\0\x02\0isomiso2mp41', 'latin1')),
    box('moov', box('mvhd', mvhd)),
    boxHead('mdat', contentBytes),
  ])
}

function box(type: string, content: Buffer): Buffer {
  return Buffer.concat([boxHead(type, content.length), content])
}

function boxHead(type: string, contentBytes: number): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(contentBytes + 8, 0)
  head.write(type, 4, 'latin1')
  return head
}

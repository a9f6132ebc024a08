import { expect, test } from 'vitest'
import { logoProblem, logoReply, MAX_LOGO_BYTES } from '../../src/service/logo-image.ts'
import { chunk, JPEG, PNG, webp, WEBP, WEBP_LOSSLESS } from '../fixtures/pictures.ts'

const FORMS = [
  { name: 'PNG', file: PNG, type: 'image/png' },
  { name: 'JPEG', file: JPEG, type: 'image/jpeg' },
  { name: 'WebP', file: WEBP, type: 'image/webp' },
  { name: 'lossless WebP', file: WEBP_LOSSLESS, type: 'image/webp' },
]

test.for(FORMS)('a $name is taken, and served as what it is', ({ file, type }) => {
  expect(logoProblem(file)).toBe(null)
  expect(logoReply(file)).toMatchObject({
    headers: { 'content-type': type, 'content-security-policy': "default-src 'none'; sandbox" },
    content: { bytes: file },
  })
})

test.for(FORMS)(
  'P11 a $name that is cut off anywhere is refused, without an exception',
  ({ file }) => {
    for (let length = 0; length < file.length; length++)
      expect.soft(logoProblem(file.subarray(0, length)), String(length)).not.toBe(null)
  },
)

const SCRIPT = Buffer.from('<script>alert(1)</script>')
const sized = (file: Buffer, at: number, bytes: readonly number[]): Buffer => {
  const other = Buffer.from(file)
  other.set(bytes, at)
  return other
}
const pngChunk = (name: string, data: Buffer): Buffer => {
  const head = Buffer.from(`....${name}`)
  head.writeUInt32BE(data.length)
  return Buffer.concat([head, data, Buffer.alloc(4)])
}
const ANIMATED_PNG = Buffer.concat([
  PNG.subarray(0, 33),
  pngChunk('acTL', Buffer.alloc(8)),
  PNG.subarray(33),
])
const JPEG_SIZE = JPEG.indexOf(Buffer.from([0xff, 0xc0])) + 5

test.for([
  { name: 'nothing', file: Buffer.alloc(0), says: /no PNG, JPEG or WebP/ },
  { name: 'an SVG', file: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), says: /SVG/ },
  { name: 'a page', file: Buffer.concat([Buffer.from('<!doctype html>'), SCRIPT]), says: /no PNG/ },
  { name: 'a GIF', file: Buffer.from('GIF89a'), says: /no PNG/ },
  {
    name: 'a PNG with a page behind it',
    file: Buffer.concat([PNG, SCRIPT]),
    says: /behind its end/,
  },
  { name: 'a JPEG with a page behind it', file: Buffer.concat([JPEG, SCRIPT]), says: /behind/ },
  { name: 'a WebP with a page behind it', file: Buffer.concat([WEBP, SCRIPT]), says: /behind/ },
  { name: 'a page before a PNG', file: Buffer.concat([SCRIPT, PNG]), says: /no PNG/ },
  { name: 'a huge PNG in few bytes', file: sized(PNG, 16, [0, 0, 0x75, 0x30]), says: /30000 × 16/ },
  { name: 'a PNG without width', file: sized(PNG, 16, [0, 0, 0, 0]), says: /0 × 16/ },
  { name: 'a huge JPEG in few bytes', file: sized(JPEG, JPEG_SIZE, [0xff, 0xff]), says: /65535/ },
  { name: 'a huge WebP in few bytes', file: sized(WEBP, 24, [255, 255, 255]), says: /16777216/ },
  { name: 'a PNG that moves', file: ANIMATED_PNG, says: /animated/ },
  { name: 'a WebP that moves', file: sized(WEBP, 20, [2]), says: /animated/ },
  { name: 'a WebP of another kind', file: webp(chunk('JUNK', Buffer.alloc(20))), says: /damaged/ },
  { name: 'a large file', file: Buffer.alloc(MAX_LOGO_BYTES + 1), says: /65537 bytes/ },
  { name: 'a chunk of 4 GB', file: sized(PNG, 33, [255, 255, 255, 255]), says: /damaged/ },
])('P11 $name is refused', ({ file, says }) => {
  expect(logoProblem(file)).toMatch(says)
})

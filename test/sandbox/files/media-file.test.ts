import { buffer } from 'node:stream/consumers'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { contentTypeFor, createMediaFile } from '../../../src/sandbox/files/media-file.ts'
import { eventually } from '../../faults/resources.ts'
import { sized } from '../../fixtures/sizes.ts'

const MIB = 1024 * 1024
/** Of a file of 1 GiB so much is read. */
const READ = sized(256, 512) * MIB

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Bytes of buffers that something still refers to, and of those whose memory another thread is still giving back. */
function heldBytes(): number {
  collectGarbage()
  return process.memoryUsage().arrayBuffers
}

test('a WAV file says its length and holds a tone', async () => {
  const file = createMediaFile({ name: 'a', contentType: 'audio/wav', size: 96_044 })
  const bytes = await buffer(file.read(0, file.size - 1))
  expect(bytes.length).toBe(96_044)
  expect(bytes.toString('latin1', 0, 4)).toBe('RIFF')
  expect(bytes.toString('latin1', 8, 16)).toBe('WAVEfmt ')
  expect(bytes.readUInt32LE(40)).toBe(96_000)
  expect(bytes.readInt16LE(44 + 2 * 32)).toBe(2_000)
})

test('an MP3 file is a row of frames', async () => {
  const file = createMediaFile({ name: 'a', contentType: 'audio/mpeg', size: 3 * 384 })
  const bytes = await buffer(file.read(0, file.size - 1))
  expect([0, 384, 768].map((at) => bytes.readUInt32BE(at).toString(16))).toEqual([
    'fffb94c0',
    'fffb94c0',
    'fffb94c0',
  ])
})

test('an MP4 file is a row of boxes that ends where the file ends', async () => {
  const file = createMediaFile({ name: 'a', contentType: 'video/mp4', size: 70_000 })
  const bytes = await buffer(file.read(0, file.size - 1))
  const boxes: string[] = []
  let at = 0
  for (; at < bytes.length; at += bytes.readUInt32BE(at))
    boxes.push(bytes.toString('latin1', at + 4, at + 8))
  expect(boxes).toEqual(['ftyp', 'moov', 'mdat'])
  expect(at).toBe(70_000)
})

test('a size below the head of the format is raised to it', () => {
  expect(createMediaFile({ name: 'a', contentType: 'audio/wav', size: 0 }).size).toBe(44)
})

test.for(['audio/wav', 'audio/mpeg', 'video/mp4', 'application/pdf'])(
  'any part of %s equals the same part of the whole',
  async (contentType) => {
    const file = createMediaFile({ name: 'a', contentType, size: 200_001 })
    const whole = await buffer(file.read(0, file.size - 1))
    expect(whole.length).toBe(200_001)
    for (const [start, end] of [
      [0, 0],
      [10, 60],
      [43, 44],
      [49_151, 49_152],
      [100_000, 200_000],
      [200_000, 200_000],
    ] as const) {
      expect((await buffer(file.read(start, end))).equals(whole.subarray(start, end + 1))).toBe(
        true,
      )
    }
  },
)

test('blocks of one file differ, so that lost or swapped parts show', async () => {
  const file = createMediaFile({ name: 'a', contentType: 'audio/mpeg', size: 100_000 })
  const first = await buffer(file.read(0, 49_151))
  const second = await buffer(file.read(49_152, 98_303))
  expect(first.equals(second)).toBe(false)
})

test('a file of 1 GiB costs no memory', async () => {
  const file = createMediaFile({ name: 'a', contentType: 'audio/wav', size: 1024 * MIB })
  const before = heldBytes()
  let bytes = 0
  for await (const chunk of file.read(0, READ - 1)) {
    // What is still held in the middle: what was read before and has gone does not count.
    if (bytes < READ / 2 && bytes + (chunk as Buffer).length >= READ / 2)
      await eventually(() => heldBytes() - before < 8 * MIB)
    bytes += (chunk as Buffer).length
  }
  expect(bytes).toBe(READ)
})

test.for([
  { types: ['audio/*', '*/octet-stream'], want: 'audio/mpeg' },
  { types: ['video/*'], want: 'video/mp4' },
  { types: ['application/pdf'], want: 'application/pdf' },
  { types: [], want: 'application/octet-stream' },
])('the types $types are answered with $want', ({ types, want }) =>
  expect(contentTypeFor(types)).toBe(want),
)

import { gunzipSync, gzipSync } from 'node:zlib'

import { describe, expect, test } from 'vitest'

import { decodeFiles, type Decode } from '../../../src/engine/response/decode.ts'
import { type Packing, unpackBody } from '../../../src/engine/response/unpack.ts'
import { pack } from '../../../src/sandbox/wire/pack.ts'

// Made by the zipfile and gzip modules of Python.
const CSV_IN_ZIP =
  'UEsDBBQAAAAIAIMYIlgHUSbiDwAAAA0AAAAFAAAAYS5jc3bLTNHJ4zLUqeAy0qnkAgBQSwECFAMUAAAACACDGCJYB1Em4g8AAAANAAAABQAAAAAAAAAAAAAAgAEAAAAAYS5jc3ZQSwUGAAAAAAEAAQAzAAAAMgAAAAAA'
const TWO_FILES_AND_A_FOLDER =
  'UEsDBBQAAAAIAIMYIlgAAAAAAgAAAAAAAAAEAAAAb3V0LwMAUEsDBBQAAAAIAIMYIlhUbZ3ZCwAAAAkAAAALAAAAb3V0LzEuanNvbmyrVspMUbIyrOUCAFBLAwQUAAAACACDGCJYwZT5chAAAAASAAAACwAAAG91dC8yLmpzb25sq1bKTFGyMqrlqgYzjGu5AFBLAQIUAxQAAAAIAIMYIlgAAAAAAgAAAAAAAAAEAAAAAAAAAAAAAACAAQAAAABvdXQvUEsBAhQDFAAAAAgAgxgiWFRtndkLAAAACQAAAAsAAAAAAAAAAAAAAIABJAAAAG91dC8xLmpzb25sUEsBAhQDFAAAAAgAgxgiWMGU+XIQAAAAEgAAAAsAAAAAAAAAAAAAAIABWAAAAG91dC8yLmpzb25sUEsFBgAAAAADAAMApAAAAJEAAAAAAA=='
const GZIPS_IN_ZIP =
  'UEsDBBQAAAAIAIMYIliOJzOIHAAAAB0AAAAJAAAAMS5qc29uLmd6k+/mYAABJubVYad8AjcZrXnKxBCSO/cmJ1AQAFBLAwQUAAAACACDGCJYb+Ts/hwAAAAdAAAACQAAADIuanNvbi5nepPv5mAAASbm1WGnfAI3Ga16ysTAe/n2bU6gIABQSwECFAMUAAAACACDGCJYjicziBwAAAAdAAAACQAAAAAAAAAAAAAAgAEAAAAAMS5qc29uLmd6UEsBAhQDFAAAAAgAgxgiWG/k7P4cAAAAHQAAAAkAAAAAAAAAAAAAAIABQwAAADIuanNvbi5nelBLBQYAAAAAAgACAG4AAACGAAAAAAA='
const JSON_IN_GZIP = 'H4sIAAAAAAACA6tWSlSyijbUMYqtBQCE29YXCwAAAA=='

const bytes = (text: string): Buffer => Buffer.from(text, 'base64')
const read = async (body: Buffer, unpack: readonly Packing[], decode: Decode): Promise<unknown> =>
  decodeFiles(await unpackBody(body, unpack, 'not_applied'), decode, 'not_applied')

test.for<{ name: string; body: string; unpack: readonly Packing[]; decode: Decode; want: unknown }>(
  [
    {
      name: 'JSON in gzip',
      body: JSON_IN_GZIP,
      unpack: ['gzip'],
      decode: 'json',
      want: { a: [1, 2] },
    },
    {
      name: 'a table in zip',
      body: CSV_IN_ZIP,
      unpack: ['zip'],
      decode: 'csv',
      want: [
        { id: '1', n: 'x' },
        { id: '2', n: 'y' },
      ],
    },
    {
      name: 'lines in two files of a folder',
      body: TWO_FILES_AND_A_FOLDER,
      unpack: ['zip'],
      decode: 'jsonl',
      want: [{ id: 1 }, { id: 2 }, { id: 3 }],
    },
    {
      name: 'files in gzip in a zip',
      body: GZIPS_IN_ZIP,
      unpack: ['zip', 'gzip'],
      decode: 'jsonl',
      want: [{ id: 1 }, { id: 2 }],
    },
    { name: 'nothing at all', body: '', unpack: ['zip', 'gzip'], decode: 'csv', want: undefined },
  ],
)('$name', async ({ body, unpack, decode, want }) => {
  expect(await read(bytes(body), unpack, decode)).toEqual(want)
})

test('what the sandbox packs is read, by Node as well', async () => {
  const file = Buffer.from('{"id":1}\n')
  expect(gunzipSync(pack(file, ['gzip']))).toEqual(file)
  const packed = pack(file, ['zip', 'gzip'])
  expect(await unpackBody(packed, ['zip', 'gzip'], 'not_applied')).toEqual([file])
})

describe('what cannot be unpacked', () => {
  const damaged = bytes(CSV_IN_ZIP)
  // A byte of the text of the file, and the checksum says so.
  damaged.writeUInt8(0x32, 49)
  const encrypted = bytes(CSV_IN_ZIP)
  encrypted.writeUInt16LE(1, 6)
  encrypted.writeUInt16LE(1, 58)
  test.for<{ name: string; body: Buffer; unpack: readonly Packing[]; decode?: Decode }>([
    { name: 'U6 plain text as gzip', body: Buffer.from('id,n\n'), unpack: ['gzip'] },
    { name: 'U6 plain text as zip', body: Buffer.from('id,n\n'), unpack: ['zip'] },
    { name: 'U6 gzip cut off', body: bytes(JSON_IN_GZIP).subarray(0, 20), unpack: ['gzip'] },
    {
      name: 'a second member behind padding',
      body: Buffer.concat([gzipSync('a\n1\n'), Buffer.alloc(8), gzipSync('2\n')]),
      unpack: ['gzip'],
    },
    {
      name: 'text behind the last member',
      body: Buffer.concat([gzipSync('a\n1\n'), Buffer.from('more')]),
      unpack: ['gzip'],
    },
    { name: 'U6 zip cut off', body: bytes(CSV_IN_ZIP).subarray(0, 90), unpack: ['zip'] },
    { name: 'U6 a damaged file', body: damaged, unpack: ['zip'] },
    { name: 'an encrypted file', body: encrypted, unpack: ['zip'] },
    {
      name: 'several files that are no lists',
      body: bytes(TWO_FILES_AND_A_FOLDER),
      unpack: ['zip'],
      decode: 'text',
    },
  ])('$name', async ({ body, unpack, decode = 'csv' }) => {
    await expect(read(body, unpack, decode)).rejects.toMatchObject({
      code: 'upstream_malformed',
      outcome: 'not_applied',
    })
  })

  const bomb = gzipSync(Buffer.alloc(48 * 1024 * 1024))
  test.for<{ name: string; body: Buffer; unpack: readonly Packing[] }>([
    { name: 'U6 gzip of 48 MiB', body: bomb, unpack: ['gzip'] },
    { name: 'U6 gzip in gzip', body: gzipSync(bomb), unpack: ['gzip', 'gzip'] },
    {
      name: 'U6 zip of 48 MiB',
      body: pack(Buffer.alloc(48 * 1024 * 1024), ['zip']),
      unpack: ['zip'],
    },
  ])('$name is too large', async ({ body, unpack }) => {
    expect(body.length).toBeLessThan(100_000)
    await expect(read(body, unpack, 'text')).rejects.toMatchObject({
      code: 'upstream_response_too_large',
      message: 'The answer of the third party is too large when it is unpacked',
    })
  })
})

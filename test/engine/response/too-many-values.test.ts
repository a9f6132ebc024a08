// Answers that are small on the wire and large in memory.
import { describe, expect, test } from 'vitest'
import { decodeBody, decodeFiles, type Decode } from '../../../src/engine/response/decode.ts'
import { loadAtOnce } from '../../../src/late-modules.ts'

loadAtOnce()

const TOO_LARGE = expect.objectContaining({ code: 'upstream_response_too_large' }) as Error

describe('an answer of millions of values is refused before they are made', () => {
  test.for<{ name: string; decode: Decode; body: () => string }>([
    // Sixteen million lines, which fit into 32 MiB, ended the process.
    { name: 'lines of a table', decode: 'csv', body: () => `a\n${'1\n'.repeat(1_000_001)}` },
    { name: 'empty lines of a table', decode: 'csv', body: () => `a\n${'\n'.repeat(1_048_577)}` },
    { name: 'columns of a table', decode: 'csv', body: () => ','.repeat(4_000_001) },
    { name: 'quotation marks', decode: 'csv', body: () => `a\n"${'""'.repeat(4_000_001)}"` },
    { name: 'lines of JSON', decode: 'jsonl', body: () => '1\n'.repeat(1_000_001) },
    { name: 'lists', decode: 'json', body: () => `[${'[],'.repeat(800_001)}1]` },
    { name: 'objects', decode: 'json', body: () => `[${'{},'.repeat(800_001)}1]` },
    { name: 'numbers', decode: 'json', body: () => `[${'1,'.repeat(4_000_001)}1]` },
    { name: 'results of a tool', decode: 'content', body: () => `[${'1,'.repeat(4_000_001)}1]` },
  ])('U6 X3 $name', ({ decode, body }) => {
    expect(() => decodeBody(Buffer.from(body()), undefined, decode)).toThrow(TOO_LARGE)
  })

  test.for<{ decode: Decode; file: string }>([
    { decode: 'csv', file: `a\n${'1\n'.repeat(400_000)}` },
    { decode: 'json', file: `[${'[],'.repeat(300_000)}1]` },
  ])('U6 X3 also of several files of $decode together', ({ decode, file }) => {
    const files = [0, 1, 2].map(() => Buffer.from(file))
    expect(() => decodeFiles(files, decode, 'not_applied')).toThrow(TOO_LARGE)
  })

  test('U6 X3 XML with millions of characters that are written as entities', () => {
    const body = Buffer.from(`<a>${'&amp;'.repeat(1_000_001)}</a>`)
    expect(() => decodeBody(body, undefined, 'xml')).toThrow('more than 1000000 characters')
  })
})

const RECORDS = Array.from({ length: 60_000 }, () => ({ id: 1, of: [2, 3] }))

describe('what is long for its texts is read', () => {
  const text = 'Dear all, [see "below"], {and} more,\n'.repeat(40_000)

  test.for<{ name: string; decode: Decode; body: string; want: unknown }>([
    { name: 'a JSON text', decode: 'json', body: JSON.stringify({ text }), want: { text } },
    {
      name: 'JSON that is written for people',
      decode: 'json',
      body: JSON.stringify(RECORDS, null, 2),
      want: RECORDS,
    },
    {
      name: 'a field of a table',
      decode: 'csv',
      body: `a\n"${text.replaceAll('"', '""')}"\n`,
      want: [{ a: text }],
    },
  ])('$name', ({ decode, body, want }) => {
    expect(Buffer.byteLength(body)).toBeGreaterThan(1024 * 1024)
    expect(decodeBody(Buffer.from(body), undefined, decode)).toEqual(want)
  })
})

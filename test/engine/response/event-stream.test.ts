// Event streams in pieces. Source of the forms: WHATWG HTML, section 9.2.6 (interpreting an event stream).
import { expect, test } from 'vitest'
import { EventStream } from '../../../src/engine/response/event-stream.ts'

const CASES: readonly {
  name: string
  text: string
  want: readonly unknown[]
  last?: string | null
  retry?: number
}[] = [
  {
    name: 'lines of data are one text',
    text: 'data: a\ndata:b\ndata\n\n',
    want: [{ data: 'a\nb\n', id: null }],
  },
  {
    name: 'any line end',
    text: 'data: a\r\rdata: b\r\n\r\ndata: c\n\n',
    want: [
      { data: 'a', id: null },
      { data: 'b', id: null },
      { data: 'c', id: null },
    ],
  },
  {
    name: 'an id holds for the events behind it',
    text: 'id: 1\ndata: a\n\ndata: b\n\n',
    want: [
      { data: 'a', id: '1' },
      { data: 'b', id: '1' },
    ],
    last: '1',
  },
  {
    name: 'an event of an id alone is a place',
    text: 'id: 7\nretry: 250\n\n',
    want: [],
    last: '7',
    retry: 250,
  },
  {
    name: 'an event that is not whole is none',
    text: 'id: 1\ndata: a\n\nid: 2\ndata: b\n',
    want: [{ data: 'a', id: '1' }],
    last: '1',
  },
  {
    name: 'an empty id takes the place away',
    text: 'id: 1\ndata: a\n\nid\ndata: b\n\n',
    want: [
      { data: 'a', id: '1' },
      { data: 'b', id: null },
    ],
    last: null,
  },
  {
    name: 'NUL in an id and words for a time are ignored',
    text: 'id: a\0b\nretry: soon\ndata: ä\n\n',
    want: [{ data: 'ä', id: null }],
  },
  {
    name: 'comments and other fields say nothing',
    text: '\ufeff: hello\nevent: x\nnothing: y\ndata: a\n\n',
    want: [{ data: 'a', id: null }],
  },
]

test.for(CASES)('$name', ({ text, want, last = null, retry = null }) => {
  for (const size of [1, 2, 3, 1000]) {
    const stream = new EventStream()
    const bytes = Buffer.from(text)
    const events: unknown[] = []
    for (let at = 0; at < bytes.length; at += size)
      events.push(...stream.read(bytes.subarray(at, at + size)))
    expect([events, stream.lastId, stream.retryMs]).toEqual([want, last, retry])
  }
})

test('a line without an end costs what its bytes cost, however many pieces it comes in', () => {
  const stream = new EventStream()
  const piece = Buffer.alloc(4096, 'x')
  for (let count = 0; count < 8192; count++) stream.read(piece)
  expect(stream.read(Buffer.from('\ndata: a\n\n'))).toEqual([{ data: 'a', id: null }])
})

import { describe, expect, test } from 'vitest'

import { decodeBody, decodeErrorBody, type Decode } from '../../../src/engine/response/decode.ts'

const HTML = '<!doctype html><p>Please log in</p>'

describe('a successful answer', () => {
  test.for<{ name: string; body: string; type: string | undefined; decode: Decode; want: unknown }>(
    [
      { name: 'JSON', body: '{"a":1}', type: 'application/json', decode: 'json', want: { a: 1 } },
      {
        name: 'JSON with a charset',
        body: '"ä"',
        type: 'Application/JSON; Charset="UTF-8"',
        decode: 'json',
        want: 'ä',
      },
      {
        name: 'a +json type',
        body: '[]',
        type: 'application/vnd.api+json',
        decode: 'json',
        want: [],
      },
      {
        name: 'JSON under its older name',
        body: '[]',
        type: 'text/javascript; charset=UTF-8',
        decode: 'json',
        want: [],
      },
      {
        name: 'JSON without a content type',
        body: '{"a":1}',
        type: undefined,
        decode: 'json',
        want: { a: 1 },
      },
      { name: 'JSON with an empty content type', body: '1', type: ' ', decode: 'json', want: 1 },
      {
        name: 'U6 a byte order mark',
        body: '\uFEFF{"a":1}',
        type: 'application/json',
        decode: 'json',
        want: { a: 1 },
      },
      {
        name: 'an empty body',
        body: '',
        type: 'application/json',
        decode: 'json',
        want: undefined,
      },
      {
        name: 'an empty body of any type',
        body: '',
        type: 'text/html',
        decode: 'json',
        want: undefined,
      },
      {
        name: 'white space alone',
        body: ' \r\n',
        type: 'application/json',
        decode: 'json',
        want: undefined,
      },
      { name: 'JSON null', body: 'null', type: 'application/json', decode: 'json', want: null },
      {
        name: 'JSON lines',
        body: '{"a":1}\r\n\n{"a":2}\n',
        type: 'application/x-ndjson',
        decode: 'jsonl',
        want: [{ a: 1 }, { a: 2 }],
      },
      {
        name: 'JSON lines of any type but HTML',
        body: '1\n2',
        type: 'text/plain',
        decode: 'jsonl',
        want: [1, 2],
      },
      {
        name: 'CSV',
        body: 'a,b\r\n1,2\r\n',
        type: 'text/csv',
        decode: 'csv',
        want: [{ a: '1', b: '2' }],
      },
      {
        name: 'text',
        body: 'plain words',
        type: 'text/plain',
        decode: 'text',
        want: 'plain words',
      },
      { name: 'nothing', body: HTML, type: 'text/html', decode: 'none', want: undefined },
    ],
  )('$name is read', ({ body, type, decode, want }) => {
    expect(decodeBody(Buffer.from(body), type, decode)).toEqual(want)
  })

  test('P9 19 digits survive', () => {
    const value = decodeBody(Buffer.from('{"id":7782342274025937895}'), 'application/json', 'json')
    expect(JSON.stringify(value)).toBe('{"id":7782342274025937895}')
  })

  test('U6 Latin-1 is read where it is announced and refused where it is not', () => {
    const latin = Buffer.from('"M\xfcller"', 'latin1')
    expect(decodeBody(latin, 'application/json; charset=iso-8859-1', 'json')).toBe('Müller')
    expect(() => decodeBody(latin, 'application/json', 'json')).toThrow(
      expect.objectContaining({ code: 'upstream_malformed' }),
    )
  })

  describe('of 200 KB', () => {
    // Long enough that it is looked at before it becomes text.
    const filling = `${'f'.repeat(200_000)}, “wide” and é`
    const json = (text: string): Buffer => Buffer.from(text.replace('FILLING', filling))

    test('is read', () => {
      const body = json('{"a":[1,2.5,"FILLING"]}')
      expect(decodeBody(body, 'application/json', 'json')).toEqual({ a: [1, 2.5, filling] })
    })

    test('is read in pieces', () => {
      const inPieces = (body: Buffer): readonly Buffer[] => [
        body.subarray(0, 100_000),
        body.subarray(100_000, 200_010),
        body.subarray(200_010),
      ]
      const plain = inPieces(json('{"a":[1,2.5,"FILLING"]}'))
      expect(decodeBody(plain, 'application/json', 'json')).toEqual({ a: [1, 2.5, filling] })
      const exact = inPieces(json('["FILLING",7782342274025937895]'))
      expect(JSON.stringify(decodeBody(exact, 'application/json', 'json'))).toBe(
        `["${filling}",7782342274025937895]`,
      )
      expect(decodeBody([], 'application/json', 'json')).toBe(undefined)
    })

    test('P9 keeps 19 digits', () => {
      const value = decodeBody(json('{"id":7782342274025937895,"a":"FILLING"}'), undefined, 'json')
      expect(JSON.stringify(value)).toBe(`{"id":7782342274025937895,"a":"${filling}"}`)
    })

    test('U6 is read in the charset that it announces', () => {
      const body = Buffer.from(`["${'f'.repeat(200_000)}M\xfcller"]`, 'latin1')
      const value = decodeBody(body, 'application/json; charset=iso-8859-1', 'json')
      expect(value).toEqual([`${'f'.repeat(200_000)}Müller`])
    })

    test.for([
      { name: 'with a mistake', body: json('["FILLING", x]'), place: 'it is not JSON' },
      { name: 'cut off', body: json('["FILLING"'), place: 'at character 200018' },
      { name: 'nested too deep', body: json(`["FILLING",${'['.repeat(64)}`), place: '' },
      {
        name: 'not UTF-8',
        body: Buffer.from(json('["FILLING"]').toString('latin1'), 'latin1').fill(0xff, 9, 10),
        place: '',
      },
    ])('U6 $name is refused', ({ body, place }) => {
      expect(() => decodeBody(body, 'application/json', 'json')).toThrow(
        expect.objectContaining({
          code: 'upstream_malformed',
          message: expect.stringContaining(place) as string,
        }),
      )
    })
  })

  test.for<{ name: string; body: string; type: string | undefined; decode: Decode }>([
    {
      name: 'U7 HTML where JSON is due',
      body: HTML,
      type: 'text/html; charset=utf-8',
      decode: 'json',
    },
    { name: 'U7 HTML without a content type', body: HTML, type: undefined, decode: 'json' },
    { name: 'U7 HTML announced as JSON', body: HTML, type: 'application/json', decode: 'json' },
    { name: 'U7 HTML where JSON lines are due', body: HTML, type: 'text/html', decode: 'jsonl' },
    { name: 'U7 HTML where CSV is due', body: HTML, type: 'text/html', decode: 'csv' },
    { name: 'U7 HTML where text is due', body: HTML, type: 'text/html', decode: 'text' },
    { name: 'U7 JSON announced as text', body: '{"a":1}', type: 'text/plain', decode: 'json' },
    { name: 'U7 a content type that is none', body: '{"a":1}', type: 'rubbish', decode: 'json' },
    { name: 'U6 truncated JSON', body: '{"a":', type: 'application/json', decode: 'json' },
    {
      name: 'U6 JSON nested too deep',
      body: '['.repeat(100_000),
      type: 'application/json',
      decode: 'json',
    },
    {
      name: 'a broken line',
      body: '{"a":1}\n{"a":',
      type: 'application/x-ndjson',
      decode: 'jsonl',
    },
    { name: 'a broken table', body: 'a,b\n1\n', type: 'text/csv', decode: 'csv' },
    {
      name: 'an unknown charset',
      body: '1',
      type: 'application/json; charset=klingon',
      decode: 'json',
    },
  ])('$name is upstream_malformed, and a write was applied', ({ body, type, decode }) => {
    let caught: unknown
    try {
      decodeBody(Buffer.from(body), type, decode, 'applied')
    } catch (error) {
      caught = error
    }
    expect(caught).toMatchObject({
      code: 'upstream_malformed',
      outcome: 'applied',
      retryable: false,
    })
    expect((caught as Error).message).not.toContain('log in')
  })
})

describe('an answer that reports a failure', () => {
  test.for<{ name: string; body: string; type: string | undefined; decode: Decode; want: unknown }>(
    [
      {
        name: 'JSON is read',
        body: '{"errors":["x"]}',
        type: 'application/json',
        decode: 'json',
        want: { errors: ['x'] },
      },
      {
        name: 'JSON is read although successes are CSV',
        body: '{"e":1}',
        type: 'application/problem+json',
        decode: 'csv',
        want: { e: 1 },
      },
      {
        name: 'JSON is read although successes are not decoded',
        body: '{"e":1}',
        type: 'application/json',
        decode: 'none',
        want: { e: 1 },
      },
      {
        name: 'text is read where successes are text',
        body: 'no',
        type: 'text/plain',
        decode: 'text',
        want: 'no',
      },
      {
        name: 'HTML counts as no body',
        body: HTML,
        type: 'text/html',
        decode: 'json',
        want: undefined,
      },
      {
        name: 'broken JSON counts as no body',
        body: '{"e":',
        type: 'application/json',
        decode: 'json',
        want: undefined,
      },
      {
        name: 'plain text counts as no body',
        body: 'Bad Gateway',
        type: 'text/plain',
        decode: 'json',
        want: undefined,
      },
      { name: 'an empty body is none', body: '', type: undefined, decode: 'json', want: undefined },
    ],
  )('$name', ({ body, type, decode, want }) => {
    expect(decodeErrorBody(Buffer.from(body), type, decode)).toEqual(want)
  })
})

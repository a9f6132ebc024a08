import { describe, expect, test } from 'vitest'

import { decodeBody, decodeErrorBody } from '../../../src/engine/response/decode.ts'
import { compileTypes } from '../../../src/engine/response/type-texts.ts'
import type { Json } from '../../../src/language/json/json.ts'
import { pathOf } from '../../../src/language/manifest/casts.ts'

const ALL = { kind: 'all' } as const
const member = (name: string): { kind: 'member'; name: string } => ({ kind: 'member', name })

const xml = (body: string | Buffer, type = 'application/xml'): unknown =>
  decodeBody(Buffer.from(body), type, 'xml')

describe('an XML answer', () => {
  test.for<{ name: string; body: string; want: unknown }>([
    { name: 'an element of text', body: '<a>1 &lt; 2 &#x263A;</a>', want: { a: '1 < 2 ☺' } },
    { name: 'an empty element', body: '<a/>', want: { a: '' } },
    { name: 'blanks are text', body: '<a> </a>', want: { a: ' ' } },
    { name: 'CDATA', body: '<a><![CDATA[<b>&amp;]]>!</a>', want: { a: '<b>&amp;!' } },
    {
      name: 'elements, of which one comes twice, in the order of the first',
      body: '<a>\n  <b>1</b>\n  <c/>\n  <b>2</b>\n  <b><d>3</d></b>\n</a>',
      want: { a: { b: ['1', '2', { d: '3' }], c: '' } },
    },
    {
      name: 'attributes, with text and without',
      body: '<a id="7"><b unit="kg">5</b><c x="1"/></a>',
      want: { a: { '@id': '7', b: { '@unit': 'kg', '#text': '5' }, c: { '@x': '1' } } },
    },
    {
      name: 'text between elements',
      body: '<p>one <b>two</b> three</p>',
      want: { p: { b: 'two', '#text': 'one  three' } },
    },
    {
      name: 'prefixes stay, declarations go, nil is null',
      body: '<s:E xmlns:s="urn:s" xmlns:xsi="urn:x" xmlns="urn:d"><v xsi:nil="true"/><w xsi:nil="0">1</w></s:E>',
      want: { 's:E': { v: null, w: '1' } },
    },
    {
      name: 'a declaration, comments and instructions',
      body: '\uFEFF<?xml version="1.0"?><!-- x --><?go on?><a>b<!-- c -->d</a>\n',
      want: { a: 'bd' },
    },
    {
      name: 'names of prototypes are names',
      body: '<constructor><toString>1</toString><__proto__>2</__proto__></constructor>',
      want: JSON.parse('{"constructor":{"toString":"1","__proto__":"2"}}') as unknown,
    },
  ])('$name', ({ body, want }) => {
    expect(xml(body)).toEqual(want)
  })

  test('U6 is read in the encoding of its content type, else of its first line, else as UTF-8', () => {
    const latin = (text: string): Buffer => Buffer.from(text, 'latin1')
    expect(xml(latin('<a>\xe4</a>'), 'text/xml; charset=iso-8859-1')).toEqual({ a: 'ä' })
    const named = '<?xml version="1.0" encoding="ISO-8859-1"?><a>\xe4</a>'
    expect(xml(latin(named))).toEqual({ a: 'ä' })
    const wide = Buffer.from('\uFEFF<?xml version="1.0" encoding="UTF-16"?><a>ä</a>', 'utf16le')
    expect(xml(wide)).toEqual({ a: 'ä' })
    expect(() => xml(latin('<a>\xe4</a>'))).toThrow(
      expect.objectContaining({ code: 'upstream_malformed' }),
    )
  })

  test.for<{ name: string; body: string; type?: string; want: string }>([
    { name: 'U7 a page', body: '<html/>', type: 'text/html', want: 'it is text/html, not XML' },
    { name: 'JSON', body: '{}', type: 'application/json', want: 'application/json, not XML' },
    { name: 'U6 cut off', body: '<a><b>1</b>', want: 'it is not XML at line 1' },
    { name: 'two elements', body: '<a/>\n<b/>', want: 'it is not XML at line 2' },
    { name: 'wrong nesting', body: '<a><b></a></b>', want: 'it is not XML' },
    { name: 'one attribute twice', body: '<a b="1" b="2"/>', want: 'it is not XML' },
    { name: 'an entity of its own', body: '<a>&secret;</a>', want: 'it is not XML' },
    {
      name: 'U6 entities within entities',
      body: '<!DOCTYPE a [<!ENTITY x "xx"><!ENTITY y "&x;&x;">]><a>&y;</a>',
      want: 'a document type declaration',
    },
    {
      name: 'U6 an entity of another place',
      body: '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
      want: 'a document type declaration',
    },
    { name: 'U6 nested too deep', body: '<a>'.repeat(100_000), want: 'nested too deep' },
    {
      name: 'U6 more elements and attributes than are read',
      body: `<a>${'<b c=""/>'.repeat(500_001)}</a>`,
      want: 'more than 1000000 elements and attributes',
    },
    {
      name: 'U6 an element with more attributes than are read',
      body: `<a ${Array.from({ length: 1_000_001 }, (_, index) => `a${index}=""`).join(' ')}/>`,
      want: 'more than 1000000 elements and attributes',
    },
    {
      name: 'U6 lists nested too deep',
      body: `${'<a><a/>'.repeat(40)}${'</a>'.repeat(40)}`,
      want: 'nested too deep',
    },
  ])('$name is refused', ({ body, type, want }) => {
    let caught: unknown
    try {
      xml(body, type)
    } catch (error) {
      caught = error
    }
    expect(caught).toMatchObject({
      code: 'upstream_malformed',
      message: expect.stringContaining(want) as string,
    })
    expect((caught as Error).message).not.toContain('secret')
  })

  test('a failure is read by its content type', () => {
    const error = Buffer.from('<Error><Code>Slow</Code></Error>')
    expect(decodeErrorBody(error, 'text/xml', 'xml')).toEqual({ Error: { Code: 'Slow' } })
    expect(decodeErrorBody(error, undefined, 'xml')).toEqual({ Error: { Code: 'Slow' } })
    expect(decodeErrorBody(Buffer.from('{"e":1}'), 'application/json', 'xml')).toEqual({ e: 1 })
    expect(decodeErrorBody(error, 'text/html', 'xml')).toBe(undefined)
  })
})

test('texts become what the schema says', () => {
  const types = compileTypes([
    { at: pathOf([member('n')]), type: 'number' },
    { at: pathOf([member('n')]), type: 'null' },
    { at: pathOf([member('b')]), type: 'boolean' },
    { at: pathOf([member('l')]), type: 'list' },
    { at: pathOf([member('l'), ALL, member('n')]), type: 'number' },
    { at: pathOf([member('o'), ALL]), type: 'number' },
  ])
  const read = (record: Json): unknown => JSON.parse(JSON.stringify(types?.(record))) as unknown
  expect(read({ n: '1.50', b: '1', l: { n: '2' }, o: { x: '3', y: 'z' }, s: '4' })).toEqual({
    n: 1.5,
    b: true,
    l: [{ n: 2 }],
    o: { x: 3, y: 'z' },
    s: '4',
  })
  expect(read({ n: '', b: 'no', l: '' })).toEqual({ n: null, b: 'no', l: [] })
  expect(read({ n: '007', l: [{ n: '1' }, ''] })).toEqual({ n: '007', l: [{ n: 1 }, ''] })
  expect(JSON.stringify(types?.({ n: '12345678901234567890' }))).toBe('{"n":12345678901234567890}')
})

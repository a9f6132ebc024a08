import fc from 'fast-check'
import { expect, test } from 'vitest'

import { compileExpression, ValueError } from '../../../src/language/expression/evaluate.ts'
import { HELPERS } from '../../../src/language/expression/helpers.ts'
import { parseExpression } from '../../../src/language/expression/parse-text.ts'
import type { Scope } from '../../../src/language/expression/syntax.ts'
import { parseJson } from '../../../src/language/json/parse-json.ts'
import { processorMs } from '../../fixtures/processor-time.ts'

const params = parseJson(`{
  "none": null, "no": false, "yes": true, "zero": 0, "five": 5, "half": 1.5, "empty": "", "noList": [], "noObject": {},
  "text": "Grüße & <b>", "csv": " a, b ,,c", "list": ["b", "a", "b"], "mixed": ["x", 5, true, null], "one": ["only"],
  "deep": [["a"]], "object": { "a": 1, "b": { "c": [10, 20] } }, "big": 12345678901234567890, "surrogate": "\\ud800",
  "time": "2024-02-29T23:30:15.250+02:00", "twins": [1, 1.0, "1", { "a": 1, "b": 2 }, { "b": 2, "a": 1.0 }, [1], [1], 12345678901234567890, 12345678901234567890.0]
}`)

function run(expression: string, scope: Scope = {}): unknown {
  const seen = { params, maps: { region: { eu: 'frankfurt' } }, config: {}, ...scope } as Scope
  return compileExpression(parseExpression(`{{ ${expression} }}`))(seen)
}

test.for<[expression: string, want: unknown]>([
  // choice
  ['default params.gone params.none params.five 6', 5],
  ['default params.gone params.none', undefined],
  ['default params.empty "x"', ''],
  ['default params.no true', false],
  ['or params.gone params.zero', 0],
  ['or params.no params.none', null],
  ['or params.gone params.gone', undefined],
  ['and params.five params.text', 'Grüße & <b>'],
  ['and params.five params.none params.text', null],
  ['and params.gone params.text', undefined],
  ['not params.gone', true],
  ['not params.none', true],
  ['not params.no', true],
  ['not params.zero', false],
  ['not params.empty', false],
  ['not params.noList', false],
  ['not params.noObject', false],
  ['if params.zero "a" "b"', 'a'],
  ['if params.none "a" "b"', 'b'],
  ['if params.gone (int "x") "b"', 'b'],
  ['if true params.gone "b"', undefined],
  ['eq params.five 5', true],
  ['eq params.five "5"', false],
  ['eq params.object params.object', true],
  ['eq params.gone params.gone', true],
  ['eq params.gone null', false],
  ['eq params.none null', true],
  ['eq params.big (int "12345678901234567890")', true],
  ['in "a" params.list', true],
  ['in "c" params.list', false],
  ['in params.gone params.list', false],
  ['in null params.mixed', true],
  ['in "a" params.gone', false],
  ['in "a" params.none', false],
  ['given params.none', true],
  ['given params.gone', false],
  // text
  ['lower "ÄB"', 'äb'],
  ['upper params.list', ['B', 'A', 'B']],
  ['lower params.five', '5'],
  ['lower params.mixed', ['x', '5', 'true']],
  ['trim "  a b\t\n"', 'a b'],
  ['replace "a.b.c" "." "$&"', 'a$&b$&c'],
  ['replace params.list "b" ""', ['', 'a', '']],
  ['replace params.five 5 6', '6'],
  ["match 'key-us21' '-([a-z]+[0-9]*)$'", 'us21'],
  ["match 'key' '-([a-z]+)$'", undefined],
  ["match params.list '^(a)'", ['a']],
  ['join params.list ", "', 'b, a, b'],
  ['join params.mixed ";"', 'x;5;true'],
  ['join params.noList ","', ''],
  ['split params.csv ","', ['a', 'b', 'c']],
  ['split params.empty ","', []],
  ['split params.five ","', ['5']],
  ['split params.mixed ","', ['x', 5, true, null]],
  [`quote 'say "x" \\ y' '"'`, 'say \\"x\\" \\\\ y'],
  ['quote params.list "a"', ['b', '\\a', 'b']],
  ['concat params.five ":" params.text', '5:Grüße & <b>'],
  ['concat params.text params.gone', undefined],
  ['concat params.none "a"', undefined],
  // lists, objects
  ['first params.list', 'b'],
  ['first params.noList', undefined],
  ['last params.mixed', null],
  ['last params.noList', undefined],
  ['only params.one', 'only'],
  ['only params.list', undefined],
  ['unique params.list', ['b', 'a']],
  ['length params.list', 3],
  ['length "a😀"', 2],
  ['length params.empty', 0],
  ['lookup params.object "a"', 1],
  ['lookup params.object "gone"', undefined],
  ['lookup params.object "constructor"', undefined],
  ['lookup params.list 1', 'a'],
  ['lookup params.list "length"', undefined],
  ['lookup maps.region "eu"', 'frankfurt'],
  ['graphql_fields params.list', 'b a'],
  [
    'graphql_fields (split "id,owner.login,owner.id,owner.plan.name,id" ",")',
    'id owner { login id plan { name } }',
  ],
  ['graphql_fields params.noList', undefined],
  // types
  ['int "0012"', 12],
  ['int "-7"', -7],
  ['int "+7"', 7],
  ['int params.five', 5],
  ['float "1.50"', 1.5],
  ['float "-.5"', -0.5],
  ['float "1."', 1],
  ['float "00.5"', 0.5],
  ['float params.half', 1.5],
  ['string params.half', '1.5'],
  ['string params.yes', 'true'],
  ['string params.big', '12345678901234567890'],
  ['json params.object', '{"a":1,"b":{"c":[10,20]}}'],
  ['json params.big', '12345678901234567890'],
  ['json params.text', '"Grüße & <b>"'],
  // codes
  ['base64 "Grüße"', 'R3LDvMOfZQ=='],
  ['urlencode "a b+ü/~\'(*)!"', 'a%20b%2B%C3%BC%2F~%27%28%2A%29%21'],
  ['urlencode params.five', '5'],
  ['xml params.text', 'Grüße &#38; &#60;b&#62;'],
  ['xml "\'\n"', '&#39;&#10;'],
  ['xml params.five', '5'],
  // echo -n abc | sha256sum; RFC 4231 test case 2
  ['hash_sha256 "abc"', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  [
    'hmac_sha256 "what do ya want for nothing?" "Jefe"',
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  ],
])('%s', ([expression, want]) => {
  expect(run(expression)).toEqual(want)
})

test('int and float keep digits that a double cannot hold', () => {
  expect(JSON.stringify(run('int "123456789012345678901234567890"'))).toBe(
    '123456789012345678901234567890',
  )
  expect(JSON.stringify(run('int params.big'))).toBe('12345678901234567890')
  expect(JSON.stringify(run('float "0.12345678901234567890123"'))).toBe('0.12345678901234567890123')
})

test('unique keeps the first of each JSON value', () => {
  expect(JSON.stringify(run('unique params.twins'))).toBe(
    '[1,"1",{"a":1,"b":2},[1],12345678901234567890]',
  )
})

test('unique of many values takes no time', () => {
  const many = Array.from({ length: 50_000 }, (_, at) => ({ at }))
  const params = { many: [...many, ...many] }
  const spentMs = processorMs(() =>
    expect(run('length (unique params.many)', { params })).toBe(50_000),
  )
  expect(spentMs).toBeLessThan(1500)
})

// One call of each helper outside the first group, with its argument open.
const CALLS: Readonly<Record<string, string>> = {
  lower: 'lower X',
  upper: 'upper X',
  trim: 'trim X',
  replace: 'replace X "a" "b"',
  match: "match X 'a'",
  join: 'join X ","',
  split: 'split X ","',
  quote: `quote X '"'`,
  concat: `concat X 'a'`,
  first: 'first X',
  last: 'last X',
  only: 'only X',
  unique: 'unique X',
  length: 'length X',
  lookup: 'lookup X "a"',
  graphql_fields: 'graphql_fields X',
  int: 'int X',
  float: 'float X',
  string: 'string X',
  json: 'json X',
  base64: 'base64 X',
  urlencode: 'urlencode X',
  segments: 'segments X',
  xml: 'xml X',
  hash_sha256: 'hash_sha256 X',
  hmac_sha256: 'hmac_sha256 X "key"',
  date: "date X 'iso'",
  add_duration: "add_duration X 'P1D'",
  round_up: "round_up X 'P1D'",
}
const CHOICE = ['default', 'or', 'and', 'not', 'if', 'eq', 'in', 'given']

test('every helper is in the tables of this file', () => {
  expect([...Object.keys(CALLS), ...CHOICE, 'now'].sort()).toEqual(Object.keys(HELPERS).sort())
})

test.for(Object.values(CALLS))('%s gives absent for absent and null', (call) => {
  expect(run(call.replace('X', 'params.gone'))).toBeUndefined()
  expect(run(call.replace('X', 'params.none'))).toBeUndefined()
})

test.for([
  ['replace "a" params.gone "b"'],
  ['replace "a" "b" params.none'],
  ['join params.list params.gone'],
  ['hmac_sha256 "a" params.none'],
  ['lookup params.object params.gone'],
  ['date params.time params.gone'],
  ['add_duration params.time params.none'],
])('%s gives absent as well', ([call = '']) => {
  expect(run(call)).toBeUndefined()
})

test.for([
  'lower params.object',
  'lower params.deep',
  'upper params.object',
  'trim params.object',
  'replace params.object "a" "b"',
  'replace "a" params.object "b"',
  'replace "a" params.empty "b"',
  'replace "a" "b" params.list',
  "match params.object 'a'",
  'join params.text ","',
  'join params.object ","',
  'join params.deep ","',
  'join params.list params.list',
  'split params.object ","',
  'split params.csv params.empty',
  'quote params.object "a"',
  'concat params.list "a"',
  'quote "a" params.empty',
  'first params.text',
  'last params.object',
  'only params.five',
  'unique params.object',
  'length params.five',
  'length params.object',
  'lookup params.text "a"',
  'lookup params.big "rawJSON"',
  'lookup params.object params.list',
  'graphql_fields params.text',
  'graphql_fields params.mixed',
  'graphql_fields (split "a b" ",")',
  'graphql_fields (split "a){b" ",")',
  'graphql_fields (split "a..b" ",")',
  'graphql_fields (split ".a" ",")',
  'graphql_fields (split "1a" ",")',
  'graphql_fields (split "größe" ",")',
  'int "1.5"',
  'int "1e3"',
  'int ""',
  'int " 5"',
  'int "0x10"',
  'int "٣"',
  'int params.half',
  'int params.yes',
  'int params.list',
  'float "1,5"',
  'float "1e99999"',
  'float "Infinity"',
  'float "."',
  'float params.yes',
  'string params.list',
  'string params.object',
  'base64 params.object',
  'base64 params.surrogate',
  'urlencode params.list',
  'urlencode params.surrogate',
  'xml params.object',
  'xml "\u0001"',
  'xml params.surrogate',
  'hash_sha256 params.object',
  'hash_sha256 params.surrogate',
  'hmac_sha256 params.object "key"',
  'hmac_sha256 "a" params.list',
  'in "a" params.text',
  "date params.list 'iso'",
  "date params.yes 'iso'",
  "date params.big 'iso'",
  "add_duration params.object 'P1D'",
  'add_duration params.time params.text',
  "round_up params.object 'P1D'",
  'round_up params.time params.text',
  'date params.time params.text',
])('%s is a wrong type or value and never silent', (call) => {
  expect(() => run(call)).toThrow(ValueError)
})

test('a ValueError names the call it comes from and no value', () => {
  const expression = parseExpression('{{ default params.gone (int params.text) }}')
  try {
    compileExpression(expression)({ params: { text: 'secret' } })
    expect.unreachable()
  } catch (error) {
    expect(error).toBeInstanceOf(ValueError)
    const { message, expression: origin } = error as ValueError
    expect(message).toBe('int: this is no integer')
    expect(origin).toEqual({
      kind: 'call',
      helper: 'int',
      args: [{ kind: 'path', root: 'params', path: ['text'] }],
    })
  }
})

test('now is ISO text of the clock of the scope', () => {
  expect(run('now', { now: () => 1_700_000_000_123 })).toBe('2023-11-14T22:13:20.123Z')
  expect(run('now')).toBeUndefined()
  expect(run("date (now) 'epoch_s'", { now: () => 1_700_000_000_999 })).toBe(1_700_000_000)
})

test('a quoted text ends only where it should', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const quoted = run(`quote params.text '"'`, { params: { text } }) as string
      // Read it back as a JQL or JSON parser does: a backslash takes the next character literally.
      let read = ''
      for (let at = 0; at < quoted.length; at++) {
        expect(quoted[at]).not.toBe('"')
        if (quoted[at] === '\\') at++
        read += quoted[at]
      }
      expect(read).toBe(text)
    }),
  )
})

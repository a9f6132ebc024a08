import { expect, test } from 'vitest'

import {
  compileExpression,
  compileTemplate,
  compileText,
  isTrue,
  ValueError,
} from '../../../src/language/expression/evaluate.ts'
import {
  parseExpression,
  parseTemplate,
  parseText,
} from '../../../src/language/expression/parse-text.ts'
import type { Scope, Template } from '../../../src/language/expression/syntax.ts'
import { parseJson } from '../../../src/language/json/parse-json.ts'

const scope: Scope = {
  params: {
    a: 'x',
    n: 5,
    none: null,
    no: false,
    'workspace-id': 'w',
    'a.b': 'dotted',
    list: ['p', { id: 'q' }],
    object: { deep: { er: { still: 1 } } },
    big: parseJson('{"n":12345678901234567890}'),
  },
  record_fields: ['id', 'name'],
  steps: { first: { status: 200, headers: { 'x-id': '7' }, body: { id: 1 } } },
  record: 'customers/5',
}

test.for<[source: string, want: unknown]>([
  ['params.a', 'x'],
  ['params.n', 5],
  ['params.none', null],
  ['params.gone', undefined],
  ['params.gone.deeper.still', undefined],
  ['params.none.a', undefined],
  ['params.a.length', undefined],
  ['params.workspace-id', 'w'],
  ['params.[a.b]', 'dotted'],
  ['params.list.0', 'p'],
  ['params.list.1.id', 'q'],
  ['params.list.01', undefined],
  ['params.list.length', undefined],
  ['params.list.map', undefined],
  ['params.object.deep.er.still', 1],
  ['params.object.deep', { er: { still: 1 } }],
  ['params.big.n.rawJSON', undefined],
  ['record_fields', ['id', 'name']],
  ['record', 'customers/5'],
  ['steps.first.headers.x-id', '7'],
  ['steps.skipped.body.id', undefined],
  ['config.a', undefined],
  ['"text"', 'text'],
  ['null', null],
  // own properties only
  ['params.constructor', undefined],
  ['params.__proto__', undefined],
  ['params.toString', undefined],
  ['params.hasOwnProperty', undefined],
  ['params.a.constructor', undefined],
  ['params.constructor.constructor', undefined],
  ['steps.__proto__.polluted', undefined],
])('P3 {{ %s }}', ([source, want]) => {
  expect(compileExpression(parseExpression(`{{ ${source} }}`))(scope)).toEqual(want)
})

test('P3 members named like those of every object are ordinary data', () => {
  const params = JSON.parse('{"__proto__":{"a":1},"constructor":"c","toString":"t","length":9}')
  const read = (source: string) => compileExpression(parseExpression(`{{ ${source} }}`))({ params })
  expect([
    read('params.__proto__.a'),
    read('params.constructor'),
    read('params.toString'),
    read('params.length'),
  ]).toEqual([1, 'c', 't', 9])
})

test('P3 what somebody adds to Object.prototype stays absent', () => {
  const prototype = Object.prototype as unknown as Record<string, unknown>
  prototype['polluted'] = 'yes'
  try {
    expect(
      compileExpression(parseExpression('{{ params.polluted }}'))({ params: {} }),
    ).toBeUndefined()
    expect(
      compileExpression(parseExpression('{{ lookup params "polluted" }}'))({ params: {} }),
    ).toBeUndefined()
  } finally {
    delete prototype['polluted']
  }
})

test.for<[source: string, want: string | undefined]>([
  ['plain', 'plain'],
  ['{{ params.a }}', 'x'],
  ['a-{{ params.a }}-{{ params.n }}', 'a-x-5'],
  ['{{ params.no }}!', 'false!'],
  ['n={{ params.big.n }}', 'n=12345678901234567890'],
  ['a{{ params.gone }}', undefined],
  ['a{{ params.none }}', undefined],
  ['{{ params.none }}', undefined],
  ['{{#if params.gone}}{{ params.gone }}{{else}}b{{/if}}', 'b'],
  ['{{#if params.a}}a{{ params.gone }}{{/if}}', undefined],
  ['[{{#each params.list as |i|}}.{{/each}}]', '[..]'],
  ['[{{#each params.gone as |i|}}.{{/each}}]', '[]'],
  ['[{{#each params.none as |i|}}.{{/each}}]', '[]'],
  ['{{#each params.list as |i|}}{{ i.id }}{{/each}}', undefined],
  [
    '{{#each params.list as |i|}}{{#each params.list as |j|}}{{ default i.id i }}{{ default j.id j }} {{/each}}{{/each}}',
    'pp pq qp qq ',
  ],
])('the text %s', ([source, want]) => {
  expect(compileText(parseText(source, { blocks: true }))(scope)).toBe(want)
})

test.for([
  'a{{ params.list }}',
  'a{{ params.object }}',
  '{{ params.list }}',
  '{{#each params.a as |i|}}{{/each}}',
  '{{#each params.object as |i|}}{{/each}}',
])('a list or object has no place in the text %s', (source) => {
  expect(() => compileText(parseText(source, { blocks: true }))(scope)).toThrow(ValueError)
})

test('a ValueError of a text names the expression that gave the value', () => {
  try {
    compileText(parseText('a{{ params.list }}'))(scope)
    expect.unreachable()
  } catch (error) {
    expect((error as ValueError).expression).toEqual({
      kind: 'path',
      root: 'params',
      path: ['list'],
    })
  }
})

const value = (source: string): Template => parseTemplate(source)
const object = (members: Record<string, Template>): Template => ({
  kind: 'object',
  members: Object.entries(members),
})
const when = (test: string, template: Template): Template => ({
  kind: 'when',
  test: parseExpression(test),
  value: template,
})

test.for<{ name: string; template: Template; want: unknown }>([
  {
    name: 'a constant stays what it is',
    template: { kind: 'constant', value: { a: [null, 1] } },
    want: { a: [null, 1] },
  },
  { name: 'one expression keeps its JSON type', template: value('{{ params.n }}'), want: 5 },
  { name: 'with text around it is text', template: value('n{{ params.n }}'), want: 'n5' },
  { name: 'null is sent', template: object({ a: value('{{ params.none }}') }), want: { a: null } },
  {
    name: 'absent drops the key',
    template: object({ a: value('{{ params.gone }}'), b: value('{{ params.a }}') }),
    want: { b: 'x' },
  },
  {
    name: 'an emptied object stays',
    template: object({ filter: object({ a: value('{{ params.gone }}') }) }),
    want: { filter: {} },
  },
  {
    name: 'an emptied list stays',
    template: { kind: 'array', items: [value('{{ params.gone }}')] },
    want: [],
  },
  {
    name: 'absent drops the element, null stays',
    template: {
      kind: 'array',
      items: [value('{{ params.gone }}'), value('{{ params.none }}'), value('a')],
    },
    want: [null, 'a'],
  },
  {
    name: 'text with a null part drops the key',
    template: object({ a: value('x{{ params.none }}') }),
    want: {},
  },
  {
    name: '$if that is true',
    template: object({ a: when('{{ params.n }}', value('{{ params.a }}')) }),
    want: { a: 'x' },
  },
  {
    name: '$if that is false drops the object',
    template: object({ a: when('{{ params.no }}', object({ b: value('c') })) }),
    want: {},
  },
  {
    name: '$if alone at the top',
    template: when('{{ params.gone }}', object({})),
    want: undefined,
  },
  {
    name: 'constants inside',
    template: object({
      a: { kind: 'constant', value: 1 },
      b: { kind: 'array', items: [{ kind: 'constant', value: 2 }] },
    }),
    want: { a: 1, b: [2] },
  },
])('$name', ({ template, want }) => {
  expect(compileTemplate(template)(scope)).toEqual(want)
})

test('a member named __proto__ is data', () => {
  const template: Template = { kind: 'object', members: [['__proto__', value('{{ params.n }}')]] }
  const made = compileTemplate(template)(scope) as object
  expect(Object.getPrototypeOf(made)).toBe(Object.prototype)
  expect(JSON.stringify(made)).toBe('{"__proto__":5}')
  const constant: Template = {
    kind: 'object',
    members: [['__proto__', { kind: 'constant', value: 5 }]],
  }
  expect(JSON.stringify(compileTemplate(constant)(scope))).toBe('{"__proto__":5}')
})

test('values keep their digits through a template', () => {
  expect(JSON.stringify(compileTemplate(object({ n: value('{{ params.big.n }}') }))(scope))).toBe(
    '{"n":12345678901234567890}',
  )
})

test.for<[value: unknown, want: boolean]>([
  [undefined, false],
  [null, false],
  [false, false],
  [true, true],
  [0, true],
  ['', true],
  [[], true],
  [{}, true],
])('truth of %j is %s', ([tested, want]) => {
  expect(isTrue(tested as never)).toBe(want)
})

test('a constant call that fails does so when it is needed', () => {
  const run = compileExpression({
    kind: 'call',
    helper: 'int',
    args: [{ kind: 'literal', value: 'x' }],
  })
  expect(() => run({})).toThrow(ValueError)
})

test('a wrong number of arguments is a mistake of the program', () => {
  expect(() => compileExpression({ kind: 'call', helper: 'int', args: [] })).toThrow(TypeError)
})

// Values that would mean something to a template engine, a shell, SQL or JavaScript.
const HOSTILE = [
  '{{ params.secret }}',
  '{{{ params.secret }}}',
  '{{& params.secret }}',
  '{{#if params.secret}}x{{/if}}',
  '{{#each params.list as |i|}}{{ i }}{{/each}}',
  '{{> partial }}',
  '{{! comment }}',
  '{{!-- comment --}}',
  '{{ this }}',
  '{{ ../params.secret }}',
  '{{ @root }}',
  '{{ @root.params.secret }}',
  '{{ constructor }}',
  '{{ constructor.constructor "return process" }}',
  '{{ __proto__ }}',
  '{{ __proto__.polluted }}',
  '{{ lookup this "constructor" }}',
  '{{#with "s" as |string|}}{{#with "e"}}{{/with}}{{/with}}',
  '{{#with (lookup (lookup "a" "sub") "constructor")}}{{this}}{{/with}}',
  '{{ lookup params "secret" }}',
  '{{ json params }}',
  '{{ credentials.access_token }}',
  '{{ client.secret }}',
  '{{ session.token }}',
  '{{ now }}',
  '{{ steps.a.body }}',
  '\\{{ params.secret }}',
  '\\\\{{ params.secret }}',
  '{{',
  '}}',
  '{{{',
  '}}}',
  '{{}}',
  '{{ }}',
  '{ { params.secret } }',
  '{%raw%}',
  '{% include "x" %}',
  '{# x #}',
  '${params.secret}',
  '${process.env}',
  '#{params.secret}',
  '<%= params.secret %>',
  '<%- include x %>',
  '$params',
  '$.body',
  '$$',
  "$&$1$`$'",
  '%{params}',
  '%(params)s',
  '[[${params}]]',
  '*{params}',
  '~{params}',
  '@(params)',
  '{{=<% %>=}}',
  '<%params.secret%>',
  '{{params.secret|safe}}',
  "{{ ''.__class__ }}",
  '{{ 7*7 }}',
  '${7*7}',
  '`id`',
  '$(id)',
  "'; DROP TABLE x; --",
  '"><script>alert(1)</script>',
  '__proto__',
  'constructor',
  '{"$if":"{{ params.secret }}"}',
  '{"$value":1}',
]

test.for(HOSTILE)('P4 the value %s stays text', (hostile) => {
  const params = {
    value: hostile,
    list: [hostile],
    object: { [hostile]: hostile },
    secret: 'canary',
  }
  const evaluate = (source: string) => compileTemplate(value(source))({ params })
  expect(evaluate('{{ params.value }}')).toBe(hostile)
  expect(evaluate('a {{ params.value }} b')).toBe(`a ${hostile} b`)
  expect(evaluate('{{ params.list }}')).toEqual([hostile])
  expect(evaluate('{{ params.object }}')).toEqual({ [hostile]: hostile })
  expect(evaluate('{{ default params.gone params.value }}')).toBe(hostile)
  expect(evaluate("{{ join params.list ',' }}")).toBe(hostile)
  expect(evaluate("{{ replace 'a-b' '-' params.value }}")).toBe(`a${hostile}b`)
  expect(evaluate('{{ lookup params.object params.value }}')).toBe(hostile)
  const body = compileTemplate(
    object({ a: value('{{ params.value }}'), b: value('{{ params.object }}') }),
  )({ params })
  expect(body).toEqual({ a: hostile, b: { [hostile]: hostile } })
})

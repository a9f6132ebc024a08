import fc from 'fast-check'
import { expect, test } from 'vitest'

import {
  ExpressionSyntaxError,
  parseExpression,
  parseTemplate,
  parseText,
} from '../../../src/language/expression/parse-text.ts'
import { sized } from '../../fixtures/sizes.ts'

const path = (root: string, ...names: string[]) => ({ kind: 'path', root, path: names })
const literal = (value: unknown) => ({ kind: 'literal', value })
const call = (helper: string, ...args: unknown[]) => ({ kind: 'call', helper, args })

test.for([
  { source: '', want: [''] },
  { source: 'plain text }} { {', want: ['plain text }} { {'] },
  { source: '{{ params.a }}', want: [path('params', 'a')] },
  { source: '{{params.a}}', want: [path('params', 'a')] },
  { source: '{{\n  params.a\n}}', want: [path('params', 'a')] },
  { source: '{{ params }}', want: [path('params')] },
  { source: '{{ params.workspace-id }}', want: [path('params', 'workspace-id')] },
  { source: '{{ params.[a.b].c }}', want: [path('params', 'a.b', 'c')] },
  { source: '{{ params.[a]b }}', error: true },
  { source: '{{ params.größe }}', want: [path('params', 'größe')] },
  { source: '{{ params.list.0 }}', want: [path('params', 'list', '0')] },
  { source: '{{ params.list.0.id }}', want: [path('params', 'list', '0', 'id')] },
  { source: '{{ params.list.[0] }}', want: [path('params', 'list', '0')] },
  {
    source: '{{ lookup params.list.12 2 }}',
    want: [call('lookup', path('params', 'list', '12'), literal(2))],
  },
  { source: '{{ response.body.errors }}', want: [path('response', 'body', 'errors')] },
  { source: '/a/{{ params.id }}/b', want: ['/a/', path('params', 'id'), '/b'] },
  { source: '{{ params.a }}{{ config.b }}', want: [path('params', 'a'), path('config', 'b')] },
  { source: '{{ now }}', want: [call('now')] },
  { source: '{{ date (now) "iso" }}', want: [call('date', call('now'), literal('iso'))] },
  {
    source: "{{ replace params.a 'x' \"it's\" }}",
    want: [call('replace', path('params', 'a'), literal('x'), literal("it's"))],
  },
  {
    source: "{{ quote params.a '\\'' }}",
    want: [call('quote', path('params', 'a'), literal("'"))],
  },
  {
    source: "{{ default params.a '}}' }}",
    want: [call('default', path('params', 'a'), literal('}}'))],
  },
  {
    source: '{{ default params.a 1.5 }}',
    want: [call('default', path('params', 'a'), literal(1.5))],
  },
  {
    source: '{{ default params.a -3 true false null }}',
    want: [
      call(
        'default',
        path('params', 'a'),
        literal(-3),
        literal(true),
        literal(false),
        literal(null),
      ),
    ],
  },
  { source: "{{ 'text' }}", want: [literal('text')] },
  { source: '{{ 5 }}', want: [literal(5)] },
  { source: '\\{{ params.a }}', want: ['{{ params.a }}'] },
  { source: 'a \\{{ b }} c {{ params.d }}', want: ['a {{ b }} c ', path('params', 'd')] },
  { source: '\\{{{ b }}}', want: ['{{{ b }}}'] },
  { source: 'a\\\\{{ params.d }}', want: ['a\\', path('params', 'd')] },
  { source: 'C:\\dir\\{x}', want: ['C:\\dir\\{x}'] },
])('reads $source', ({ source, want, error }) => {
  if (error === true) expect(() => parseText(source)).toThrow(ExpressionSyntaxError)
  else expect(parseText(source)).toEqual(want)
})

test.for([
  {
    source: '{{#if params.a}}x{{else}}y{{/if}}',
    want: [{ kind: 'ifBlock', test: path('params', 'a'), body: ['x'], otherwise: ['y'] }],
  },
  {
    source: '{{#if params.a}}x{{else if (not params.b)}}y{{/if}}',
    want: [
      {
        kind: 'ifBlock',
        test: path('params', 'a'),
        body: ['x'],
        otherwise: [
          { kind: 'ifBlock', test: call('not', path('params', 'b')), body: ['y'], otherwise: [] },
        ],
      },
    ],
  },
  {
    source:
      '<l>\n  {{#each params.ids as |id|}}\n  <id>{{ xml id }}</id>{{ id.name }}{{/each}}\n</l>',
    want: [
      '<l>\n  ',
      {
        kind: 'eachBlock',
        list: path('params', 'ids'),
        item: 'id',
        body: [
          '\n  <id>',
          call('xml', { kind: 'local', name: 'id', path: [] }),
          '</id>',
          { kind: 'local', name: 'id', path: ['name'] },
        ],
      },
      '\n</l>',
    ],
  },
])('reads the block $source', ({ source, want }) => {
  expect(parseText(source, { blocks: true })).toEqual(want)
})

// Each with the piece that the position must point at.
test.for([
  {
    source: 'a {{{ params.b }}} c',
    at: '{{{ params.b }}}',
    hint: 'write {{ params.b }}; encoding belongs to the place',
  },
  {
    source: '{{& params.b }}',
    at: '{{& params.b }}',
    hint: 'write {{ params.b }}; encoding belongs to the place',
  },
  { source: '{{> part }}', at: '{{> part }}', hint: 'write the text itself' },
  { source: '{{#> part }}{{/part}}', at: '{{#> part }}{{/part}}', hint: 'write the text itself' },
  { source: '{{* decorate }}', at: '{{* decorate }}', hint: 'remove it' },
  { source: '{{#*inline "a"}}{{/inline}}', at: '{{#*inline "a"}}{{/inline}}', hint: 'remove it' },
  { source: 'x{{! note }}', at: '{{! note }}', hint: 'write a YAML comment' },
  { source: 'x{{!-- note --}}', at: '{{!-- note --}}', hint: 'write a YAML comment' },
  { source: '{{ ../params.a }}', at: '../params.a', hint: 'name the value: params, config, …' },
  { source: '{{ this }}', at: 'this', hint: 'name the value: params, config, …' },
  { source: '{{ this.a }}', at: 'this.a', hint: 'name the value: params, config, …' },
  { source: '{{ . }}', at: '.', hint: 'name the value: params, config, …' },
  { source: '{{ @root.a }}', at: '@root.a', hint: 'name the value: params, config, …' },
  { source: '{{ params/a }}', at: 'params/a', hint: 'write params.a' },
  { source: '{{ join params.a sep="," }}', at: 'sep=","', hint: 'give the values in order' },
  { source: '{{~ params.a }}', at: '{{~ params.a }}', hint: 'remove it' },
  { source: '{{ params.a ~}}', at: '{{ params.a ~}}', hint: 'remove it' },
  {
    source: '{{#if params.a}}x{{/if}}',
    at: '{{#if params.a}}x{{/if}}',
    hint: 'use the helper: {{ if test a b }}, or $if',
  },
  {
    source: '{{#each params.a as |b|}}x{{/each}}',
    at: '{{#each params.a as |b|}}x{{/each}}',
    hint: 'use join, or a JSON body',
  },
  {
    source: '{{{{raw}}}}x{{{{/raw}}}}',
    at: '{{{{raw}}}}x{{{{/raw}}}}',
    hint: 'write \\{{ for a literal {{',
  },
  { source: '{{ parms.a }}', at: 'parms.a', hint: 'did you mean "params"?' },
  { source: 'line\n{{ lower parms.a }}', at: 'parms.a', hint: 'did you mean "params"?' },
  { source: 'line\r\n{{ lowr params.a }}', at: 'lowr', hint: 'did you mean "lower"?' },
  { source: '{{ nwo }}', at: 'nwo', hint: 'did you mean "now"?' },
  { source: '{{ date now "iso" }}', at: 'now', hint: 'write (now)' },
  { source: '{{ params.a params.b }}', at: 'params.a', hint: null },
  { source: '{{ true params.b }}', at: 'true', hint: null },
  { source: '{{ undefined }}', at: 'undefined', hint: 'leave it out, or write null' },
  {
    source: '{{ default params.a 12345678901234567890 }}',
    at: '12345678901234567890',
    hint: 'write it as text',
  },
  {
    source: '{{ default params.a 0.12345678901234567890 }}',
    at: '0.12345678901234567890',
    hint: 'write it as text',
  },
  { source: 'x {{ params.a', at: '{{ params.a', hint: 'write }} at its end' },
  { source: 'x {{ params.a } y', at: '{{ params.a } y', hint: 'write }} at its end' },
  { source: '{{ }}', at: '{{ }}', hint: 'write a path or a helper' },
  { source: '{{}}', at: '{{}}', hint: 'write a path or a helper' },
  { source: "{{ lower 'a }}", at: "'", hint: 'write a path, a literal or a helper call' },
  { source: '{{ params..a }}', at: 'params', hint: null },
  { source: '{{ params.list.0.1 }}', at: '0.1', hint: 'write list.[0].[1]' },
  { source: '{{ else }}', at: '{{ else }}', hint: 'write \\{{ for a literal {{' },
  { source: '{{/if}}', at: '{{/', hint: 'write \\{{ for a literal {{' },
  {
    source: 'a\\\\\\{{ params.a }}',
    at: '\\\\\\',
    hint: 'write \\{{ for a literal {{, or \\\\{{ for a backslash and an expression',
  },
  { source: '{{ constructor }}', at: 'constructor', hint: null },
  { source: '{{ constructor.constructor "return 1" }}', at: 'constructor.constructor', hint: null },
  { source: '{{ __proto__.a }}', at: '__proto__.a', hint: null },
  { source: '{{ lookup process "env" }}', at: 'process', hint: null },
])('refuses $source and points at the place', ({ source, at, hint }) => {
  const error = failure(() => parseText(source))
  expect(source.slice(error.offset, error.offset + error.length)).toBe(at)
  if (hint !== null) expect(error.hint).toBe(hint)
})

test.for([
  { source: '{{#if params.a params.b}}x{{/if}}', at: 'if' },
  { source: '{{#if}}x{{/if}}', at: 'if' },
  { source: '{{^if params.a}}x{{/if}}', at: '{{^if params.a}}x{{/if}}' },
  { source: '{{#each params.a}}x{{/each}}', at: 'each' },
  { source: '{{#each params.a as |b c|}}x{{/each}}', at: 'each' },
  { source: '{{#each params.a as |params|}}x{{/each}}', at: 'each' },
  { source: '{{#each params.a as |lower|}}x{{/each}}', at: 'each' },
  {
    source: '{{#each params.a as |b|}}x{{else}}y{{/each}}',
    at: '{{#each params.a as |b|}}x{{else}}y{{/each}}',
  },
  { source: '{{#each params.a as |b|}}{{/each}}{{ b }}', at: 'b' },
  { source: '{{#unless params.a}}x{{/unless}}', at: 'unless' },
  { source: '{{#with params.a}}x{{/with}}', at: 'with' },
  { source: 'a{{#if params.a}}x', at: '{{#if params.a}}x' },
  { source: '{{#if params.a}}x{{/each}}', at: 'if' },
  { source: '{{#if params.a~}}x{{/if}}', at: '{{#if params.a~}}x{{/if}}' },
])('refuses the block $source and points at the place', ({ source, at }) => {
  const error = failure(() => parseText(source, { blocks: true }))
  expect(source.slice(error.offset, error.offset + error.length)).toBe(at)
})

test.for([
  { source: '478', want: { kind: 'constant', value: '478' } },
  { source: '\\{{ a }}', want: { kind: 'constant', value: '{{ a }}' } },
  { source: '{{ params.a }}', want: { kind: 'value', expression: path('params', 'a') } },
  { source: ' {{ params.a }}', want: { kind: 'text', text: [' ', path('params', 'a')] } },
])('$source is a template of kind $want.kind', ({ source, want }) => {
  expect(parseTemplate(source)).toEqual(want)
})

test.for([
  { source: "{{ match params.a '(?=x)' }}", at: "'(?=x)'" },
  { source: "{{ match params.a '[' }}", at: "'['" },
  { source: '{{ match params.a params.b }}', at: 'params.b' },
  { source: "{{ date params.a 'YYYY-MM-DD' }}", at: "'YYYY-MM-DD'" },
  {
    source: "{{ default params.b (date params.a 'yyyy-MM-ddTHH:mm:ssZ') }}",
    at: "'yyyy-MM-ddTHH:mm:ssZ'",
  },
  { source: "{{ add_duration params.a '1D' }}", at: "'1D'" },
  { source: "{{ split params.a '' }}", at: "''" },
  { source: "{{ replace params.a '' 'b' }}", at: "''" },
  { source: "{{ quote params.a '' }}", at: "''" },
])('refuses what can never work in $source and points at the place', ({ source, at }) => {
  const error = failure(() => parseText(source))
  expect(source.slice(error.offset, error.offset + error.length)).toBe(at)
})

test('an expression stands alone', () => {
  expect(parseExpression('{{ not params.a }}')).toEqual(call('not', path('params', 'a')))
  expect(failure(() => parseExpression('a {{ params.a }}')).length).toBe(16)
  expect(failure(() => parseExpression('params.a')).hint).toBe('write "{{ … }}"')
})

test('P4 deep nesting is refused before it can hurt', () => {
  const open = '(not '.repeat(100_000)
  expect(failure(() => parseText(`{{ not ${open}1${')'.repeat(100_000)} }}`)).hint).toBeNull()
  const blocks = '{{#if params.a}}'.repeat(20_000) + '{{/if}}'.repeat(20_000)
  expect(failure(() => parseText(blocks, { blocks: true })).hint).toBeNull()
})

test('parsing leaves the shared parser of Handlebars as it was', async () => {
  const { default: handlebars } = await import('handlebars')
  const before = JSON.stringify(handlebars.parse('{{ a.[0].b }} {{{c}}}'))
  parseText('{{ params.list.0 }}')
  expect(JSON.stringify(handlebars.parse('{{ a.[0].b }} {{{c}}}'))).toBe(before)
  expect(() => handlebars.parse('{{ params.list.0 }}')).toThrow('Parse error')
})

test('a string without {{ is never touched', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (source) => {
      fc.pre(!source.includes('{{'))
      expect(parseTemplate(source)).toEqual({ kind: 'constant', value: source })
    }),
  )
})

test('any text parses or is refused with a position inside it', () => {
  const piece = fc.constantFrom(
    '{{',
    '}}',
    '{',
    '}',
    '\\',
    '#if ',
    '/if',
    'else',
    ' params.a ',
    '(',
    ')',
    '"',
    "'",
    '.',
    '0',
    '[',
    ']',
    '~',
    '\n',
    '@',
    '|',
    'as ',
    'x',
    '!',
    '>',
    '&',
    '^',
    '*',
    '=',
    '\0',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), fc.boolean(), (pieces, blocks) => {
      const source = pieces.join('')
      try {
        parseText(source, { blocks })
      } catch (error) {
        expect(error).toBeInstanceOf(ExpressionSyntaxError)
        const { offset, length } = error as ExpressionSyntaxError
        expect(offset).toBeGreaterThanOrEqual(0)
        expect(length).toBeGreaterThanOrEqual(1)
        expect(offset + length).toBeLessThanOrEqual(source.length + 1)
      }
    }),
    { numRuns: sized(1_000, 10_000) },
  )
})

function failure(run: () => unknown): ExpressionSyntaxError {
  try {
    run()
  } catch (error) {
    expect(error).toBeInstanceOf(ExpressionSyntaxError)
    return error as ExpressionSyntaxError
  }
  throw new Error('nothing was thrown')
}

import { expect, test } from 'vitest'
import { parseText } from '../../../src/language/expression/parse-text.ts'
import { matchText } from '../../../src/sandbox/wire/match-text.ts'

test.for([
  { name: 'a literal matches itself alone', text: 'users', given: 'users', want: [] },
  { name: 'a literal matches nothing longer', text: 'users', given: 'users2', want: null },
  { name: 'one expression takes everything', text: '{{ params.id }}', given: 'a-7', want: ['a-7'] },
  { name: 'a prefix is taken off', text: 'act_{{ params.id }}', given: 'act_12', want: ['12'] },
  { name: 'a missing prefix is no match', text: 'act_{{ params.id }}', given: '12', want: null },
  {
    name: 'a part ends where the next literal first occurs',
    text: '{{ params.a }}-{{ params.b }}',
    given: '1-2-3',
    want: ['1', '2-3'],
  },
  {
    name: 'the last literal stands at the very end',
    text: '{{ params.a }}.json',
    given: 'x.json.json',
    want: ['x.json'],
  },
  {
    name: 'of two expressions side by side neither can be told',
    text: '{{ params.a }}{{ params.b }}!',
    given: '12!',
    want: [undefined, undefined],
  },
  { name: 'an empty value is a value', text: 'a{{ params.a }}b', given: 'ab', want: [''] },
])('$name', ({ text, given, want }) =>
  expect(matchText(parseText(text), given)?.map(({ value }) => value) ?? null).toEqual(want),
)

test('a block stands for any text', () => {
  const text = parseText('{ a {{#if params.b}}{ b }{{/if}} }', { blocks: true })
  expect(matchText(text, '{ a { b } }')).not.toBeNull()
  expect(matchText(text, '{ a  }')).not.toBeNull()
  expect(matchText(text, '{ c }')).toBeNull()
})

import { expect, test } from 'vitest'
import { parseTemplate } from '../../../src/language/expression/parse-text.ts'
import type { Template } from '../../../src/language/expression/syntax.ts'
import type { Json } from '../../../src/language/json/json.ts'
import { Reader } from '../../../src/sandbox/wire/read-back.ts'

const known = {
  config: { region: 'eu' },
  maps: { colours: { red: 1, blue: 2 } },
  record_fields: ['id', 'name'],
}

function read(template: Template, value: Json) {
  const reader = new Reader(known)
  reader.template(template, value, 'x')
  return {
    readings: reader.readings.map(({ root, path, value, exact }) => [
      [root, ...path].join('.'),
      value,
      exact,
    ]),
    problems: reader.problems.map(({ field, message }) => `${field} ${message}`),
  }
}

test.for<{ name: string; template: string; given: Json; readings: Json; problems?: string[] }>([
  {
    name: 'a parameter is what stands in its place',
    template: '{{ params.a.b }}',
    given: [1],
    readings: [['params.a.b', [1], true]],
  },
  {
    name: 'the default of a choice says that nothing was given',
    template: "{{ default params.fields '*navigable' }}",
    given: '*navigable',
    readings: [],
  },
  {
    name: 'another value of a choice was given',
    template: "{{ default params.fields '*navigable' }}",
    given: 'summary',
    readings: [['params.fields', 'summary', true]],
  },
  {
    name: 'a default made of the names of the record is one, too',
    template: "{{ default params.fields (join record_fields ',') }}",
    given: 'id,name',
    readings: [],
  },
  {
    name: 'a joined list is split',
    template: "{{ join params.ids ';' }}",
    given: '1;2',
    readings: [['params.ids', ['1', '2'], true]],
  },
  {
    name: 'text that was escaped for XML is as it was, from this program and from others',
    template: '{{ xml params.title }}',
    given: 'R&#38;D &#60;b&#62; &amp; &quot;x&quot;&#10;',
    readings: [['params.title', 'R&D <b> & "x"\n', true]],
  },
  {
    name: 'JSON text is parsed',
    template: '{{ json params.filter }}',
    given: '{"a":1}',
    readings: [['params.filter', { a: 1 }, true]],
  },
  {
    name: 'base64 is decoded',
    template: '{{ base64 params.text }}',
    given: 'aGk=',
    readings: [['params.text', 'hi', true]],
  },
  {
    name: 'quotes are taken back',
    template: 'name = "{{ quote params.name \'"\' }}"',
    given: 'name = "a \\"b\\""',
    readings: [['params.name', 'a "b"', true]],
  },
  {
    name: 'what a helper may have changed is no exact reading',
    template: "{{ date params.from 'yyyy-MM-dd' }}",
    given: '2026-01-02',
    readings: [['params.from', '2026-01-02', false]],
  },
  {
    name: 'a helper that cannot be undone keeps its argument',
    template: '{{ hash_sha256 params.secret }}',
    given: 'abc',
    readings: [],
  },
  {
    name: 'a setting must be the known one',
    template: '{{ config.region }}',
    given: 'us',
    readings: [],
    problems: ['x must be "eu"'],
  },
  {
    name: 'a value of an earlier step is read',
    template: '{{ steps.start.body.id }}',
    given: '7',
    readings: [['steps.start.body.id', '7', true]],
  },
])('$name', ({ template, given, readings, problems = [] }) =>
  expect(read(parseTemplate(template), given)).toEqual({ readings, problems }),
)

const body: Template = {
  kind: 'object',
  members: [
    ['filter', { kind: 'object', members: [['ids', parseTemplate('{{ params.ids }}')]] }],
    ['cursor', parseTemplate('{{ params.cursor }}')],
    ['version', { kind: 'constant', value: 2 }],
  ],
}

test.for([
  {
    name: 'members are read one by one',
    given: { filter: { ids: ['1'] }, version: 2 },
    readings: [['params.ids', ['1'], true]],
    problems: [],
  },
  {
    name: 'an object that is always sent must be there',
    given: { version: 2 },
    readings: [],
    problems: ['x.filter is missing'],
  },
  {
    name: 'a constant must be there and right',
    given: { filter: {}, version: 3 },
    readings: [],
    problems: ['x.version must be 2'],
  },
  {
    name: 'a member that no template makes is unknown',
    given: { filter: { name: 'x' }, version: 2 },
    readings: [],
    problems: ['x.filter.name is unknown'],
  },
  { name: 'a list is no object', given: [], readings: [], problems: ['x must be an object'] },
])('$name', ({ given, readings, problems }) =>
  expect(read(body, given)).toEqual({ readings, problems }),
)

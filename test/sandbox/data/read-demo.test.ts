import { expect, test } from 'vitest'
import { loadManifest, requireManifest } from '../../../src/language/manifest/load.ts'
import { emptyDemo, readDemo } from '../../../src/sandbox/data/read-demo.ts'

const manifest = requireManifest(
  loadManifest({
    file: 'acme.yaml',
    text: `
manifest: 1
connector: { type: acme, title: Acme, version: 1.0.0 }
server: { url: https://api.acme.example }
auth: { key: { credentials: { required: [api_key], properties: { api_key: { type: string, writeOnly: true } } }, apply: { bearer: "{{ credentials.api_key }}" } } }
check: { entity: lists, action: list }
entities:
  lists:
    record: { properties: { id: { type: integer }, name: { type: string } } }
    actions:
      list: { request: { http: GET /lists }, response: { records: $.lists }, pagination: { type: none, reason: All at once. } }
`,
  }),
)

function problemsOf(text: string): string[] {
  return readDemo(`demo: 1\nconnector: acme\n${text}`, 'demo/acme.yaml', manifest).problems.map(
    ({ line, column, message, hint }) =>
      `${line}:${column} ${message}${hint === null ? '' : ` (${hint})`}`,
  )
}

test('a good file has no problems', () => {
  expect(
    problemsOf(
      'sets: { lists: { count: 3, record: { id: { $sequence: 1 }, name: "List {{ record.id }}" } } }',
    ),
  ).toEqual([])
})

test('options of words that are left empty take their default', () => {
  const words = [
    '{ $number: [1, 2], decimals: }',
    '{ $index: 1, plus: }',
    '{ $some: [1, 2], count: }',
    '{ $all: lists, limit: }',
    '{ $one: lists, else: }',
  ]
  const record = words.map((word, index) => `m${index}: ${word}`).join(', ')
  expect(problemsOf(`sets: { lists: { record: { ${record} } } }`)).toEqual([])
})

test.for(['acme', 'null', 'true'])('a connector called %s has demo data', (type) => {
  expect(emptyDemo({ ...manifest, type }).sets).toEqual(new Map())
})

test.for([
  {
    name: 'an unknown key',
    text: 'set: {}',
    want: ['3:1 set: unknown member, did you mean "sets"?'],
  },
  {
    name: 'a set without records',
    text: 'sets: { lists: { count: 3 } }',
    want: ['3:9 record: must be given: The members of a row, made once, in this order.'],
  },
  {
    name: 'an unknown word',
    text: 'sets: { lists: { record: { id: { $pik: [1] } } } }',
    want: [expect.stringMatching(/^3:34 there is no word "\$pik" \(words are \$pick, /)],
  },
  {
    name: 'an option of another word',
    text: 'sets: { lists: { record: { id: { $int: [1, 2], count: 3 } } } }',
    want: ['3:48 "count" does not belong to $int ($int stands alone)'],
  },
  {
    name: 'a word with the wrong argument',
    text: 'sets: { lists: { record: { id: { $int: 5, x: 1 }, n: { $int: [2, 1] } } } }',
    want: ['3:43 "x" does not belong to $int ($int stands alone)', '3:62 $int is [least, most]'],
  },
  {
    name: 'a word without an option that it needs, and one with a wrong option',
    text: 'sets: { lists: { record: { id: { $if: true }, n: { $all: lists, limit: x } } } }',
    want: ['3:39 $value must be given', '3:58 limit is a number'],
  },
  {
    name: 'a mistyped expression, at its place',
    text: 'sets: { lists: { record: { name: "{{ recrd.id }}" } } }',
    want: ['3:38 There is nothing called "recrd" (did you mean "record"?)'],
  },
  {
    name: 'a text that is a list, with what the text is for',
    text: 'actions: { lists.list: { refuse: [{ message: [x] }] } }',
    want: [expect.stringMatching(/^3:37 message: must be text: What is said\. /)],
  },
  {
    name: 'a tree with a mistyped expression and an unknown word',
    text: 'trees: { adf: { nodes: { p: "{{ x", q: { $nope: 1 } } } }',
    want: [
      expect.stringMatching(/^3:30 /),
      expect.stringMatching(/^3:42 there is no word "\$nope"/),
    ],
  },
  {
    name: 'an unknown set and an unknown form',
    text: 'sets:\n  lists:\n    record: { a: { $one: users }, b: { $one: lists, as: brief } }',
    want: [
      '5:26 there is no set "users" (sets are lists)',
      expect.stringMatching(/^5:46 there is no form "brief"/),
    ],
  },
  {
    name: 'an action and a method that the manifest does not have',
    text: 'credentials: { kez: {} }\nactions: { lists.lst: { status: 200 } }',
    want: [
      '3:16 there is no "kez" (did you mean "key"?)',
      '4:12 there is no "lists.lst" (did you mean "lists.list"?)',
    ],
  },
  {
    name: 'a time format that is none',
    text: 'sets: { lists: { record: { at: { $ago: P1D, format: YYYY } } } }',
    want: [expect.stringMatching(/^3:40 a time format has no "Y/)],
  },
  {
    name: 'a duration that is none',
    text: 'sets: { lists: { record: { at: { $ago: 3 days } } } }',
    want: [expect.stringMatching(/^3:40 this is no ISO 8601 duration/)],
  },
  {
    name: 'a path with an index where members are written',
    text: 'sets: { lists: { record: {}, touch: { "$.a[0]": 1 } } }',
    want: ['3:39 here stands a path of members alone, such as $.fields.updated'],
  },
  {
    name: 'a tree that there is not',
    text: 'trees: { html: { nodes: { text: x } } }\nsets: { lists: { record: { a: { $tree: "{{ record.b }}", as: htm } } } }',
    want: ['4:40 there is no tree "htm" (trees are html)'],
  },
  {
    name: 'a set below that there is not',
    text: 'sets: { lists: { record: { a: { $below: items } } } }',
    want: ['3:41 there is no set "items" (sets are lists)'],
  },
  {
    name: 'a field of a query that says too little and too much',
    text: 'actions:\n  lists.list:\n    query:\n      text: x\n      fields:\n        a: { words: true }\n        b: { at: b, words: true, time: true }\n        c: { at: c, order: falling }',
    want: [
      '8:12 a field has either "at" or "value"',
      '9:12 a field has one of "known", "words" and "time"',
      '10:12 "order" is the order of "known", which is missing',
    ],
  },
  {
    name: 'a path of a query that is none, alone and in a list',
    text: 'actions:\n  lists.list:\n    query:\n      text: x\n      fields:\n        a: "$.b["\n        c: [d, "$.e["]',
    want: [expect.stringMatching(/^8:16 /), expect.stringMatching(/^9:20 /)],
  },
  {
    name: 'a scope that the manifest does not name, and a set that there is not',
    text: 'actions: { lists.list: { scopes: { read: true }, set: list } }\nsets: { lists: { record: {} } }',
    want: ['3:36 there is no "read"', '3:55 there is no "list" (did you mean "lists"?)'],
  },
  {
    name: 'a refusal that says nothing',
    text: 'actions: { lists.list: { refuse: [{ when: true }, { names: { of: {}, message: x } }] } }',
    want: [
      '3:35 a refusal says a "message", "fields" or "names"',
      '3:60 names are "known" or "barred"',
    ],
  },
  {
    name: 'YAML that a manifest would not take either',
    text: 'sets: &a {}',
    want: [expect.stringMatching(/^3:7 /)],
  },
])('$name is found at its place', ({ text, want }) => expect(problemsOf(text)).toEqual(want))

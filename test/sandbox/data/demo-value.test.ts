// Every word of the demo vocabulary, seen through the records it makes.
import { expect, test } from 'vitest'
import type { JsonObject } from '../../../src/json/json.ts'
import { loadManifest, requireManifest } from '../../../src/manifest/load.ts'
import { readDemo } from '../../../src/sandbox/data/read-demo.ts'
import { createSandbox } from '../../../src/sandbox/sandbox.ts'
import { textOf } from '../../../src/sandbox/wire/same-scalar.ts'

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
    record: { properties: { id: { type: integer } } }
    actions:
      list: { request: { http: GET /lists }, response: { records: $.lists }, pagination: { type: none, reason: All at once. } }
`,
  }),
)

const PEOPLE =
  'people: { record: { id: "1", name: x, team: red }, rows: [{ id: "1", name: Al }, { id: "2", name: Bo }, { id: "3", name: Cy, team: blue }], forms: { brief: [id, name], line: "{{ record.id }} {{ record.name }}" } }'

async function recordsOf(text: string, seed = 1): Promise<readonly JsonObject[]> {
  const source = `demo: 1\nconnector: acme\nnow: 2026-01-10T12:00:00Z\n${text}`
  const { demo, problems } = readDemo(source, 'acme.yaml', manifest)
  expect(problems).toEqual([])
  await using vendor = await createSandbox(manifest, demo, { seed })
  return vendor.records('lists')
}

test.for<{ name: string; set: string; maps?: string; people?: boolean; want: unknown }>([
  {
    name: 'templates see the members made so far, the number of the row, and values that are not answered',
    set: 'count: 2, let: { b: base }, record: { a: "{{ record.b }}-{{ record.n }}", c: "{{ upper record.a }}", d: { e: 1, f: "{{ record.d.e }}" } }',
    want: [
      { a: 'base-1', c: 'BASE-1', d: { e: 1, f: 1 } },
      { a: 'base-2', c: 'BASE-2', d: { e: 1, f: 1 } },
    ],
  },
  {
    name: 'absent members are dropped, null stays',
    set: 'count: 1, record: { a: "{{ record.none }}", b: null, c: { $absent: true }, d: { e: "{{ record.none }}" }, f: [1, { $absent: true }, 2] }',
    want: [{ b: null, d: {}, f: [1, 2] }],
  },
  {
    name: 'members of a row stand in place of those that the record makes, and later ones see them',
    set: 'rows: [{ a: own, z: 1 }], count: 2, record: { a: made, b: "{{ record.a }}" }',
    want: [
      { a: 'own', b: 'own', z: 1 },
      { a: 'made', b: 'made' },
    ],
  },
  {
    name: '$cycle goes round, its elements may be words',
    set: 'count: 3, record: { a: { $cycle: [x, { $absent: true }] }, b: { $cycle: "{{ maps.two }}" } }',
    maps: '{ two: [1, 2] }',
    want: [{ a: 'x', b: 1 }, { b: 2 }, { a: 'x', b: 1 }],
  },
  {
    name: '$sequence counts as text, $integer makes numbers of any length',
    set: 'count: 2, record: { a: { $sequence: 9 }, b: { $integer: { $sequence: 9 } }, c: { $integer: "12345678901234567890" } }',
    want: [
      { a: '9', b: 9, c: { rawJSON: '12345678901234567890' } },
      { a: '10', b: 10, c: { rawJSON: '12345678901234567890' } },
    ],
  },
  {
    name: '$join, $first and $if',
    set: 'count: 1, record: { a: { $join: [x, 1, y], with: "" }, b: { $first: [{ $absent: true }, z] }, c: { $if: false, $value: 1 }, d: { $if: "{{ eq record.a \'x1y\' }}", $value: { e: 1 } } }',
    want: [{ a: 'x1y', b: 'z', d: { e: 1 } }],
  },
  {
    name: '$each gives a value for each element, $index counts the elements of a list',
    set: 'count: 1, record: { a: { $each: [3, 4], give: { v: "{{ record.item }}" } }, b: { $list: { at: { $index: 10, plus: 5 } }, count: 2 } }',
    want: [{ a: [{ v: 3 }, { v: 4 }], b: [{ at: 5 }, { at: 15 }] }],
  },
  {
    name: '$ago steps back in lists, $after stays before the beginning',
    set: 'count: 1, record: { a: { $ago: P1D }, b: { $list: { $ago: PT0S, step: P1D, format: yyyy-MM-dd }, count: 3 }, c: { $after: "2026-01-10T11:00:00Z", by: P1D }, d: { $after: 2026-01-01, by: PT1H } }',
    want: [
      {
        a: '2026-01-09T12:00:00Z',
        b: ['2026-01-10', '2026-01-09', '2026-01-08'],
        c: '2026-01-10T12:00:00Z',
        d: '2026-01-01T01:00:00Z',
      },
    ],
  },
  {
    name: '$one and $all find rows of other sets and show members or forms of them',
    set: 'count: 1, record: { a: { $one: people, where: { id: "2" }, get: name }, b: { $one: people, where: { id: "2" }, as: brief }, c: { $one: people, where: { id: "9" }, else: nobody }, d: { $all: people, where: { team: red }, get: id }, e: { $count: people }, f: { $all: people, where: { team: "{{ record.none }}" } }, g: { $all: people, as: line, limit: 1 } }',
    people: true,
    want: [
      {
        a: 'Bo',
        b: { id: '2', name: 'Bo' },
        c: 'nobody',
        d: ['1', '2'],
        e: 3,
        f: [],
        g: ['1 Al'],
      },
    ],
  },
  {
    name: '$earlier looks back among the rows of one parent',
    set: 'per: people, count: 2, record: { a: "{{ parent.id }}{{ record.n }}", b: { $earlier: 1, get: a } }',
    people: true,
    want: [
      { a: '11' },
      { a: '12', b: '11' },
      { a: '21' },
      { a: '22', b: '21' },
      { a: '31' },
      { a: '32', b: '31' },
    ],
  },
  {
    name: '$operate adds, removes and sets',
    set: 'count: 1, record: { a: { $operate: [x, y], by: [{ add: z }, { remove: x }] }, b: { $operate: old, by: [{ set: new }] }, c: { $operate: old, by: "{{ record.none }}" } }',
    want: [{ a: ['y', 'z'], b: 'new' }],
  },
])('$name', async ({ set, maps = '{}', people = false, want }) => {
  const sets = [`lists: { ${set} }`, ...(people ? [PEOPLE] : [])]
  expect(await recordsOf(`maps: ${maps}\nsets:\n  ${sets.join('\n  ')}`)).toEqual(want)
})

test('draws keep within their bounds and differ from row to row', async () => {
  const records = await recordsOf(
    `sets: { lists: { count: 200, record: { int: { $int: [3, 5] }, number: { $number: [1, 2], decimals: 1 }, digits: { $digits: 19 }, hex: { $hex: 8 }, uuid: { $uuid: true }, pick: { $pick: [a, b] }, some: { $some: [1, 2, 3], count: [0, 2] }, ago: { $ago: [PT1H, PT3H] } } } }`,
  )
  for (const { int, number, digits, hex, uuid, pick, some, ago } of records) {
    expect([3, 4, 5]).toContain(int)
    expect(Number(number)).toBeGreaterThanOrEqual(1)
    expect(Number(number)).toBeLessThanOrEqual(2)
    expect(digits).toMatch(/^[1-9]\d{18}$/)
    expect(hex).toMatch(/^[0-9a-f]{8}$/)
    expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(['a', 'b']).toContain(pick)
    expect(new Set(some as number[]).size).toBe((some as number[]).length)
    expect(textOf(ago) >= '2026-01-10T09:00').toBe(true)
    expect(textOf(ago) <= '2026-01-10T11:00:01').toBe(true)
  }
  for (const name of ['digits', 'hex', 'uuid']) {
    expect(new Set(records.map((record) => record[name])).size).toBe(200)
  }
  for (const value of [3, 4, 5])
    expect(records.filter(({ int }) => int === value).length).toBeGreaterThan(40)
})

test('times walk back with the rows of a set, or on with the rows of a parent', async () => {
  const text =
    'sets:\n  lists: { per: people, count: 3, record: { back: { $walk: PT2H }, on: { $walk: PT2H, from: P1D } } }\n  people: { count: 2, record: { id: x } }'
  const records = await recordsOf(text)
  const back = records.map((record) => textOf(record['back']))
  expect(back).toEqual(back.toSorted((a, b) => b.localeCompare(a)))
  for (const group of [records.slice(0, 3), records.slice(3)]) {
    const on = group.map((record) => textOf(record['on']))
    expect(on).toEqual(on.toSorted((a, b) => a.localeCompare(b)))
    expect(on[0]?.slice(0, 10)).toBe('2026-01-09')
  }
})

test('changing one member leaves the draws of all others as they were', async () => {
  const set = (extra: string) =>
    `sets: { lists: { count: 20, record: { ${extra} a: { $digits: 9 }, b: { $pick: [1, 2, 3] } } } }`
  const before = await recordsOf(set(''))
  const after = await recordsOf(set('new: { $uuid: true },'))
  expect(after.map(({ a, b }) => ({ a, b }))).toEqual(before)
})

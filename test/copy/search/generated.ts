// Layouts, records and queries by chance, biased so that queries hit: both draw from one small stock of texts and numbers.
import fc from 'fast-check'

import type { FieldType } from '../../../src/language/manifest/manifest.ts'

/** JSON as the oracle takes it: numbers with more digits than a double holds are `{ $big: digits }`. */
export type Value =
  null | boolean | number | string | readonly Value[] | { readonly [name: string]: Value }
export type Members = { readonly [name: string]: Value }

export interface GeneratedWorld {
  readonly fields: Readonly<Record<string, FieldType>>
  readonly order: readonly string[]
  readonly substring: readonly string[]
  readonly noWords: readonly string[]
  readonly records: readonly Members[]
  readonly palette: Palette
}

export interface GeneratedQuery {
  readonly filter: Members
  readonly sort: readonly Members[]
  readonly limit: number
}

/** JSON text with all digits. */
export function jsonText(value: Value): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${(value as readonly Value[]).map(jsonText).join(',')}]`
  const members = value as Members
  if (typeof members['$big'] === 'string') return members['$big']
  return `{${Object.keys(members)
    .map((name) => `${JSON.stringify(name)}:${jsonText(members[name] ?? null)}`)
    .join(',')}}`
}

const WORDS = [
  'renewal',
  'renwal',
  'Renewals',
  'acme',
  'Acmé',
  'ACMES',
  'call',
  'calls',
  'cal',
  'to',
  'a1',
  'a12',
  'Straße',
  'strasse',
  'ΟΔΟΣ',
  'οδος',
  '東京',
  'ﬁne',
  '😀',
  'naïve',
  'über',
  'x',
] as const
/** What means something to SQL, FTS5, tsquery, LIKE, JSON paths and patterns. */
const HOSTILE = [
  "'",
  '"',
  '%',
  '_',
  '\\',
  '100%',
  "Robert'); DROP TABLE replica_record;--",
  'NEAR(a b)',
  'AND',
  'NOT',
  'OR',
  'a*',
  '{terms}: x',
  'a & b',
  '!x',
  'a:*',
  '<->',
  '$."x"',
  '$1',
  '?',
  '\u0000',
  '\ud800',
  'a\u0301',
  'İ',
  '\u{1f600}\u{10ffff}',
  '[%]',
  'null',
  '',
  ' ',
] as const
const TIMES = [
  '2026-01-31T18:00:00Z',
  '2026-01-31T19:00:00+01:00',
  '2026-01-31T18:00:00.000Z',
  '2026-01-31T18:00Z',
  '2026-01-31',
  '2026-02-31T00:00:00Z',
  '2025-12-31T23:59:59.999999999-0530',
] as const
const ADDRESSES = ['https://x.example/call?acme=1', 'http://acme', 'see https://x.example'] as const
const NUMBERS = [0, 1, -1, 1.5, -1.5, 10, 100, 1e21, 0.001, -0.001] as const
const DIGITS = [
  '7782342274025937895',
  '7782342274025937896',
  '-12345678901234567890.5',
  '1.0000000000000000000001',
  '1e400',
] as const
const NUMBER_TEXTS = ['1', '1.0', '10', '-1', '1e2', '7782342274025937895', '007', 'one'] as const

const word = fc.constantFrom(...WORDS)
const phrase = fc
  .tuple(fc.array(word, { minLength: 1, maxLength: 4 }), fc.constantFrom(' ', ', ', '-', '/'))
  .map(([all, between]) => all.join(between))
const anyText: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: phrase },
  { weight: 2, arbitrary: fc.constantFrom(...HOSTILE) },
  { weight: 3, arbitrary: fc.constantFrom(...TIMES) },
  { weight: 1, arbitrary: fc.constantFrom(...ADDRESSES) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 5 }) },
  {
    weight: 1,
    arbitrary: fc.tuple(word, fc.constantFrom('y', 'z')).map(([one, end]) => one.repeat(60) + end),
  },
)
const anyNumber: fc.Arbitrary<Value> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<Value>(...NUMBERS) },
  { weight: 2, arbitrary: fc.constantFrom(...DIGITS).map((digits): Value => ({ $big: digits })) },
  { weight: 1, arbitrary: fc.integer({ min: -3, max: 3 }) },
)

/** The few values that one world is mostly made of, so that conditions meet records. */
export interface Palette {
  readonly texts: readonly string[]
  readonly numbers: readonly Value[]
  readonly numberTexts: readonly string[]
}

const palette: fc.Arbitrary<Palette> = fc.record({
  texts: fc.uniqueArray(anyText, { minLength: 3, maxLength: 6 }),
  numbers: fc.array(anyNumber, { minLength: 2, maxLength: 4 }),
  numberTexts: fc.subarray([...NUMBER_TEXTS], { minLength: 2, maxLength: 3 }),
})

/** Values of one world, by kind. */
interface Stock {
  readonly text: fc.Arbitrary<string>
  readonly number: fc.Arbitrary<Value>
  readonly numberText: fc.Arbitrary<string>
  /** Texts that are numbers. */
  readonly digits: fc.Arbitrary<string>
  readonly scalar: fc.Arbitrary<Value>
  readonly object: fc.Arbitrary<Value>
  readonly list: fc.Arbitrary<Value>
}

function stockOf({ texts, numbers, numberTexts }: Palette): Stock {
  const text = fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...texts) },
    { weight: 1, arbitrary: anyText },
  )
  const number = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...numbers) },
    { weight: 1, arbitrary: anyNumber },
  )
  const numberText = fc.constantFrom(...numberTexts)
  const isNumber = (one: string): boolean => one !== '007' && one !== 'one'
  const digits = fc.constantFrom('1', ...numberTexts.filter(isNumber))
  const scalar: fc.Arbitrary<Value> = fc.oneof(
    { weight: 5, arbitrary: text },
    { weight: 3, arbitrary: number },
    { weight: 1, arbitrary: fc.boolean() },
    { weight: 1, arbitrary: fc.constant(null) },
  )
  const inner: fc.Arbitrary<Value> = fc.oneof(
    { weight: 6, arbitrary: scalar },
    { weight: 1, arbitrary: fc.array(scalar, { maxLength: 2 }) },
  )
  const shape = { p: inner, q: fc.record({ r: inner, w: text }), w: text, 'a.b': text }
  // Optional members are absent, never undefined.
  const object = fc.oneof(
    fc.record(shape),
    fc.record(shape, { requiredKeys: [] }) as fc.Arbitrary<Members>,
    fc.record({ p: text }),
  )
  const list: fc.Arbitrary<Value> = fc.array(
    fc.oneof(scalar, object, fc.array(scalar, { maxLength: 2 })),
    { maxLength: 3 },
  )
  return { text, number, numberText, digits, scalar, object, list }
}

/** Values of a field: mostly of its type, sometimes null, sometimes of another. */
function valueOf(
  type: FieldType,
  { text, number, numberText, scalar, object, list }: Stock,
): fc.Arbitrary<Value> {
  const own: Readonly<Record<FieldType, fc.Arbitrary<Value>>> = {
    string: text,
    integer: fc.oneof(number, numberText),
    number: fc.oneof(number, numberText),
    boolean: fc.boolean(),
    object,
    array: list,
  }
  return fc.oneof(
    { weight: 12, arbitrary: own[type] },
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.oneof(scalar, list, object) },
  )
}

const BASE: Readonly<Record<string, FieldType>> = {
  id: 'string',
  s: 'string',
  n: 'integer',
  o: 'object',
  l: 'array',
}
const MORE: readonly (readonly [string, FieldType])[] = [
  ['u', 'string'],
  ['x', 'number'],
  ['b', 'boolean'],
  ['v', 'string'],
  ['key', 'string'],
  ['o.dotted', 'string'],
  ['b2', 'boolean'],
  ['y', 'integer'],
  ['z', 'string'],
  ['last', 'boolean'],
]

/** A layout with records. */
export const world: fc.Arbitrary<GeneratedWorld> = fc
  .record({
    more: fc.subarray([...MORE]),
    order: fc.subarray(['o.p', 'o.q.r', 'l.p', 's']),
    substring: fc.subarray(['s', 'o.p', 'z']),
    noWords: fc.subarray(['w', 'q', 'l'], { maxLength: 1 }),
    palette,
  })
  .chain(({ more, order, substring, noWords, palette: chosen }) => {
    const stock = stockOf(chosen)
    const fields: Readonly<Record<string, FieldType>> = { ...BASE, ...Object.fromEntries(more) }
    const values = Object.fromEntries(
      Object.entries(fields)
        .filter(([name]) => name !== 'id')
        .map(([name, type]) => [name, valueOf(type, stock)]),
    )
    // Optional members are absent, never undefined.
    const record = fc.oneof(
      { weight: 3, arbitrary: fc.record(values) },
      { weight: 1, arbitrary: fc.record(values, { requiredKeys: [] }) as fc.Arbitrary<Members> },
    )
    return fc.array(record, { minLength: 1, maxLength: 25, size: 'max' }).map((records) => ({
      fields,
      order,
      substring: substring.filter((name) => name !== 'z' || name in fields),
      noWords,
      palette: chosen,
      records: records.map((members, index) => ({ id: `r${index}`, ...members })),
    }))
  })

/** A pattern made of a text: parts of it kept, parts replaced by wildcards. */
function patternOf(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(
      text,
      fc.nat(20),
      fc.nat(12),
      fc.constantFrom('%', '_', '%_', ''),
      fc.constantFrom('%', ''),
      fc.constantFrom('%', '_', ''),
    )
    .map(([whole, start, length, middle, first, last]) => {
      const points = Array.from(whole).slice(0, 60)
      const from = first === '' ? 0 : start % Math.max(1, points.length)
      const cut = Math.min(points.length, from + length)
      const kept = points.slice(from, cut).join('')
      const rest = last === '' ? points.slice(cut + middle.length).join('') : ''
      return `${first}${escapeLike(kept)}${middle}${escapeLike(rest)}${last}`
    })
}

/** Words of a text: some of them, some misspelled. */
function wordedOf(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const misspell = (one: string, how: number): string => {
    const points = Array.from(one)
    const at = how % Math.max(1, points.length)
    if (how % 5 === 0) return points.toSpliced(at, 1).join('')
    if (how % 5 === 1) return points.toSpliced(at, 0, 'x').join('')
    if (how % 5 === 2)
      return points.toSpliced(at, 2, points[at + 1] ?? '', points[at] ?? '').join('')
    return one
  }
  return fc
    .tuple(text, fc.array(fc.nat(99), { minLength: 1, maxLength: 4 }), fc.nat(4))
    .map(([whole, hows, skip]) =>
      Array.from(whole)
        .slice(0, 200)
        .join('')
        .split(/[\s,/-]+/)
        .slice(skip % 2)
        .slice(0, hows.length)
        .map((one, index) => misspell(one, hows[index] ?? 0))
        .join(' '),
    )
}

const PATHS = [
  'o.p',
  'o.q.r',
  'o.q.w',
  'o.w',
  'o.a.b',
  'l.p',
  'l.0',
  'l.1.p',
  'l.0.0',
  'o.q',
  'l.q.r',
  'o.none',
  'o.constructor',
] as const

/** A condition on one field or path, such as its type takes. */
function condition(
  name: string,
  type: FieldType | 'path',
  { text, number, digits, scalar, object, list }: Stock,
): fc.Arbitrary<Members> {
  const numeric = fc.oneof(number, digits)
  const equal: Readonly<Record<FieldType | 'path', fc.Arbitrary<Value>>> = {
    string: text,
    integer: numeric,
    number: numeric,
    boolean: fc.boolean(),
    object,
    array: fc.oneof(scalar, list),
    path: fc.oneof(scalar, object, list),
  }
  const operand = fc.oneof(
    { weight: 6, arbitrary: equal[type] },
    { weight: 1, arbitrary: fc.constant(null) },
  )
  const bound: fc.Arbitrary<Value> =
    type === 'string'
      ? text
      : type === 'integer' || type === 'number'
        ? equal[type]
        : fc.oneof(text, number)
  const choices: fc.Arbitrary<Members>[] = [
    fc
      .tuple(fc.constantFrom('eq', 'neq'), operand)
      .map(([operator, value]) => ({ [operator]: { [name]: value } })),
    fc.array(operand, { maxLength: 3 }).map((values) => ({ in: { [name]: values } })),
  ]
  if (type !== 'boolean' && type !== 'object')
    choices.push(
      fc
        .tuple(fc.constantFrom('gt', 'gte', 'lt', 'lte'), bound)
        .map(([operator, value]) => ({ [operator]: { [name]: value } })),
    )
  if (type === 'string' || type === 'array' || type === 'path')
    choices.push(
      fc
        .oneof(
          { weight: 5, arbitrary: patternOf(text) },
          { weight: 1, arbitrary: text.map(escapeLike) },
        )
        .map((value) => ({ like: { [name]: value } })),
    )
  if (type !== 'integer' && type !== 'number' && type !== 'boolean')
    choices.push(
      fc
        .tuple(fc.constantFrom('keyword', 'fuzzy'), wordedOf(text))
        .map(([operator, value]) => ({ [operator]: { [name]: value } })),
    )
  return fc.oneof(...choices)
}

function escapeLike(whole: string): string {
  return Array.from(whole)
    .slice(0, 200)
    .join('')
    .replace(/[%_\\]/g, '\\$&')
}

/** Conditions whose hits differ in score: words of two texts, on the fields that have most words. */
function rankingOf({ text }: Stock): fc.Arbitrary<Members> {
  const asked = fc
    .tuple(wordedOf(text), wordedOf(text))
    .map(([one, two]) => Array.from(`${one} ${two}`).slice(0, 240).join(''))
  const one = fc
    .tuple(fc.constantFrom('keyword', 'fuzzy'), fc.constantFrom('s', 'o', 'l'), asked)
    .map(([operator, name, words]): Members => ({ [operator]: { [name]: words } }))
  return fc.oneof(
    one,
    fc.tuple(one, one).map(([left, right]): Members => ({ or: [left, right] })),
    one.map((part): Members => ({ and: [part, { not: { eq: { n: 1 } } }] })),
  )
}

/** Queries that a layout accepts. */
export function queriesOf({
  fields,
  order,
  palette: chosen,
}: GeneratedWorld): fc.Arbitrary<GeneratedQuery> {
  const places = [...Object.entries(fields), ...PATHS.map((path) => [path, 'path'] as const)]
  const stock = stockOf(chosen)
  const leaf = fc.oneof(
    ...places.map(([name, type]) => ({
      weight: type === 'path' ? 1 : name === 's' ? 6 : 3,
      arbitrary: condition(name, type, stock),
    })),
  )
  const { filter } = fc.letrec<{ filter: Members }>((tie) => ({
    filter: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      { weight: 5, arbitrary: leaf },
      {
        weight: 2,
        arbitrary: fc
          .array(tie('filter'), { maxLength: 3 })
          .map((parts): Members => ({ and: parts })),
      },
      {
        weight: 2,
        arbitrary: fc
          .array(tie('filter'), { maxLength: 3 })
          .map((parts): Members => ({ or: parts })),
      },
      { weight: 2, arbitrary: tie('filter').map((part): Members => ({ not: part })) },
      {
        weight: 1,
        arbitrary: fc.tuple(leaf, leaf).map(([one, two]): Members => ({ ...one, ...two })),
      },
    ),
  }))
  const sortable = [
    ...Object.keys(fields).filter((name) => fields[name] !== 'object' && fields[name] !== 'array'),
    ...order.filter((name) => !(name in fields)),
  ]
  const sort = fc
    .uniqueArray(fc.constantFrom(...sortable), { maxLength: 3 })
    .chain((names) =>
      fc.tuple(
        ...names.map((name) =>
          fc.constantFrom('asc', 'desc').map((direction): Members => ({ [name]: direction })),
        ),
      ),
    )
  return fc.record({
    filter: fc.oneof(
      { weight: 20, arbitrary: filter },
      { weight: 5, arbitrary: rankingOf(stock) },
      { weight: 1, arbitrary: fc.constant({}) },
    ),
    sort: fc.oneof({ weight: 1, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: sort }),
    limit: fc.oneof(fc.integer({ min: 1, max: 7 }), fc.constant(1_000)),
  })
}

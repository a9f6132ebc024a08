// The meaning of a search once more, written from docs/search.md for reading and not for speed. Imports nothing it judges.
import { createHash } from 'node:crypto'

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }
type Obj = { readonly [name: string]: Json }
export interface OracleField {
  readonly name: string
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array'
}
export interface OracleWorld {
  readonly fields: readonly OracleField[]
  readonly noWords: readonly string[]
  /** The records in the order of their arrival. */
  readonly records: readonly Obj[]
}
export interface OracleHit {
  readonly record: Obj
  readonly score: number
}

/** Every hit, in order. Numbers beyond a double come as bigint-like text in objects `{ $big }`. */
export function oracle(
  world: OracleWorld,
  query: { readonly filter?: Obj; readonly sort?: readonly Obj[] },
): OracleHit[] {
  const hits = world.records
    .map((record, seq) => ({ record, seq }))
    .filter(({ record }) => holds(world, query.filter ?? {}, record))
    .map((hit) => ({ ...hit, score: round(score(world, query.filter ?? {}, hit.record) ?? 1) }))
  const sort = (query.sort ?? []).flatMap((item) => Object.entries(item))
  hits.sort((a, b) => {
    for (const [name, direction] of sort) {
      const [left, right] = [sortKey(world, name, a.record), sortKey(world, name, b.record)]
      if (left === right) continue
      if (left === null) return 1
      if (right === null) return -1
      return bytes(left, right) * (direction === 'desc' ? -1 : 1)
    }
    return (sort.length > 0 ? 0 : b.score - a.score) || b.seq - a.seq
  })
  return hits
}

const round = (value: number): number => Math.round(value * 1e6) / 1e6
const bytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

// --- filters

function holds(world: OracleWorld, filter: Obj, record: Obj): boolean {
  return Object.entries(filter).every(([operator, operand]) => {
    if (operator === 'and') return (operand as Obj[]).every((part) => holds(world, part, record))
    if (operator === 'or') return (operand as Obj[]).some((part) => holds(world, part, record))
    if (operator === 'not') return !holds(world, operand as Obj, record)
    return Object.entries(operand as Obj).every(([name, value]) =>
      compare(world, operator, name, value, record),
    )
  })
}

function compare(
  world: OracleWorld,
  operator: string,
  name: string,
  operand: Json,
  record: Obj,
): boolean {
  const place = placeOf(world, name)
  const seen = valuesAt(place, record)
  const equals = (value: Json): boolean =>
    value === null
      ? seen.length === 0 || seen.includes(null)
      : seen.some((one) => same(one, operandOf(place, value)))
  if (operator === 'eq') return equals(operand)
  if (operator === 'neq') return !equals(operand)
  if (operator === 'in') return (operand as Json[]).some(equals)
  if (operator === 'like')
    return textsAt(place, record).some((text) => like(operand as string, fold(text)))
  if (operator === 'keyword')
    return words(operand as string).some((word) =>
      wordsAt(world, place, record).flat().includes(word),
    )
  if (operator === 'fuzzy')
    return wordsAt(world, place, record).some((text) => ordered(words(operand as string), text))
  const bound = key(operandOf(place, operand))
  return seen.some((value) => {
    const mine = key(value)
    if (mine === null || bound === null || mine[0] !== bound[0]) return false
    const order = bytes(mine, bound)
    return operator === 'gt'
      ? order > 0
      : operator === 'gte'
        ? order >= 0
        : operator === 'lt'
          ? order < 0
          : order <= 0
  })
}

interface Place {
  readonly field: OracleField
  readonly path: readonly string[]
}

function placeOf({ fields }: OracleWorld, name: string): Place {
  const parts = name.split('.')
  for (let count = parts.length; count > 0; count--) {
    const field = fields.find((one) => one.name === parts.slice(0, count).join('.'))
    if (field !== undefined) return { field, path: parts.slice(count) }
  }
  throw new Error(`no field ${name}`)
}

const isScalarField = ({ field, path }: Place): boolean =>
  path.length === 0 && field.type !== 'object' && field.type !== 'array'

function valuesAt(place: Place, record: Obj): readonly Json[] {
  const value = Object.hasOwn(record, place.field.name) ? record[place.field.name] : undefined
  if (value === undefined) return []
  if (isScalarField(place)) {
    const read = readAs(place.field.type, value)
    return read === null ? [] : [read]
  }
  return reach(value, place.path).flatMap((one) =>
    Array.isArray(one) ? [one, ...(one as Json[])] : [one],
  )
}

function reach(value: Json, path: readonly string[]): readonly Json[] {
  const [name, ...rest] = path
  if (name === undefined) return [value]
  if (Array.isArray(value)) {
    const list = value as readonly Json[]
    if (!/^(0|[1-9][0-9]*)$/.test(name)) return list.flatMap((one) => reach(one, path))
    const one = list[Number(name)]
    return one === undefined ? [] : reach(one, rest)
  }
  if (!isObject(value) || !Object.hasOwn(value, name)) return []
  return reach(value[name] as Json, rest)
}

const isBig = (value: Json): value is { $big: string } =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, '$big')
const isObject = (value: Json): value is Obj =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isBig(value)
const digitsOf = (value: Json): string | null =>
  typeof value === 'number' ? JSON.stringify(value) : isBig(value) ? value.$big : null

function readAs(type: OracleField['type'], value: Json): Json {
  if (type === 'boolean') return typeof value === 'boolean' ? value : null
  if (type === 'string')
    return typeof value === 'string'
      ? value
      : typeof value === 'boolean'
        ? String(value)
        : digitsOf(value)
  const digits = typeof value === 'string' ? value : digitsOf(value)
  return digits !== null && /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/.test(digits)
    ? { $big: digits }
    : null
}

/** Numbers as text are numbers where the field is one. */
function operandOf({ field, path }: Place, operand: Json): Json {
  return path.length === 0 && (field.type === 'integer' || field.type === 'number')
    ? readAs(field.type, operand)
    : operand
}

function same(value: Json, operand: Json): boolean {
  if (Array.isArray(operand) || isObject(operand)) return deep(value) === deep(operand)
  const [mine, other] = [key(value), key(operand)]
  return mine !== null && mine === other
}

function deep(value: Json): string {
  const digits = digitsOf(value)
  if (digits !== null) return String(key({ $big: digits }))
  if (Array.isArray(value)) return `[${(value as Json[]).map(deep).join()}]`
  if (!isObject(value)) return JSON.stringify(value)
  return `{${Object.keys(value)
    .sort(bytes)
    .map((name) => `${JSON.stringify(name)}:${deep(value[name] as Json)}`)
    .join()}}`
}

// --- order of values

/** `t…`, `n…` or `b…`: keys of one letter order as their bytes do. */
function key(value: Json): string | null {
  if (typeof value === 'boolean') return `b${Number(value)}`
  if (typeof value === 'string') return `t${textKey(value)}`
  const digits = digitsOf(value)
  return digits === null ? null : `n${numberKey(digits)}`
}

function numberKey(text: string): string {
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/.exec(text) ?? []
  const all = whole + fraction
  const digits = all.replace(/^0+/, '').replace(/0+$/, '')
  if (digits === '') return '1'
  const leading = /^0*/.exec(all)?.[0].length ?? 0
  const size = String(whole.length - leading + Number(exponent) + 50_000).padStart(5, '0') + digits
  return sign === '-' ? `0${Array.from(size, (digit) => 9 - Number(digit)).join('')}~` : `2${size}`
}

function textKey(text: string): string {
  const time =
    /^(\d{4}-\d\d-\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:?\d\d)$/.exec(text)
  if (time !== null) {
    const [, day, hour, minute, second = '00', fraction = '', zone = 'Z'] = time
    const written = Date.parse(`${day}T00:00:00Z`)
    const valid =
      new Date(written || 0).toISOString().startsWith(day ?? '') &&
      Number(hour) < 24 &&
      Number(minute) < 60 &&
      Number(second) < 60
    const [, sign, ahead = '0', aside = '0'] = /^([+-])(\d\d):?(\d\d)$/.exec(zone) ?? []
    if (valid && Number(ahead) < 24 && Number(aside) < 60) {
      const offset = (Number(ahead) * 60 + Number(aside)) * (sign === '-' ? -1 : 1)
      const instant = new Date(
        written + ((Number(hour) * 60 + Number(minute) - offset) * 60 + Number(second)) * 1000,
      ).toISOString()
      if (instant.length === 24) return `${instant.slice(0, 19)}.${fraction.padEnd(9, '0')}Z`
    }
  }
  const clean = text.toWellFormed().replaceAll('\0', '\ufffd').normalize('NFC')
  const points = Array.from(clean)
  return points.length <= 256
    ? clean
    : `${points.slice(0, 256).join('')}\u{10ffff}${createHash('sha256').update(clean).digest('base64url')}`
}

/** The key of what a name reaches, if that is one scalar. */
function sortKey(world: OracleWorld, name: string, record: Obj): string | null {
  const seen = valuesAt(placeOf(world, name), record)
  return seen.length === 1 ? key(seen[0] as Json) : null
}

// --- texts and words

function textsAt(place: Place, record: Obj): readonly string[] {
  return valuesAt(place, record).filter((value) => typeof value === 'string')
}

const MARKS = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/g

function fold(text: string): string {
  const bare = text.toWellFormed().replaceAll('\0', '\ufffd').normalize('NFKD').replace(MARKS, '')
  return bare
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .normalize('NFKD')
    .replace(MARKS, '')
    .normalize('NFC')
}

function words(text: string): string[] {
  return (fold(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).map((word) =>
    Array.from(word).slice(0, 64).join(''),
  )
}

/** The words of each text at a place, one list per text. */
function wordsAt({ noWords }: OracleWorld, place: Place, record: Obj): readonly string[][] {
  const { field, path } = place
  if (isScalarField(place)) return field.type === 'string' ? textsAt(place, record).map(words) : []
  if ([field.name, ...path].some((name) => noWords.includes(name))) return []
  const inside = (value: Json): string[] => {
    if (typeof value === 'string') return /^https?:\/\/\S+$/i.test(value) ? [] : [value]
    if (Array.isArray(value)) return (value as Json[]).flatMap(inside)
    return isObject(value)
      ? Object.entries(value).flatMap(([name, one]) => (noWords.includes(name) ? [] : inside(one)))
      : []
  }
  return valuesAt(place, record).flatMap(inside).map(words)
}

function like(pattern: string, text: string): boolean {
  const source = pattern.replace(/\\([%_\\])|%|_|[^%_\\]+/g, (all, escaped?: string) =>
    escaped === undefined && all === '%'
      ? '[^]*'
      : escaped === undefined && all === '_'
        ? '[^]'
        : fold(escaped ?? all).replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'),
  )
  return new RegExp(`^${source}$`, 'u').test(text)
}

const hasDigit = (word: string): boolean => /\p{N}/u.test(word)

function mistakes(asked: string, found: string): number {
  if (asked === found) return 0
  const [a, b] = [Array.from(asked), Array.from(found)]
  const allowed = a.length <= 2 ? 0 : a.length <= 5 ? 1 : 2
  if (hasDigit(asked) || hasDigit(found) || Math.abs(a.length - b.length) > allowed) return Infinity
  const distance = (i: number, j: number): number => {
    if (i === 0 || j === 0) return i + j
    const known = memo.get(i * 100 + j)
    if (known !== undefined) return known
    let least = Math.min(
      distance(i - 1, j) + 1,
      distance(i, j - 1) + 1,
      distance(i - 1, j - 1) + Number(a[i - 1] !== b[j - 1]),
    )
    if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
      least = Math.min(least, distance(i - 2, j - 2) + 1)
    memo.set(i * 100 + j, least)
    return least
  }
  const memo = new Map<number, number>()
  const found2 = distance(a.length, b.length)
  return found2 > allowed ? Infinity : found2
}

function ordered(asked: readonly string[], text: readonly string[]): boolean {
  if (asked.length === 0) return false
  let at = 0
  return asked.every((word) => {
    while (at < text.length && mistakes(word, text[at] ?? '') === Infinity) at++
    return at++ < text.length
  })
}

// --- score

function score(world: OracleWorld, filter: Obj, record: Obj): number | null {
  return mean(scoresOfAll(world, filter, record))
}

const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((a, b) => a + b, 0) / values.length

/** Scores of the parts that all hold; parts of an inner `and` count one by one. */
function scoresOfAll(world: OracleWorld, filter: Obj, record: Obj): readonly number[] {
  return Object.entries(filter).flatMap(([operator, operand]): readonly number[] => {
    if (operator === 'and')
      return (operand as Obj[]).flatMap((part) => scoresOfAll(world, part, record))
    if (operator === 'or') {
      const parts = operand as Obj[]
      // An `or` of one filter is that filter.
      if (parts.length === 1) return scoresOfAll(world, parts[0] ?? {}, record)
      const found = parts
        .filter((part) => holds(world, part, record))
        .flatMap((part) => score(world, part, record) ?? [])
      return found.length === 0 ? [] : [Math.max(...found)]
    }
    if (operator !== 'keyword' && operator !== 'fuzzy') return []
    return Object.entries(operand as Obj).map(([name, text]) => {
      const found = wordsAt(world, placeOf(world, name), record).flat()
      const asked =
        operator === 'keyword' ? [...new Set(words(text as string))] : words(text as string)
      const best = (word: string): number =>
        Math.min(...found.map((one) => mistakes(word, one)), Infinity)
      return (
        mean(
          asked.map((word) =>
            operator === 'keyword' ? Number(found.includes(word)) : (SPELLING[best(word)] ?? 0),
          ),
        ) ?? 0
      )
    })
  })
}

const SPELLING: Readonly<Record<number, number>> = { 0: 1, 1: 0.75, 2: 0.5 }

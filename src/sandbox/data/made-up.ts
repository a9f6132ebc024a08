// Plausible values for a schema, by name and type: what a manifest without demo data is answered with.
import type { Json } from '../../language/json/json.ts'
import { isJsonObject } from '../../language/json/members.ts'
import { nativeJson } from '../../language/json/native-json.ts'
import { own } from '../../language/json/own.ts'
import { typeNamesOf } from '../../language/manifest/json-schema.ts'
import type { JsonSchema } from '../../language/manifest/manifest.ts'
import { dereference, propertiesOf } from '../wire/schema-places.ts'
import { digits, pickOne, uuid, wholeBetween } from './chance.ts'
import type { World } from './world.ts'

export interface Spot {
  readonly world: Pick<World, 'chance' | 'startMs'>
  /** Names the spot: every draw is made under it. */
  readonly place: string
  readonly name: string
  /** Number of the record in its listing, from 0. */
  readonly position: number
  /** The record is addressed by this member, so it is unique and never null. Default: no. */
  readonly isKey?: boolean
  /** What an example of the manifest has here; fills objects and lists whose schema is open. */
  readonly example?: Json | undefined
  readonly definitions: Readonly<Record<string, JsonSchema>>
  /** The position of the record whose key the value is, of what names another record; null: it names none. */
  readonly linked?: (schema: JsonSchema, place: string) => number | null
}

const MAX_DEPTH = 5
const STEP_MS = 5 * 3_600_000

/** A value that fits the schema. Objects get all their properties; a nullable member is null now and then. */
export function makeUp(schema: JsonSchema, given: Spot, depth = 0): Json {
  const position = given.isKey === true ? null : (given.linked?.(schema, given.place) ?? null)
  const spot = position === null ? given : { ...given, position, isKey: true }
  const known = dereference(schema, spot.definitions)
  const constant = own(known, 'const')
  if (constant !== undefined) return constant
  const types = typeNamesOf(known)
  const choices = own(known, 'enum')
  if (Array.isArray(choices)) return pickOne(spot.world.chance, spot.place, choices) ?? null
  const nullable = types.includes('null') && spot.isKey !== true
  if (nullable && spot.world.chance(`${spot.place}#null`) < 0.2) return null
  const type = types.find((name) => name !== 'null') ?? guessType(known)
  return MAKERS[type]?.(known, spot, depth) ?? null
}

type Maker = (schema: JsonSchema, spot: Spot, depth: number) => Json

const MAKERS: Readonly<Record<string, Maker>> = {
  string: makeText,
  integer: makeInteger,
  number: (schema, spot) => within(schema, whole(spot, 0, 100_000) / 100),
  boolean: (_schema, spot) => spot.world.chance(spot.place) < 0.7,
  array: makeList,
  object: makeObject,
  null: () => null,
}

function guessType(schema: JsonSchema): string {
  if (own(schema, 'properties') !== undefined) return 'object'
  return own(schema, 'items') === undefined ? 'string' : 'array'
}

function makeObject(schema: JsonSchema, spot: Spot, depth: number): Json {
  const properties = propertiesOf(schema)
  if (properties.length === 0 || depth >= MAX_DEPTH)
    return isJsonObject(spot.example) ? spot.example : {}
  return Object.fromEntries(
    properties.map(([name, property]) => [
      name,
      makeUp(property, inside(spot, name, own(spot.example, name)), depth + 1),
    ]),
  )
}

function makeList(schema: JsonSchema, spot: Spot, depth: number): Json {
  const items = own(schema, 'items')
  if (!isJsonObject(items) || depth >= MAX_DEPTH)
    return Array.isArray(spot.example) ? spot.example : []
  const example = Array.isArray(spot.example) ? spot.example[0] : undefined
  const least = Number(own(schema, 'minItems') ?? 0)
  const most = Number(own(schema, 'maxItems') ?? Math.max(3, least))
  const length = wholeBetween(
    spot.world.chance,
    `${spot.place}#count`,
    Math.max(least, Math.min(1, most)),
    Math.min(most, least + 3),
  )
  return Array.from({ length }, (_, index) =>
    makeUp(items, { ...inside(spot, String(index), example), name: spot.name }, depth + 1),
  )
}

function inside(spot: Spot, name: string, example: Json | undefined): Spot {
  return { ...spot, place: `${spot.place}.${name}`, name, isKey: false, example }
}

function makeInteger(schema: JsonSchema, spot: Spot): Json {
  if (spot.isKey) return within(schema, 1000 + spot.position)
  const format = own(schema, 'format')
  if (format === 'epoch_s') return within(schema, Math.floor(Date.parse(moment(spot)) / 1000))
  if (format === 'epoch_ms') return within(schema, Date.parse(moment(spot)))
  if (format === 'duration_s') return within(schema, whole(spot, 1, 7200))
  if (format === 'duration_ms') return within(schema, whole(spot, 1, 7200) * 1000)
  if (/id$/i.test(spot.name)) return within(schema, whole(spot, 1000, 9999))
  return within(schema, whole(spot, 0, 500))
}

function within(schema: JsonSchema, value: number): number {
  const minimum = Number(own(schema, 'minimum') ?? -Infinity)
  const maximum = Number(own(schema, 'maximum') ?? Infinity)
  return Math.min(Math.max(value, minimum), maximum)
}

function makeText(schema: JsonSchema, spot: Spot): Json {
  const format = own(schema, 'format')
  if (format === 'int64') {
    return nativeJson.rawJSON(
      spot.isKey
        ? `70000000000000${String(10_000 + spot.position)}`
        : digits(spot.world.chance, spot.place, 19),
    )
  }
  const made = typeof format === 'string' ? FORMATS[format]?.(spot) : undefined
  const text =
    made ??
    (isLogin(schema) ? slug(spot) : NAMES.find(([pattern]) => pattern.test(spot.name))?.[1](spot))
  const example = typeof spot.example === 'string' ? spot.example : undefined
  const value = spot.isKey
    ? (made ?? String(1000 + spot.position))
    : (text ?? example ?? phrase(spot))
  const longest = own(schema, 'maxLength')
  return typeof longest === 'number' ? value.slice(0, longest) : value
}

/** What is called `owner` may be a login, or what people are called. */
function isLogin(schema: JsonSchema): boolean {
  const description = own(schema, 'description')
  return typeof description === 'string' && /^login\b/i.test(description)
}

type MakeText = (spot: Spot) => string

function base64(spot: Spot): string {
  return Buffer.from(phrase(spot)).toString('base64')
}

const FORMATS: Readonly<Record<string, MakeText>> = {
  'date-time': (spot) => moment(spot),
  'iso-time': (spot) => moment(spot),
  date: (spot) => moment(spot).slice(0, 10),
  time: (spot) => moment(spot).slice(11, 19),
  email: emailAddress,
  uri: (spot) => `https://example.com/${slug(spot)}`,
  uuid: (spot) => uuid(spot.world.chance, spot.place),
  ipv4: (spot) => `192.0.2.${whole(spot, 1, 254)}`,
  byte: base64,
  binary: base64,
}

/** First match wins, so the narrow names stand before the wide ones. */
const NAMES: readonly (readonly [pattern: RegExp, make: MakeText])[] = [
  [/e-?mail/i, emailAddress],
  [/uuid|guid/i, (spot) => uuid(spot.world.chance, spot.place)],
  [/^key$/, (spot) => `DEMO-${spot.position + 1}`],
  [/^id$|_id$|Id$|_key$/, (spot) => String(whole(spot, 1000, 9999))],
  [/first_?name|given_?name/i, (spot) => choose(spot, FIRST_NAMES)],
  [/last_?name|family_?name|surname/i, (spot) => choose(spot, LAST_NAMES)],
  [/user_?name|login|handle|slug/i, slug],
  [/(display|full|owner|author|contact|user)_?name|^(owner|author|assignee|creator)$/i, personName],
  [
    /company|organi[sz]ation|business/i,
    (spot) => `${choose(spot, LAST_NAMES)} ${choose(spot, COMPANY_ENDS, 'end')}`,
  ],
  [
    /^self$|ur[il]$|href|link|website|avatar|image|picture/i,
    (spot) => `https://example.com/${slug(spot)}`,
  ],
  [/phone|mobile|fax/i, (spot) => `+1555${digits(spot.world.chance, spot.place, 7)}`],
  [/time_?zone/i, (spot) => choose(spot, ['Europe/Berlin', 'America/New_York', 'Asia/Tokyo'])],
  [/(^|_)(date|day)$|Date$|_date_/, (spot) => moment(spot).slice(0, 10)],
  [
    /_at$|At$|created|updated|modified|changed|time|started|ended|date|^since$|until/i,
    (spot) => moment(spot),
  ],
  [/status|state/i, (spot) => choose(spot, ['open', 'active', 'pending', 'done'])],
  [/type|kind|category/i, (spot) => choose(spot, ['standard', 'custom', 'internal'])],
  [/priority|severity/i, (spot) => choose(spot, ['low', 'medium', 'high'])],
  [/currency/i, (spot) => choose(spot, ['EUR', 'USD', 'GBP'])],
  [/country/i, (spot) => choose(spot, ['DE', 'FR', 'GB', 'US', 'JP'])],
  [/city|town/i, (spot) => choose(spot, ['Porto', 'Leeds', 'Lyon', 'Boston', 'Osaka'])],
  [/locale|lang/i, (spot) => choose(spot, ['en-US', 'de-DE', 'fr-FR'])],
  [/colou?r/i, (spot) => `#${whole(spot, 0x100000, 0xffffff).toString(16)}`],
  [
    /amount|price|cost|total|budget|spend|balance/i,
    (spot) => String(whole(spot, 100, 99_999) / 100),
  ],
  [/version/i, (spot) => `${whole(spot, 1, 4)}.${whole(spot, 0, 9, '#minor')}.0`],
  [
    /description|body|note|comment|content|text|message/i,
    (spot) => `${phrase(spot)}. ${phrase({ ...spot, place: `${spot.place}#2` })}.`,
  ],
]

const FIRST_NAMES = 'Ada Björn Chidi Dana Elif Farid Grace Hana Ivo Júlia Kenji Leïla'.split(' ')
const LAST_NAMES =
  'Alvarez Brandt Costa Dubois Eriksen Fischer Greene Hoang Ito Jansen Kovač Lindqvist'.split(' ')
const COMPANY_ENDS = ['Ltd', 'GmbH', 'Inc', 'SA']
const ADJECTIVES = 'Quiet Early Broken New Second Open Shared Late Small Final'.split(' ')
const NOUNS =
  'invoice, delivery, login page, contract, report, meeting, shipment, renewal, release, offer'.split(
    ', ',
  )
const PLACES =
  'in Leeds, for March, of the north team, after the move, on the website, for new customers'.split(
    ', ',
  )

function whole(spot: Spot, min: number, max: number, part = ''): number {
  return wholeBetween(spot.world.chance, `${spot.place}${part}`, min, max)
}

function choose(spot: Spot, list: readonly string[], part = ''): string {
  return pickOne(spot.world.chance, `${spot.place}#${part}`, list) ?? ''
}

function phrase(spot: Spot): string {
  return [choose(spot, ADJECTIVES, 'a'), choose(spot, NOUNS, 'n'), choose(spot, PLACES, 'p')].join(
    ' ',
  )
}

function personName(spot: Spot): string {
  return `${choose(spot, FIRST_NAMES, 'first')} ${choose(spot, LAST_NAMES, 'last')}`
}

function emailAddress(spot: Spot): string {
  const plain = personName(spot)
    .normalize('NFD')
    .replace(/[^A-Za-z ]/g, '')
  return `${plain.toLowerCase().replace(' ', '.')}${spot.position + 1}@example.com`
}

function slug(spot: Spot): string {
  return phrase(spot).toLowerCase().replaceAll(' ', '-')
}

/** Walks back by some hours per record; what was updated lies a little after what was created. */
function moment(spot: Spot): string {
  const later = /updat|modif|chang|end|clos|due/i.test(spot.name) ? 0.9 : 0
  const back = (spot.position + 1 - later * spot.world.chance(spot.place)) * STEP_MS
  return new Date(Math.floor((spot.world.startMs - back) / 1000) * 1000).toISOString()
}

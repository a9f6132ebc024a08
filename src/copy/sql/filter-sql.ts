// Conditions as SQL: exact, or sure to include every hit.
import {
  type Condition,
  type Filter,
  isCondition,
  type Place,
  type Worded,
} from '../search/filter.ts'
import { wordsOfKey } from '../search/key.ts'
import { isScalarType, type Lift, liftAt, pathBit, type SearchLayout } from '../search/layout.ts'
import { longestText, sqlPattern } from '../search/like.ts'
import { CUT_WORDS, fieldPrefix, KIND_LETTERS } from '../search/opened-row.ts'
import { codePoints } from '../search/text.ts'
import type { Dialect, Scope } from './dialect.ts'
import { allOf, FALSE, plain, someOf, sql, type Sql, type SqlSteps, TRUE } from './sql.ts'
import type { Vocabularies } from './vocabulary.ts'
import { combineWords, scopePrefix, type WordQuery } from './word-query.ts'

/** A condition on one column that has an index. */
export interface IndexLead {
  readonly index: string
  /** As queries name it. */
  readonly field: string
  readonly sql: Sql
  /** The column of the index. */
  readonly key: Sql
  /** Values of the column that together say the same: the index gives the records of each by arrival. Else empty. */
  readonly values: readonly string[]
}

/** A filter as a condition on `r`. */
export interface Narrowed {
  readonly sql: Sql
  /** Whether it is met by the hits alone; else by all hits and perhaps more. */
  readonly exact: boolean
  /** Whether an index leads to what meets it. */
  readonly indexed: boolean
  /** Columns with an index that everything meeting it has to do with; empty where words or parts lead. */
  readonly leads: readonly IndexLead[]
  /** The words that everything meeting it has, when the whole condition or a part of an `and` is about words; not in `sql`. */
  readonly words: WordQuery | null
  /** Whether the words only help to find it: `sql` says as much without them. */
  readonly hinted: boolean
  /** A text that is a part of what everything meeting it has, where an index on parts leads; not in `sql`. */
  readonly part: string | null
  /** Of an `or` whose parts all have an index, where no planner chooses: each of them, to be walked on its own. */
  readonly branches: readonly Narrowed[] | null
}

export interface FilterContext {
  readonly dialect: Dialect
  readonly scope: Scope
  readonly vocabularies: Vocabularies
}

/** Narrows by a filter whose negations stand around single conditions only (`pushNegation`). */
export function* narrow(filter: Filter, context: FilterContext): SqlSteps<Narrowed> {
  if (filter.kind === 'not') {
    if (!isCondition(filter.part)) throw new TypeError('negations are pushed inwards first')
    const { part } = filter
    // What helps to find the few that are equal is in the way of finding all others.
    const narrowed =
      part.kind === 'equal' ? narrowEqual(part, context) : yield* narrowCondition(part, context)
    return negate(narrowed, context)
  }
  if (isCondition(filter)) return yield* narrowCondition(filter, context)
  const parts: Narrowed[] = []
  for (const part of filter.parts) parts.push(yield* narrow(part, context))
  return filter.kind === 'and' ? narrowAll(parts, context) : narrowSome(parts, context)
}

function narrowAll(parts: readonly Narrowed[], context: FilterContext): Narrowed {
  const words = parts.flatMap((part) => (part.words === null ? [] : [part.words]))
  // Another index may lead to less; which one does, the planner knows best.
  const leads = parts.length === 1 ? (parts[0]?.part ?? null) : null
  return {
    ...SCAN,
    sql: allOf(parts.map((part) => (leads === null ? restOf(part, context) : part.sql))),
    exact: parts.every((part) => part.exact),
    indexed: parts.some((part) => part.indexed),
    leads: parts.flatMap((part) => part.leads),
    words: words.length === 0 ? null : combineWords('and', words),
    hinted: words.length > 0 && parts.every((part) => part.words === null || part.hinted),
    part: leads,
  }
}

/** More parts of an `or`, and more values of one `in`, are asked in one condition. */
const MAX_BRANCHES = 20

function narrowSome(parts: readonly Narrowed[], context: FilterContext): Narrowed {
  return {
    ...SCAN,
    sql: someOf(parts.map((part) => whole(part, context))),
    exact: parts.every((part) => part.exact),
    indexed: parts.every((part) => part.indexed),
    // A planner with statistics knows whether to go through each of them.
    branches:
      context.dialect.recordsBy !== null &&
      parts.length > 1 &&
      parts.length <= MAX_BRANCHES &&
      parts.every((part) => part.indexed)
        ? parts
        : null,
  }
}

function negate(part: Narrowed, context: FilterContext): Narrowed {
  if (!part.exact) return SCAN
  const condition = whole(part, context)
  if (condition === TRUE || condition === FALSE)
    return { ...SCAN, sql: condition === TRUE ? FALSE : TRUE, exact: true }
  // A comparison with an absent value is NULL, and the complement holds then.
  return { ...SCAN, sql: sql`((${condition}) IS NOT TRUE)`, exact: true }
}

/** The condition with its words. */
export function whole(part: Narrowed, context: FilterContext): Sql {
  const rest = restOf(part, context)
  return part.words === null ? rest : allOf([context.dialect.hasWords(part.words), rest])
}

/** A condition without its words. */
export function restOf({ part, sql: rest }: Narrowed, { dialect }: FilterContext): Sql {
  return part === null ? rest : allOf([dialect.hasPart(part) ?? TRUE, rest])
}

/** Every record may be a hit. */
const SCAN: Narrowed = {
  sql: TRUE,
  exact: false,
  indexed: false,
  leads: [],
  words: null,
  hinted: false,
  part: null,
  branches: null,
}
const NONE: Narrowed = { ...SCAN, sql: FALSE, exact: true, indexed: true }

function* narrowCondition(condition: Condition, context: FilterContext): SqlSteps<Narrowed> {
  switch (condition.kind) {
    case 'equal':
      return hinted(narrowEqual(condition, context), condition, context)
    case 'range':
      return narrowRange(condition, context)
    case 'pattern':
      return narrowPattern(condition, context)
    case 'some_word':
      return narrowSomeWord(condition, context)
    case 'all_words':
      return yield* narrowAllWords(condition, context)
  }
}

/** The lift that tells all about a place; undefined when only the document does. */
function reliableLift({ place }: Condition, { scope }: FilterContext): Lift | undefined {
  const { layout } = scope
  const lift = liftAt(layout, place)
  if (lift === undefined || lift.path.length === 0) return lift
  return (scope.mixed & (1 << pathBit(layout, lift))) === 0 ? lift : undefined
}

/** The column or expression that holds the key of a lift. */
export function keyOf(
  lift: Lift,
  { dialect, scope }: Pick<FilterContext, 'dialect' | 'scope'>,
): Sql {
  return lift.slot === null
    ? dialect.lifted(scope.layout.lifts.indexOf(lift))
    : plain(`r.k${lift.slot}`)
}

function leadsOf(
  { slot, name }: Lift,
  key: Sql,
  condition: Sql,
  values: readonly string[],
): readonly IndexLead[] {
  return slot === null ? [] : [{ index: indexOf(slot), field: name, sql: condition, key, values }]
}

export function indexOf(slot: number): string {
  return `replica_k${slot}`
}

type Equal = Extract<Condition, { kind: 'equal' }>

function narrowEqual(condition: Equal, context: FilterContext): Narrowed {
  const lift = reliableLift(condition, context)
  if (lift === undefined) return SCAN
  const key = keyOf(lift, context)
  const keys: string[] = []
  let none = FALSE
  for (const value of condition.values) {
    if (value.kind === 'null') none = sql`${key} IS NULL`
    // A lifted place holds no objects and no arrays.
    else if (value.kind !== 'whole') keys.push(storedKey(lift, value.kind, value.key))
  }
  const distinct = [...new Set(keys)]
  const some = distinct.length === 0 ? FALSE : context.dialect.isIn(key, distinct)
  const indexed = lift.slot !== null && none === FALSE
  return {
    ...SCAN,
    sql: someOf([some, none]),
    exact: true,
    indexed,
    leads:
      indexed && some !== FALSE
        ? leadsOf(lift, key, some, distinct.length > MAX_BRANCHES ? [] : distinct)
        : [],
  }
}

/** More values are not looked for by their words, and of one value no more words. */
const MAX_HINTED = 50
const MAX_HINTS = 6

/** With the words of the values, where no other index leads to what is equal to them. */
function hinted(narrowed: Narrowed, { place, values }: Equal, context: FilterContext): Narrowed {
  const { scope } = context
  if (narrowed.indexed || narrowed.sql === FALSE || (scope.mixed & CUT_WORDS) !== 0) return narrowed
  const { length } = values
  if (length === 0 || length > MAX_HINTED || !isWorded(place, scope.layout)) return narrowed
  const choices: WordQuery[] = []
  for (const value of values) {
    // Addresses of the web have no words inside of objects and arrays.
    if (value.kind !== 'text' || /^https?:/i.test(value.key)) return narrowed
    const words = wordsOfKey(value.key)
    if (words.length === 0) return narrowed
    const terms = words.slice(0, MAX_HINTS).map((word) => termOf(scope, place.field, word))
    choices.push(combineWords('and', terms))
  }
  return {
    ...narrowed,
    sql: context.dialect.correlated(narrowed.sql),
    indexed: true,
    words: combineWords('or', choices),
    hinted: true,
  }
}

function isWorded({ field, path }: Place, { fields, noWords }: SearchLayout): boolean {
  const found = fields[field]
  if (found === undefined) return false
  if (isScalarType(found.type)) return found.type === 'string'
  return !noWords.includes(found.name) && !path.some((name) => noWords.includes(name))
}

function storedKey(lift: Lift, kind: keyof typeof KIND_LETTERS, key: string): string {
  return lift.path.length === 0 ? key : KIND_LETTERS[kind] + key
}

type Range = Extract<Condition, { kind: 'range' }>

function narrowRange(condition: Range, context: FilterContext): Narrowed {
  const lift = reliableLift(condition, context)
  if (lift === undefined) return SCAN
  const { bound, isAbove, isIncluded } = condition
  const relation = (isAbove ? '>' : '<') + (isIncluded ? '=' : '')
  const key = keyOf(lift, context)
  const bounded = sql`${key} ${plain(relation)} ${storedKey(lift, bound.kind, bound.key)}`
  const { [bound.kind]: letter } = KIND_LETTERS
  const sameKind = lift.path.length === 0 ? TRUE : ofKind(key, letter)
  const range = allOf([bounded, sameKind])
  return {
    ...SCAN,
    sql: range,
    exact: true,
    indexed: lift.slot !== null,
    leads: leadsOf(lift, key, range, []),
  }
}

function ofKind(key: Sql, letter: string): Sql {
  const next = String.fromCharCode(letter.charCodeAt(0) + 1)
  return sql`${key} >= ${letter} AND ${key} < ${next}`
}

type Pattern = Extract<Condition, { kind: 'pattern' }>

function narrowPattern(condition: Pattern, context: FilterContext): Narrowed {
  const { dialect } = context
  const { layout } = context.scope
  const lift = reliableLift(condition, context)
  const type = layout.fields[condition.place.field]?.type
  if (
    lift === undefined ||
    (lift.path.length === 0 && type !== undefined && isScalarType(type) && type !== 'string')
  )
    return SCAN
  const key = keyOf(lift, context)
  const folded = dialect.folded(layout.lifts.indexOf(lift))
  const isText = lift.path.length === 0 ? TRUE : ofKind(key, KIND_LETTERS.text)
  const text = lift.path.length === 0 ? key : sql`substr(${key}, 2)`
  // SQLite would look at a bare pattern when it plans, and plan the statement again for every other one.
  const pattern = sql`(${sqlPattern(condition.pattern)} || '')`
  const like = sql`coalesce(${folded}, ${text}) LIKE ${pattern} ESCAPE '\\'`
  const literal = longestText(condition.pattern)
  const hasIndex =
    lift.substring && codePoints(literal).length >= 3 && dialect.hasPart(literal) !== null
  return {
    ...SCAN,
    sql: allOf([isText, like]),
    exact: true,
    indexed: hasIndex,
    part: hasIndex ? literal : null,
  }
}

export function termOf(scope: Scope, field: number, word: string): WordQuery {
  return { kind: 'term', term: scopePrefix(scope.scopeNo) + fieldPrefix(field) + word }
}

function narrowWords(words: WordQuery, exact: boolean): Narrowed {
  return { ...SCAN, exact, indexed: true, words }
}

function narrowSomeWord({ place, words }: Worded, { scope }: FilterContext): Narrowed {
  if (words.length === 0) return NONE
  const terms = words.map((word) => termOf(scope, place.field, word))
  return narrowWords(combineWords('or', terms), place.path.length === 0)
}

function* narrowAllWords({ place, words }: Worded, context: FilterContext): SqlSteps<Narrowed> {
  const { scope, vocabularies } = context
  const choices: WordQuery[] = []
  for (const word of new Set(words)) {
    const near = yield* vocabularies.nearby(word, context)
    if (near.length === 0) return NONE
    const terms = near.map((found) => termOf(scope, place.field, found.word))
    choices.push(combineWords('or', terms))
  }
  if (choices.length === 0) return NONE
  return narrowWords(combineWords('and', choices), words.length === 1 && place.path.length === 0)
}

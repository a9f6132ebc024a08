// Which index leads a walk, where the store keeps no statistics: found by counting and walking a little.
import type { IndexLead } from './filter-sql.ts'
import type { Dialect, Scope } from './dialect.ts'
import { type Sql, sql, type SqlSteps } from './sql.ts'
import type { WordQuery } from './word-query.ts'

/** How the next records are looked for. */
export type Way =
  | { readonly kind: 'planned' }
  /** By the index of a condition, and sorted. */
  | { readonly kind: 'led'; readonly lead: IndexLead }
  /** By the index of a condition, each of its values by arrival: the newest of all are among the newest of each. */
  | { readonly kind: 'merged'; readonly lead: IndexLead }
  /** In the order of the hits, so many records (null: all), after so many that were looked at before. */
  | { readonly kind: 'walked'; readonly width: number | null; readonly walked: number }

export const PLANNED: Way = { kind: 'planned' }
export const WALKED: Way = { kind: 'walked', width: null, walked: 0 }

/** Records that are read and sorted in about the time in which a page is walked. */
const FEW = 400
/** Words cost less to collect than records, which are parsed when words are looked for in them. */
const FEW_WORDS = 5_000
/** Records walked at first, per hit: enough where one in so many is a hit. */
const FIRST_WALK = 24
/** The same before a planner is left to its guess. */
const GUESSED_WALK = 40
/** Each stretch is so much longer than the one before. */
const LONGER = 8
/** Records of one stretch at most: a statement cannot be interrupted. */
const MAX_WALK = 20_000
/** Walking on is given up after so many times the records after which it should have ended. */
const UNLUCKY = 4

export interface Choosing {
  readonly dialect: Dialect
  readonly scope: Scope
  readonly leads: readonly IndexLead[]
  /** Whether hits come by arrival, as some indexes give them. */
  readonly byArrival: boolean
  readonly limit: number
  /** Whether the only condition is that one column has one of some values. */
  readonly isValues: boolean
  /** Whether the planner's statistics say nothing of the condition: a little is walked before it chooses. */
  readonly isGuessed: boolean
}

export function* firstWay(choosing: Choosing): SqlSteps<Way> {
  const { dialect, leads, byArrival, limit } = choosing
  const [only] = leads
  const begin = (perHit: number): Way => {
    return { kind: 'walked', width: Math.min(MAX_WALK, perHit * limit), walked: 0 }
  }
  if (choosing.isGuessed) return begin(GUESSED_WALK)
  if (only === undefined) return PLANNED
  if (choosing.isValues && only.values.length > 1) return { kind: 'merged', lead: only }
  if (dialect.recordsBy === null) return PLANNED
  if (byArrival && leads.length === 1 && isOrdered(only)) return { kind: 'led', lead: only }
  const few = yield* fewest(choosing, FEW)
  if (few !== null) return { kind: 'led', lead: few }
  const ordered = byArrival ? leads.filter(isOrdered) : []
  const [first] = ordered
  if (first === undefined) return begin(FIRST_WALK)
  return { kind: 'led', lead: (yield* fewest(choosing, usualWalk(choosing))) ?? first }
}

/** Whether the index gives the hits by arrival: they have one value. */
export function isOrdered({ values }: IndexLead): boolean {
  return values.length === 1
}

/** The way to go on after a stretch that did not fill the page. */
export function* nextWay(choosing: Choosing, way: Way): SqlSteps<Way> {
  const [first] = choosing.leads
  if (choosing.isGuessed) return PLANNED
  if (way.kind !== 'walked' || way.width === null || first === undefined) return way
  const walked = way.walked + way.width
  const most = UNLUCKY * usualWalk(choosing)
  if (way.walked === 0) {
    const few = yield* fewest(choosing, usualWalk(choosing))
    if (few !== null) return { kind: 'led', lead: few }
  }
  if (walked >= most) return { kind: 'led', lead: first }
  return { kind: 'walked', width: Math.min(LONGER * way.width, most - walked, MAX_WALK), walked }
}

/** As many records as a condition may have so that reading them all costs what walking to its first hits does. */
function usualWalk({ scope, limit }: Pick<Choosing, 'scope' | 'limit'>): number {
  return Math.ceil(Math.sqrt(limit * scope.live))
}

/** The condition with the fewest records; null when each has more than `most`. */
export function* fewest(
  { dialect, scope, leads }: Pick<Choosing, 'dialect' | 'scope' | 'leads'>,
  most: number,
): SqlSteps<IndexLead | null> {
  const { recordsBy } = dialect
  if (recordsBy === null) return null
  const recordsOf = (lead: IndexLead): Sql =>
    sql`FROM ${recordsBy(lead.index)} WHERE ${dialect.inScope(scope, 'r')} AND ${lead.sql}`
  const few: IndexLead[] = []
  // To step over so many is a third of the work of counting them.
  for (const lead of leads) {
    const beyond = yield {
      ...sql`SELECT 1 ${recordsOf(lead)} LIMIT 1 OFFSET ${most}`,
      remembered: true,
    }
    if (beyond.length === 0) few.push(lead)
  }
  let [found] = few
  let least = Infinity
  for (const lead of few.length > 1 ? few : []) {
    const [row] = yield {
      ...sql`SELECT count(*) AS count ${recordsOf(lead)}`,
      remembered: true,
    }
    const count = Number(row?.['count'])
    if (count < least) [found, least] = [lead, count]
  }
  return found ?? null
}

/** Whether words are so common that walking records is quicker. `again`: one stretch of them did not fill the page. */
export function* areCommon(
  { dialect, scope, limit }: Pick<Choosing, 'dialect' | 'scope' | 'limit'>,
  words: WordQuery,
  again: boolean = false,
): SqlSteps<boolean> {
  const led = dialect.led(words)
  if (led === null) return false
  const most = again ? UNLUCKY * usualWalk({ scope, limit }) : FEW_WORDS
  const beyond = yield {
    ...sql`SELECT 1 FROM words WHERE ${led.where} LIMIT 1 OFFSET ${most}`,
    remembered: true,
  }
  return beyond.length > 0
}

// Questions to a copy, each with the SQL that somebody would write by hand for the same hits from the same tables.
import type { Json } from '../../src/language/json/json.ts'
import { numberKey } from '../../src/copy/search/key.ts'
import { fuzzyDistance } from '../../src/copy/search/text.ts'
import { wordOf } from './issues.ts'

/** Hits per page. */
export const LIMIT = 50
/** What statements by hand ask for: one more says whether there is another page, as every answer of a search does. */
const ASKED_FOR = LIMIT + 1

export interface Question {
  readonly name: string
  readonly query: Json
  /** Statements that give the hits in turn until there are enough; null: SQL alone cannot say it. */
  readonly sqlite: readonly string[] | null
  readonly postgres: readonly string[] | null
}

const COMMON = wordOf(3)
const OTHER = wordOf(9)
const RARE = wordOf(4_000)
const ASKED = `${wordOf(40).slice(0, -1)}x`

/** Words by their distance to the asked one. */
const NEAR: readonly (readonly string[])[] = [0, 1, 2].map((distance) => [
  ...new Set(
    Array.from({ length: 8_000 }, (_, rank) => wordOf(rank)).filter(
      (word) => fuzzyDistance(ASKED, word) === distance,
    ),
  ),
])

const HAND = 'r.scope_no = 1'
const OURS = "r.instance_id = 'bench' AND r.entity = 'things' AND r.epoch = 1"
const NEWEST_ROW = `ORDER BY r.row DESC LIMIT ${ASKED_FOR}`
const NEWEST_SEQ = `ORDER BY r.seq DESC LIMIT ${ASKED_FOR}`

/** A condition on columns, which both stores say alike; `order` where it is not the newest first. */
function columns(name: string, query: Json, condition: string, order?: string): Question {
  const select = 'SELECT r.record_id AS id, r.doc AS doc FROM replica_record r WHERE'
  const by = order === undefined ? '' : `${order}, `
  return {
    name,
    query,
    sqlite: [`${select} ${HAND} AND ${condition} ORDER BY ${by}r.row DESC LIMIT ${ASKED_FOR}`],
    postgres: [`${select} ${OURS} AND ${condition} ORDER BY ${by}r.seq DESC LIMIT ${ASKED_FOR}`],
  }
}

/** The same where the records are walked by arrival, which SQLite does when told so: it keeps no statistics. */
function walked(name: string, query: Json, condition: string): Question {
  const question = columns(name, query, condition)
  const told = (text: string): string =>
    text.replace('record r WHERE', 'record r NOT INDEXED WHERE')
  return { ...question, sqlite: question.sqlite?.map(told) ?? null }
}

/** The same where SQLite is told which index to walk. */
function led(index: string, question: Question): Question {
  const told = (text: string): string =>
    text.replace('record r WHERE', `record r INDEXED BY ${index} WHERE`)
  return { ...question, sqlite: question.sqlite?.map(told) ?? null }
}

/** Conditions on words of `content`, one per tier of scores: in the notation of FTS5, with terms in braces. */
function words(name: string, query: Json, ...tiers: readonly string[]): Question {
  const terms = (text: string, quote: string): string =>
    text.replace(/\{(\w+)\}/g, (_, word: string) => `${quote}110c${word}${quote}`)
  return {
    name,
    query,
    sqlite: tiers.map(
      (tier) =>
        `SELECT r.record_id AS id, r.doc AS doc FROM words CROSS JOIN replica_record r ON r.row = words.rowid WHERE words MATCH '${terms(tier, '"')}' ORDER BY words.rowid DESC LIMIT ${ASKED_FOR}`,
    ),
    postgres: tiers.map((tier) => {
      const text = terms(tier, "''")
        .replaceAll(' AND ', ' & ')
        .replaceAll(' OR ', ' | ')
        .replaceAll(' NOT ', ' & !')
      return `SELECT r.record_id AS id, r.doc AS doc FROM replica_record r WHERE ${OURS} AND r.terms @@ '${text}'::tsquery ${NEWEST_SEQ}`
    }),
  }
}

const anyOf = (some: readonly string[]): string =>
  `(${some.map((word) => `{${word}}`).join(' OR ')})`
const key = (number: number): string => numberKey(String(number)) ?? ''
const sqliteLift = (number: number): string => `(r.lift ->> '$."${number}"')`
const postgresLift = (number: number): string => `((r.lift ->> '${number}') COLLATE "C")`
const PART = COMMON.slice(0, 4)

export const QUESTIONS: readonly Question[] = [
  walked('everything, newest first', {}, 'TRUE'),
  columns('eq', { filter: { eq: { status: 'Blocked' } } }, "r.k3 = 'Blocked'"),
  columns('eq, one hit', { filter: { eq: { key: 'ACME-77' } } }, "r.k7 = 'ACME-77'"),
  walked('eq null', { filter: { eq: { assignee: null } } }, 'r.k5 IS NULL'),
  walked('neq', { filter: { neq: { status: 'Open' } } }, "r.k3 IS DISTINCT FROM 'Open'"),
  columns(
    'in, 5 values',
    { filter: { in: { assignee: [1, 2, 3, 4, 5].map((number) => `user-${number}`) } } },
    "r.k5 IN ('user-1', 'user-2', 'user-3', 'user-4', 'user-5')",
  ),
  led(
    'replica_k1',
    columns(
      'range and sort',
      { filter: { gte: { points: 30 } }, sort: [{ updated: 'desc' }] },
      `r.k8 >= '${key(30)}' AND r.k1 IS NOT NULL`,
      'r.k1 DESC',
    ),
  ),
  walked('range', { filter: { gt: { points: 37 } } }, `r.k8 > '${key(37)}'`),
  columns(
    'range, few hits',
    { filter: { lt: { created: '2024-01-01T01' } } },
    "r.k2 < '2024-01-01T01'",
  ),
  columns('sort', { sort: ['created'] }, 'r.k2 IS NOT NULL', 'r.k2 ASC'),
  columns(
    'eq and eq',
    { filter: { eq: { status: 'Closed', priority: 'High' } } },
    "r.k3 = 'Closed' AND r.k4 = 'High'",
  ),
  led(
    'replica_k7',
    columns(
      'eq and eq, one hit',
      { filter: { eq: { status: 'Open', key: 'ACME-77' } } },
      "r.k3 = 'Open' AND r.k7 = 'ACME-77'",
    ),
  ),
  {
    name: 'eq without an index',
    query: { filter: { eq: { team: 'team-7' } } },
    sqlite: [
      `SELECT r.record_id AS id, r.doc AS doc FROM words CROSS JOIN replica_record r ON r.row = words.rowid WHERE words MATCH '"110bteam" AND "110b7"' AND ${sqliteLift(11)} = 'team-7' ORDER BY words.rowid DESC LIMIT ${ASKED_FOR}`,
    ],
    postgres: [
      `SELECT r.record_id AS id, r.doc AS doc FROM replica_record r WHERE ${OURS} AND r.terms @@ '''110bteam'' & ''110b7'''::tsquery AND ${postgresLift(11)} = 'team-7' ${NEWEST_SEQ}`,
    ],
  },
  words('keyword, common', { filter: { keyword: { content: COMMON } } }, `{${COMMON}}`),
  words('keyword, rare', { filter: { keyword: { content: RARE } } }, `{${RARE}}`),
  words(
    'keyword, two words',
    { filter: { keyword: { content: `${COMMON} ${OTHER}` } } },
    `{${COMMON}} AND {${OTHER}}`,
    `({${COMMON}} OR {${OTHER}}) NOT ({${COMMON}} AND {${OTHER}})`,
  ),
  words(
    'two keywords, both',
    { filter: { and: [{ keyword: { content: COMMON } }, { keyword: { content: OTHER } }] } },
    `{${COMMON}} AND {${OTHER}}`,
  ),
  {
    name: 'keyword, common, and sort',
    query: { filter: { keyword: { content: COMMON } }, sort: [{ updated: 'desc' }] },
    sqlite: [
      `SELECT r.record_id AS id, r.doc AS doc FROM replica_record r INDEXED BY replica_k1 WHERE ${HAND} AND r.k1 IS NOT NULL AND r.row IN (SELECT rowid FROM words WHERE words MATCH '"110c${COMMON}"') ORDER BY r.k1 DESC, r.row DESC LIMIT ${ASKED_FOR}`,
    ],
    postgres: [
      `SELECT r.record_id AS id, r.doc AS doc FROM replica_record r WHERE ${OURS} AND r.terms @@ '''110c${COMMON}'''::tsquery AND r.k1 IS NOT NULL ORDER BY r.k1 DESC, r.seq DESC LIMIT ${ASKED_FOR}`,
    ],
  },
  words(
    'fuzzy, one word',
    { filter: { fuzzy: { content: ASKED } } },
    ...NEAR.flatMap((some, distance) => {
      if (some.length === 0) return []
      const better = NEAR.slice(0, distance).flat()
      return [better.length === 0 ? anyOf(some) : `${anyOf(some)} NOT ${anyOf(better)}`]
    }),
  ),
  {
    name: 'fuzzy, two common words',
    query: { filter: { fuzzy: { content: `${COMMON} ${OTHER}` } } },
    sqlite: null,
    postgres: null,
  },
  {
    name: 'like',
    query: { filter: { like: { summary: `%${PART}%` } } },
    sqlite: [
      `SELECT r.record_id AS id, r.doc AS doc FROM parts CROSS JOIN replica_record r ON r.row = parts.rowid WHERE parts MATCH '"${PART}"' AND coalesce(r.folded ->> '$."2"', ${sqliteLift(2)}) LIKE '%${PART}%' ORDER BY parts.rowid DESC LIMIT ${ASKED_FOR}`,
    ],
    postgres: [
      `SELECT r.record_id AS id, r.doc AS doc FROM replica_record r WHERE ${OURS} AND r.sub LIKE '%${PART}%' AND coalesce(((r.folded ->> '2') COLLATE "C"), ${postgresLift(2)}) LIKE '%${PART}%' ${NEWEST_SEQ}`,
    ],
  },
  {
    name: 'or of two indexes',
    query: { filter: { or: [{ eq: { status: 'Blocked' } }, { keyword: { content: RARE } }] } },
    sqlite: [
      `SELECT r.record_id AS id, r.doc AS doc FROM (SELECT row FROM (SELECT row FROM replica_record WHERE scope_no = 1 AND k3 = 'Blocked' ORDER BY row DESC LIMIT ${ASKED_FOR}) UNION SELECT row FROM (SELECT rowid AS row FROM words WHERE words MATCH '"110c${RARE}"' ORDER BY rowid DESC LIMIT ${ASKED_FOR})) p JOIN replica_record r ON r.row = p.row ${NEWEST_ROW}`,
    ],
    postgres: [
      `SELECT r.record_id AS id, r.doc AS doc FROM replica_record r WHERE ${OURS} AND (r.k3 = 'Blocked' OR r.terms @@ '''110c${RARE}'''::tsquery) ${NEWEST_SEQ}`,
    ],
  },
]

// Records to fill copies with: issues of about 1.2 KB, their words as unevenly common as those of a language.
import type { Json } from '../../src/language/json/json.ts'
import type { SearchLayout } from '../../src/copy/search/layout.ts'
import { createRowMaker, type RowMaker } from '../../src/copy/search/row.ts'
import { bodyPath, makeLayout } from '../../test/copy/search/make-layout.ts'

/** Eight values have an index of their own; `votes`, `summary`, `team` and `archived` have none. */
export const ISSUES: SearchLayout = makeLayout({
  fields: {
    id: 'string',
    key: 'string',
    summary: 'string',
    status: 'string',
    priority: 'string',
    assignee: 'string',
    points: 'integer',
    votes: 'integer',
    created: 'string',
    updated: 'string',
    archived: 'boolean',
    team: 'string',
    content: 'object',
    labels: 'array',
  },
  order: ['updated', 'created', 'status', 'priority', 'assignee'],
  substring: ['summary'],
})

export const toRow: RowMaker = createRowMaker({ layout: ISSUES, primaryKey: [bodyPath('id')] })

const VOCABULARY = 8_000
const STATUSES = ['Open', 'In Progress', 'In Review', 'Blocked', 'Done', 'Closed', 'Reopened']
const PRIORITIES = ['Lowest', 'Low', 'Medium', 'High', 'Highest']
const START_MS = Date.UTC(2024, 0, 1)

/** The word of this rank, 0 being the most common: letters only, so that it can be found by its spelling. */
export function wordOf(rank: number): string {
  const consonants = 'bcdfghjklmnprstvwz'
  const vowels = 'aeiou'
  let rest = (rank * 7_919 + 104_729) % 524_287
  let word = ''
  for (let syllable = 0; syllable < 2 + (rank % 3); syllable++) {
    word += consonants[rest % consonants.length] ?? ''
    rest = Math.floor(rest / 3) + rank
    word += vowels[rest % vowels.length] ?? ''
    rest = Math.floor(rest / 2) + 13 * syllable
  }
  return word
}

/** The issue of this number, the same on every run; `edition` moves what an edit of the issue would. */
export function issueOf(number: number, edition = 0): Json {
  const random = createRandom(number + 1)
  const words = (count: number): string =>
    Array.from({ length: count }, () => wordOf(zipf(random()))).join(' ')
  const created = START_MS + number * 60_000
  return {
    id: String(10_000 + number),
    key: `ACME-${number}`,
    summary: `${words(5)} ${edition}`,
    status: STATUSES[Math.floor(random() ** 2 * STATUSES.length)] ?? 'Open',
    priority: PRIORITIES[Math.floor(random() * PRIORITIES.length)] ?? 'Low',
    assignee: random() < 0.2 ? null : `user-${Math.floor(random() * 400)}`,
    points: Math.floor(random() * 40),
    votes: Math.floor(random() * 200),
    created: new Date(created).toISOString(),
    updated: new Date(created + Math.floor(random() * 5e9) + edition).toISOString(),
    archived: random() < 0.1,
    team: `team-${Math.floor(random() * 1_000)}`,
    content: { description: words(110), environment: words(12) },
    labels: [wordOf(zipf(random())), wordOf(zipf(random()))],
  }
}

/** A rank with a probability of about one by rank. */
function zipf(random: number): number {
  return Math.min(VOCABULARY - 1, Math.floor(VOCABULARY ** random) - 1)
}

/** Mulberry32: numbers from 0 to 1, the same for the same seed. */
function createRandom(seed: number): () => number {
  let state = Math.imul(seed, 0x9e3779b1)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

// `tenon search`: asks the synchronized copy of a connector instance, over HTTP.
import type { SearchCall, SearchHit, SearchParams, SearchResult } from '../client/search-call.ts'
import { epochAt } from '../display/epochs.ts'
import { asOf } from '../display/relative-time.ts'
import { isConnectorError } from '../errors.ts'
import type { JsonObject } from '../language/json/json.ts'
import type { EntityDescription } from '../language/manifest/describe.ts'
import { COMBINATORS, OPERATOR_NAMES, OPERATORS } from '../copy/search/operators.ts'
import { typedWords, type Words, wordsFilter } from '../copy/search/words-filter.ts'
import { collect, type Configure, type FlagsOf, jsonLines, leaf, wholeNumber } from './command.ts'
import { EXIT, UsageError } from './exit-codes.ts'
import { type Channel, showPages } from './terminal.ts'
import { entitiesFor, openService, SERVICE_OPTIONS } from './running-service.ts'
import { queryOf, valueAt } from './search-query.ts'
import { type NameAt, namesFor } from './record-names.ts'
import { type ColumnForms, recordTable, tableFor } from './table.ts'
import { readJsonFlag } from './try-input.ts'
import { wholeInstanceId } from './whole-ids.ts'
import { wrapText } from './wrap.ts'

const SYMBOLS = OPERATOR_NAMES.flatMap((name) => OPERATORS[name].symbol ?? [])

export const docs = 'search'
export const notes: string = `Operators: ${OPERATOR_NAMES.join(' ')}, or ${SYMBOLS.join(' ')}; with --filter also ${Object.keys(COMBINATORS).join(', ')}.
A value is text, a number, true, false or null; "true" in quotes is text. Values of in have commas between them.
Credentials come from the environment: TENON_TOKEN, or TENON_CLIENT_ID and TENON_CLIENT_SECRET of an application.`

export const examples: readonly string[] = [
  'tenon search 0199f3a1-… calls --words "quarterly renewal"',
  'tenon search 0199f3a1-… calls --words quartely --allow-mistakes',
  "tenon search 0199f3a1-… issues --where 'fields.status.name eq Done' --sort -updated --fields key,fields.summary",
  "tenon search 0199f3a1-… calls --where 'duration >= 600' --where 'title keyword renewal' --limit 10",
  "tenon search 0199f3a1-… users --where 'emailAddress like %@acme.example' --all --json",
  `tenon search 0199f3a1-… issues --filter '{"or":[{"fuzzy":{"fields":"hinge"}},{"not":{"eq":{"key":"OPS-1"}}}]}'`,
]

/** Hits that are shown, and hits per page of a walk. */
const PAGE = 50
const WALKED_PAGE = 1_000
const MAX_LIMIT = 10_000

const OPTIONS = {
  '--words <text>': 'words that a hit has, each in some text of it; conditions must hold as well',
  '--allow-mistakes': 'with --words: they may be spelled nearly so, and stand in one text',
  '--where <condition>': {
    text: 'field, operator and value; several must all hold',
    parse: collect,
  },
  '--filter <json>': 'filter as the service takes it: JSON, @file, or - for standard input',
  '--sort <field>': {
    text: 'order; -field for the greatest first; several in turn',
    parse: collect,
  },
  '--query <json>': 'filter and sort in one: JSON, @file, or - for standard input',
  '--fields <paths>': 'members to show, with commas between them',
  '--limit <n>': {
    text: `hits at most, through as many pages as they need; default ${PAGE}, or every hit with --all`,
    parse: wholeNumber,
  },
  '--cursor <cursor>': 'go on where a page ended; --json says where',
  '--all': 'go through all pages',
  ...SERVICE_OPTIONS,
  ...jsonLines('hit'),
} as const

type SearchFlags = FlagsOf<typeof OPTIONS>

export const configure: Configure = leaf({
  arguments: {
    '<instance>': 'id of the connector instance, or a beginning of it',
    '<entity>': 'for example issues',
  },
  options: OPTIONS,
  async run({ instance: named, entity, ...flags }, context) {
    const { json, cursor, where, sort } = flags
    const sought = soughtIn(flags)
    const all = walksAll(flags)
    const limit = flags.limit ?? (all ? WALKED_PAGE : PAGE)
    const fields = flags.fields?.split(',').map((path) => path.trim())
    const given = {
      where,
      sort,
      query: await readJsonFlag('--query', flags.query, context),
      filter: await readJsonFlag('--filter', flags.filter, context),
    }
    await using open = openService(flags, context)
    const instance = await wholeInstanceId(open.service.instances, named)
    const { out, err } = context.terminal
    const isRead = json !== true && out.isTerminal
    const entities = await entitiesFor(open, instance, { isRead, isNeeded: sought !== null })
    const described = entities.find((each) => each.entity === entity) ?? null
    const query = queryOf({ ...given, words: wordsIn(described, sought) })
    // What the service makes of it is said by the service.
    const params = {
      query,
      limit: all ? Math.min(limit, WALKED_PAGE) : limit,
      ...(fields === undefined ? {} : { fields }),
      ...(cursor === undefined ? {} : { cursor }),
    } as SearchParams
    const ask = (more: Partial<SearchParams>): SearchCall =>
      open.service.search(instance, entity, { ...params, ...more })
    const record = isRead ? (described?.record ?? null) : null
    const find = async (of: string, asked: JsonObject): Promise<readonly SearchHit[]> =>
      (await open.service.search(instance, of, asked as unknown as SearchParams)).hits
    const tableOf = async (hits: readonly SearchHit[]): Promise<string> => {
      const data = hits.map((hit) => hit.data)
      const names = await namesFor(data, record, { entities, find })
      return hitTable(out, hits, { fields, record, names })
    }
    try {
      if (all) {
        const recordsOf = ({ hits }: SearchResult): readonly SearchHit[] => hits
        const walk = { label: 'hits', recordsOf, limit: flags.limit, json, tableOf }
        const { records, last } = await showPages(ask({}).pages(), walk, context.terminal)
        const isWhole =
          last?.next_cursor === null && records < (flags.limit ?? Number.POSITIVE_INFINITY)
        const found = `${hitsIn(records)}${isWhole ? ' in all' : ''}${last === null ? '' : freshness(last)}`
        err.write(wrapText(`${found}\n`, err))
        return EXIT.done
      }
      const page = await filled(ask, limit)
      const note =
        noteOf(page, { limit, isFirst: cursor === undefined, json }) + missed(page, sought)
      return { value: page.hits, shown: json === true ? '' : await tableOf(page.hits), note }
    } catch (error) {
      // What the pointers of the refusal point into, where short forms have made it.
      if (isConnectorError(error, 'params_invalid'))
        err.write(`${err.paint('dim', `asked: {"params":{"query":${JSON.stringify(query)}}}`)}\n`)
      throw error
    }
  },
})

/** The words that are searched; null: none. Throws UsageError for words that say nothing. */
function soughtIn({ words, allowMistakes = false, query }: SearchFlags): Words | null {
  if (words === undefined) {
    if (allowMistakes)
      throw new UsageError('--allow-mistakes goes with --words; --where has the operator fuzzy')
    return null
  }
  if (query !== undefined)
    throw new UsageError(
      '--query is the whole query: with --words give --filter, --where and --sort',
    )
  if (typedWords(words).length === 0)
    throw new UsageError(`--words "${words}" has no word: letters or digits, such as "renewal"`)
  return { words, mistakes: allowMistakes }
}

/** The filter that words mean; undefined: there are none, or the service says what is wrong with the entity. */
function wordsIn(described: EntityDescription | null, words: Words | null): JsonObject | undefined {
  const types = described?.searchFields ?? null
  if (described === null || types === null || words === null) return undefined
  const filter = wordsFilter(words, types)
  if (filter !== null) return filter
  throw new UsageError(
    `${described.entity} has no field with words; --where compares its fields: ${Object.keys(types).join(', ')}`,
  )
}

/** The way on where words were not found as they are. */
function missed({ hits }: SearchResult, words: Words | null): string {
  return hits.length > 0 || words === null || words.mistakes
    ? ''
    : 'Words are compared whole; --allow-mistakes finds those that are spelled nearly so\n'
}

/** Whether the hits are walked through: with `--all`, and where they are more than one answer can have. */
function walksAll({ limit = 1, all = false, cursor }: SearchFlags): boolean {
  if (cursor === undefined) return all || limit > MAX_LIMIT
  if (all) throw new UsageError('--all begins at the first page; leave out --cursor, or --all')
  if (limit > MAX_LIMIT)
    throw new UsageError(
      `--limit is at most ${MAX_LIMIT} with --cursor, not ${limit}; without it every page is followed`,
    )
  return false
}

/** As many hits as were asked for, where there are: a page of the service ends early when it takes long to find. */
async function filled(
  ask: (more: Partial<SearchParams>) => SearchCall,
  limit: number,
): Promise<SearchResult> {
  let page: SearchResult = await ask({})
  while (page.hits.length < limit && page.next_cursor !== null) {
    const next = await ask({ limit: limit - page.hits.length, cursor: page.next_cursor })
    const hits = [...page.hits, ...next.hits]
    page = { ...next, hits, took_ms: page.took_ms + next.took_ms }
  }
  return page
}

interface Asked {
  readonly limit: number
  /** The hits begin with the first one there is. */
  readonly isFirst: boolean
  readonly json: boolean | undefined
}

/** Programs get the cursor, people what shows them more: nobody reads 200 characters. */
function noteOf(page: SearchResult, { limit, isFirst, json }: Asked): string {
  const { hits, next_cursor: next, took_ms: tookMs } = page
  const facts = `, found in ${tookMs.toFixed(1)} ms${freshness(page)}\n`
  if (next === null)
    return isFirst
      ? `${hitsIn(hits.length)} in all${facts}`
      : `${hitsIn(hits.length)}${facts}These are the last\n`
  // How many there are nobody has counted; the next page may be empty.
  const count = hitsIn(hits.length)
  const shown = isFirst ? `the first ${hits.length === 1 ? 'hit' : count}` : count
  if (json === true)
    return `${shown}${facts}There may be more: --all goes through every page and counts them, --cursor ${next} continues here\n`
  const larger = largerLimit(limit)
  const way = larger === null ? '' : `--limit ${larger} shows them, `
  return `${shown}${facts}There may be more: ${way}--all goes through every page and counts them\n`
}

/** A limit that shows more; null: it is the greatest already. */
function largerLimit(limit: number): number | null {
  if (limit >= MAX_LIMIT) return null
  return limit < 20 ? 20 : Math.min(MAX_LIMIT, limit * 5)
}

function hitsIn(count: number): string {
  return count === 1 ? '1 hit' : `${count.toLocaleString('en')} hits`
}

/** One line per hit. Scores are shown where they differ, members in the order of `fields`. */
function hitTable(
  out: Channel,
  hits: readonly SearchHit[],
  {
    fields,
    record,
    names,
  }: {
    readonly fields: readonly string[] | undefined
    readonly record: JsonObject | null
    readonly names: NameAt
  },
): string {
  const scored = hits.some(({ score }) => score !== 1)
  const rows = hits.map(({ id, score, data }): JsonObject => {
    // As the service sent it.
    const document = data as JsonObject
    const members =
      fields === undefined
        ? document
        : Object.fromEntries(fields.map((path) => [path, valueAt(document, path) ?? null]))
    const known = Object.values(members).some((value) => value === id)
    return { ...(known ? {} : { id }), ...(scored ? { score } : {}), ...members }
  })
  // What was asked for stands in the order in which it was asked for.
  return fields === undefined
    ? recordTable(out, rows, { first: ['id', 'score'], record, names })
    : tableFor(out, rows, formsOf(fields, record, names))
}

/** Which of these members are moments, though they are numbers, and what the records are called that they name. */
function formsOf(fields: readonly string[], record: JsonObject | null, names: NameAt): ColumnForms {
  return Object.fromEntries(
    fields.map((field) => {
      const path = field.split('.')
      return [field, { epoch: epochAt(record, path), named: (value) => names(path, value) }]
    }),
  )
}

function freshness({ replica }: SearchResult): string {
  if (replica === undefined) return ''
  const { lag_seconds: lag, complete, stale, records } = replica
  const facts = [
    records === 1 ? '1 record' : `${records.toLocaleString('en')} records`,
    lag === null ? 'never synchronized as a whole' : `as of ${asOf(lag)}`,
    ...(stale && lag !== null ? ['stale'] : []),
    ...(complete ? [] : ['some records are still missing']),
  ]
  return `; ${facts.join(', ')}`
}

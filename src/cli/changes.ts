// `tenon changes`: what has changed in the synchronized copy of an entity, over HTTP.
import type { ChangesPage, ServiceClient } from '../client/service-client.ts'
import type { JsonObject } from '../language/json/json.ts'
import { type Configure, type FlagsOf, jsonLines, leaf, wholeNumber } from './command.ts'
import { EXIT } from './exit-codes.ts'
import { openService, entitiesFor, SERVICE_OPTIONS } from './running-service.ts'
import { recordTable } from './table.ts'
import { growingTable, writeLines } from './terminal.ts'
import { wholeInstanceId } from './whole-ids.ts'
import { wrapText } from './wrap.ts'

export const docs = 'changes'
export const notes = `From the beginning every record is "added". Where it ended stands on standard error, for --since, but for a terminal
without --json. With --json each change is a line; a line {"reset":true} stands before changes from the beginning, and a
line with next_cursor behind those of a page. Credentials come from the environment: TENON_TOKEN, or TENON_CLIENT_ID and TENON_CLIENT_SECRET of an
application.`

export const examples: readonly string[] = [
  'tenon changes 0199f3a1-… issues --limit 20',
  'tenon changes 0199f3a1-… issues --follow --json',
]

const OPTIONS = {
  '--since <place>': 'from the place where an earlier call ended',
  '--follow': 'go on with what comes, until Ctrl+C',
  '--limit <n>': { text: 'at most this many; default: no limit', parse: wholeNumber },
  ...SERVICE_OPTIONS,
  ...jsonLines('change'),
} as const

const MAX_PAGE = 1_000

export const configure: Configure = leaf({
  arguments: {
    '<instance>': 'id of the connector instance, or a beginning of it',
    '<entity>': 'for example issues',
  },
  options: OPTIONS,
  async run({ instance: named, entity, ...flags }, context) {
    const { out, err } = context.terminal
    await using open = openService(flags, context)
    const instance = await wholeInstanceId(open.service.instances, named)
    let left = flags.limit ?? Number.POSITIVE_INFINITY
    let place: string | null = null
    let shown = 0
    let hasMore = false
    const isRead = flags.json !== true && out.isTerminal
    const entities = await entitiesFor(open, instance, { isRead })
    const record = entities.find((each) => each.entity === entity)?.record ?? null
    const tableOf = (rows: readonly JsonObject[]): string =>
      recordTable(out, rows, { first: ['change', 'id'], record })
    const table = growingTable(context.terminal, tableOf, { follows: flags.follow === true })
    const pages = pagesOf(open.service, { instance, entity }, flags, context.signal)
    try {
      for await (const page of pages) {
        const { reset, next_cursor, has_more } = page.meta
        const part = page.records.slice(0, left)
        left -= part.length
        shown += part.length
        hasMore = part.length < page.records.length || has_more
        if (flags.json === true) {
          writeLines(out, [...(reset ? [{ reset }] : []), ...part])
        } else {
          if (reset) err.write(wrapText(FROM_BEGINNING, err))
          await table.add(part.map(row))
        }
        // In the middle of a page there is no place to go on from.
        if (part.length < page.records.length) break
        place = next_cursor
        if (flags.json === true) writeLines(out, [{ next_cursor }])
        if (left === 0) break
      }
    } finally {
      await table.end()
      // Also where it fails: what was told before is not to be read again.
      if (place !== null && (flags.json === true || !err.isTerminal))
        err.write(`to go on: --since ${place}\n`)
    }
    if (flags.json !== true && err.isTerminal) err.write(wrapText(countOf(shown, hasMore), err))
    return EXIT.done
  },
})

const FROM_BEGINNING =
  'these changes are from the beginning: what you have of before and do not get again is gone\n'

/** For people, who do not read a place of 200 characters. */
function countOf(shown: number, hasMore: boolean): string {
  const changes = shown === 1 ? '1 change' : `${shown.toLocaleString('en')} changes`
  const place = '--json tells the place to go on from'
  if (!hasMore) return `${changes}, and no more for now; ${place}\n`
  const first = shown === 1 ? 'change' : changes
  return `the first ${first} of more; --limit ${Math.max(20, shown * 5)} shows more, ${place}\n`
}

function pagesOf(
  service: ServiceClient,
  { instance, entity }: { readonly instance: string; readonly entity: string },
  { follow, since, limit }: FlagsOf<typeof OPTIONS>,
  signal: AbortSignal,
): AsyncIterable<ChangesPage> {
  const from = { since, limit: Math.min(MAX_PAGE, limit ?? MAX_PAGE) }
  return follow === true
    ? service.changes.follow(instance, entity, { ...from, signal })
    : service.changes.list(instance, entity, from).pages()
}

function row({ change, id, data }: ChangesPage['records'][number]): JsonObject {
  // As the service sent it.
  return { ...(data as JsonObject | null), change, id }
}

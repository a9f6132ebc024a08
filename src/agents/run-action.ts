// One action for an agent: called, the wanted fields chosen, the answer kept within its bound.
import type { CallOptions, Client, EntityDescription } from '../client/client.ts'
import type { Download } from '../client/download.ts'
import type { Result } from '../client/page-call.ts'
import type { SearchCall } from '../client/search-call.ts'
import { ConnectorError, isConnectorError } from '../errors.ts'
import type { Json, JsonObject } from '../language/json/json.ts'
import { isJsonObject, mergeObjects } from '../language/json/members.ts'
import { type Giving, gives, LISTINGS, SEARCH, withSearch } from '../language/manifest/actions.ts'
import { toPlainJson } from '../engine/run/params-to-json.ts'
import { type AgentTool, type AgentToolOptions, DEFAULT_ANSWER_CHARS } from './agent-tool.ts'
import { type AnswerPlace, decodePlace, encodePlace } from './answer-cursor.ts'
import { metaWithoutMarks } from './answer-meta.ts'
import { explainError, type InputPlaces } from './explain-error.ts'
import { countFitting, shortenToFit, sizeOf } from './fit-answer.ts'
import { absentFields, fieldNames, selectFields } from './select-fields.ts'
import { whyNothing } from './search-notes.ts'
import { withHints } from './error-hints.ts'
import { missingIn, withMissing } from './missing-input.ts'
import { CURSOR, FIELDS, wrongInput } from './tool-input.ts'

export interface ActionRequest {
  /** The name that the agent knows the client by. */
  readonly name: string
  readonly client: Client
  readonly entity: EntityDescription
  readonly action: string
  readonly params: JsonObject
  /** Paths of the fields to answer; null for all. */
  readonly fields: readonly string[] | null
  /** The `answer_cursor` of the answer before; null for the first. */
  readonly cursor: string | null
  /** The schema of the params of an action that only reads, so that failures can tell it; null for others. */
  readonly reads: JsonObject | null
}

export function answerChars({ maxAnswerChars = DEFAULT_ANSWER_CHARS }: AgentToolOptions): number {
  return maxAnswerChars
}

/** Runs a tool: what `run` gives, or its failure as an answer. Defects of ours, which are no ConnectorErrors, pass. */
export function answering(
  places: InputPlaces,
  run: (given: JsonObject, call: CallOptions) => JsonObject | Promise<JsonObject>,
): AgentTool['run'] {
  return async (input, call = {}) => {
    try {
      const given = typeof input === 'function' ? input() : input
      return { isError: false, content: await run(given, call) }
    } catch (error) {
      if (!isConnectorError(error)) throw error
      const missing = missingIn(error, places)
      const content = explainError(error, places)
      return { isError: true, content, ...(missing === null ? {} : { missing }) }
    }
  }
}

/**
 * Runs one action, whose request `read` makes of the tool's input. Listings and searches give
 * `{ data, meta, answer_cursor }`, null after the last record; others `{ data, meta }`, downloads the facts of the file.
 * `note` says what was left out.
 */
export function runner(
  options: AgentToolOptions,
  places: InputPlaces,
  read: (given: JsonObject) => ActionRequest,
): AgentTool['run'] {
  return answering(places, async (given, call) => {
    const request = read(given)
    try {
      return await run(request, options, call)
    } catch (error) {
      throw isConnectorError(error) ? withMissing(withHints(error, request), request) : error
    }
  })
}

async function run(
  request: ActionRequest,
  options: AgentToolOptions,
  call: CallOptions,
): Promise<JsonObject> {
  const { client, entity, action, params, fields, cursor } = request
  if (gives(action, 'list', 'hits')) return await listPage(request, options, call)
  if (cursor !== null)
    throw wrongInput(CURSOR, `goes with ${withSearch(LISTINGS, true).join(', ')} only`)
  if (gives(action, 'stream')) {
    const { data, ...rest } = await download(request, options, call)
    return { data: fields === null ? (data ?? null) : selectFields(data ?? null, fields), ...rest }
  }
  const { data, meta } = (await client.execute(entity.entity, action, params, call)) as Result
  return single({ data: plain(data), meta: plain(meta) }, request, answerChars(options))
}

interface FoundPage {
  readonly records: readonly Json[]
  readonly meta: JsonObject
  /** The patch that asks for the page after this one; null on the last. */
  readonly next: JsonObject | null
}

async function listPage(
  request: ActionRequest,
  options: AgentToolOptions,
  call: CallOptions,
): Promise<JsonObject> {
  const { name, entity, action, params, fields, cursor } = request
  const owner = { client: name, entity: entity.entity, action, params }
  const isSearch = gives(action, 'hits')
  const place: AnswerPlace = cursor === null ? { page: null, told: 0 } : decodePlace(cursor, owner)
  const { records, meta, next } = await pageAt(request, place.page, call)
  const notes = isSearch
    ? await searchNotes(request, place, { records, meta, next }, call)
    : missingFields(records, fields)
  const wanted = records
    .slice(place.told)
    .map((record) => (fields === null ? record : selectFields(record, fields)))
  // Without records it is meta, the cursor and notes that take room.
  return fitting(answerChars(options), (room) => {
    const count = countFitting(wanted, room)
    const first = wanted[0]
    const shorter = count === 0 && first !== undefined ? shortenToFit(first, room) : null
    const data = shorter === null ? wanted.slice(0, count) : [shorter.value]
    const told = place.told + data.length
    const isPageTold = told >= records.length
    const rest = isPageTold ? next && { page: next, told: 0 } : { page: place.page, told }
    const shown = {
      ...(isSearch ? meta : metaWithoutMarks(meta, next, rest !== null)),
      // The whole of what matches lies on the first page: its number is known.
      ...(place.page === null && next === null && (isSearch || !isPageTold)
        ? { matches: records.length }
        : {}),
    }
    return {
      data,
      ...(Object.keys(shown).length === 0 ? {} : { meta: shown }),
      answer_cursor: rest === null ? null : encodePlace(rest, owner),
      ...noteOf([
        ...(isPageTold ? [] : [notFitted(records.length - told, request)]),
        ...(shorter === null ? [] : [shortenedNote(shorter.places, action)]),
        ...notes,
      ]),
    }
  })
}

/** Fields that no hit has, and what explains that there are no hits at all. */
async function searchNotes(
  { client, entity, params }: ActionRequest,
  place: AnswerPlace,
  { records, next }: FoundPage,
  call: CallOptions,
): Promise<readonly string[]> {
  const { fields, query } = params
  if (records.length > 0) {
    const data = records.map((hit) => (isJsonObject(hit) ? (hit['data'] ?? null) : null))
    const asked = Array.isArray(fields) ? fields.filter((each) => typeof each === 'string') : []
    const absent = absentFields(data, asked)
    return absent.length === 0 ? [] : [`none of these hits has ${absent.join(', ')}`]
  }
  const filter = isJsonObject(query ?? null) ? (query as JsonObject)['filter'] : null
  if (place.page !== null || next !== null || !isJsonObject(filter ?? null)) return []
  return await whyNothing(filter as JsonObject, entity, async (asked) => {
    const params = { query: { filter: asked }, limit: 1 }
    try {
      const answer = client.execute(entity.entity, SEARCH, params, call)
      const { hits, next_cursor: more } = await (answer as unknown as SearchCall)
      return hits.length > 0 ? true : more === null ? false : null
    } catch (error) {
      if (!isConnectorError(error)) throw error
      // The search itself was answered; what explains it is an addition.
      return null
    }
  })
}

/** The answer that keeps the bound: what it tells next to its data takes room from them. */
function fitting(maxChars: number, answerIn: (room: number) => JsonObject): JsonObject {
  let room = maxChars
  for (;;) {
    const answer = answerIn(room)
    const excess = sizeOf(answer) - maxChars
    if (excess <= 0 || room <= MIN_ROOM) return answer
    room = Math.max(MIN_ROOM, room - excess)
  }
}

/** Minimum of characters for data. */
const MIN_ROOM = 200

async function pageAt(
  { client, entity, action, params }: ActionRequest,
  patch: JsonObject | null,
  call: CallOptions,
): Promise<FoundPage> {
  const asked = patch === null ? params : mergeObjects(params, patch)
  if (gives(action, 'hits')) {
    // The answer of a search, which the types of direct mode do not know.
    const found = await (client.execute(
      entity.entity,
      action,
      asked,
      call,
    ) as unknown as SearchCall)
    const { hits, next_cursor: cursor, ...facts } = found
    const { execution: _, replica, ...meta } = facts
    // Next to hits a plain `records` would be read as their number.
    const { records, ...freshness } = replica ?? {}
    const copy = records === undefined ? freshness : { ...freshness, records_in_copy: records }
    return {
      records: listIn(plain(hits)),
      meta: toPlainJson({ ...meta, ...(replica === undefined ? {} : { replica: copy }) }, '/meta'),
      next: cursor === null ? null : { cursor },
    }
  }
  const page = await client.execute(entity.entity, action as Giving<'list'>, asked, call)
  // `has_more` and `next` are what answer_cursor says.
  const { next, has_more: _, ...meta } = toPlainJson(page.meta, '/meta')
  return { records: listIn(plain(page.records)), meta, next: isJsonObject(next) ? next : null }
}

function single(
  { data, meta }: { readonly data: Json; readonly meta: Json },
  { fields, action }: ActionRequest,
  maxChars: number,
): JsonObject {
  const wanted = fields === null ? data : selectFields(data, fields)
  return fitting(maxChars, (room) => {
    const { value, places } = shortenToFit(wanted, room)
    return {
      data: value,
      ...(isJsonObject(meta) && Object.keys(meta).length > 0 ? { meta } : {}),
      ...noteOf([
        ...(places.length === 0 ? [] : [shortenedNote(places, action)]),
        ...missingFields([data], fields),
      ]),
    }
  })
}

function shortenedNote(places: readonly string[], action: string): string {
  const named = places.filter((place) => place !== '')
  const where = named.length === 0 ? '' : ` at ${named.join(', ')}`
  return `shortened${where}; ask for fewer fields with ${fieldsMember(action)} to see them whole`
}

/** Where no fields were named, naming some gives more records per answer. */
function notFitted(count: number, { action, fields, params }: ActionRequest): string {
  const isWhole = fields === null && (!gives(action, 'hits') || params['fields'] === undefined)
  const way = isWhole ? `; with few ${fieldsMember(action)} more of them fit` : ''
  return `${count} more records of this page did not fit${way}`
}

/** What names the fields of an answer: a search has a parameter for it. */
function fieldsMember(action: string): string {
  return gives(action, 'hits') ? 'fields' : FIELDS
}

/** Fields that none of the records has, with the names that there are where one was mistaken. */
function missingFields(
  records: readonly Json[],
  fields: readonly string[] | null,
): readonly string[] {
  if (fields === null || !records.some((record) => isJsonObject(record))) return []
  const absent = absentFields(records, fields)
  if (absent.length === 0) return []
  const names = fieldNames(records)
  const areMistaken = absent.some((path) => !names.includes(path.split('.')[0] ?? ''))
  const there = areMistaken && names.length > 0 ? `; there is ${names.join(', ')}` : ''
  return [`no record here has ${absent.join(', ')}${there}`]
}

function noteOf(notes: readonly string[]): JsonObject {
  return notes.length === 0 ? {} : { note: notes.join('. ') }
}

async function download(
  { name, client, entity, action, params }: ActionRequest,
  options: AgentToolOptions,
  call: CallOptions,
): Promise<JsonObject> {
  const file = await client.execute(entity.entity, action as Giving<'stream'>, params, call)
  const facts = {
    content_type: file.contentType,
    content_length: file.contentLength,
    ...(file.contentRange === null ? {} : { content_range: { ...file.contentRange } }),
  }
  if (options.saveFile !== undefined) {
    const saved = await options.saveFile(file, { client: name, entity: entity.entity })
    return { data: { ...facts, saved_as: saved } }
  }
  if (!TEXT.test(file.contentType ?? '')) {
    file.cancel()
    return {
      data: facts,
      note: 'only the facts of the file are told here; the user can have files stored (tenon mcp --downloads <folder>, or saveFile)',
    }
  }
  const { text, isCut } = await textOf(file, answerChars(options) - 500)
  return {
    data: { ...facts, text },
    ...(isCut ? { note: 'the text was cut; a range_header param asks for another part' } : {}),
  }
}

const TEXT = /^(text\/|application\/(json|xml|yaml|x-ndjson)|[a-z]+\/[\w.-]+\+(json|xml))/

async function textOf(
  file: Download,
  maxChars: number,
): Promise<{ readonly text: string; readonly isCut: boolean }> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of file) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > maxChars) return { text: text.slice(0, maxChars), isCut: true }
  }
  return { text: text + decoder.decode(), isCut: false }
}

function plain(value: unknown): Json {
  return toPlainJson({ value }, '')['value'] ?? null
}

function listIn(value: Json): readonly Json[] {
  return Array.isArray(value) ? value : []
}

export function writesAreOff(entity: string, action: string): ConnectorError {
  const detail = `${entity}.${action} changes data, and changes are not allowed here; the user can allow them with --allow-writes`
  return new ConnectorError('scope_denied', detail, { details: { entity, action } })
}

// How callers speak of instances and operations: as this service does, or as clients made for the origin of the API do. Which
// one it is says their application (`tenon apps create --compat`).
import { JsonBytes } from '../language/json/json-bytes.ts'
import type { Json, JsonObject } from '../language/json/json.ts'
import { isJsonObject } from '../language/json/members.ts'
import { gives } from '../language/manifest/actions.ts'
import type { Action } from '../language/manifest/manifest.ts'
import { parseJson } from '../language/json/parse-json.ts'
import { snakeCase } from '../copy/search/snake-case.ts'
import type { ServiceReply } from './route.ts'
import type { Compat } from './store/applications-and-tokens.ts'

/** What every answer of this service tells of its operation. Names of the wire. */
export interface ExecutionShown {
  readonly request_id: string
  readonly connector_id: string
  readonly connector_type: string
  readonly connector_version: string
  readonly upstream_requests: number
  readonly took_ms: number
  /** Left out where there are none. */
  readonly warnings?: readonly object[] | undefined
}

export interface OperationAnswer {
  readonly data: Json | JsonBytes
  readonly meta: JsonObject
  /** Which operation it was, and warnings where there are some. */
  readonly execution: ExecutionShown
}

export interface HitsAnswer {
  /** The action as it was asked for. */
  readonly action: string
  /** JSON text of the array of hits, with all the digits that the third party sent. */
  readonly hits: string
  readonly nextCursor: string | null
  readonly tookMs: number
  readonly replica: object
  /** How the page was found; undefined where nobody asked. */
  readonly explain?: object
  /** JSON text of what all hits have; undefined where nobody asked. */
  readonly facets?: string
  readonly execution: ExecutionShown
}

type Content = NonNullable<Exclude<ServiceReply['content'], object>> | SurroundedBytes
type SurroundedBytes = Extract<ServiceReply['content'], { readonly bytes: Buffer }>

export interface Dialect {
  /** The parameters as the action takes them. */
  params(action: Action, given: JsonObject): JsonObject
  operation(answer: OperationAnswer): Content
  hits(answer: HitsAnswer): string
  /** An instance, as `showInstance` shows it. */
  instance(shown: JsonObject): JsonObject
}

const OWN: Dialect = {
  params: (_action, given) => given,
  operation: ({ data, meta, execution }) => around('data', data, { meta, execution }),
  hits: ({ hits, nextCursor, tookMs, replica, explain, facets, execution }) => {
    const rest = { next_cursor: nextCursor, took_ms: tookMs, replica, explain, execution }
    const counted = facets === undefined ? '' : `"facets":${facets},`
    return `{"hits":${hits},${counted}${JSON.stringify(rest).slice(1)}`
  },
  instance: (shown) => shown,
}

/** Source: the requests and readers of airbyte-agent-sdk 0.1.180 and of the clients before it. */
const AGENT_SDK: Dialect = {
  params: withPageSize,
  operation: ({ data, meta, execution: { warnings } }) =>
    around('result', data, { connector_metadata: metadataOf(meta), warnings }),
  hits({ action, hits, nextCursor, tookMs }) {
    const found = parseJson(hits, { maxDepth: 1_000 }) as readonly JsonObject[]
    const took_ms = Math.round(tookMs)
    const result =
      action === CONTEXT_STORE_SEARCH
        ? {
            data: found.map(({ data }) => withSnakeNames(withoutNulls(data))),
            meta: { has_more: nextCursor !== null, cursor: nextCursor, took_ms },
          }
        : {
            hits: found.map(({ data, ...hit }) => ({ ...hit, data: withSnakeNames(data) })),
            next_cursor: nextCursor,
            took_ms,
          }
    return JSON.stringify({ result, connector_metadata: null })
  },
  instance: (shown) => ({
    ...shown,
    summarized_source_template: { name: shown['connector_type'] ?? null },
  }),
}

const SHAPES: Readonly<Record<Compat, Dialect>> = { 'agent-sdk': AGENT_SDK }

export function dialectOf({ compat }: { readonly compat: Compat | null }): Dialect {
  return compat === null ? OWN : SHAPES[compat]
}

const CONTEXT_STORE_SEARCH = 'context_store_search'

/** Other names of actions in requests: what they stand for. */
export const ACTION_ALIASES: Readonly<Record<string, string>> = { [CONTEXT_STORE_SEARCH]: 'search' }

/** An object that begins with this member: records that nobody has read stand where JSON.stringify would have put them. */
function around(name: string, data: Json | JsonBytes, rest: object): Content {
  if (!(data instanceof JsonBytes)) return JSON.stringify({ [name]: data, ...rest })
  return {
    before: `{"${name}":`,
    bytes: data.bytes,
    after: `,${JSON.stringify(rest).slice(1)}`,
  }
}

/** `limit` is how many records a page has, whatever the third party calls that; where it takes no such number, nothing. */
function withPageSize(
  { name, pagination, params: { schema } }: Action,
  given: JsonObject,
): JsonObject {
  const { limit, ...rest } = given
  const declared = schema['properties'] as JsonObject
  if (limit === undefined || !gives(name, 'list') || Object.hasOwn(declared, 'limit')) return given
  const [size, ...below] = 'size' in pagination ? (pagination.size ?? []) : []
  return size === undefined || below.length > 0 ? rest : { [size]: limit, ...rest }
}

/** The readers of that client take what is not there, and of most fields no null. */
function withoutNulls(record: Json | undefined): JsonObject {
  const members = Object.entries(isJsonObject(record) ? record : {})
  return Object.fromEntries(members.filter(([, value]) => value !== null))
}

/** What pages say of themselves lies at the top, under the names of Python too; null: it is not a page. */
function metadataOf(meta: JsonObject): Json {
  if (Object.keys(meta).length === 0) return null
  const { pagination } = meta
  const page = isJsonObject(pagination) ? pagination : {}
  return withSnakeNames({ ...meta, ...snakeNames(page) })
}

function withSnakeNames(record: Json | undefined): Json {
  return isJsonObject(record) ? { ...record, ...snakeNames(record) } : (record ?? null)
}

function snakeNames(record: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [snakeCase(name), value]))
}

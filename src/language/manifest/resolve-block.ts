// The walk over a block: every key becomes what the schema says that it resolves to (`x-tenon-resolves`). Blocks with more
// to say than that (an action, a request, a pagination) have code of their own around it.
import type { Json, JsonObject } from '../json/json.ts'
import { isJsonObject, isList } from '../json/members.ts'
import { withRefresh } from './access/oauth2.ts'
import type { TextPlace } from './draft.ts'
import { parseDuration } from './duration.ts'
import { hoistObject } from './hoist-schema.ts'
import { resolveInput } from './input-schema.ts'
import type { Kinds } from './manifest.ts'
import {
  resolveFlag,
  resolvePicks,
  resolveStore,
  resolveTest,
  resolveTests,
  resolveWait,
  statusRange,
} from './resolve-answer.ts'
import { resolvePagination } from './resolve-pagination.ts'
import { resolvePart, resolveRequest } from './resolve-request.ts'
import {
  type EntryOptions,
  resolveEntries,
  resolveHeaders,
  resolveMembers,
  resolveTemplate,
} from './resolve-template.ts'
import type { Site } from './resolver.ts'
import {
  BLOCKS,
  type FieldsSource,
  type PaginationSource,
  type RequestSource,
  type Resolved,
  type RetrySource,
} from './source.ts'

/** A word of `x-tenon-resolves`. */
export type Word = keyof Kinds

type WaitEntry = NonNullable<RetrySource['wait']>[number]

/** How one key of a block is resolved. */
export interface ResolvedKey {
  readonly key: string
  /** Its name in the resolved block; left out: the same. */
  readonly name?: string
  /** What a key that is left out stands for, as it would be written; null stays null. Left out: the key is, too. */
  readonly absent?: Json
  /** The keys that lead to it inside its block; of a template, the place that decides its roots and its encoder. */
  readonly use?: string
  /** What its value, or each one of a `list`, is. Left out with `entries` and `block`: it stays as it is. */
  readonly to?: Word
  readonly list?: true
  /** Of a map: what its keys and its values are, as pairs or under two `names`. */
  readonly entries?: readonly [key: Word, value: Word]
  readonly names?: readonly [key: string, value: string]
  /** The map has one entry, which stands for itself. */
  readonly single?: true
  readonly block?: readonly ResolvedKey[]
  /** The keys of `block` stand in the block around it. */
  readonly members?: true
}

const KINDS: {
  // What stands at a key is valid against the manifest schema.
  readonly [W in Word]: (value: never, site: Site, use: string) => Kinds[W]
} = {
  blocks: (source, site, use) => site.text(source, use as TextPlace, { blocks: true }),
  byteCount: readByteCount,
  duration: parseDuration,
  entries: (fields, site, use) =>
    resolveEntries(fields, site, { ...entriesAt(site, use), repeatable: true }),
  expression: (source, site, use) => site.expression(source, use as TextPlace),
  fields: (fields, site, use) =>
    resolveEntries(fields, site, { ...entriesAt(site, use), styled: true, repeatable: true }),
  flag: resolveFlag,
  headerName: (name: string) => name.toLowerCase(),
  headers: (fields, site, use) => resolveHeaders(fields, site, entriesAt(site, use)),
  ifTrue: (value: boolean) => value || undefined,
  input: resolveInput,
  json: (value: FieldsSource | string, site, use) =>
    typeof value === 'string'
      ? resolveTemplate(value, site, use as TextPlace)
      : resolveMembers(value, site, use as TextPlace),
  login: (request: RequestSource, site) =>
    resolveRequest(request, site, resolveBlock('request', request, site), 'none'),
  member: (place: string) => place.slice(place.indexOf('.') + 1),
  name: (name) => name,
  oauth2: (source, site) => withRefresh(resolveBlock('oauth2', source, site)),
  pagination: (source: PaginationSource, site) =>
    resolvePagination(source, resolveBlock('pagination', source, site)),
  param: (source, site, use) => site.param(source, use),
  parts: (parts, site) =>
    Object.entries<Json>(parts).map(([name, part]) => resolvePart(name, part, site.in(name))),
  path: (source, site, use) => site.path(source, use),
  picks: resolvePicks,
  rate: readRate,
  recordPath: (source, site, use) => site.recordPath(source, use),
  request: (request: RequestSource, site) =>
    resolveRequest(request, site, resolveBlock('request', request, site)),
  schema: (schema, { resolver }) => hoistObject(resolver.source, schema, 'output', {}),
  status: statusRange,
  store: resolveStore,
  template: (value, site, use) => resolveTemplate(value, site, use as TextPlace),
  test: resolveTest,
  tests: resolveTests,
  text: (source, site, use) => site.text(source, use as TextPlace),
  tool: resolveTool,
  unsent: resolveUnsent,
  wait: (rule: WaitEntry, site, use) => ({
    ...resolveWait(rule, site, use),
    ...(rule.when !== undefined && {
      when: resolveBlock('answerTests', rule.when, site.in('when')),
    }),
  }),
}

function entriesAt(site: Site, use: string): EntryOptions {
  return { place: use as TextPlace, style: site.resolver.requests.style }
}

/** Resolves the keys of a block. `under`: what holds for the keys that are left out, instead of what the schema says. */
export function resolveBlock<B extends keyof Resolved>(
  name: B,
  source: object = {},
  site: Site,
  under?: Resolved[B],
): Resolved[B] {
  return readKeys(BLOCKS[name], source as JsonObject, site, under) as Resolved[B]
}

function readKeys(
  keys: readonly ResolvedKey[],
  source: JsonObject,
  site: Site,
  under?: object,
): Readonly<Record<string, unknown>> {
  const resolved: Record<string, unknown> = {}
  for (const rule of keys) {
    const { key, name = key, absent } = rule
    const given = source[key]
    const value = given ?? absent
    if (given === undefined && under !== undefined)
      resolved[name] = (under as Readonly<Record<string, unknown>>)[name]
    else if (value === null) resolved[name] = null
    else if (value !== undefined) {
      const read = readKey(rule, value, site)
      if (rule.members === true) Object.assign(resolved, read)
      else if (read !== undefined) resolved[name] = read
    }
  }
  return resolved
}

function readKey(rule: ResolvedKey, value: Json, site: Site): unknown {
  if (rule.list !== true) return readValue(rule, value, site, rule.key)
  if (!isList(value)) return [readValue(rule, value, site, rule.key)]
  return value.map((item, index) => readValue(rule, item, site, rule.key, index))
}

function readValue(
  { to, use = '', entries, names, single, block }: ResolvedKey,
  value: Json,
  site: Site,
  ...at: readonly (string | number)[]
): unknown {
  if (to !== undefined) return KINDS[to](value as never, site.in(...at), use)
  // A word in place of a block is the block without its keys.
  if (block !== undefined && typeof value === 'string') return readKeys(block, {}, site.in(...at))
  if (!isJsonObject(value)) return value
  if (block !== undefined) return readKeys(block, value, site.in(...at))
  if (entries === undefined) return value
  const read = Object.entries(value).map(([key, item]) => {
    const here = site.in(...at, key)
    const left = KINDS[entries[0]](key as never, here.key, use)
    const right = KINDS[entries[1]](item as never, here, use)
    return names === undefined ? [left, right] : { [names[0]]: left, [names[1]]: right }
  })
  return single === true ? read[0] : read
}

/** `320KiB` and `8MiB`. */
function readByteCount(size: string): number {
  return Number.parseInt(size, 10) * (size.endsWith('MiB') ? 1024 ** 2 : 1024)
}

function readRate(rate: string): Kinds['rate'] {
  const [count, period = ''] = rate.split('/')
  return { count: Number(count), periodMs: parseDuration(`1${period}`) }
}

/** All parameters are arguments under their own names, unless the call says which. */
function resolveTool(
  call: NonNullable<RequestSource['mcp']>,
  site: Site,
  use: string,
): Kinds['tool'] {
  const { tool, arguments: given } = typeof call === 'string' ? { tool: call } : call
  const place = `${use}.arguments` as TextPlace
  const here = given === undefined ? site : site.in('arguments')
  return { tool, values: resolveMembers(given ?? [...site.declared], here, place) }
}

/** The map stays as it is; its names are parameters. */
function resolveUnsent(unsent: Kinds['unsent'], site: Site, use: string): Kinds['unsent'] {
  for (const name of Object.keys(unsent)) site.in(name).key.param(name, use, new Set([name]))
  return unsent
}

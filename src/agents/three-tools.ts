// Three tools for any number of actions: what there is, run it, search the copy. For small contexts.
import { CHANGES, SEARCH } from '../language/manifest/actions.ts'
import type { Json, JsonObject } from '../language/json/json.ts'
import { isJsonObject } from '../language/json/members.ts'
import { inWords, nearest } from '../language/manifest/suggest.ts'
import {
  type AgentClients,
  type AgentTool,
  type AgentToolOptions,
  annotationsOf,
  CLOSED_WORLD,
} from './agent-tool.ts'
import { actionNames, described } from './describe-offered.ts'
import { type InputPlaces, PARAMS_AT_TOP, PARAMS_INSIDE } from './explain-error.ts'
import { actionOf, entityOf, notSearchable } from './find-offered.ts'
import { shortenToFit } from './fit-answer.ts'
import { type OfferedClient, offeredActions } from './offered-actions.ts'
import { answerChars, answering, runner } from './run-action.ts'
import { FILTER_WORDS, OWN_WRITES, SORT_SCHEMA } from './search-params.ts'
import {
  CURSOR,
  FIELDS,
  FIELDS_SCHEMA,
  meant,
  readCursor,
  readFields,
  requireKnown,
  wrongInput,
} from './tool-input.ts'

/** Characters of names in a description, about 550 tokens; with more of them `describe` tells the rest. */
const MAX_OVERVIEW = 2200
/** Connectors whose names stand in each input; with more of them `describe` tells the names. */
const MAX_LISTED = 8

/** `describe`, `execute` and `search`. Throws as `offeredActions` does. */
export function threeTools(clients: AgentClients, options: AgentToolOptions): AgentTool[] {
  const offered = offeredActions(clients, options)
  return [
    describeTool(offered, options),
    executeTool(offered, options),
    searchTool(offered, options),
  ]
}

function describeTool(offered: readonly OfferedClient[], options: AgentToolOptions): AgentTool {
  const inputSchema = closedInput(offered, [], {
    entity: { type: 'string' },
    action: { type: 'string' },
  })
  return {
    name: 'describe',
    title: 'What there is',
    description: `Tells what can be called: with an entity its actions and fields, with an action as well its params, without input everything by name. Do this before the first execute of an action. There is ${overview(offered)}.`,
    inputSchema,
    annotations: CLOSED_WORLD,
    run: answering(PARAMS_AT_TOP, (given) => {
      requireKnown(withoutConnector(given), inputSchema)
      const { value, places } = shortenToFit(described(offered, given), answerChars(options))
      const note = 'shortened; ask for one entity or one action'
      const content = isJsonObject(value) ? value : { data: value }
      return places.length === 0 ? content : { ...content, note }
    }),
  }
}

function executeTool(offered: readonly OfferedClient[], options: AgentToolOptions): AgentTool {
  const actions = offered.flatMap(({ entities }) => entities.flatMap((each) => each.actions))
  const hints = actions.map(annotationsOf)
  const inputSchema = closedInput(offered, ['entity', 'action'], {
    entity: { type: 'string' },
    action: { type: 'string', enum: [...new Set(actions.map(({ action }) => action))] },
    params: { type: 'object', description: 'As describe tells for this action.' },
    [FIELDS]: FIELDS_SCHEMA,
    [CURSOR]: CURSOR_SCHEMA,
  })
  return {
    name: 'execute',
    title: 'Run an action',
    description: `Runs one action. ${options.allowWrites === true ? `Actions such as ${inWords(CHANGES, 'and')} change data at the third party.` : 'Only actions that change nothing are allowed.'} Long listings come in parts: call again with answer_cursor and the same input.`,
    inputSchema,
    annotations: {
      readOnlyHint: hints.every(({ readOnlyHint }) => readOnlyHint),
      destructiveHint: hints.some(({ destructiveHint }) => destructiveHint),
      idempotentHint: hints.every(({ idempotentHint }) => idempotentHint),
      openWorldHint: true,
    },
    run: runner(options, PARAMS_INSIDE, (given) => {
      requireKnown(withoutConnector(given), inputSchema, belongsInParams(offered, given))
      const { entity, ...from } = entityOf(offered, given)
      const { action, safe, params } = actionOf(entity, given)
      return {
        ...from,
        entity: entity.entity,
        action,
        params: objectIn(given, 'params'),
        fields: readFields(given[FIELDS]),
        cursor: readCursor(given[CURSOR]),
        reads: safe ? params : null,
      }
    }),
  }
}

function searchTool(offered: readonly OfferedClient[], options: AgentToolOptions): AgentTool {
  const inputSchema = closedInput(offered, ['entity'], {
    entity: { type: 'string' },
    filter: { type: 'object', description: FILTER_WORDS },
    sort: SORT_SCHEMA,
    fields: {
      type: 'array',
      items: { type: 'string' },
      description: 'As answer_fields of execute. Name some: records can be long.',
    },
    limit: { type: 'integer', minimum: 1 },
    [CURSOR]: CURSOR_SCHEMA,
  })
  return {
    name: 'search',
    title: 'Search the synchronized copy',
    description: `Searches the copy that the hosted service keeps (a direct connection has none and says so): filters over all records of an entity. ${OWN_WRITES} describe with the action search tells fields and operators.`,
    inputSchema,
    annotations: CLOSED_WORLD,
    run: runner(options, SEARCH_PLACES, (given) => {
      requireKnown(withoutConnector(given), inputSchema, (member) => SEARCH_HINTS[member] ?? null)
      const { entity, ...from } = entityOf(offered, given)
      if (!entity.isSearchable) throw notSearchable(offered, entity)
      const { filter, sort, fields, limit } = given
      return {
        ...from,
        entity: entity.entity,
        action: SEARCH,
        params: { query: present({ filter, sort }), ...present({ fields, limit }) },
        fields: null,
        cursor: readCursor(given[CURSOR]),
        reads: null,
      }
    }),
  }
}

function present(members: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(members).filter((member): member is [string, Json] => member[1] != null),
  )
}

/** The filter and the other params of a search are members of its input. */
const SEARCH_PLACES: InputPlaces = {
  at: (pointer) => pointer.replace(/^\/params(\/query)?(?=\/|$)/, ''),
  members: null,
}

const SEARCH_HINTS: Readonly<Record<string, string>> = {
  query:
    'filter and sort stand here without it; words are found by {"filter": {"keyword": {"<field>": "word"}}}',
  params: 'what it holds stands here without it',
}

/** Where a member of execute's input belongs that is a parameter of the action. */
function belongsInParams(
  offered: readonly OfferedClient[],
  given: JsonObject,
): (member: string) => string | null {
  const action = offered
    .filter(({ name }) => offered.length === 1 || name === given['connector'])
    .flatMap(({ entities }) => entities)
    .filter(({ entity }) => entity.entity === given['entity'])
    .flatMap(({ actions, refused }) => [...actions, ...refused])
    .find(({ action }) => action === given['action'])
  const properties = action?.params['properties']
  const names = isJsonObject(properties) ? Object.keys(properties) : []
  return (member) => {
    const isOther = meant(member, EXECUTE_MEMBERS) !== null
    const name = names.includes(member) ? member : isOther ? null : nearest(member, names)
    if (name === null) return null
    const place = `${member} belongs in params${name === member ? '' : `, as ${name}`}`
    return name === FIELDS_OF_PARAMS ? `${place}; those of the answer are ${FIELDS}` : place
  }
}

const EXECUTE_MEMBERS = ['connector', 'entity', 'action', 'params', FIELDS, CURSOR]

/** Params of this name are easily taken for the fields of the answer. */
const FIELDS_OF_PARAMS = 'fields'

/** `jira: issues (get, list), users (list)`; of many connectors or entities the first. */
function overview(offered: readonly OfferedClient[]): string {
  const lists = offered.map(({ entities }) =>
    entities.map((each) => `${each.entity.entity} (${actionNames(each).join(', ')})`),
  )
  // The names of connectors come first: each of them is needed to ask for more.
  const named = countWithin(
    offered.map(({ name, entities }) => `${name}: ${entities.length} more; `),
    MAX_OVERVIEW,
  )
  let room = MAX_OVERVIEW - named.chars
  const parts = offered.slice(0, named.count).map(({ name }, index) => {
    const all = lists[index] ?? []
    const { count, chars } = countWithin(
      all.map((each) => `${each}, `),
      room,
    )
    room -= chars
    const more = all.length - count
    const names = [...all.slice(0, count), ...(more > 0 ? [`${more} more`] : [])]
    return `${name}: ${names.join(', ')}`
  })
  const rest = offered.length - named.count
  return [...parts, ...(rest > 0 ? [`${rest} more connectors`] : [])].join('; ')
}

/** How many of the texts, from the first on, take no more than `maxChars` together, and what these take. */
function countWithin(
  texts: readonly string[],
  maxChars: number,
): { readonly count: number; readonly chars: number } {
  let chars = 0
  let count = 0
  for (const { length } of texts) {
    if (chars + length > maxChars) break
    chars += length
    count++
  }
  return { count, chars }
}

const CURSOR_SCHEMA: JsonObject = {
  type: 'string',
  description: 'Of the previous answer: what comes next.',
}

/** The input of a tool. With one client there is no connector to choose. */
function closedInput(
  offered: readonly OfferedClient[],
  required: readonly string[],
  properties: JsonObject,
): JsonObject {
  const isOne = offered.length < 2
  const connector =
    offered.length <= MAX_LISTED
      ? { type: 'string', enum: offered.map(({ name }) => name) }
      : { type: 'string', description: 'A name that describe tells.' }
  return {
    type: 'object',
    properties: isOne ? properties : { connector, ...properties },
    ...(required.length === 0 ? {} : { required: isOne ? required : ['connector', ...required] }),
    additionalProperties: false,
  }
}

/** Of the only one the name may be given as well. */
function withoutConnector(given: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(given).filter(([name]) => name !== 'connector'))
}

function objectIn(given: JsonObject, member: string): JsonObject {
  const value = given[member]
  if (value === undefined || value === null) return {}
  if (isJsonObject(value)) return value
  throw wrongInput(member, 'must be an object')
}

// One tool per action: its parameters are the tool's own input.
import type { ActionDescription, EntityDescription } from '../client/client.ts'
import { ConnectorError } from '../errors.ts'
import type { Json, JsonObject } from '../language/json/json.ts'
import { isJsonObject } from '../language/json/members.ts'
import { pathIn, pointerTo } from '../language/json/pointer.ts'
import { gives, SEARCH } from '../language/manifest/actions.ts'
import {
  type AgentClients,
  type AgentTool,
  type AgentToolOptions,
  annotationsOf,
  CLOSED_WORLD,
} from './agent-tool.ts'
import { type OfferedClient, offeredActions } from './offered-actions.ts'
import { plainSchema } from './plain-schema.ts'
import { type ActionRequest, runner } from './run-action.ts'
import {
  CURSOR,
  FIELDS,
  FIELDS_SCHEMA,
  readCursor,
  readFields,
  requireKnown,
} from './tool-input.ts'
import type { InputPlaces } from './explain-error.ts'
import { OWN_WRITES, searchParams } from './search-params.ts'

const CURSOR_SCHEMA: JsonObject = {
  type: 'string',
  description: 'answer_cursor of the previous answer, with the same other input: what comes next.',
}

/** The tools of all actions that are offered, in the order of the manifests. Throws as `offeredActions` does. */
export function actionTools(clients: AgentClients, options: AgentToolOptions): AgentTool[] {
  const offered = offeredActions(clients, options)
  const nameOf = toolNames()
  const tools = offered.flatMap((from) =>
    from.entities.flatMap(({ entity, actions, isSearchable }) => {
      const of = { ...from, entity, nameOf, options }
      const search = isSearchable && options.search === true ? [searchTool(of)] : []
      return [...actions.map((action) => actionTool(action, of)), ...search]
    }),
  )
  if (tools.length > 0) return tools
  throw new ConnectorError(
    'operation_unknown',
    'the filters leave search alone, which only clients of the hosted service answer',
  )
}

interface ToolOwner extends Pick<OfferedClient, 'name' | 'client'> {
  readonly entity: EntityDescription
  readonly nameOf: (...parts: readonly string[]) => string
  readonly options: AgentToolOptions
}

function actionTool(action: ActionDescription, of: ToolOwner): AgentTool {
  const input = toolInput(plainSchema(action.params), {
    hasFields: gives(action.action, 'list', 'record'),
    hasCursor: gives(action.action, 'list'),
  })
  return {
    ...named(of, action.action),
    description: describe(of.entity, action),
    inputSchema: input.schema,
    annotations: annotationsOf(action),
    run: runner(of.options, input.places, (given) => ({
      ...requestOf(of, action.action, action.safe ? action.params : null),
      ...input.read(given),
    })),
  }
}

function searchTool(of: ToolOwner): AgentTool {
  const input = toolInput(searchParams(of.entity), { hasFields: false, hasCursor: true })
  return {
    ...named(of, SEARCH),
    description: searchWords(of.entity),
    inputSchema: input.schema,
    annotations: CLOSED_WORLD,
    run: runner(of.options, input.places, (given) => {
      // The service knows a cursor of its own, which answers do not tell.
      requireKnown(given, input.schema)
      return { ...requestOf(of, SEARCH, null), ...input.read(given) }
    }),
  }
}

function named(
  { name, entity: { entity }, nameOf }: ToolOwner,
  action: string,
): Pick<AgentTool, 'name' | 'title'> {
  return { name: nameOf(name, entity, action), title: `${name} ${entity} ${action}` }
}

function requestOf(
  { name, client, entity }: ToolOwner,
  action: string,
  reads: JsonObject | null,
): Omit<ActionRequest, keyof ReadInput> {
  return { name, client, entity, action, reads }
}

/** Source: OpenAI, function definitions, and Anthropic, "Define tools": `^[a-zA-Z0-9_-]{1,64}$`. */
const MAX_NAME = 64

/** Names made of parts: `jira_issues_get`. A name that is too long or taken ends in a number. */
function toolNames(): (...parts: readonly string[]) => string {
  const taken = new Set<string>()
  return (...parts) => {
    const whole = parts.filter((part) => part !== '').join('_')
    let name = whole.slice(0, MAX_NAME)
    for (let number = 2; taken.has(name); number++) {
      const end = `_${number}`
      name = whole.slice(0, MAX_NAME - end.length) + end
    }
    taken.add(name)
    return name
  }
}

function searchWords({ title, entity, description }: EntityDescription): string {
  const more = description === null ? '' : ` ${description}`
  return `Search the synchronized copy of ${title ?? entity}: filters, text, sorting. ${OWN_WRITES}${more}`
}

/** Source: OpenAI, function definitions, 1,024 characters. */
const MAX_DESCRIPTION = 1024

function describe(entity: EntityDescription, action: ActionDescription): string {
  const { summary, description, deprecated } = action
  const parts = [
    summary ?? `${action.action} ${entity.title ?? entity.entity}`,
    ...(description === null ? [] : [description]),
    ...(deprecated === false
      ? []
      : [`Deprecated.${typeof deprecated === 'string' ? ` ${deprecated}` : ''}`]),
  ]
  const text = parts.map((part) => part.trim().replace(/([^.!?])$/, '$1.')).join(' ')
  return text.length <= MAX_DESCRIPTION ? text : `${text.slice(0, MAX_DESCRIPTION - 1)}…`
}

type ReadInput = Pick<ActionRequest, 'params' | 'fields' | 'cursor'>

interface ToolInput {
  readonly schema: JsonObject
  /** Where params stand in it, for what is told of them. */
  readonly places: InputPlaces
  /** Splits what an agent gave into params and what tools add. Throws `params_invalid`. */
  readonly read: (given: JsonObject) => ReadInput
}

/** What members of a tool's input may be called. Source: Anthropic, "Define tools", names of properties. */
const MEMBER_NAME = /^[\w.-]{1,64}$/

/**
 * The parameters of an action as the input of a tool. Names that models may not use are replaced, and put back.
 * Counts of members would count what tools add: the engine checks those.
 */
function toolInput(
  params: JsonObject,
  adds: { readonly hasFields: boolean; readonly hasCursor: boolean },
): ToolInput {
  const { properties: given, required } = params
  const properties = isJsonObject(given) ? given : {}
  const taken = new Set<string>()
  const wireNames = new Map<string, string>()
  for (const name of Object.keys(properties)) wireNames.set(freeName(name, taken), name)
  const schemas = [...wireNames].map(([name, wire]): [string, Json] => [
    name,
    renamed(properties[wire] ?? {}, name, wire),
  ])
  const fields = adds.hasFields ? freeName(FIELDS, taken) : null
  const cursor = adds.hasCursor ? freeName(CURSOR, taken) : null
  const isRequired = (wire: string): boolean => Array.isArray(required) && required.includes(wire)
  const needed = [...wireNames].filter(([, wire]) => isRequired(wire)).map(([name]) => name)
  const members: JsonObject = Object.fromEntries([
    ...schemas,
    ...(fields === null ? [] : [[fields, FIELDS_SCHEMA] as const]),
    ...(cursor === null ? [] : [[cursor, CURSOR_SCHEMA] as const]),
  ])
  const namesByWire = new Map([...wireNames].map(([name, wire]) => [wire, name]))
  return {
    places: {
      at(pointer) {
        const [root, wire, ...rest] = pathIn(pointer)
        if (root !== 'params' || wire === undefined) return pointer
        return pointerTo('', [namesByWire.get(wire) ?? wire, ...rest])
      },
      members: Object.keys(members),
    },
    schema: {
      type: 'object',
      properties: members,
      ...(needed.length === 0 ? {} : { required: needed }),
      ...(params['additionalProperties'] === false ? { additionalProperties: false } : {}),
    },
    read(input) {
      const params: [string, Json][] = []
      for (const [name, value] of Object.entries(input))
        if (name !== fields && name !== cursor) params.push([wireNames.get(name) ?? name, value])
      return {
        params: Object.fromEntries(params),
        fields: readFields(fields === null ? undefined : input[fields]),
        cursor: readCursor(cursor === null ? undefined : input[cursor]),
      }
    },
  }
}

function freeName(wanted: string, taken: Set<string>): string {
  let name = MEMBER_NAME.test(wanted) ? wanted : wanted.replaceAll(/[^\w.-]+/g, '_').slice(0, 60)
  while (taken.has(name) || name === '') name = `${name}_`
  taken.add(name)
  return name
}

function renamed(schema: Json, name: string, wire: string): Json {
  if (name === wire || !isJsonObject(schema)) return schema
  const { description } = schema
  return {
    ...schema,
    description: `${wire}${typeof description === 'string' ? `: ${description}` : ''}`,
  }
}

// Three tools for any number of actions: what there is, run it, search the copy. For small contexts.
import type { ActionDescription } from '../client/client.ts'
import { ConnectorError } from '../errors.ts'
import type { Json, JsonObject } from '../json/json.ts'
import { isJsonObject } from '../json/members.ts'
import { nearest } from '../manifest/suggest.ts'
import type { AgentClients } from './agent-client.ts'
import type { AgentTool, AgentToolOptions } from './agent-tool.ts'
import { shortenToFit } from './fit-answer.ts'
import { type OfferedClient, offeredActions, type OfferedEntity } from './offered-actions.ts'
import { plainSchema } from './plain-schema.ts'
import { answerChars, answered, runAction, writesAreOff } from './run-action.ts'
import { FILTER_WORDS } from './search-params.ts'
import { annotationsOf, CLOSED_WORLD } from './tool-annotations.ts'
import { readCursor, readFields, wrongInput } from './tool-input.ts'

/** Names of entities that stand in a description; with more of them `describe` tells the rest. */
const MAX_NAMED = 60

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
  return {
    name: 'describe',
    title: 'What there is',
    description: `Tells what can be called: with an entity its actions and fields, with an action as well its params, without input everything by name. Do this before the first execute of an action. There is ${overview(offered)}.`,
    inputSchema: {
      type: 'object',
      properties: {
        ...connectorMember(offered),
        entity: { type: 'string' },
        action: { type: 'string' },
      },
      additionalProperties: false,
    },
    annotations: CLOSED_WORLD,
    run: (given) =>
      answered('', async () => {
        const { value, places } = shortenToFit(described(offered, given), answerChars(options))
        const note = 'shortened; ask for one entity or one action'
        const content = await Promise.resolve(isJsonObject(value) ? value : { data: value })
        return places.length === 0 ? content : { ...content, note }
      }),
  }
}

function executeTool(offered: readonly OfferedClient[], options: AgentToolOptions): AgentTool {
  const actions = offered.flatMap(({ entities }) => entities.flatMap((each) => each.actions))
  const hints = actions.map(annotationsOf)
  return {
    name: 'execute',
    title: 'Run an action',
    description: `Runs one action. ${options.allowWrites === true ? 'Actions such as create, update and delete change data at the third party.' : 'Only actions that change nothing are allowed.'} Long listings come in parts: call again with answer_cursor and the same input.`,
    inputSchema: {
      type: 'object',
      properties: {
        ...connectorMember(offered),
        entity: { type: 'string' },
        action: { type: 'string', enum: [...new Set(actions.map(({ action }) => action))] },
        params: { type: 'object', description: 'As describe tells for this action.' },
        answer_fields: {
          type: 'array',
          items: { type: 'string' },
          description: 'Only these fields of the answer, as paths: id, fields.summary.',
        },
        answer_cursor: { type: 'string', description: 'Of the previous answer: what comes next.' },
      },
      required: [...needed(offered), 'entity', 'action'],
      additionalProperties: false,
    },
    annotations: {
      readOnlyHint: hints.every(({ readOnlyHint }) => readOnlyHint),
      destructiveHint: hints.some(({ destructiveHint }) => destructiveHint),
      idempotentHint: hints.every(({ idempotentHint }) => idempotentHint),
      openWorldHint: true,
    },
    run: (given, call = {}) =>
      answered('/params', async () => {
        const { name, client, entity } = entityOf(offered, given)
        const action = actionOf(entity, given).action
        return await runAction(
          {
            name,
            client,
            entity: entity.entity.entity,
            action,
            params: objectIn(given, 'params'),
            fields: readFields(given['answer_fields']),
            cursor: readCursor(given['answer_cursor']),
          },
          options,
          call,
        )
      }),
  }
}

function searchTool(offered: readonly OfferedClient[], options: AgentToolOptions): AgentTool {
  return {
    name: 'search',
    title: 'Search the synchronized copy',
    description: `Searches the copy that the hosted service keeps (a direct connection has none and says so): fast filters over all records of an entity. describe tells the searchable fields.`,
    inputSchema: {
      type: 'object',
      properties: {
        ...connectorMember(offered),
        entity: { type: 'string' },
        filter: { type: 'object', description: FILTER_WORDS },
        sort: {
          type: 'array',
          items: { type: 'object' },
          description: 'Such as [{"name": "asc"}].',
        },
        fields: { type: 'array', items: { type: 'string' } },
        limit: { type: 'integer', minimum: 1 },
        answer_cursor: { type: 'string', description: 'Of the previous answer: what comes next.' },
      },
      required: [...needed(offered), 'entity'],
      additionalProperties: false,
    },
    annotations: CLOSED_WORLD,
    run: (given, call = {}) =>
      answered('', async () => {
        const { name, client, entity } = entityOf(offered, given)
        if (!entity.isSearchable) throw notSearchable(offered, entity)
        const { filter, sort, fields, limit } = given
        const query = { ...(filter == null ? {} : { filter }), ...(sort == null ? {} : { sort }) }
        const params = {
          query,
          ...(fields == null ? {} : { fields }),
          ...(limit == null ? {} : { limit }),
        }
        const cursor = readCursor(given['answer_cursor'])
        return await runAction(
          {
            name,
            client,
            entity: entity.entity.entity,
            action: 'search',
            params,
            fields: null,
            cursor,
          },
          options,
          call,
        )
      }),
  }
}

/** `jira: issues (get, list), users (list)`; of many connectors or entities the first. */
function overview(offered: readonly OfferedClient[]): string {
  let room = MAX_NAMED
  return offered
    .map(({ name, entities }) => {
      const names = entities
        .slice(0, room)
        .map((each) => `${each.entity.entity} (${actionNames(each).join(', ')})`)
      room -= names.length
      const more = entities.length - names.length
      return `${name}: ${[...names, ...(more > 0 ? [`${more} more`] : [])].join(', ')}`
    })
    .join('; ')
}

/** With one client there is nothing to choose. */
function connectorMember(offered: readonly OfferedClient[]): JsonObject {
  if (offered.length < 2) return {}
  return { connector: { type: 'string', enum: offered.map(({ name }) => name) } }
}

function needed(offered: readonly OfferedClient[]): readonly string[] {
  return offered.length < 2 ? [] : ['connector']
}

function described(offered: readonly OfferedClient[], given: JsonObject): JsonObject {
  if (given['entity'] === undefined) {
    if (given['action'] !== undefined) throw wrongInput('entity', 'is needed beside an action')
    const wanted =
      given['connector'] === undefined ? offered : [clientOf(offered, given['connector'])]
    return {
      connectors: Object.fromEntries(
        wanted.map(({ name, entities }) => [
          name,
          Object.fromEntries(entities.map((each) => [each.entity.entity, actionNames(each)])),
        ]),
      ),
    }
  }
  const { entity } = entityOf(offered, given)
  return given['action'] === undefined
    ? describedEntity(entity)
    : describedAction(entity, actionOf(entity, given))
}

function actionNames({ actions, isSearchable }: OfferedEntity): readonly string[] {
  return [...actions.map(({ action }) => action), ...(isSearchable ? ['search'] : [])]
}

function describedEntity({ entity, actions, isSearchable }: OfferedEntity): JsonObject {
  return {
    entity: entity.entity,
    ...(entity.description === null ? {} : { description: entity.description }),
    actions: Object.fromEntries(
      actions.map((action) => [
        action.action,
        `${action.summary ?? action.action}${marks(action)}`,
      ]),
    ),
    record: fieldTypes(entity.record),
    ...(isSearchable ? { search_fields: { ...entity.searchFields } } : {}),
  }
}

function marks({ safe, deprecated }: ActionDescription): string {
  return `${safe ? '' : ' (changes data)'}${deprecated === false ? '' : ' (deprecated)'}`
}

/** Names and types of a record's fields: what answer_fields can name. */
function fieldTypes(record: JsonObject | null): JsonObject {
  const properties = record === null ? undefined : plainSchema(record)['properties']
  if (!isJsonObject(properties)) return {}
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      isJsonObject(schema) ? (schema['type'] ?? 'any') : 'any',
    ]),
  )
}

function describedAction({ entity }: OfferedEntity, action: ActionDescription): JsonObject {
  const result = action.result ?? entity.record
  return {
    entity: entity.entity,
    action: action.action,
    ...(action.summary === null ? {} : { summary: action.summary }),
    ...(action.description === null ? {} : { description: action.description }),
    ...(action.deprecated === false ? {} : { deprecated: action.deprecated }),
    changes_data: !action.safe,
    ...(action.scopes.length === 0 ? {} : { scopes: action.scopes }),
    params: plainSchema(action.params),
    record: fieldTypes(result),
  }
}

interface FoundEntity extends Pick<OfferedClient, 'name' | 'client'> {
  readonly entity: OfferedEntity
}

function clientOf(offered: readonly OfferedClient[], wanted: Json | undefined): OfferedClient {
  const [only, ...more] = offered
  if (wanted === undefined && only !== undefined && more.length === 0) return only
  const found = offered.find(({ name }) => name === wanted)
  if (found !== undefined) return found
  throw unknownName(
    'connector',
    wanted,
    offered.map(({ name }) => name),
  )
}

function entityOf(offered: readonly OfferedClient[], given: JsonObject): FoundEntity {
  const { name, client, entities } = clientOf(offered, given['connector'])
  const entity = entities.find((each) => each.entity.entity === given['entity'])
  if (entity !== undefined) return { name, client, entity }
  throw unknownName(
    'entity',
    given['entity'],
    entities.map((each) => each.entity.entity),
  )
}

function actionOf(entity: OfferedEntity, given: JsonObject): ActionDescription {
  const wanted = given['action']
  const found = entity.actions.find(({ action }) => action === wanted)
  if (found !== undefined) return found
  const refused = entity.refused.find(({ action }) => action === wanted)
  if (refused !== undefined) throw writesAreOff(entity.entity.entity, refused.action)
  throw unknownName(
    'action',
    wanted,
    entity.actions.map(({ action }) => action),
  )
}

function unknownName(
  member: string,
  wanted: Json | undefined,
  allowed: readonly string[],
): ConnectorError {
  if (typeof wanted !== 'string') return wrongInput(member, 'is needed', allowed)
  const near = nearest(wanted, allowed)
  const detail = `there is no "${wanted}"${near === null ? '' : `, did you mean "${near}"`}`
  return new ConnectorError('operation_unknown', detail, {
    errors: [{ pointer: `/${member}`, code: 'unknown', detail, allowed }],
  })
}

function notSearchable(
  offered: readonly OfferedClient[],
  { entity }: OfferedEntity,
): ConnectorError {
  const allowed = offered.flatMap(({ entities }) =>
    entities.filter((each) => each.isSearchable).map((each) => each.entity.entity),
  )
  const detail = `${entity.entity} cannot be searched here`
  return new ConnectorError('operation_unknown', detail, {
    errors: [{ pointer: '/entity', code: 'unknown', detail, allowed }],
  })
}

function objectIn(given: JsonObject, member: string): JsonObject {
  const value = given[member]
  if (value === undefined || value === null) return {}
  if (isJsonObject(value)) return value
  throw wrongInput(member, 'must be an object')
}

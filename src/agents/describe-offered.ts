// What can be called, told step by step: everything by name, an entity, an action with its params, a search.
import type { ActionDescription } from '../client/client.ts'
import type { JsonObject } from '../language/json/json.ts'
import { SEARCH, withSearch } from '../language/manifest/actions.ts'
import { actionOf, clientOf, entityOf, notSearchable } from './find-offered.ts'
import type { OfferedClient, OfferedEntity } from './offered-actions.ts'
import { plainSchema } from './plain-schema.ts'
import { recordPaths, schemaPaths } from './record-paths.ts'
import { OPERATOR_WORDS, OWN_WRITES } from './search-params.ts'
import { wrongInput } from './tool-input.ts'

/**
 * What `describe` answers: without input the names of all, with an entity its actions, fields and paths, with an action
 * as well its params; with the action `search` what can be searched and how.
 *
 * Throws `operation_unknown` for names that are not there, with those that are.
 */
export function described(offered: readonly OfferedClient[], given: JsonObject): JsonObject {
  if (given['entity'] === undefined) {
    if (given['action'] !== undefined) throw wrongInput('entity', 'is needed with an action')
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
  if (given['action'] === undefined) return describedEntity(entity)
  if (given['action'] === SEARCH) {
    if (!entity.isSearchable) throw notSearchable(offered, entity)
    return describedSearch(entity)
  }
  return describedAction(entity, actionOf(entity, given))
}

export function actionNames({ actions, isSearchable }: OfferedEntity): readonly string[] {
  return withSearch(
    actions.map(({ action }) => action),
    isSearchable,
  )
}

function describedEntity({ entity, actions, isSearchable }: OfferedEntity): JsonObject {
  return {
    entity: entity.entity,
    ...(entity.description === null ? {} : { description: entity.description }),
    actions: Object.fromEntries([
      ...actions.map((action): [string, string] => [
        action.action,
        `${action.summary ?? action.action}${marks(action)}`,
      ]),
      ...(isSearchable
        ? [[SEARCH, 'A tool of its own: fields and operators with the action search.'] as const]
        : []),
    ]),
    record: recordPaths(entity),
    ...(isSearchable ? { search_fields: { ...entity.searchFields }, paths: PATHS } : {}),
  }
}

const PATHS =
  'Objects and lists of search_fields are searched by dotted paths below them, such as those of record, and deeper ones.'

function marks({ safe, deprecated }: ActionDescription): string {
  return `${safe ? '' : ' (changes data)'}${deprecated === false ? '' : ' (deprecated)'}`
}

function describedSearch({ entity }: OfferedEntity): JsonObject {
  const fields = { ...entity.searchFields }
  const paths = Object.entries(recordPaths(entity)).filter(([path]) => {
    const [first = '', ...below] = path.split('.')
    return below.length > 0 && Object.hasOwn(fields, first)
  })
  const [field = 'name'] = Object.keys(fields)
  return {
    entity: entity.entity,
    action: SEARCH,
    summary: `Searches the synchronized copy. It is a tool of its own, search, not an action of execute. ${OWN_WRITES}`,
    ...(entity.description === null ? {} : { description: entity.description }),
    input: {
      entity: entity.entity,
      filter: { eq: { [field]: '…' } },
      sort: [{ [field]: 'asc' }],
      fields: [field],
      limit: 20,
    },
    operators: OPERATOR_WORDS,
    fields,
    ...(paths.length === 0 ? {} : { below: Object.fromEntries(paths) }),
    paths:
      'Fields that are objects or lists are searched by dotted paths below them, also deeper ones than are told here. A list stands for all its elements.',
  }
}

function describedAction({ entity }: OfferedEntity, action: ActionDescription): JsonObject {
  return {
    entity: entity.entity,
    action: action.action,
    ...(action.summary === null ? {} : { summary: action.summary }),
    ...(action.description === null ? {} : { description: action.description }),
    ...(action.deprecated === false ? {} : { deprecated: action.deprecated }),
    changes_data: !action.safe,
    ...(action.scopes.length === 0 ? {} : { scopes: action.scopes }),
    params: plainSchema(action.params),
    record: action.result === null ? recordPaths(entity) : schemaPaths(action.result),
  }
}

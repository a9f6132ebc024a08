// Finds what an agent names among what it is offered; what is not there is refused with what is.
import type { ActionDescription } from '../client/client.ts'
import { ConnectorError } from '../errors.ts'
import type { Json, JsonObject } from '../language/json/json.ts'
import { SEARCH } from '../language/manifest/actions.ts'
import { nearest } from '../language/manifest/suggest.ts'
import type { OfferedClient, OfferedEntity } from './offered-actions.ts'
import { writesAreOff } from './run-action.ts'
import { wrongInput } from './tool-input.ts'

export interface FoundEntity extends Pick<OfferedClient, 'name' | 'client'> {
  readonly entity: OfferedEntity
}

/** The client of that name; without a name the only one. Throws `operation_unknown`, `params_invalid` without a name. */
export function clientOf(
  offered: readonly OfferedClient[],
  wanted: Json | undefined,
): OfferedClient {
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

/** The entity that the input names, with its client. Throws as `clientOf`. */
export function entityOf(offered: readonly OfferedClient[], given: JsonObject): FoundEntity {
  const { name, client, entities } = clientOf(offered, given['connector'])
  const entity = entities.find((each) => each.entity.entity === given['entity'])
  if (entity !== undefined) return { name, client, entity }
  throw unknownName(
    'entity',
    given['entity'],
    entities.map((each) => each.entity.entity),
  )
}

/** The action that the input names. Throws as `clientOf`, and `scope_denied` for a write where writes are off. */
export function actionOf(entity: OfferedEntity, given: JsonObject): ActionDescription {
  const wanted = given['action']
  const found = entity.actions.find(({ action }) => action === wanted)
  if (found !== undefined) return found
  const refused = entity.refused.find(({ action }) => action === wanted)
  if (refused !== undefined) throw writesAreOff(entity.entity.entity, refused.action)
  if (wanted === SEARCH && entity.isSearchable) throw searchIsATool(entity.entity.entity)
  throw unknownName(
    'action',
    wanted,
    entity.actions.map(({ action }) => action),
  )
}

function searchIsATool(entity: string): ConnectorError {
  const detail = `search is a tool of its own: call it with ${JSON.stringify({ entity, filter: {} })}; describe with the action search tells fields and operators`
  return unknown('action', detail)
}

/** A longer list is not told in one line; it stands in `allowed`. */
const MAX_LISTED = 20

function unknownName(
  member: string,
  wanted: Json | undefined,
  allowed: readonly string[],
): ConnectorError {
  if (typeof wanted !== 'string') return wrongInput(member, 'is needed', allowed)
  const near = nearest(wanted, allowed)
  const names = allowed.length > MAX_LISTED ? '' : `; there is ${allowed.join(', ')}`
  const detail = `there is no ${member} "${wanted}"${near === null ? names : `, did you mean "${near}"?`}`
  return unknown(member, detail, allowed)
}

export function notSearchable(
  offered: readonly OfferedClient[],
  { entity }: OfferedEntity,
): ConnectorError {
  const allowed = offered.flatMap(({ entities }) =>
    entities.filter((each) => each.isSearchable).map((each) => each.entity.entity),
  )
  return unknown('entity', `${entity.entity} cannot be searched here`, allowed)
}

function unknown(member: string, detail: string, allowed?: readonly string[]): ConnectorError {
  const problem = { pointer: `/${member}`, code: 'unknown', detail }
  return new ConnectorError('operation_unknown', detail, {
    errors: [allowed === undefined ? problem : { ...problem, allowed }],
  })
}

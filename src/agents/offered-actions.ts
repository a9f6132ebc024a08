// Which actions of which clients an agent is offered.
import type { ActionDescription, Client, EntityDescription } from '../client/client.ts'
import { ConnectorError } from '../errors.ts'
import { SEARCH } from '../language/manifest/actions.ts'
import { operationNames } from '../language/manifest/describe.ts'
import { didYouMean } from '../language/manifest/suggest.ts'
import { type AgentClients, untyped } from './agent-tool.ts'
import type { AgentToolOptions } from './agent-tool.ts'

export interface OfferedClient {
  readonly name: string
  readonly client: Client
  readonly entities: readonly OfferedEntity[]
}

export interface OfferedEntity {
  readonly entity: EntityDescription
  readonly actions: readonly ActionDescription[]
  /** What the filters let through, but writes are off. */
  readonly refused: readonly ActionDescription[]
  /** Whether the entity can be searched and the filters let it through. */
  readonly isSearchable: boolean
}

/**
 * The clients with what the filters and `allowWrites` leave, entities without actions left out.
 *
 * Throws `operation_unknown` for a filter that names nothing that is there, and when nothing is left; TypeError for
 * a client name other than letters, digits, `_` and `-`.
 */
export function offeredActions(
  clients: AgentClients,
  options: AgentToolOptions,
): readonly OfferedClient[] {
  const all = Object.entries(clients).map(([name, client]) => {
    if (!/^[A-Za-z][\w-]*$/.test(name))
      throw new TypeError(`a client's name is letters, digits, _ and -, not "${name}"`)
    return { name, client: untyped(client), described: untyped(client).describe() }
  })
  const operations = all.flatMap(({ name, described }) =>
    described.flatMap((entity) =>
      operationNames(entity).map((action) => ({ name, entity: entity.entity, action })),
    ),
  )
  const isEntity = filterOf('entities', options.entities, operations, ({ name, entity }) => [
    entity,
    `${name}.${entity}`,
  ])
  const isAction = filterOf('actions', options.actions, operations, (operation) => {
    const { name, entity, action } = operation
    return [action, `${entity}.${action}`, `${name}.${entity}.${action}`]
  })
  const offered = all.map(({ name, client, described }) => ({
    name,
    client,
    entities: described
      .map((entity) => {
        const isWanted = (action: string): boolean =>
          isEntity({ name, entity: entity.entity, action }) &&
          isAction({ name, entity: entity.entity, action })
        const wanted = entity.actions.filter(({ action }) => isWanted(action))
        return {
          entity,
          actions: wanted.filter(({ safe }) => safe || options.allowWrites === true),
          refused: wanted.filter(({ safe }) => !safe && options.allowWrites !== true),
          isSearchable: entity.searchFields !== null && isWanted(SEARCH),
        }
      })
      .filter(({ actions, refused, isSearchable }) => {
        return actions.length > 0 || refused.length > 0 || isSearchable
      }),
  }))
  requireSome(offered)
  return offered
}

interface OperationName {
  readonly name: string
  readonly entity: string
  readonly action: string
}

/** A test of operations by one filter. Every entry of the filter must name something. */
function filterOf(
  option: 'entities' | 'actions',
  wanted: readonly string[] | undefined,
  operations: readonly OperationName[],
  namesOf: (operation: OperationName) => readonly string[],
): (operation: OperationName) => boolean {
  if (wanted === undefined) return () => true
  const known = new Set(operations.flatMap(namesOf))
  const unknown = wanted.filter((each) => !known.has(each))
  const [first] = unknown
  if (first !== undefined) {
    const short = [...new Set(operations.flatMap((each) => namesOf(each).slice(0, 1)))]
    throw new ConnectorError(
      'operation_unknown',
      `${option}: there is no "${first}"${didYouMean(first, [...known])}; there is ${short.join(', ')}`,
      { errors: unknown.map((each) => ({ pointer: `/${option}`, code: 'unknown', detail: each })) },
    )
  }
  const names = new Set(wanted)
  return (operation) => namesOf(operation).some((each) => names.has(each))
}

function requireSome(offered: readonly OfferedClient[]): void {
  const entities = offered.flatMap((each) => each.entities)
  if (entities.some(({ actions, isSearchable }) => actions.length > 0 || isSearchable)) return
  const areWrites = entities.some(({ refused }) => refused.length > 0)
  throw new ConnectorError(
    'operation_unknown',
    areWrites
      ? 'the filters leave actions that change data only, and those are not allowed'
      : 'the filters leave no action',
  )
}

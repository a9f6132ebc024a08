// What hosts can attach to a conversation without a tool: what each connected account can do, and single records.
import type { ActionDescription, CallOptions } from '../client/client.ts'
import { isJsonObject, isList } from '../language/json/members.ts'
import { gives } from '../language/manifest/actions.ts'
import { typeNamesOf } from '../language/manifest/json-schema.ts'
import type { AgentAnswer, AgentClients, AgentToolOptions } from './agent-tool.ts'
import { actionNames, described } from './describe-offered.ts'
import { PARAMS_AT_TOP } from './explain-error.ts'
import { type OfferedClient, offeredActions, type OfferedEntity } from './offered-actions.ts'
import { plainSchema } from './plain-schema.ts'
import { runner } from './run-action.ts'

/** A resource, or with `{…}` in its address a template of some. Source: Model Context Protocol, "Resources". */
export interface AgentResource {
  readonly uri: string
  readonly name: string
  readonly title: string
  readonly description: string
}

export interface AgentResources {
  /** `tenon://jira`, one for each client. */
  readonly accounts: readonly AgentResource[]
  /** `tenon://jira/issues/{issueIdOrKey}`, for each entity of which one record is read by one parameter. */
  readonly records: readonly AgentResource[]
  readonly offered: readonly OfferedClient[]
  /** Null: there is no such resource. A failure is an answer. */
  read(uri: string, call?: CallOptions): Promise<AgentAnswer> | null
}

const SCHEME = 'tenon://'

/** What the options leave of these clients. Throws as `agentTools` does. */
export function agentResources(clients: AgentClients, options: AgentToolOptions): AgentResources {
  const offered = offeredActions(clients, options)
  const records = offered.flatMap((client) =>
    client.entities.flatMap((entity) => {
      const reading = readingOf(entity)
      return reading === null ? [] : [{ client, entity, ...reading }]
    }),
  )
  return {
    offered,
    accounts: offered.map(({ name, entities }) => ({
      uri: SCHEME + name,
      name,
      title: `What ${name} can do`,
      description: `Entities and actions: ${entities
        .map((each) => `${each.entity.entity} (${actionNames(each).join(', ')})`)
        .join('; ')
        .slice(0, MAX_DESCRIPTION)}`,
    })),
    records: records.map(({ client, entity: { entity }, action, param }) => ({
      uri: `${SCHEME}${client.name}/${entity.entity}/{${param}}`,
      name: `${client.name}_${entity.entity}`,
      title: `A record of ${entity.title ?? entity.entity}`,
      description: action.summary ?? `One record of ${entity.entity}`,
    })),
    read(uri, call) {
      const [name, entity, id, ...rest] = partsOf(uri)
      const client = offered.find((each) => each.name === name)
      if (client === undefined || rest.length > 0) return null
      if (entity === undefined)
        return Promise.resolve({ isError: false, content: described([client], {}) })
      const record = records.find(
        (each) => each.client === client && each.entity.entity.entity === entity,
      )
      if (record === undefined || id === undefined || id === '') return null
      const { action, param, isNumber } = record
      const run = runner(options, PARAMS_AT_TOP, () => ({
        name: client.name,
        client: client.client,
        entity: record.entity.entity,
        action: action.action,
        params: { [param]: isNumber && /^-?\d{1,15}$/.test(id) ? Number(id) : id },
        fields: null,
        cursor: null,
        reads: null,
      }))
      return run({}, call)
    },
  }
}

const MAX_DESCRIPTION = 500

/** The parts of an address, decoded; none where it is no address of ours. */
function partsOf(uri: string): readonly string[] {
  if (!uri.startsWith(SCHEME)) return []
  try {
    return uri.slice(SCHEME.length).split('/').map(decodeURIComponent)
  } catch {
    // What cannot be decoded names nothing.
    return []
  }
}

interface Reading {
  readonly action: ActionDescription
  readonly param: string
  readonly isNumber: boolean
}

/** The action that reads one record by one parameter; null: there is none. */
function readingOf({ actions }: OfferedEntity): Reading | null {
  for (const action of actions) {
    if (!action.safe || !gives(action.action, 'record')) continue
    const { required, properties } = plainSchema(action.params)
    const [param, ...more] = isList(required ?? null) ? (required as readonly string[]) : []
    if (param === undefined || more.length > 0) continue
    const schema = isJsonObject(properties) ? properties[param] : undefined
    if (!isJsonObject(schema)) continue
    const types = typeNamesOf(schema)
    const isText = types.includes('string')
    if (isText || types.includes('integer')) return { action, param, isNumber: !isText }
  }
  return null
}

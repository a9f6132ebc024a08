// Parameters that an operation of the sandbox answers: for documents, tests, and a first try.
import { namesIn } from '../../language/expression/paths-in.ts'
import { isConnectorError } from '../../errors.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import { isJsonObject } from '../../language/json/members.ts'
import { own } from '../../language/json/own.ts'
import { ACTIONS } from '../../language/manifest/actions.ts'
import { requiredIn } from '../../language/manifest/json-schema.ts'
import type { Action, Entity, JsonSchema } from '../../language/manifest/manifest.ts'
import { compilePlan } from '../../engine/plan/plan.ts'
import { demoConfig } from '../auth/demo-credentials.ts'
import { makeUp } from '../data/made-up.ts'
import { propertiesOf } from '../wire/schema-places.ts'
import { contextFor, type VendorParts } from './vendor-call.ts'

type ExampleSources = Pick<VendorParts, 'manifest' | 'demo' | 'world' | 'known'>
interface ExampleCall extends ExampleSources {
  readonly entity: Entity
  readonly action: Action
}

/**
 * Parameters with which an operation succeeds: the example of the demo data, else what the action requires, with keys
 * of records that are there. Throws TypeError for an operation that the manifest does not have.
 */
export function exampleParams(operation: string, sources: ExampleSources): JsonObject {
  const [entityName, actionName] = operation.split('.')
  const entity = sources.manifest.entities.find(({ name }) => name === entityName)
  const action = entity?.actions.find(({ name }) => name === actionName)
  if (entity === undefined || action === undefined) {
    throw new TypeError(`${sources.manifest.type} has no operation "${operation}"`)
  }
  const given = sources.demo.actions.get(operation)?.example?.(contextFor(sources))
  if (isJsonObject(given)) return given
  const candidates = candidatesFor({ ...sources, entity, action })
  const plan = compilePlan(sources.manifest, action)
  const config = demoConfig(sources.manifest, sources.demo)
  return (
    candidates.find((params) => isPlanned(() => plan(params, config, Date.now))) ??
    candidates[0] ??
    {}
  )
}

/** What is required, then that with one more parameter, then everything. */
function candidatesFor(call: ExampleCall): readonly JsonObject[] {
  const { schema } = call.action.params
  const required = requiredParams(call)
  const optional = propertiesOf(schema)
    .filter(([name]) => !Object.hasOwn(required, name))
    .map(([name, property]) => ({ [name]: madeUp(name, property, call) }))
  return [
    required,
    ...optional.map((one) => ({ ...required, ...one })),
    Object.assign({}, required, ...optional) as JsonObject,
  ]
}

function isPlanned(plan: () => unknown): boolean {
  try {
    plan()
    return true
  } catch (error) {
    if (isConnectorError(error, 'params_invalid')) return false
    throw error
  }
}

function requiredParams(call: ExampleCall): JsonObject {
  const { schema } = call.action.params
  const keys = pathKeys(call)
  const properties = new Map(propertiesOf(schema))
  return Object.fromEntries(
    requiredIn(schema).flatMap((name) => {
      const property = properties.get(name)
      if (property === undefined) return []
      const key = keys.get(name)
      return [[name, key === undefined ? madeUp(name, property, call) : asParam(key, property)]]
    }),
  )
}

/** A key as the parameter takes it: vendors number records and take the numbers as text. */
function asParam(key: Json, schema: JsonSchema): Json {
  return own(schema, 'type') === 'string' && typeof key === 'number' ? String(key) : key
}

/** The parameters of the path, with the keys of one row that is there and of the row above it. */
function pathKeys({ entity, action, world }: ExampleCall): ReadonlyMap<string, Json> {
  const set = [entity.name, action.touches].find((name) => name !== null && world.has(name))
  const row = set == null ? undefined : world.rows(set)[0]
  if (row === undefined) return new Map()
  const names = namesIn(
    action.steps.map(({ request }) => request.path),
    'params',
  )
  const below = ACTIONS[action.name].namesRecord
  const rows = below ? [row, row.parent] : [row.parent]
  const keyed = names.toReversed().map((name, index) => [name, world.keyOf(rows[index])] as const)
  const [ownKey = []] = world.rules(row.set).keys
  const plain = ownKey.length === 1 && below ? [[ownKey[0] ?? '', world.keyOf(row)] as const] : []
  return new Map(
    [...plain, ...keyed].flatMap(([name, key]) => (key === undefined ? [] : [[name, key]])),
  )
}

function madeUp(name: string, schema: JsonSchema, { action, manifest, world }: ExampleCall): Json {
  const place = `example/${action.entity}.${action.name}/${name}`
  return makeUp(schema, { world, place, name, position: 0, definitions: manifest.definitions })
}

// Values for parameters that name a record of the account: of its copy, or of the first page of a listing.
import { useCallback, useState } from 'react'
import { SEARCH } from '../../../language/manifest/actions.ts'
import type {
  ActionDescription,
  Described,
  EntityDescription,
  Envelope,
  Instance,
  SearchAnswer,
} from '../../api/answers.ts'
import { call } from '../../api/call.ts'
import type { Json, JsonObject } from '../../api/json-text.ts'
import type { Suggested } from '../../form/around.ts'
import { textOf } from '../../form/field-text.ts'
import { propertiesOf, readNode, requiredOf } from '../../form/schema-node.ts'
import { columnsOf, valueAt } from '../../../display/record-columns.ts'
import { cellText, recordsIn } from './columns.ts'

type Options = Suggested['options']

const MAX = 200
const NONE: Options = []
const NOTHING = {}

/** By the pointer of a parameter. A third party is asked once per entity, when somebody comes to such a field. */
export function useSuggestions(
  instance: Instance,
  entities: readonly EntityDescription[],
  named: Described['named_records'][string] = NOTHING,
): (pointer: string) => Suggested | null {
  const [found, setFound] = useState<Readonly<Record<string, Options | 'asked'>>>({})
  return useCallback(
    (pointer) => {
      const { entity, field } = named[pointer.slice('/params/'.length)] ?? {}
      const target = entities.find((each) => each.entity === entity)
      if (target === undefined || field === undefined) return null
      const key = `${target.entity} ${field}`
      const known = found[key]
      return {
        options: known === undefined || known === 'asked' ? NONE : known,
        ask: () => {
          // A copy that has nothing yet has something when somebody comes again.
          if (known === 'asked' || (known?.length ?? 0) > 0) return
          const keep = (options: Options | 'asked'): void =>
            setFound((before) => ({ ...before, [key]: options }))
          keep('asked')
          void recordsOf(instance, target)
            .then((records) => optionsOf(records, field.split('.')))
            // Nothing is suggested then; the field takes what is typed.
            .catch(() => NONE)
            .then(keep)
        },
      }
    },
    [instance, entities, named, found],
  )
}

/** For each of these parameters a value of the account's own data, those of one entity from one record. */
export async function namedValues(
  instance: Instance,
  entities: readonly EntityDescription[],
  named: Described['named_records'][string],
  schema: JsonObject,
): Promise<JsonObject> {
  const wanted = new Set(Object.values(named).map(({ entity }) => entity))
  const asked = entities
    .filter(({ entity }) => wanted.has(entity))
    .map(async (each) => [each.entity, (await recordsOf(instance, each))[0]] as const)
  const firsts = new Map(await Promise.all(asked))
  const members = new Map(propertiesOf(schema))
  const found = Object.entries(named).flatMap(([name, { entity, field }]) => {
    const value = valueAt(firsts.get(entity), field.split('.'))
    if (value == null) return []
    // Third parties number records and take the numbers as text.
    const isNumber = readNode(members.get(name), schema).kind === 'number'
    return [[name, isNumber ? value : textOf(value)] as const]
  })
  return Object.fromEntries(found)
}

async function recordsOf(instance: Instance, target: EntityDescription): Promise<readonly Json[]> {
  const { entity } = target
  const path = `/connectors/sources/${instance.id}/execute`
  const ask = (action: string, params: JsonObject) => ({ body: { entity, action, params } })
  if (target.search_fields !== null) {
    try {
      const params = { query: {}, limit: MAX }
      const { hits } = await call<SearchAnswer>('POST', path, ask(SEARCH, params))
      if (hits.length > 0) return hits.map(({ data }) => data)
    } catch {
      // Nothing is copied yet.
    }
  }
  const listing = listingOf(target)
  if (listing === undefined) return []
  const { data } = await call<Envelope>('POST', path, ask(listing.action, {}))
  return (recordsIn(data, true) ?? []).slice(0, MAX)
}

/** An action that lists records and needs nothing for it; undefined: there is none. */
export function listingOf({ actions }: EntityDescription): ActionDescription | undefined {
  return actions.find(({ paged, safe, params }) => paged && safe && requiredOf(params).size === 0)
}

/** Each value once, with what people know the record by. */
function optionsOf(records: readonly Json[], field: readonly string[]): Options {
  const columns = columnsOf(records)
    .filter(({ path }) => path.join('.') !== field.join('.'))
    .slice(0, 2)
  const options = records.flatMap((record): [string, string][] => {
    const value = textOf(valueAt(record, field))
    const label = columns.map(({ path }) => cellText(valueAt(record, path))).join(' · ')
    return value === '' ? [] : [[value, label]]
  })
  return [...new Map(options)].map(([value, label]) => ({ value, label }))
}

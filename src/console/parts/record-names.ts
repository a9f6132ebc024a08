// What the records are called that values name: looked up in the copies of the account, once per page and entity.
import { type UseQueryResult, useQueries } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { LABEL_MEMBERS, labelOf, nameNextTo } from '../../display/record-columns.ts'
import { type Reference, referencesIn, valuesAt } from '../../display/references.ts'
import { SEARCH } from '../../language/manifest/actions.ts'
import type { EntityDescription, SearchAnswer } from '../api/answers.ts'
import { call } from '../api/call.ts'
import type { Json, JsonObject } from '../api/json-text.ts'
import { KEPT_MS } from '../api/use-answer.ts'
import { textOf } from '../form/field-text.ts'
import { useRefusals } from '../session.ts'
import { searchAddress } from './in-address.ts'

/** A record that a value names. */
export interface RecordName {
  /** What people know it by. */
  readonly words: string
  /** Its search. */
  readonly to: string
}

/** The record that a value names, where it is known. */
export type NameOf = (value: Json | undefined) => RecordName | null

/** What tells the records that values at a path name; null: values there name none. */
export type NamesAt = (path: readonly string[]) => NameOf | null

export const NO_NAMES: NamesAt = () => null

/** Records that are asked for at once. */
const MAX_ASKED = 300
/** Ids are short; a text that is not would be refused with all others. */
const MAX_LETTERS = 200
/** So long a name is not asked for again. */
const FRESH_MS = 60_000

type Names = Readonly<Record<string, RecordName>>

/**
 * What tells the names of records that `value`, a record or several, names. An entity whose copy cannot be searched, or
 * has nothing yet, names nothing.
 */
export function useRecordNames(of: {
  readonly instance: string
  readonly entities: readonly EntityDescription[]
  /** Of a record; null: nobody knows it. The same array as long as they are the same. */
  readonly schemas: readonly (JsonObject | null)[]
  /** The same as long as it says the same. */
  readonly value: Json
}): NamesAt {
  const { instance, entities, schemas, value } = of
  const refusal = useRefusals()('operations')
  const references = useMemo(() => schemas.flatMap(referencesIn), [schemas])
  const asked = useMemo(
    () =>
      refusal !== null
        ? []
        : [...Map.groupBy(references, ({ entity }) => entity)].flatMap(([name, all]) => {
            const entity = entities.find((each) => each.entity === name)
            const ids = entity === undefined ? [] : idsIn(value, all, entity)
            return entity === undefined || ids.length === 0 ? [] : [{ entity, ids }]
          }),
    [references, entities, value, refusal],
  )
  const answers = useQueries({
    queries: asked.map(({ entity, ids }) => ({
      queryKey: ['names', instance, entity.entity, ids],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) => ({
        entity: entity.entity,
        names: await namesOf(instance, entity, ids, signal),
      }),
      staleTime: FRESH_MS,
      gcTime: KEPT_MS,
    })),
    combine: knownIn,
  })
  return useCallback(
    (path) => {
      const at = references.find((each) => sameAs(each.path, path))
      const names = at === undefined ? undefined : answers[at.entity]
      if (names === undefined) return null
      return (each) => {
        const id = textOf(each)
        return Object.hasOwn(names, id) ? (names[id] ?? null) : null
      }
    },
    [references, answers],
  )
}

function sameAs(path: readonly string[], other: readonly string[]): boolean {
  return path.length === other.length && path.every((name, at) => name === other[at])
}

/** By entity; the same object as long as nothing has come. */
function knownIn(
  results: readonly UseQueryResult<{ readonly entity: string; readonly names: Names }>[],
): Readonly<Record<string, Names>> {
  return Object.fromEntries(
    results.flatMap(({ data }) => (data === undefined ? [] : [[data.entity, data.names]])),
  )
}

/** The ids that are looked up; none where the copy has no field for them. */
function idsIn(
  value: Json,
  references: readonly Reference[],
  { key_field: key, search_fields: types }: EntityDescription,
): readonly string[] {
  const type = key === null ? undefined : types?.[key]
  if (type !== 'string' && type !== 'integer' && type !== 'number') return []
  const ids = references
    .flatMap(({ path }) => valuesAt(value, path))
    .filter((each) => typeof each !== 'object' && typeof each !== 'boolean')
    .map(textOf)
    .filter(
      (id) =>
        id !== '' && id.length <= MAX_LETTERS && (type === 'string' || /^-?\d+(\.\d+)?$/.test(id)),
    )
  return [...new Set(ids)].slice(0, MAX_ASKED)
}

async function namesOf(
  instance: string,
  { entity, key_field: key, search_fields: types }: EntityDescription,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<Names> {
  // Others were not asked for.
  const field = key ?? ''
  const own = nameNextTo(field) ?? field
  const fields = [...new Set([field, own, ...LABEL_MEMBERS])].filter((name) =>
    Object.hasOwn(types ?? {}, name),
  )
  const params = { query: { filter: { in: { [field]: ids } } }, fields, limit: ids.length }
  try {
    const path = `/connectors/sources/${instance}/execute`
    const { hits } = await call<SearchAnswer>('POST', path, {
      body: { entity, action: SEARCH, params },
      signal,
      headers: { 'x-tenon-console-own': 'names' },
    })
    return Object.fromEntries(
      hits.flatMap(({ data }) => {
        const id = textOf(data[field])
        const words = labelOf(data) ?? labelOf({ name: data[own] })
        if (words === null || words === id) return []
        const filter = { eq: { [field]: data[field] ?? null } }
        return [[id, { words, to: searchAddress({ instance, entity, params: { filter } }) }]]
      }),
    )
  } catch (error) {
    if (signal.aborted) throw error
    // Its copy has nothing yet, or cannot be asked: the ids stand as they are.
    return {}
  }
}

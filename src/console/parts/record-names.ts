// What the records are called that values name: looked up in the copies of the account, once per page and entity.
import { type UseQueryResult, useQueries } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import {
  type NamedEntity,
  nameFound,
  namesAsked,
  type NamesAsked,
} from '../../display/record-names.ts'
import { referencesIn } from '../../display/references.ts'
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
    () => (refusal === null ? namesAsked(value, references, entities.map(asNamed)) : []),
    [references, entities, value, refusal],
  )
  const answers = useQueries({
    queries: asked.map((search) => ({
      queryKey: ['names', instance, search.entity, search.ids],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) => ({
        entity: search.entity,
        names: await namesOf(instance, search, signal),
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

function asNamed({ entity, key_field, search_fields }: EntityDescription): NamedEntity {
  return { entity, keyField: key_field, searchFields: search_fields }
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

async function namesOf(
  instance: string,
  { entity, key, params }: NamesAsked,
  signal: AbortSignal,
): Promise<Names> {
  try {
    const path = `/connectors/sources/${instance}/execute`
    const { hits } = await call<SearchAnswer>('POST', path, {
      body: { entity, action: SEARCH, params },
      signal,
      headers: { 'x-tenon-console-own': 'names' },
    })
    return Object.fromEntries(
      hits.flatMap(({ data }) => {
        const found = nameFound(data, key)
        if (found === null) return []
        const filter = { eq: { [key]: data[key] ?? null } }
        const to = searchAddress({ instance, entity, params: { filter } })
        return [[found.id, { words: found.words, to }]]
      }),
    )
  } catch (error) {
    if (signal.aborted) throw error
    // Its copy has nothing yet, or cannot be asked: the ids stand as they are.
    return {}
  }
}

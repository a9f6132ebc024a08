// Values in records that name other records, where the schema of a record says so.
import { isSchema, plainOf, type Schema } from './schema-at.ts'

/** Where records name records of an entity. */
export interface Reference {
  readonly path: readonly string[]
  readonly entity: string
}

/** Schemas may hold themselves. */
const MAX_DEPTH = 6

/** The paths at which records name other records; each element of a list counts. `record`: their schema; null: nobody knows it. */
export function referencesIn(record: unknown): readonly Reference[] {
  if (!isSchema(record)) return []
  const look = (schema: Schema, path: readonly string[]): readonly Reference[] => {
    const { refers_to: entity, properties } = plainOf(schema, record) ?? {}
    if (typeof entity === 'string') return [{ path, entity }]
    if (!isSchema(properties) || path.length === MAX_DEPTH) return []
    return Object.entries(properties).flatMap(([name, member]) =>
      isSchema(member) ? look(member, [...path, name]) : [],
    )
  }
  return look(record, [])
}

/** The values at a path of a record, or of each in a list; lists on the way and at its end are opened. */
export function valuesAt<T>(value: T, path: readonly string[]): readonly T[] {
  if (Array.isArray(value)) return value.flatMap((each: T) => valuesAt(each, path))
  const [name, ...below] = path
  if (name === undefined) return [value]
  if (!isSchema(value) || !Object.hasOwn(value, name)) return []
  // What lies in JSON is JSON of the same kind.
  return valuesAt(value[name] as T, below)
}

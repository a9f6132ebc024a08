// What the records are called that values name: what is asked of the copies of an account, once per page and entity.
import { LABEL_MEMBERS, labelOf, nameNextTo } from './record-columns.ts'
import { type Reference, valuesAt } from './references.ts'

/** An entity whose records may be named. */
export interface NamedEntity {
  readonly entity: string
  /** The field whose value names a record; null: there is none. */
  readonly keyField: string | null
  /** Searchable fields with their types; null: it cannot be searched. */
  readonly searchFields: Readonly<Record<string, string>> | null
}

/** A search of an entity's copy for the names of records. */
export interface NamesAsked {
  readonly entity: string
  /** The field that has the ids. */
  readonly key: string
  readonly ids: readonly string[]
  readonly params: {
    readonly query: {
      readonly filter: { readonly in: { readonly [key: string]: readonly string[] } }
    }
    readonly fields: readonly string[]
    readonly limit: number
  }
}

/** Records that are asked for at once. */
const MAX_ASKED = 300
/** Ids are short; a text that is not would be refused with all others. */
const MAX_LETTERS = 200

/** The searches that tell what the records are called that `value`, a record or several, names: one for each entity. */
export function namesAsked(
  value: unknown,
  references: readonly Reference[],
  entities: readonly NamedEntity[],
): readonly NamesAsked[] {
  return [...Map.groupBy(references, ({ entity }) => entity)].flatMap(([name, all]) => {
    const entity = entities.find((each) => each.entity === name)
    const { keyField: key = null, searchFields: types = null } = entity ?? {}
    if (key === null || types === null) return []
    const ids = idsIn(value, all, types[key])
    if (ids.length === 0) return []
    const own = nameNextTo(key) ?? key
    const fields = [...new Set([key, own, ...LABEL_MEMBERS])].filter((field) =>
      Object.hasOwn(types, field),
    )
    const query = { filter: { in: { [key]: ids } } }
    return [{ entity: name, key, ids, params: { query, fields, limit: ids.length } }]
  })
}

/** What a record is called that a search for names has found; null: by its id alone. */
export function nameFound(
  data: Readonly<Record<string, unknown>>,
  key: string,
): { readonly id: string; readonly words: string } | null {
  const id = idOf(data[key])
  const words = labelOf(data) ?? labelOf({ name: data[nameNextTo(key) ?? key] })
  return id === null || words === null || words === id ? null : { id, words }
}

/** The text of a value that may name a record; null: it names none. */
export function idOf(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint'
    ? String(value)
    : null
}

/** The ids that are looked up; none where the copy has no field of such values. */
function idsIn(
  value: unknown,
  references: readonly Reference[],
  type: string | undefined,
): readonly string[] {
  if (type !== 'string' && type !== 'integer' && type !== 'number') return []
  const ids = references
    .flatMap(({ path }) => valuesAt(value, path))
    .flatMap((each) => idOf(each) ?? [])
    .filter(
      (id) =>
        id !== '' && id.length <= MAX_LETTERS && (type === 'string' || /^-?\d+(\.\d+)?$/.test(id)),
    )
  return [...new Set(ids)].slice(0, MAX_ASKED)
}

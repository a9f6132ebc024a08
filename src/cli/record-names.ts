// What the records are called that values of a table name, as the account's copies say.
import { idOf, nameFound, namesAsked } from '../display/record-names.ts'
import { referencesIn } from '../display/references.ts'
import type { JsonObject } from '../language/json/json.ts'
import type { EntityDescription } from '../language/manifest/describe.ts'

/** What a record is called that a value at a path names; null: it is not known. */
export type NameAt = (path: readonly string[], value: unknown) => string | null

export const NO_NAMES: NameAt = () => null

/** Finds records of an entity; its copy may have nothing yet. */
type Find = (
  entity: string,
  params: JsonObject,
) => Promise<readonly { readonly data: Readonly<Record<string, unknown>> }[]>

/**
 * The names of what records name, asked for once for each entity. What cannot be asked, or is not found, keeps its value.
 * `record`: the schema of the records; null: nobody knows it.
 */
export async function namesFor(
  records: readonly unknown[],
  record: JsonObject | null,
  { entities, find }: { readonly entities: readonly EntityDescription[]; readonly find: Find },
): Promise<NameAt> {
  const references = referencesIn(record)
  const names = new Map<string, ReadonlyMap<string, string>>()
  for (const { entity, key, params } of namesAsked(records, references, entities)) {
    // A copy without records and an account that may not be searched leave the ids as they are.
    const hits = await find(entity, params).catch(() => [])
    const found = hits.flatMap(({ data }) => nameFound(data, key) ?? [])
    names.set(entity, new Map(found.map(({ id, words }) => [id, words])))
  }
  return (path, value) => {
    const at = references.find((each) => each.path.join('\n') === path.join('\n'))
    const id = idOf(value)
    return at === undefined || id === null ? null : (names.get(at.entity)?.get(id) ?? null)
  }
}

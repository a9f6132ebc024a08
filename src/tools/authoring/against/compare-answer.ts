// What an action reads of an answer, next to what the vendor's operation answers.
import type { Path } from '../../../language/expression/syntax.ts'
import type { JsonObject } from '../../../language/json/json.ts'
import { gives } from '../../../language/manifest/actions.ts'
import type { Action, Entity, MetaPick } from '../../../language/manifest/manifest.ts'
import { below, compareValue, nearName, type Place, tell } from './compare-value.ts'
import { readSchema } from './vendor-schema.ts'

/** Compares records and pointers with the schema of the answer. `place` is that of the action. */
export function compareAnswer(
  action: Action,
  entity: Entity,
  answer: JsonObject,
  place: Place,
): void {
  const { response, pagination } = action
  // What a vendor answers to a deletion is not delivered.
  if (response.kind === 'stream' || gives(action.name, 'nothing')) return
  const at = below(place, ' response', 'response')
  const found = follow(
    answer,
    response.at,
    below(at, `.${response.kind === 'list' ? 'records' : 'record'}`),
  )
  comparePointers(pagination, answer, below(place, ' pagination', 'pagination'))
  if (found === null) return
  const listed = readSchema(found, place.follow)
  const { keyed, grouped } = response
  const name = keyed ?? grouped
  const isList = response.kind === 'list' && !response.single && name === undefined
  if (
    isList &&
    listed.types.length > 0 &&
    !listed.types.includes('array') &&
    response.page === null
  )
    return tell(at, {
      kind: 'stale',
      level: 'error',
      message: `${response.at.source} is no list in the document`,
    })
  const member = name === undefined ? found : (listed.further ?? {})
  const isBelow = isList || grouped !== undefined
  const record = isBelow ? (readSchema(member, place.follow).items ?? {}) : member
  const schema = action.result ?? entity.record
  if (schema === null || response.page !== null) return
  const isResult = action.result !== null
  const owner = isResult
    ? below(place, ' result', 'result')
    : { ...place, name: `${entity.name} record`, at: ['entities', entity.name, 'record'] }
  const computed = new Set([
    ...response.set.map(([set]) => set),
    ...(name === undefined ? [] : [name]),
  ])
  compareValue(schema, record, { ...owner, direction: 'answer', computed })
}

function comparePointers(pagination: Action['pagination'], answer: JsonObject, place: Place): void {
  const { meta } = pagination
  for (const [name, path] of pathsOf(pagination)) {
    const level = name === 'next' ? 'error' : 'warning'
    follow(answer, path, below(place, `.${name}`, name), level)
  }
  for (const { name, path } of meta.flatMap(picksOf))
    follow(answer, path, below(place, `.meta.${name}`, 'meta'), 'warning')
}

/** The paths of a pagination by name; those in tests included. */
function pathsOf(pagination: Action['pagination']): readonly (readonly [string, Path])[] {
  const { meta: _, emptyMeta: _empty, ...rest } = pagination
  return Object.entries(rest).flatMap(([name, value]: readonly [string, unknown]) =>
    pathsIn(value).map((path) => [name, path] as const),
  )
}

function pathsIn(value: unknown): readonly Path[] {
  if (typeof value !== 'object' || value === null) return []
  if ('steps' in value && 'source' in value) return [value as Path]
  return Object.values(value).flatMap(pathsIn)
}

function picksOf(pick: MetaPick): readonly { readonly name: string; readonly path: Path }[] {
  const { value, name } = pick
  if (value.kind === 'path') return [{ name, path: value.at }]
  return value.kind === 'object' ? value.members.flatMap(picksOf) : []
}

/** The schema at a path; null: nothing is known of it, or what is wrong with it was told. */
function follow(
  answer: JsonObject,
  path: Path,
  place: Place,
  level: 'error' | 'warning' = 'error',
): JsonObject | null {
  if (path.root !== 'body') return null
  let schema = answer
  for (const step of path.steps) {
    const { members, further, isOpen, items, types } = readSchema(schema, place.follow)
    const next = step.kind === 'member' ? (members.get(step.name) ?? further) : items
    if (next === null) {
      const isWrong =
        step.kind === 'member' && (!isOpen || (types.length > 0 && !types.includes('object')))
      if (isWrong)
        tell(place, {
          kind: 'unknown',
          level,
          message: `${path.source} leads nowhere: the document has no ${step.name}`,
          hint: nearName(step.name, [...members.keys()]),
        })
      return null
    }
    schema = next
  }
  return schema
}

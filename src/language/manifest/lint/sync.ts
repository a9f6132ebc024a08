// Synchronization: it calls an action that exists with parameters it has, and every declared part has an effect.
import { pathsIn } from '../../expression/paths-in.ts'
import { gives } from '../actions.ts'
import type { DocumentPath } from '../document.ts'
import type { PlacedEntity } from '../draft.ts'
import type { SyncSource } from '../source.ts'
import { suggestion } from '../suggest.ts'
import { SchemaView } from './schema-walk.ts'
import { keyAt, type Lint, type Place } from './lint.ts'
import { missingParam, neededParams } from './param-facts.ts'
import { searchFieldNames, warnOfMember } from './search.ts'

export function lintSync(lint: Lint): void {
  for (const entity of lint.entities) {
    const { sync } = entity.source
    if (sync === undefined) continue
    const subject: Subject = { lint, entity, sync, at: [...entity.at, 'sync'] }
    lintAction(subject)
    lintKeys(subject)
    lintParent(subject)
    lintCursor(subject)
    if (sync.cursor !== undefined) continue
    for (const key of ['reconcile', 'full'] as const) {
      if (sync[key] === undefined) continue
      const message = 'without a cursor every run reads everything'
      lint.error(`sync/${key}-without-effect`, keyAt(...subject.at, key), message, 'remove it')
    }
  }
  lintCycles(lint)
  lintTouches(lint)
}

interface Subject {
  readonly lint: Lint
  readonly entity: PlacedEntity
  readonly sync: SyncSource
  readonly at: DocumentPath
}

function lintAction({ lint, entity: { name, source }, sync, at }: Subject): void {
  const actions = Object.keys(source.actions)
  const place = { at: [...at, 'action'] }
  if (!actions.includes(sync.action)) {
    const listings = actions.filter((other) => gives(other, 'list')).join(', ')
    const hint = listings === '' ? 'add an action that lists the records' : `it has ${listings}`
    return lint.error('sync/unknown-action', place, `${name} has no action "${sync.action}"`, hint)
  }
  const action = { entity: name, name: sync.action }
  const given = givenParams(sync)
  const unknown = given.flatMap((param) => {
    const hint = missingParam(lint.source, action, param.name)
    return hint === undefined ? [] : [{ ...param, hint }]
  })
  for (const { hint, part, ...param } of unknown) {
    const message = `${name}.${sync.action} has no parameter "${param.name}"`
    lint.error('sync/unknown-param', { at: [...at, ...param.at], part }, message, hint)
  }
  if (unknown.length > 0) return
  const names = given.flatMap((param) =>
    param.at[0] === 'reconcile' ? [] : [param.name, param.name.split('.')[0] ?? ''],
  )
  for (const param of neededParams(lint.source, action, names)) {
    const message = `${name}.${sync.action} requires "${param}", which the sync does not give`
    lint.error('sync/required-param', place, message, 'give it in params, each or parent.bind')
  }
}

/** The parameters that a sync gives, and where; those below `reconcile` in a reconciling run only. */
function givenParams({
  params,
  each,
  parent,
  cursor,
  reconcile,
}: SyncSource): readonly (Required<Omit<Place, 'inner'>> & { readonly name: string })[] {
  const keys = (map: object | undefined, at: DocumentPath): ReturnType<typeof givenParams> =>
    Object.keys(map ?? {}).map((name) => ({ at: [...at, name], part: 'key', name }))
  const bounds = (['since', 'until'] as const).flatMap((key) => {
    const name = cursor?.[key]
    return name === undefined ? [] : [{ at: ['cursor', key], part: 'value', name } as const]
  })
  return [
    ...keys(params, ['params']),
    ...keys(each, ['each']),
    ...keys(parent?.bind, ['parent', 'bind']),
    ...bounds,
    ...keys(reconcile?.params, ['reconcile', 'params']),
  ]
}

/** A bare name is short for `$.name` and must be a member of the record. */
function lintKeys({ lint, entity, sync, at }: Subject): void {
  const { record } = entity.source
  if (record === undefined) return
  const { primary_key: key, cursor, ignore = [] } = sync
  const named: readonly (readonly [at: DocumentPath, name: string | undefined])[] = [
    ...(typeof key === 'string'
      ? [[['primary_key'], key] as const]
      : key.map((name, index) => [['primary_key', index], name] as const)),
    [['cursor', 'field'], cursor?.field],
    ...ignore.map((name, index) => [['ignore', index], name] as const),
  ]
  const members = new SchemaView(lint.source, record).members()
  const names = [...new Set([...members.keys(), ...searchFieldNames(entity.source)])]
  for (const [place, name = '$'] of named) {
    const first = name.split(/[.[]/)[0] ?? name
    if (name.startsWith('$'))
      warnOfMember(lint, { at: [...at, ...place] }, name, { names, of: entity.name })
    if (name.startsWith('$') || names.includes(first)) continue
    const message = `the record of ${entity.name} has no member "${first}"`
    const hint = suggestion(first, names) ?? NOT_DECLARED
    lint.error('sync/unknown-field', { at: [...at, ...place] }, message, hint)
  }
}

/** The way out where a name is no member of a record. */
export const NOT_DECLARED = 'write a path, $.…, for a member that is not declared'

function lintParent({ lint, sync: { parent }, at }: Subject): void {
  if (parent === undefined) return
  const { entity: name } = parent
  const target = lint.entity(name)
  const place = { at: [...at, 'parent', 'entity'] }
  if (target === undefined) {
    const hint = suggestion(name, Object.keys(lint.source.entities))
    lint.error('sync/unknown-parent', place, `there is no entity "${name}"`, hint)
  } else if (target.sync === undefined) {
    const message = `${name} has no sync, so there are no parents to go through`
    const hint = `add sync to ${name}; it needs no search`
    lint.error('sync/parent-without-sync', place, message, hint)
  } else if (parent.changed_only === true && target.sync.cursor === undefined) {
    const message = `${name} has no cursor that would tell which of its records changed`
    const changed = keyAt(...at, 'parent', 'changed_only')
    const hint = 'remove it, or give the parent a cursor'
    lint.error('sync/changed-only-without-effect', changed, message, hint)
  }
  const names = [...new SchemaView(lint.source, target?.record ?? {}).members().keys()]
  for (const [param, path] of Object.entries(parent.bind ?? {}))
    if (typeof path === 'string')
      warnOfMember(lint, { at: [...at, 'parent', 'bind', param] }, path, { names, of: name })
}

/** The cursor must travel: by a parameter, in a text, or by the order of the listing. */
function lintCursor({ lint, entity, sync: { cursor }, at }: Subject): void {
  if (cursor === undefined || cursor.since !== undefined || cursor.newest_first === true) return
  const isPrinted = lint.draft.texts.some(
    ({ owner, text }) =>
      owner.area === 'sync' && owner.entity === entity.name && pathsIn(text, 'cursor').length > 0,
  )
  if (isPrinted) return
  const message = 'the cursor reaches no request: every run would read everything'
  const hint =
    'add since (a parameter), use {{ cursor.since }} in params, or say newest_first: true'
  lint.error('sync/cursor-without-effect', keyAt(...at, 'cursor'), message, hint)
}

function lintCycles(lint: Lint): void {
  const { entities } = lint
  const parents = new Map(entities.map(({ name, source }) => [name, source.sync?.parent?.entity]))
  const reported = new Set<string>()
  for (const { name, at } of entities) {
    const trail = trailOf(parents, name)
    const isKnown = trail.some((step) => reported.has(step))
    if (trail.at(-1) !== name || trail.length < 2 || isKnown) continue
    for (const step of trail) reported.add(step)
    const message = `the parents go in a circle: ${trail.join(', ')}`
    const hint =
      'a parent is read without its children: take parent out of the one that has a listing of its own'
    lint.error('sync/parent-cycle', { at: [...at, 'sync', 'parent', 'entity'] }, message, hint)
  }
}

/** The names from an entity upwards, ending where one comes again. */
function trailOf(
  parents: ReadonlyMap<string, string | undefined>,
  start: string,
): readonly string[] {
  const trail = [start]
  for (let next = parents.get(start); next !== undefined; next = parents.get(next)) {
    trail.push(next)
    if (trail.indexOf(next) < trail.length - 1) break
  }
  return trail
}

/** The record a write changes must have a copy. */
function lintTouches(lint: Lint): void {
  for (const { at, source } of lint.actions) {
    const { touches } = source
    if (touches === undefined) continue
    const target = lint.entity(touches)
    const place = { at: [...at, 'touches'] }
    if (target === undefined) {
      const hint = suggestion(touches, Object.keys(lint.source.entities))
      lint.error('sync/touches-no-copy', place, `there is no entity "${touches}"`, hint)
    } else if (target.sync === undefined) {
      const message = `${touches} has no sync, so there is no copy to refresh`
      lint.error('sync/touches-no-copy', place, message, 'remove it')
    }
  }
}

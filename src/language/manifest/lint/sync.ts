// Synchronization: it calls an action that exists with parameters it has, and every declared part has an effect.
import { gives } from '../actions.ts'
import { type DocumentPath, problemAt } from '../document.ts'
import { actionsOf, entitiesOf, type ManifestDraft, type PlacedEntity } from '../draft.ts'
import type { ManifestProblem } from '../problem.ts'
import type { SyncSource } from '../source.ts'
import { suggestion } from '../suggest.ts'
import { pathsOfText } from './expression-facts.ts'
import { type ActionNames, hasDefault, paramsOf } from './param-facts.ts'
import { missingParam } from './params.ts'
import { membersOf, requiredOf } from './schema-walk.ts'
import { searchFieldNames } from './search.ts'

/** Findings about `sync` and `touches`. */
export function lintSync(draft: ManifestDraft): readonly ManifestProblem[] {
  const entities = entitiesOf(draft.source)
  return [
    ...entities.flatMap((entity) => {
      const { sync } = entity.source
      if (sync === undefined) return []
      const subject: Subject = { draft, entity, sync, at: [...entity.at, 'sync'] }
      return [
        ...lintAction(subject),
        ...lintKeys(subject),
        ...lintParent(subject),
        ...lintCursor(subject),
        ...lintEffects(subject),
      ]
    }),
    ...lintCycles(draft, entities),
    ...lintTouches(draft),
  ]
}

interface Subject {
  readonly draft: ManifestDraft
  readonly entity: PlacedEntity
  readonly sync: SyncSource
  readonly at: DocumentPath
}

function finding(
  { draft, at }: Subject,
  path: DocumentPath,
  part: 'key' | 'value',
  rule: string,
  message: string,
  hint: string | null = null,
): ManifestProblem {
  return problemAt(draft.document, {
    at: [...at, ...path],
    part,
    rule: `sync/${rule}`,
    message,
    hint,
  })
}

function lintAction(subject: Subject): readonly ManifestProblem[] {
  const { draft, entity, sync } = subject
  const actions = Object.keys(entity.source.actions)
  if (!actions.includes(sync.action)) {
    const listings = actions.filter((name) => gives(name, 'list'))
    return [
      finding(
        subject,
        ['action'],
        'value',
        'unknown-action',
        `${entity.name} has no action "${sync.action}"`,
        listings.length === 0
          ? 'add an action that lists the records'
          : `it has ${listings.join(', ')}`,
      ),
    ]
  }
  const action: ActionNames = { entity: entity.name, name: sync.action }
  const given = givenParams(sync)
  const unknown = given.flatMap(({ at, part, name }) => {
    const hint = missingParam(draft, action, name)
    if (hint === undefined) return []
    const message = `${entity.name}.${sync.action} has no parameter "${name}"`
    return [finding(subject, at, part, 'unknown-param', message, hint)]
  })
  return unknown.length > 0 ? unknown : lintRequired(subject, action)
}

interface GivenParam {
  readonly at: DocumentPath
  readonly part: 'key' | 'value'
  readonly name: string
  /** Given in a reconciling run only. */
  readonly reconcile?: true
}

function givenParams({
  params,
  each,
  parent,
  cursor,
  reconcile,
}: SyncSource): readonly GivenParam[] {
  const keys = (map: object | undefined, at: DocumentPath): readonly GivenParam[] =>
    Object.keys(map ?? {}).map((name) => ({ at: [...at, name], part: 'key', name }))
  const bounds = (['since', 'until'] as const).flatMap((key): readonly GivenParam[] => {
    const name = cursor?.[key]
    return name === undefined ? [] : [{ at: ['cursor', key], part: 'value', name }]
  })
  return [
    ...keys(params, ['params']),
    ...keys(each, ['each']),
    ...keys(parent?.bind, ['parent', 'bind']),
    ...bounds,
    ...keys(reconcile?.params, ['reconcile', 'params']).map((entry): GivenParam => ({
      ...entry,
      reconcile: true,
    })),
  ]
}

function lintRequired(subject: Subject, action: ActionNames): readonly ManifestProblem[] {
  const { draft, sync } = subject
  const params = paramsOf(draft.source, action)
  const given = givenParams(sync)
    .filter(({ reconcile }) => reconcile === undefined)
    .flatMap(({ name }) => [name, name.split('.')[0]])
  return [...requiredOf(draft.source, params)]
    .filter((name) => !given.includes(name) && !hasDefault(draft.source, params, name))
    .map((name) =>
      finding(
        subject,
        ['action'],
        'value',
        'required-param',
        `${action.entity}.${action.name} requires "${name}", which the sync does not give`,
        'give it in params, each or parent.bind',
      ),
    )
}

/** A bare name is short for `$.name` and must be a member of the record. */
function lintKeys(subject: Subject): readonly ManifestProblem[] {
  const { draft, entity, sync } = subject
  const { primary_key: key, cursor, ignore } = sync
  const named: readonly (readonly [at: DocumentPath, name: string])[] = [
    ...(typeof key === 'string'
      ? [[['primary_key'], key] as const]
      : key.map((name, index) => [['primary_key', index], name] as const)),
    ...(cursor === undefined ? [] : [[['cursor', 'field'], cursor.field] as const]),
    ...(ignore ?? []).map((name, index) => [['ignore', index], name] as const),
  ]
  const { record } = entity.source
  if (record === undefined) return []
  const node = { schema: record, at: null, closed: false }
  const names = [...membersOf(draft.source, node).keys(), ...searchFieldNames(entity.source)]
  return named.flatMap(([at, name]) => {
    const first = name.split(/[.[]/)[0] ?? name
    if (name.startsWith('$') || names.includes(first)) return []
    return [
      finding(
        subject,
        at,
        'value',
        'unknown-field',
        `the record of ${entity.name} has no member "${first}"`,
        suggestion(first, names) ?? 'write a path, $.…, for a member that is not declared',
      ),
    ]
  })
}

function lintParent(subject: Subject): readonly ManifestProblem[] {
  const { draft, sync } = subject
  const { parent } = sync
  if (parent === undefined) return []
  const { entities } = draft.source
  const target = Object.hasOwn(entities, parent.entity) ? entities[parent.entity] : undefined
  if (target === undefined) {
    const hint = suggestion(parent.entity, Object.keys(entities))
    return [
      finding(
        subject,
        ['parent', 'entity'],
        'value',
        'unknown-parent',
        `there is no entity "${parent.entity}"`,
        hint,
      ),
    ]
  }
  if (target.sync === undefined) {
    const message = `${parent.entity} has no sync, so there are no parents to go through`
    return [
      finding(
        subject,
        ['parent', 'entity'],
        'value',
        'parent-without-sync',
        message,
        `add sync to ${parent.entity}; it needs no search`,
      ),
    ]
  }
  if (parent.changed_only === true && target.sync.cursor === undefined) {
    const message = `${parent.entity} has no cursor that would tell which of its records changed`
    return [
      finding(
        subject,
        ['parent', 'changed_only'],
        'key',
        'changed-only-without-effect',
        message,
        'remove it, or give the parent a cursor',
      ),
    ]
  }
  return []
}

/** The cursor must travel: by a parameter, in a text, or by the order of the listing. */
function lintCursor(subject: Subject): readonly ManifestProblem[] {
  const { draft, entity, sync } = subject
  const { cursor } = sync
  if (cursor === undefined || cursor.since !== undefined || cursor.newest_first === true) return []
  const printed = draft.texts.some(
    ({ owner, text }) =>
      owner.area === 'sync' &&
      owner.entity === entity.name &&
      pathsOfText(text).some(({ root }) => root === 'cursor'),
  )
  if (printed) return []
  return [
    finding(
      subject,
      ['cursor'],
      'key',
      'cursor-without-effect',
      'the cursor reaches no request: every run would read everything',
      'add since (a parameter), use {{ cursor.since }} in params, or say newest_first: true',
    ),
  ]
}

function lintEffects(subject: Subject): readonly ManifestProblem[] {
  const { sync } = subject
  if (sync.cursor !== undefined) return []
  const without = (key: 'reconcile' | 'full'): ManifestProblem =>
    finding(
      subject,
      [key],
      'key',
      `${key}-without-effect`,
      'without a cursor every run reads everything',
      'remove it',
    )
  return [
    ...(sync.reconcile === undefined ? [] : [without('reconcile')]),
    ...(sync.full === undefined ? [] : [without('full')]),
  ]
}

function lintCycles(
  draft: ManifestDraft,
  entities: readonly PlacedEntity[],
): readonly ManifestProblem[] {
  const parents = new Map(entities.map(({ name, source }) => [name, source.sync?.parent?.entity]))
  const reported = new Set<string>()
  return entities.flatMap(({ name, at }) => {
    const trail = trailOf(parents, name)
    if (trail.at(-1) !== name || trail.length < 2 || trail.some((step) => reported.has(step)))
      return []
    trail.forEach((step) => reported.add(step))
    return [
      problemAt(draft.document, {
        at: [...at, 'sync', 'parent', 'entity'],
        rule: 'sync/parent-cycle',
        message: `the parents go in a circle: ${trail.join(', ')}`,
        hint: null,
      }),
    ]
  })
}

/** The names from an entity upwards, ending where one comes again. */
function trailOf(
  parents: ReadonlyMap<string, string | undefined>,
  start: string,
): readonly string[] {
  const trail = [start]
  let next = parents.get(start)
  while (next !== undefined) {
    const seen = trail.includes(next)
    trail.push(next)
    if (seen) break
    next = parents.get(next)
  }
  return trail
}

/** The record a write changes must have a copy. */
function lintTouches(draft: ManifestDraft): readonly ManifestProblem[] {
  const { entities } = draft.source
  return actionsOf(draft.source).flatMap(({ at, source: { touches } }) => {
    if (touches === undefined) return []
    const target = Object.hasOwn(entities, touches) ? entities[touches] : undefined
    if (target?.sync !== undefined) return []
    return [
      problemAt(draft.document, {
        at: [...at, 'touches'],
        rule: 'sync/touches-no-copy',
        message:
          target === undefined
            ? `there is no entity "${touches}"`
            : `${touches} has no sync, so there is no copy to refresh`,
        hint: target === undefined ? suggestion(touches, Object.keys(entities)) : 'remove it',
      }),
    ]
  })
}

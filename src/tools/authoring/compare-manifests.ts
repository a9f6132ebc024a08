// Two versions of a manifest compared: what a caller notices, and which version number that asks for.
import type { Json } from '../../language/json/json.ts'
import { jsonEqual } from '../../language/json/json-equal.ts'
import type {
  Action,
  AuthMethod,
  Entity,
  InputSchema,
  Manifest,
} from '../../language/manifest/manifest.ts'
import type { Change, ChangeClass } from './change.ts'
import { compareSchemas, type SchemaSide } from './compare-schemas.ts'

export interface Comparison {
  readonly changes: readonly Change[]
  /** The smallest step of the version that the changes ask for. */
  readonly needed: 'major' | 'minor' | 'patch' | 'none'
  /** The step that the versions make. */
  readonly made: 'major' | 'minor' | 'patch' | 'none' | 'backwards'
  readonly from: string
  readonly to: string
  /** Something breaks and the version does not say so. */
  readonly isRefused: boolean
}

/** Compares two manifests. Below 1.0.0 a minor step may break (semantic versioning, item 4). */
export function compareManifests(before: Manifest, after: Manifest): Comparison {
  const changes = [
    ...(before.type === after.type
      ? []
      : [{ class: 'breaking' as const, path: 'connector.type', change: `is now ${after.type}` }]),
    ...compareInputs('config', before, before.config, after, after.config),
    ...compareMethods(before, after),
    ...compareEntities(before, after),
    ...inner('connector', before, after, ['title', 'docs', 'description']),
    ...inner('', before, after, ['server', 'check', 'limits', 'maps']),
  ]
  const needed = STEPS[worst(changes)]
  const made = stepBetween(before.version, after.version)
  const isBreaking = needed === 'major'
  const isAnnounced = made === 'major' || (after.version.startsWith('0.') && made === 'minor')
  return {
    changes,
    needed,
    made,
    from: before.version,
    to: after.version,
    isRefused: isBreaking && !isAnnounced,
  }
}

const STEPS = { breaking: 'major', additive: 'minor', cosmetic: 'patch', none: 'none' } as const

function worst(changes: readonly Change[]): keyof typeof STEPS {
  for (const kind of ['breaking', 'additive', 'cosmetic'] as const)
    if (changes.some((change) => change.class === kind)) return kind
  return 'none'
}

function stepBetween(from: string, to: string): Comparison['made'] {
  const [a, b] = [numbersIn(from), numbersIn(to)]
  for (const [index, step] of (['major', 'minor', 'patch'] as const).entries()) {
    const [old = 0, next = 0] = [a[index], b[index]]
    if (next !== old) return next > old ? step : 'backwards'
  }
  return 'none'
}

function numbersIn(version: string): readonly number[] {
  return (version.split(/[-+]/)[0] ?? '').split('.').map(Number)
}

function compareInputs(
  path: string,
  before: Manifest,
  old: InputSchema,
  after: Manifest,
  next: InputSchema,
): readonly Change[] {
  return compareSchemas(sideOf(before, old), sideOf(after, next), 'input', path)
}

/** What is filled in, or known by another name as well, need not be given. */
function sideOf({ definitions }: Manifest, input: InputSchema): SchemaSide {
  return {
    schema: input.schema,
    definitions,
    optional: new Set([
      ...input.defaults.flatMap(({ at }) =>
        at.length === 1 && at[0] !== undefined ? [at[0]] : [],
      ),
      ...input.aliases.map(({ name }) => name),
    ]),
  }
}

function compareMethods(before: Manifest, after: Manifest): readonly Change[] {
  return pairs(before.auth, after.auth).flatMap(({ name, old, next }): readonly Change[] => {
    const path = `auth.${name}`
    if (next === undefined) return [change('breaking', path, 'removed')]
    if (old === undefined) return [change('additive', path, 'added')]
    return [
      ...compareInputs(`${path}.credentials`, before, old.credentials, after, next.credentials),
      ...compareScopes(`${path}.oauth2.scopes`, scopesOf(old), scopesOf(next)),
      ...inner(path, old, next, [
        'title',
        'description',
        'apply',
        'urls',
        'derive',
        'session',
        'oauth2',
      ]),
    ]
  })
}

function scopesOf({ oauth2 }: AuthMethod): readonly string[] {
  return oauth2?.authorize?.scopes ?? []
}

/** A new scope has to be consented to by every user. */
function compareScopes(
  path: string,
  old: readonly string[],
  next: readonly string[],
): readonly Change[] {
  return [
    ...next
      .filter((scope) => !old.includes(scope))
      .map((scope) => change('breaking', path, `needs ${scope}: every user has to agree again`)),
    ...old
      .filter((scope) => !next.includes(scope))
      .map((scope) => change('additive', path, `no longer needs ${scope}`)),
  ]
}

function compareEntities(before: Manifest, after: Manifest): readonly Change[] {
  return pairs(before.entities, after.entities).flatMap(({ name, old, next }) => {
    if (next === undefined) return [change('breaking', name, 'removed')]
    if (old === undefined) return [change('additive', name, 'added')]
    return [
      ...compareOutput(`${name} record`, before, old.record, after, next.record),
      ...compareSearch(name, old, next),
      ...pairs(old.actions, next.actions).flatMap((pair) =>
        compareActions(`${name}.${pair.name}`, before, pair.old, after, pair.next),
      ),
      ...inner(name, old, next, ['title', 'description', 'sync', 'examples']),
    ]
  })
}

function compareActions(
  path: string,
  before: Manifest,
  old: Action | undefined,
  after: Manifest,
  next: Action | undefined,
): readonly Change[] {
  if (next === undefined) return [change('breaking', path, 'removed')]
  if (old === undefined) return [change('additive', path, 'added')]
  return [
    ...compareInputs(`${path} params`, before, old.params, after, next.params),
    ...compareOutput(`${path} result`, before, old.result, after, next.result),
    ...compareMeta(path, old, next),
    ...compareScopes(`${path} scopes`, old.scopes, next.scopes),
    ...(old.deprecated === false && next.deprecated !== false
      ? [change('additive', path, 'is deprecated')]
      : []),
    ...(jsonEqual(plain(old.refuse), plain(next.refuse))
      ? []
      : [change('breaking', path, 'refuses other combinations of parameters')]),
    ...inner(path, old, next, [
      'summary',
      'description',
      'unsent',
      'steps',
      'response',
      'pagination',
      'retry',
      'errorBody',
      'download',
      'touches',
    ]),
  ]
}

function compareOutput(
  path: string,
  before: Manifest,
  old: Entity['record'],
  after: Manifest,
  next: Entity['record'],
): readonly Change[] {
  if (old === null && next === null) return []
  if (next === null) return [change('breaking', path, 'no longer described')]
  if (old === null) return [change('additive', path, 'described now')]
  return compareSchemas(
    { schema: old, definitions: before.definitions },
    { schema: next, definitions: after.definitions },
    'output',
    path,
  )
}

function compareMeta(path: string, old: Action, next: Action): readonly Change[] {
  const [from, to] = [old, next].map(({ pagination }) => pagination.meta.map(({ name }) => name))
  return [
    ...(from ?? [])
      .filter((name) => to?.includes(name) !== true)
      .map((name) => change('breaking', `${path} meta.${name}`, 'removed')),
    ...(to ?? [])
      .filter((name) => from?.includes(name) !== true)
      .map((name) => change('additive', `${path} meta.${name}`, 'added')),
  ]
}

function compareSearch(entity: string, old: Entity, next: Entity): readonly Change[] {
  return pairs(old.search?.fields ?? [], next.search?.fields ?? []).flatMap((pair) => {
    const path = `${entity}.search ${pair.name}`
    if (pair.next === undefined) return [change('breaking', path, 'removed')]
    if (pair.old === undefined) return [change('additive', path, 'added')]
    return pair.old.type === pair.next.type
      ? []
      : [change('breaking', path, `is ${pair.next.type}, no longer ${pair.old.type}`)]
  })
}

/** What callers do not see: texts, and how things are done. */
function inner<T extends object>(
  path: string,
  old: T,
  next: T,
  members: readonly (keyof T & string)[],
): readonly Change[] {
  return members
    .filter((member) => !jsonEqual(plain(old[member]), plain(next[member])))
    .map((member) => change('cosmetic', path === '' ? member : `${path} ${member}`, 'changed'))
}

/** A part of a manifest as JSON: it is plain frozen data. */
function plain(value: unknown): Json {
  return value === undefined ? null : (JSON.parse(JSON.stringify(value)) as Json)
}

interface Pair<T> {
  readonly name: string
  readonly old: T | undefined
  readonly next: T | undefined
}

/** Both sides by name: those of the old one in its order, then the new ones. */
function pairs<T extends { readonly name: string }>(
  old: readonly T[],
  next: readonly T[],
): readonly Pair<T>[] {
  const names = [...new Set([...old, ...next].map(({ name }) => name))]
  return names.map((name) => ({
    name,
    old: old.find((each) => each.name === name),
    next: next.find((each) => each.name === name),
  }))
}

function change(kind: ChangeClass, path: string, text: string): Change {
  return { class: kind, path, change: text }
}

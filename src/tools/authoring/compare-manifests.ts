// Two versions of a manifest compared: what a caller notices, and which version number that asks for.
// What a change of a key means stands at the key in schemas/manifest.schema.json (`change-words.ts`). Compared is what the
// keys mean: shapes followed, defaults merged in, whatever the order and the notation.
import type { Json, JsonObject } from '../../language/json/json.ts'
import { jsonEqual } from '../../language/json/json-equal.ts'
import { isJsonObject } from '../../language/json/members.ts'
import { gives } from '../../language/manifest/actions.ts'
import { dereference } from '../../language/manifest/json-schema.ts'
import type {
  Action,
  InputSchema,
  JsonSchema,
  Manifest,
  MetaPick,
  Search,
  Step,
} from '../../language/manifest/manifest.ts'
import type { Change, ChangeClass, ChangeSteps, KeyChange } from './change-words.ts'
import { entrySchema, keysOf, manifestSchema, schemaKeywords, stepOf } from './change-words.ts'
import { compareSchemas, type SchemaSide } from './compare-schemas.ts'

type Changes = readonly Change[]

export interface Comparison {
  readonly changes: Changes
  /** The smallest step of the version that the changes ask for. */
  readonly needed: 'major' | 'minor' | 'patch' | 'none'
  /** The step that the versions make. */
  readonly made: 'major' | 'minor' | 'patch' | 'none' | 'backwards'
  readonly from: string
  readonly to: string
  /** Something breaks and the version does not say so. */
  readonly isRefused: boolean
}

/** Below 1.0.0 a minor step may break (semantic versioning, item 4). Source: docs/manifest-language.md, section 15. */
export function compareManifests(before: Manifest, after: Manifest): Comparison {
  const site = { before, after, at: [], within: null } as const
  const root = manifestSchema()
  const connector = keysOf(root).get('connector')?.schema ?? {}
  const [old, next] = [partsOf(before), partsOf(after)]
  const top = { ...site, owner: 'connector', schema: connector }
  const all = [
    ...compareKeys(old.connector, next.connector, top),
    ...compareKeys(old.rest, next.rest, { ...site, owner: '', schema: root }),
  ]
  // What two keys say alike, as the rules of an action and those of its only request, is one change.
  const changes = [...new Map(all.map((change) => [JSON.stringify(change), change])).values()]
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

function worst(changes: Changes): keyof typeof STEPS {
  const kinds = ['breaking', 'additive', 'cosmetic'] as const
  return kinds.find((kind) => changes.some((change) => change.class === kind)) ?? 'none'
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

/** The resolved manifest has the keys of `connector` at its top. */
function partsOf(manifest: Manifest): { readonly connector: Block; readonly rest: Block } {
  const { type, title, version, docs, description, ...rest } = manifest
  return { connector: { type, title, version, docs, description }, rest }
}

/** A block of the resolved manifest: its keys, and what follows from them. */
type Block = Readonly<Record<string, unknown>>

interface Site {
  readonly before: Manifest
  readonly after: Manifest
  /** Whose keys these are: `notes.list`, `auth.key`; empty for the manifest. */
  readonly owner: string
  /** The keys from there down: `retry`, `idempotent`. */
  readonly at: readonly string[]
  /** What the schema of manifests says of the place. */
  readonly schema: JsonObject
  /** The blocks that the values are members of; null for the manifest. */
  readonly within: readonly [old: Block, next: Block] | null
}

/** What is made of other keys, or says nothing of its own. */
const DERIVED: ReadonlySet<string> = new Set(['format', 'hash', 'definitions', 'recordFields'])

/** Every key by its own word; what the schema does not name in this form is how it is done inside. */
function compareKeys(old: object | null, next: object | null, site: Site): Changes {
  const [from, to]: readonly [Block, Block] = [{ ...old }, { ...next }]
  const rules = keysOf(site.schema)
  const members = [...new Set([...Object.keys(from), ...Object.keys(to)])]
  const changes = members
    .filter((member) => !DERIVED.has(member))
    .flatMap((member) => {
      const key = member.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
      const { change, schema } = rules.get(key) ?? { change: 'cosmetic', schema: {} }
      const place: Site = { ...site, at: [...site.at, key], schema, within: [from, to] }
      return compareValues(from[member], to[member], change, place)
    })
  return site.at.length === 0 ? changes : inOneLine(changes, site)
}

/** Below the keys of an owner, all that callers do not see is one change. */
function inOneLine(changes: Changes, site: Site): Changes {
  const seen = changes.filter((change) => change.class !== 'cosmetic')
  return seen.length === changes.length ? changes : [...seen, changeAt(site, 'cosmetic', 'changed')]
}

function compareValues(old: unknown, next: unknown, change: KeyChange, site: Site): Changes {
  const compare = typeof change === 'string' ? WORDS[change] : undefined
  if (compare !== undefined) return compare(old as never, next as never, site) // the resolver gives each word its form
  if (isSame(old, next)) return []
  const step = stepOf(change as ChangeClass | ChangeSteps, [old, next])
  return [changeAt(site, step.class, step.change)]
}

type Compare<T> = (old: T, next: T, site: Site) => Changes

interface Named {
  readonly name: string
}

/** What each word compares, in the form that the resolver gives the value of its keys. */
const WORDS: Readonly<Record<string, Compare<never>>> = {
  /** It shows where it is used. */
  none: () => [],
  keys: compareKeys,
  parts: compareParts,
  names: compareNames,
  steps: compareSteps,
  input: compareInputs,
  output: compareOutputs,
  result: compareResults,
  consent: compareScopes,
  refusals: compareRefusals,
  meta: compareMeta,
  fields: compareFields,
  turning: compareTurning,
  filters: compareFilters,
  unsent: compareUnsent,
  rules: compareRules,
  hosts: compareHosts,
  deprecation(old: boolean | string, next: boolean | string, site: Site) {
    const text = next === false ? 'is in use again' : 'is deprecated'
    return isSame(old, next) ? [] : [changeAt({ ...site, at: [] }, 'additive', text)]
  },
}

/** A file that is sent as a whole may have any size. */
const WHOLE = { withoutSize: true }

function compareParts(old: object | undefined, next: object | undefined, site: Site): Changes {
  return compareKeys(old ?? WHOLE, next ?? WHOLE, site)
}

/** Owners that are addressed by their name alone. */
const ADDRESSED: ReadonlySet<string> = new Set(['entities', 'actions'])

function compareNames(old: readonly Named[], next: readonly Named[], site: Site): Changes {
  const key = site.at.at(-1) ?? ''
  const placeOf = (name: string): Site => {
    const parts = [site.owner, ADDRESSED.has(key) ? '' : key, name]
    const owner = parts.filter((part) => part !== '').join('.')
    return { ...site, owner, at: [], schema: entrySchema(site.schema, name) }
  }
  return compareEach([old, next], placeOf, compareKeys)
}

/** Callers do not see how many requests an action makes; the rules of each are its own. */
function compareSteps(old: readonly Step[], next: readonly Step[], site: Site): Changes {
  const placeOf = (name: string): Site => {
    const at = name === 'request' ? [] : [...site.at, name]
    return { ...site, at, schema: entrySchema(site.schema, name) }
  }
  const changed = [changeAt(site, 'cosmetic', 'changed')]
  return [
    ...compareEach([old, next], placeOf, compareKeys, () => changed),
    ...pairs(old, next).flatMap((pair) => compareVerbs(pair, site)),
  ]
}

/** What another verb does to a record is another thing: PUT replaces it, PATCH changes a part. */
function compareVerbs({ old, next }: Pair<Step>, site: Site): Changes {
  const action = actionAt(site.before, site)
  const [from, to] = [old?.request.method, next?.request.method]
  if (action === null || from === undefined || to === undefined || from === to) return []
  if (gives(action.name, 'list') || READING.has(from)) return []
  return [changeAt(site, 'breaking', `sends ${to}, no longer ${from}`)]
}

const READING: ReadonlySet<string> = new Set(['GET', 'HEAD'])

function actionAt({ entities }: Manifest, { owner }: Site): Action | null {
  const actions = entities.flatMap((entity) => entity.actions)
  return actions.find(({ entity, name }) => `${entity}.${name}` === owner) ?? null
}

/** A listing that no longer turns its pages ends after the first one. */
function compareTurning(old: string | undefined, next: string | undefined, site: Site): Changes {
  if (old === next) return []
  if (next === 'none') return [changeAt(site, 'breaking', 'delivers one page only')]
  if (old === 'none') return [changeAt(site, 'additive', 'turns its pages now')]
  return [changeAt(site, 'cosmetic', 'changed')]
}

type Filters = Action['response']['where']

/** Filters that are applied after the fetch. One of a new parameter changes no call that was valid before. */
function compareFilters(old: Filters = [], next: Filters = [], site: Site): Changes {
  const named = (filters: Filters): readonly (Named & Filters[number])[] =>
    filters.map((filter) => ({ ...filter, name: filter.param.join('.') }))
  return pairs(named(old), named(next)).flatMap((pair) => {
    const place = { ...site, at: [...site.at, pair.name] }
    if (pair.old !== undefined && pair.next === undefined)
      return [changeAt(place, 'breaking', 'is no longer applied')]
    if (pair.old !== undefined) return changedTo('breaking', pair.old, pair.next, place)
    return isOldParam(pair.name, site)
      ? [changeAt(place, 'breaking', 'is applied to each page')]
      : [changeAt(place, 'cosmetic', 'changed')]
  })
}

/** Whether the old version of the action took the parameter. */
function isOldParam(path: string, site: Site): boolean {
  const action = actionAt(site.before, site)
  let schema: Json | undefined = action?.params.schema
  for (const name of path.split('.')) {
    const target: JsonSchema = isJsonObject(schema)
      ? dereference(schema, site.before.definitions)
      : {}
    schema = isJsonObject(target['properties']) ? target['properties'][name] : undefined
  }
  return schema !== undefined
}

type Unsent = Readonly<Record<string, string>>

/** A parameter that had an effect and has none any more, or the other way round: the same call answers differently. */
function compareUnsent(old: Unsent = {}, next: Unsent = {}, site: Site): Changes {
  const named = (unsent: Unsent): readonly Named[] =>
    Object.entries(unsent).map(([name, reason]) => ({ name, reason }))
  return pairs(named(old), named(next)).flatMap((pair) => {
    const place = { ...site, at: [...site.at, pair.name] }
    if (pair.old !== undefined && pair.next !== undefined)
      return changedTo('cosmetic', pair.old, pair.next, place)
    const isNew = !isOldParam(pair.name, site)
    const text = pair.next === undefined ? 'has an effect now' : 'has no effect any more'
    return [changeAt(place, isNew ? 'cosmetic' : 'breaking', text)]
  })
}

type Rules = Step['errors']

/** Rules decide which answers are successes: a rule that made one of a failure is missed, another one may take it away. */
function compareRules(old: Rules = [], next: Rules = [], site: Site): Changes {
  if (isSame(old, next)) return []
  const saves = ({ effect }: Rules[number]): boolean => effect === 'empty' || effect === 'ok'
  const refuses = (rule: Rules[number]): boolean =>
    !saves(rule) &&
    (rule.status.length === 0 || rule.status.some(([from, to]) => from < 300 && to >= 200))
  const texts = (rules: Rules): readonly string[] =>
    rules.map((rule) => JSON.stringify(meaningOf(rule)))
  const lost = without(texts(old.filter(saves)), texts(next))
  if (lost.length > 0) return [changeAt(site, 'breaking', 'answers that were taken are refused')]
  const known = texts(old)
  const refused = old.filter(refuses)
  const lastSaving = next.findLastIndex(saves)
  const isNew = (rule: Rules[number], index: number): boolean =>
    refuses(rule) &&
    !known.includes(JSON.stringify(meaningOf(rule))) &&
    (index < lastSaving || !refused.some((before) => isWithin(rule, before)))
  if (next.some(isNew)) return [changeAt(site, 'breaking', 'refuses answers of status 2xx')]
  return [changeAt(site, 'cosmetic', 'changed')]
}

/** Whether every answer that meets a rule meets the other one, by what both say alike: its tests are among them. */
function isWithin(rule: Rules[number], other: Rules[number]): boolean {
  const among = (some: readonly unknown[], all: readonly unknown[]): boolean =>
    some.every((each) => all.some((one) => isSame(each, one)))
  return (
    (other.status.length === 0 || isSame(rule.status, other.status)) &&
    among(other.body, rule.body) &&
    among(other.headers, rule.headers)
  )
}

type Hosts = Manifest['server']['hosts']

/** Settings may name a host of these; one that is gone fails for those who have set it. */
function compareHosts(old: Hosts, next: Hosts, site: Site): Changes {
  if (isSame(old, next)) return []
  if (next === 'any') return [changeAt(site, 'additive', 'may be any')]
  const lost = old === 'any' ? ['any host'] : without(old, next)
  return lost.length > 0
    ? [changeAt(site, 'breaking', `no longer ${lost.join(', ')}`)]
    : [changeAt(site, 'additive', `may be ${without(next, old as readonly string[]).join(', ')}`)]
}

function compareInputs(old: InputSchema, next: InputSchema, site: Site): Changes {
  return [
    ...compareSchemas(inputOf(site.before, old), inputOf(site.after, next), 'input', pathOf(site)),
    ...compareComputed(old, next, site),
    ...compareAliases(old, next, site),
  ]
}

function inputOf({ definitions }: Manifest, input: InputSchema): SchemaSide {
  return {
    schema: input.schema,
    definitions,
    filled: new Set(input.defaults.map(({ at }) => at.join('.'))),
    aliases: new Map(input.aliases.map(({ alias, name }) => [alias, name])),
  }
}

/** Defaults that are templates; those that are values stand in the schema. */
function compareComputed(old: InputSchema, next: InputSchema, site: Site): Changes {
  const computed = ({ defaults }: InputSchema): readonly (Named & { readonly from: unknown })[] =>
    defaults.flatMap((each) =>
      'from' in each ? [{ name: each.at.join('.'), from: each.from }] : [],
    )
  return pairs(computed(old), computed(next)).flatMap((pair) => {
    const place = { ...site, at: [...site.at, pair.name, 'default_from'] }
    return compareValues(pair.old?.from, pair.next?.from, keywordChange('default_from'), place)
  })
}

/** A name that was a parameter of its own, or becomes one, is taken before and after. */
function compareAliases(old: InputSchema, next: InputSchema, site: Site): Changes {
  const change = keywordChange('aliases')
  const isTaken = ({ schema }: InputSchema, name: string): boolean =>
    Object.hasOwn((schema['properties'] ?? {}) as JsonObject, name)
  const named = ({ aliases }: InputSchema, other: InputSchema): readonly Named[] =>
    aliases.flatMap(({ alias }) => (isTaken(other, alias) ? [] : [{ name: alias }]))
  return pairs(named(old, next), named(next, old)).flatMap((pair) =>
    compareValues(pair.old, pair.next, change, { ...site, at: [...site.at, pair.name] }),
  )
}

function keywordChange(keyword: string): KeyChange {
  return schemaKeywords().get(keyword)?.change ?? 'cosmetic'
}

function compareOutputs(old: JsonSchema | null, next: JsonSchema | null, site: Site): Changes {
  if (old === null && next === null) return []
  if (next === null) return [changeAt(site, 'breaking', 'no longer described')]
  if (old === null) return [changeAt(site, 'additive', 'described now')]
  return compareSchemas(
    { schema: old, definitions: site.before.definitions },
    { schema: next, definitions: site.after.definitions },
    'output',
    pathOf(site),
  )
}

/** An action without a result delivers records of its entity, which are compared there. */
function compareResults(old: JsonSchema | null, next: JsonSchema | null, site: Site): Changes {
  if (site.within === null || (old === null && next === null)) return []
  const [from, to] = site.within
  return compareOutputs(
    deliveredBy(site.before, from as unknown as Action), // `result` is a key of actions only
    deliveredBy(site.after, to as unknown as Action),
    site,
  )
}

function deliveredBy({ entities }: Manifest, action: Action): JsonSchema | null {
  if (action.result !== null) return action.result
  if (action.response.page !== null || !gives(action.name, 'list', 'record')) return null
  return entities.find(({ name }) => name === action.entity)?.record ?? null
}

/** A new scope has to be consented to by every user. */
function compareScopes(
  old: readonly string[] = [],
  next: readonly string[] = [],
  site: Site,
): Changes {
  return [
    ...without(next, old).map((scope) =>
      changeAt(site, 'breaking', `needs ${scope}: every user has to agree again`),
    ),
    ...without(old, next).map((scope) => changeAt(site, 'additive', `no longer needs ${scope}`)),
  ]
}

function compareRefusals(old: Action['refuse'], next: Action['refuse'], site: Site): Changes {
  const tests = (refusals: Action['refuse']): readonly string[] =>
    refusals.map(({ test }) => JSON.stringify(test))
  const [lost, won] = [without(tests(old), tests(next)), without(tests(next), tests(old))]
  if (won.length + lost.length === 0) return changed(old, next, site)
  return [
    ...won.map(() => changeAt(site, 'breaking', 'refuses further combinations of parameters')),
    ...lost.map(() => changeAt(site, 'additive', 'refuses fewer combinations of parameters')),
  ]
}

function compareMeta(old: readonly MetaPick[], next: readonly MetaPick[], site: Site): Changes {
  return compareEach([old, next], below(site), (before, after, place) => {
    const [from, to] = [before.value, after.value]
    if (!before.optional && after.optional) return [changeAt(place, 'breaking', 'may be missing')]
    if (from.kind === 'object' && to.kind === 'object')
      return compareMeta(from.members, to.members, place)
    if (from.kind === 'object' || to.kind === 'object')
      return [changeAt(place, 'breaking', 'is another value')]
    return changed(before, after, place)
  })
}

function compareFields(
  old: Search['fields'] = [],
  next: Search['fields'] = [],
  site: Site,
): Changes {
  return compareEach([old, next], below({ ...site, at: ['search'] }), (before, after, place) =>
    before.type === after.type
      ? changed(before, after, place)
      : [changeAt(place, 'breaking', `is ${after.type}, no longer ${before.type}`)],
  )
}

function below(site: Site): (name: string) => Site {
  return (name) => ({ ...site, at: [...site.at, name] })
}

/** Compares what both sides have under a name; `appearance` says what it means that one of them has nothing there. */
function compareEach<T extends Named>(
  [old, next]: readonly [old: readonly T[], next: readonly T[]],
  placeOf: (name: string) => Site,
  compare: Compare<T>,
  appearance = appears,
): Changes {
  return pairs(old, next).flatMap((pair) => {
    const place = placeOf(pair.name)
    return pair.old === undefined || pair.next === undefined
      ? appearance(pair, place)
      : compare(pair.old, pair.next, place)
  })
}

function changed(old: unknown, next: unknown, site: Site): Changes {
  return changedTo('cosmetic', old, next, site)
}

function changedTo(kind: ChangeClass, old: unknown, next: unknown, site: Site): Changes {
  return isSame(old, next) ? [] : [changeAt(site, kind, 'changed')]
}

interface Pair<T> {
  readonly name: string
  readonly old: T | undefined
  readonly next: T | undefined
}

/** Both sides by name: those of the old one in its order, then the new ones. */
function pairs<T extends Named>(old: readonly T[], next: readonly T[]): readonly Pair<T>[] {
  const names = [...new Set([...old, ...next].map(({ name }) => name))]
  return names.map((name) => ({
    name,
    old: old.find((each) => each.name === name),
    next: next.find((each) => each.name === name),
  }))
}

function appears({ next }: Pair<unknown>, site: Site): Changes {
  const isGone = next === undefined
  return [isGone ? changeAt(site, 'breaking', 'removed') : changeAt(site, 'additive', 'added')]
}

/** What only the first side has. */
function without(these: readonly string[], those: readonly string[]): readonly string[] {
  return these.filter((each) => !those.includes(each))
}

/** Whether two parts of a manifest mean the same; they are plain frozen data. */
function isSame(old: unknown, next: unknown): boolean {
  return jsonEqual(meaningOf(old), meaningOf(next))
}

/** A part without the notation of its paths. */
function meaningOf(value: unknown): Json {
  const text = JSON.stringify(value ?? null, (_key, part: unknown) => {
    if (typeof part !== 'object' || part === null || !('root' in part && 'steps' in part))
      return part
    return { root: part.root, steps: part.steps }
  })
  return JSON.parse(text) as Json
}

function changeAt(site: Site, kind: ChangeClass, text: string): Change {
  return { class: kind, path: pathOf(site), change: text }
}

function pathOf({ owner, at }: Site): string {
  return [owner, at.join('.')].filter((part) => part !== '').join(' ')
}

// What the vendor knows: rows in sets, made when first asked for, changed by writes.
import type { Scope } from '../../language/expression/syntax.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import { isJsonObject, mergeObjects, ownAt, withMember } from '../../language/json/members.ts'
import type { Page } from '../answer/page.ts'
import type { Pair } from '../wire/wire-request.ts'
import { type Chance, wholeBetween } from './chance.ts'
import type { SetRules } from './read-demo.ts'
import { type PickField, RowIndexes } from './row-index.ts'

/** One thing the vendor keeps. `fields` is what it answers, but for the members that are computed each time. */
export interface Row {
  readonly set: string
  /** Place in the whole set, from 0; never used twice. */
  readonly position: number
  /** Number among the rows of one parent, from 1; never used twice. */
  readonly n: number
  readonly parent: Row | null
  /** Values that templates see next to the fields, but that are never answered. */
  readonly columns: JsonObject
  fields: JsonObject
}

/** Everything a value of the demo data may draw on. */
export interface Context {
  readonly world: World
  /** `record` and `parent` of the row at hand, `params` of the request at hand, `config` and `maps`. */
  readonly scope: Scope
  /** Names the row and the element of a list, so that every draw has a number of its own. */
  readonly place: string
  readonly row: Row | null
  /** Place in the innermost list that is being made, from 0. */
  readonly index: number
  readonly page: Page<unknown> | null
  /** The query of the request at hand, as it came. */
  readonly query: readonly Pair[]
}

/**
 * Makes a value; undefined = absent. An object is handed to `attach` before it is filled, so that its later members
 * can see the earlier ones through `record`.
 */
export type MakeValue = (
  context: Context,
  attach?: (partial: JsonObject) => void,
) => Json | undefined

/** The context in which templates see further members of `record`, such as the `item` of a list. */
export function seeing(context: Context, more: JsonObject): Context {
  const { record } = context.scope
  const seen = { ...(isJsonObject(record) ? record : {}), ...more }
  return { ...context, scope: { ...context.scope, record: seen } }
}

/** An object of the members that are there. */
export function defined(
  members: Iterable<readonly [name: string, value: Json | undefined]>,
): JsonObject {
  return Object.fromEntries(
    [...members].filter((member): member is [string, Json] => member[1] !== undefined),
  )
}

export type Members = readonly (readonly [name: string, make: MakeValue])[]

/** A value at a path of a row: what is written there, or what is asked about it. */
export interface Write {
  readonly path: readonly string[]
  readonly value: MakeValue
}

interface SetState {
  readonly rules: SetRules
  rows: Row[]
  generated: 'no' | 'begun' | 'done'
  made: number
  /** How many times as many rows it has as the demo data says; at least 1. */
  density: number
  /** The highest number so far among the rows of each parent. */
  readonly numbers: Map<Row | null, number>
  readonly indexes: RowIndexes
  /** What addresses a row, one function for each of the keys. */
  readonly keys: readonly PickField[]
}

interface NewRow extends Pick<Row, 'parent'> {
  readonly record: Members
  readonly scope?: Scope
}

export class World {
  readonly chance: Chance
  readonly #base: Scope
  readonly #states: ReadonlyMap<string, SetState>
  readonly #clock: () => number
  /** When the sandbox began, in milliseconds since 1970: demo data lies before it. */
  readonly startMs: number
  /** Makes such an address; the server sets it when it knows its own. */
  makeLink: (file: FileLink) => string = () => ''
  /** Names the worlds that begin with the same rows; null: there is no other. */
  readonly #seed: string | null
  /** How often something was asked that is this world's own: its clock, its address. */
  #ownDraws = 0
  /** Whether all rows so far would be those of any world of this seed. */
  #isShared = true
  /** Counts requests, so that what is drawn for one differs from the next. */
  requests = 0
  /** Grows with every change of a row. */
  version = 0
  readonly #sizes: ReadonlyMap<string, number>

  constructor(options: {
    readonly sets: readonly SetRules[]
    readonly chance: Chance
    /** `config` and `maps`. */
    readonly base: Scope
    readonly clock: () => number
    /** What \`chance\` follows from, where worlds of the same sets and base share the rows that they begin with. */
    readonly seed?: string
    /** How many rows a set has in all, in place of its own count. */
    readonly sizes?: ReadonlyMap<string, number>
  }) {
    this.chance = options.chance
    this.#base = options.base
    this.#clock = options.clock
    this.startMs = options.clock()
    this.#sizes = options.sizes ?? new Map<string, number>()
    this.#states = new Map(options.sets.map((rules) => [rules.name, begin(rules)]))
    this.#seed = options.seed === undefined ? null : `${options.seed} ${this.startMs}`
  }

  /** Milliseconds since 1970, by the sandbox's own clock. */
  now(): number {
    this.#ownDraws++
    return this.#clock()
  }

  /** The address of a file that needs no credentials. */
  linkFile(file: FileLink): string {
    this.#ownDraws++
    return this.makeLink(file)
  }

  has(set: string): boolean {
    return this.#states.has(set)
  }

  rules(set: string): SetRules {
    return this.#state(set).rules
  }

  /** The rows of a set in order. While the set is being made: the rows made so far. */
  rows(set: string): readonly Row[] {
    const state = this.#state(set)
    if (state.generated === 'no') {
      state.generated = 'begun'
      if (!this.#recall(state)) {
        const before = this.#ownDraws
        this.#generate(state)
        // What is made of an address of this world must not come into another one, nor what is made of that.
        this.#isShared &&= this.#ownDraws === before
        this.#keep(state)
      }
      state.generated = 'done'
    }
    return state.rows
  }

  matching(set: string, pick: PickField, wanted: Json): readonly Row[] {
    return this.#indexesOf(set).matching(this.rows(set), pick, wanted)
  }

  below(set: string, above: Row): readonly Row[] {
    return this.#indexesOf(set).below(this.rows(set), above)
  }

  densityOf(row: Row): number {
    return this.#state(row.set).density
  }

  write(row: Row, fields: JsonObject): void {
    row.fields = fields
    this.#changed(this.#state(row.set))
  }

  /** What a row is addressed by first; undefined where it has none. */
  keyOf(row: Row | null | undefined): Json | undefined {
    if (row == null) return undefined
    const [key = []] = this.rules(row.set).keys
    return ownAt(row.fields, key)
  }

  /** The first row that a key names, under one parent when given. */
  find(set: string, key: Json, parent: Row | null = null): Row | undefined {
    return this.#state(set)
      .keys.flatMap((pick) => this.matching(set, pick, key))
      .filter((row) => parent === null || row.parent === parent)
      .reduce<Row | undefined>(
        (first, row) => (first === undefined || row.position < first.position ? row : first),
        undefined,
      )
  }

  /** Adds a row, made by `record`, after all others of its parent. */
  insert(set: string, parent: Row | null, record: Members, scope: Scope): Row {
    this.settle()
    const state = this.#state(set)
    const row = this.#make(state, { parent, record, scope })
    state.rows.push(row)
    this.#changed(state)
    return row
  }

  /** Writes the members that a change of this row touches, here and in the rows above. */
  touch(row: Row): void {
    for (let at: Row | null = row; at !== null; at = at.parent) {
      const context = this.#about(at)
      for (const { path, value } of this.rules(at.set).touch) {
        const written = value(context)
        if (written !== undefined) this.write(at, withMember(at.fields, path, written))
      }
    }
  }

  /** Removes a row and everything that has it as a parent. */
  remove(row: Row): void {
    this.settle()
    for (const state of this.#states.values()) {
      for (const child of state.rows.filter(({ parent }) => parent === row)) this.remove(child)
    }
    const state = this.#state(row.set)
    state.rows = state.rows.filter((other) => other !== row)
    this.#changed(state)
  }

  /** Makes everything that is still to be made: what is written later must not change it. */
  settle(): void {
    for (const name of this.#states.keys()) this.rows(name)
  }

  /**
   * The scope of templates about a row: `record` with its columns, `parent`, and what `scope` adds.
   * `shown`: the fields as they are answered, computed members included; default: as they are kept.
   */
  scopeOf(row: Row, scope: Scope = {}, shown: JsonObject = row.fields): Scope {
    const parent = row.parent === null ? {} : { parent: visible(row.parent) }
    return { ...this.#base, ...scope, ...parent, record: { n: row.n, ...row.columns, ...shown } }
  }

  /** What the vendor answers for a row. `context`: the request or the row that asks, if any. */
  show(row: Row, context?: Context): JsonObject {
    const computed = this.rules(row.set).view?.(this.#about(row, context))
    return isJsonObject(computed) ? mergeObjects(row.fields, computed) : row.fields
  }

  form(row: Row, name: string, context?: Context): Json | undefined {
    return this.rules(row.set).forms.get(name)?.(this.#about(row, context))
  }

  #about(row: Row, context?: Context): Context {
    return {
      world: this,
      place: placeOf(row),
      row,
      index: 0,
      page: context?.page ?? null,
      query: context?.query ?? [],
      scope: this.scopeOf(row, context?.scope),
    }
  }

  /** Of a set that is still being made they hold for this moment alone. */
  #indexesOf(set: string): RowIndexes {
    this.rows(set)
    const { generated, indexes } = this.#state(set)
    return generated === 'done' ? indexes : new RowIndexes()
  }

  #state(set: string): SetState {
    const state = this.#states.get(set)
    if (state === undefined) throw new TypeError(`The sandbox has no set "${set}"`)
    return state
  }

  #changed(state: SetState): void {
    this.version++
    state.indexes.clear()
  }

  /** Keeps the rows of a set, as they are before anything is written, for later worlds of this seed. */
  #keep({ rules, rows, density }: SetState): void {
    if (this.#seed === null || !this.#isShared || this.version > 0) return
    KEPT.set(rules, { seed: this.#seed, rows: rows.map((row) => ({ ...row })), density })
  }

  /** Takes the rows that an earlier world of this seed has made; false where there are none. */
  #recall(state: SetState): boolean {
    const kept = KEPT.get(state.rules)
    if (kept === undefined || kept.seed !== this.#seed) return false
    const { per } = state.rules
    const parents = per === undefined ? [] : this.rows(per)
    state.density = kept.density
    for (const { parent, ...row } of kept.rows) {
      const above = parent === null ? null : (parents[parent.position] ?? null)
      state.rows.push({ ...row, parent: above })
      state.numbers.set(above, row.n)
      state.made++
    }
    return true
  }

  #generate(state: SetState): void {
    const { per, name } = state.rules
    const parents = per === undefined ? [null] : this.rows(per)
    const size = this.#sizes.get(name)
    const usual = Math.max(1, countOf(state.rules)[1] * parents.length)
    state.density = Math.max(1, (size ?? 0) / usual)
    for (const [index, parent] of parents.entries()) {
      // A total is spread evenly over the parents.
      const share = (upTo: number): number => Math.floor(((size ?? 0) * upTo) / parents.length)
      const count = size === undefined ? null : share(index + 1) - share(index)
      this.#generateGroup(state, parent, count)
    }
  }

  #generateGroup(state: SetState, parent: Row | null, size: number | null): void {
    const { rules } = state
    const place = parent === null ? rules.name : `${rules.name}@${placeOf(parent)}`
    const [min, max] = countOf(rules)
    const count = Math.max(
      parent === null ? rules.rows.length : 0,
      size ?? wholeBetween(this.chance, `${place}#count`, min, max),
    )
    for (let made = 0; made < count; made++) {
      const record = withOwn(rules.record, rules.rows[state.made] ?? [])
      state.rows.push(this.#make(state, { parent, record }))
    }
  }

  #make(state: SetState, made: NewRow): Row {
    const { parent, record } = made
    const position = state.made++
    const n = (state.numbers.get(parent) ?? 0) + 1
    state.numbers.set(parent, n)
    const row = { set: state.rules.name, position, n, parent, columns: {}, fields: {} }
    // What templates see as `record`: the number, the columns and the members made so far.
    const seen: Record<string, Json> = { n }
    const scope = { ...this.scopeOf(row, made.scope), record: seen }
    const place = placeOf(row)
    const context = { world: this, scope, place, row, index: 0, page: null, query: [] }
    const columns = fill(state.rules.let, context, seen)
    return { ...row, columns, fields: fill(record, context, seen) }
  }
}

interface KeptRows {
  readonly seed: string
  readonly rows: readonly Row[]
  readonly density: number
}

/** The rows that sets begin with, of the seed that was asked for last. */
const KEPT = new WeakMap<SetRules, KeptRows>()

/** As many as there are rows, unless it is said. */
function countOf({ count, rows }: SetRules): readonly [number, number] {
  return count ?? [rows.length, rows.length]
}

function begin(rules: SetRules): SetState {
  return {
    rules,
    rows: [],
    numbers: new Map(),
    generated: 'no',
    made: 0,
    density: 1,
    indexes: new RowIndexes(),
    keys: rules.keys.map((path) => (fields) => ownAt(fields, path)),
  }
}

/** The members of a record, some of them replaced by those of one row, and the further ones of that row. */
function withOwn(record: Members, own: Members): Members {
  const names = new Set(record.map(([name]) => name))
  const replaced = new Map(own)
  return [
    ...record.map(([name, make]) => [name, replaced.get(name) ?? make] as const),
    ...own.filter(([name]) => !names.has(name)),
  ]
}

function fill(members: Members, context: Context, seen: Record<string, Json>): JsonObject {
  const filled: Record<string, Json> = {}
  for (const [name, make] of members) {
    const value = make(context, (partial) => {
      seen[name] = partial
    })
    if (value === undefined) delete seen[name]
    else {
      seen[name] = value
      filled[name] = value
    }
  }
  return filled
}

function visible(row: Row): JsonObject {
  return { n: row.n, ...row.columns, ...row.fields }
}

export interface FileLink {
  readonly name: string
  readonly contentType: string
  readonly size: number
  /** Whose file it is: what was sent for the row takes its place. */
  readonly row: Row | null
}

/** Where chance draws for a row: independent of other rows. */
export function placeOf(row: Row): string {
  return row.parent === null ? `${row.set}/${row.n}` : `${placeOf(row.parent)}/${row.set}/${row.n}`
}

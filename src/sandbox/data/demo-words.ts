// The words of the demo data, `{ $pick: […] }`: draws, choices, other rows, the request at hand, files.
// What each gives: docs/sandbox.md.
import { isTrue } from '../../language/expression/evaluate.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import { isJsonObject } from '../../language/json/members.ts'
import { nativeJson } from '../../language/json/native-json.ts'
import { own } from '../../language/json/own.ts'
import { sameScalar, scalarText, textOf } from '../wire/same-scalar.ts'
import { digits, hexDigits, pickOne, uuid, wholeBetween } from './chance.ts'
import {
  BadWord,
  choices,
  drawn,
  elementsOf,
  given,
  made,
  number,
  optional,
  orElse,
  pickAt,
  plain,
  type Place,
  range,
  raw,
  type Read,
  type Reader,
  set,
  text,
  value,
  type Word,
  word,
} from './demo-compiler.ts'
import { MOMENTS } from './demo-moments.ts'
import { PAGE_FACTS } from './page-facts.ts'
import type { TreeRules } from './demo-types.ts'
import { type Context, defined, type MakeValue, type Row, seeing } from './world.ts'

/** Which rows count: paths with values; absent values do not count. */
const where: Reader<readonly Condition[] | null> = (given, at, compiler) => {
  if (given === undefined) return null
  if (!isJsonObject(given)) throw new BadWord('where maps paths to values')
  return Object.entries(given).map(([path, wanted]) => ({
    pick: pickAt(path),
    wanted: compiler.value(wanted, [...at, path]),
  }))
}

/** What is said of a row: all of it, one member, or one of its forms. */
const SHOWN = { as: raw, get: raw }
const FOUND = { where, ...SHOWN }

export const WORDS: Readonly<Record<string, Word>> = {
  $pick: word(
    choices,
    {},
    (list, _, { spot }) =>
      (context, attach) =>
        pickOne(context.world.chance, spot(context), list(context))?.(context, attach),
  ),
  $cycle: word(choices, {}, (list) => (context, attach) => {
    const all = list(context)
    return all[((context.row?.n ?? 1) - 1) % all.length]?.(context, attach)
  }),
  $some: made(value, { count: orElse(range, [0, 3]) }, (context, list, { count }, place) => {
    const left = [...elementsOf(list(context))]
    const size = Math.min(left.length, countOf(context, place, count))
    return Array.from({ length: size }, (_, index) => {
      const draw = `${place.spot(context)}#${index}`
      return left.splice(wholeBetween(context.world.chance, draw, 0, left.length - 1), 1)
    }).flat()
  }),
  $list: made(value, { count: orElse(range, [1, 3]) }, (context, element, { count }, place) =>
    present(
      Array.from({ length: countOf(context, place, count) }, (_, index) =>
        element({ ...context, place: `${context.place}[${index}]`, index }),
      ),
    ),
  ),
  $each: made(value, { give: value }, (context, list, { give }) =>
    present(
      elementsOf(list(context)).map((item, index) =>
        give(seeing({ ...context, place: `${context.place}[${index}]`, index }, { item })),
      ),
    ),
  ),
  $index: made(
    number,
    { plus: orElse(number, 0) },
    ({ index }, step, { plus }) => plus + step * index,
  ),
  $join: made(value, { with: orElse(text, ' ') }, (context, list, options) =>
    elementsOf(list(context)).map(textOf).join(options.with),
  ),
  $first: plain(choices, (list, context) => {
    for (const make of list(context)) {
      const made = make(context)
      if (made !== undefined) return made
    }
    return undefined
  }),
  $if: word(
    value,
    { $value: given },
    (test, { $value }) =>
      (context, attach) =>
        isTrue(test(context)) ? $value(context, attach) : undefined,
  ),
  $int: drawn(range, ([min, max], chance, place) => wholeBetween(chance, place, min, max)),
  $number: made(range, { decimals: orElse(number, 2) }, (context, [min, max], more, { spot }) => {
    const scale = 10 ** more.decimals
    return wholeBetween(context.world.chance, spot(context), min * scale, max * scale) / scale
  }),
  $digits: drawn(number, (count, chance, place) => digits(chance, place, count)),
  $hex: drawn(number, (count, chance, place) => hexDigits(chance, place, count)),
  $uuid: drawn(raw, (_, chance, place) => uuid(chance, place)),
  $sequence: plain(number, (first, { row }) => String(first + (row?.position ?? 0))),
  $integer: plain(value, (made, context) => asInteger(scalarText(made(context)))),
  ...MOMENTS,
  $one: word(set, { ...FOUND, else: optional(value) }, (name, options, { compiler, spot }) => {
    const show = compileShow(name, options, compiler.sets)
    return (context) => {
      const rows = findRows(name, options.where, context)
      const row =
        options.where === null ? pickOne(context.world.chance, spot(context), rows) : rows[0]
      return row === undefined ? options.else?.(context) : show(row, context)
    }
  }),
  $all: word(set, { ...FOUND, limit: orElse(number, Infinity) }, (name, options, { compiler }) => {
    const show = compileShow(name, options, compiler.sets)
    return (context) =>
      present(
        findRows(name, options.where, context)
          .slice(0, options.limit)
          .map((row) => show(row, context)),
      )
  }),
  $count: made(
    set,
    { where },
    (context, name, options) => findRows(name, options.where, context).length,
  ),
  $below: word(set, SHOWN, (name, options, { compiler }) => {
    const show = compileShow(name, options, compiler.sets)
    return (context) => {
      const rows = context.row === null ? [] : context.world.below(name, context.row)
      return present(rows.map((row) => show(row, context)))
    }
  }),
  $earlier: word(number, SHOWN, (back, options, { at, compiler }) => {
    const show = compileShow(String(at[1]), options, compiler.sets)
    return (context) => {
      const { row, world } = context
      if (row === null) return undefined
      const found = world
        .rows(row.set)
        .findLast(({ parent, n }) => parent === row.parent && n === row.n - back)
      return found === undefined ? undefined : show(found, context)
    }
  }),
  $tree: word(value, { as: raw }, (document, { as }, { compiler: { trees } }) => {
    const rules = trees.get(textOf(as))
    if (rules === undefined)
      throw new BadWord(
        `there is no tree "${textOf(as)}"`,
        `trees are ${[...trees.keys()].join(', ')}`,
      )
    return (context) => {
      const made = document(context)
      return isJsonObject(made) ? writeTree(made, rules, context) : undefined
    }
  }),
  $page: word(text, {}, (name) => {
    const fact = PAGE_FACTS[name]
    if (fact === undefined)
      throw new BadWord(`$page is one of ${Object.keys(PAGE_FACTS).join(', ')}`)
    return ({ page }) => (page === null ? undefined : fact(page))
  }),
  /** A parameter of the query as it came: `params` cannot tell what the manifest filled in from what it left out. */
  $sent: plain(text, (sent, { query }) => query.findLast(([name]) => name === sent)?.[1]),
  $file: made(text, { size: orElse(value, 100_000) }, (context, contentType, { size }, { spot }) =>
    context.world.linkFile({
      name: spot(context),
      contentType,
      size: Number(size(context) ?? 0),
    }),
  ),
  $operate: made(value, { by: value }, (context, start, options) => {
    const by = options.by(context)
    const before = start(context)
    const after = (value: Json | undefined, operations: Json): Json | undefined =>
      Array.isArray(operations) ? operations.reduce<Json | undefined>(operate, value) : undefined
    if (!isJsonObject(by)) return after(before, by ?? null)
    const changed = Object.entries(by).map(([name, list]): [string, Json | undefined] => [
      name,
      after(own(before, name), list),
    ])
    return { ...(isJsonObject(before) ? before : {}), ...defined(changed) }
  }),
  $absent: plain(raw, () => undefined),
}

function countOf(context: Context, place: Place, [min, max]: readonly [number, number]): number {
  return wholeBetween(context.world.chance, `${place.spot(context)}#count`, min, max)
}

function present(list: readonly (Json | undefined)[]): readonly Json[] {
  return list.filter((item) => item !== undefined)
}

/** Digits as a JSON number that keeps all of them. */
function asInteger(source: string | undefined): Json | undefined {
  if (source === undefined || !/^-?\d+$/.test(source)) return undefined
  const found = Number(source)
  return Number.isSafeInteger(found) ? found : nativeJson.rawJSON(source)
}

function operate(before: Json | undefined, operation: Json): Json | undefined {
  if (!isJsonObject(operation)) return before
  const { set: other, add, remove } = operation
  if (other !== undefined) return other
  const list = Array.isArray(before) ? before : []
  if (add !== undefined) return list.some((item) => sameScalar(item, add)) ? list : [...list, add]
  return remove === undefined ? before : list.filter((item) => !sameScalar(item, remove))
}

interface Condition {
  readonly pick: (fields: JsonObject) => Json | undefined
  readonly wanted: MakeValue
}

/** All rows without conditions; none where no condition has a value. */
function findRows(
  name: string,
  conditions: readonly Condition[] | null,
  context: Context,
): readonly Row[] {
  const { world } = context
  if (conditions === null) return world.rows(name)
  const tests = conditions.flatMap(({ pick, wanted }) => {
    const made = wanted(context)
    return made === undefined || made === null ? [] : [{ pick, wanted: made }]
  })
  const [first] = tests
  if (first === undefined) return []
  const rows = Array.isArray(first.wanted)
    ? world.rows(name)
    : world.matching(name, first.pick, first.wanted)
  return rows.filter(({ fields }) =>
    tests.every(({ pick, wanted }) =>
      (Array.isArray(wanted) ? wanted : [wanted]).some((item: Json) =>
        sameScalar(item, pick(fields)),
      ),
    ),
  )
}

function compileShow(
  name: string,
  { as: form, get: path }: Read<typeof SHOWN>,
  sets: ReadonlyMap<string, ReadonlySet<string>>,
): (row: Row, context: Context) => Json | undefined {
  if (path !== undefined) {
    const pick = pickAt(path)
    return ({ fields }) => pick(fields)
  }
  if (form === undefined) return (row, context) => context.world.show(row, context)
  const forms = sets.get(name) ?? new Set()
  const known = textOf(form)
  if (!forms.has(known))
    throw new BadWord(
      `there is no form "${known}"`,
      `forms of ${name} are ${[...forms].join(', ')}`,
    )
  return (row, context) => context.world.form(row, known, context)
}

/** Deeper nodes are left out: such documents are not written, and recursion has an end. */
const MAX_TREE_DEPTH = 100

/** A document as text. A node of an unknown kind is written as what is inside of it; what is no node is nothing. */
function writeTree(node: Json | undefined, rules: TreeRules, context: Context, depth = 0): string {
  if (!isJsonObject(node) || depth > MAX_TREE_DEPTH) return ''
  const { kind, inside: content, around } = rules
  const write = (inside: string, item: Json): string => {
    const make = rules.nodes.get(textOf(own(item, kind)))
    return scalarText(make?.(seeing(context, { item, inside }))) ?? inside
  }
  const inner = listOf(own(node, content)).map((each) => writeTree(each, rules, context, depth + 1))
  const marks = around === undefined ? [] : listOf(own(node, around))
  return marks.reduceRight<string>(write, write(inner.join(''), node))
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : []
}

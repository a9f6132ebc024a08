// The words of the demo data, `{ $pick: […] }`: draws, choices, other rows, the request at hand, files.
// What each gives: docs/sandbox.md.
import { isTrue } from '../../language/expression/evaluate.ts'
import type { Json } from '../../language/json/json.ts'
import { isJsonObject } from '../../language/json/members.ts'
import { nativeJson } from '../../language/json/native-json.ts'
import { own } from '../../language/json/own.ts'
import { sameScalar, scalarText, textOf } from '../wire/same-scalar.ts'
import { digits, hexDigits, pickOne, uuid, wholeBetween } from './chance.ts'
import { type Conditions, elementsOf, type Place } from './demo-compiler.ts'
import { MOMENTS } from './demo-moments.ts'
import type { TreeRules, Words } from './demo-types.ts'
import { type Context, defined, type MakeValue, type Row, seeing } from './world.ts'

/** Makes the value of a word from what stands next to it, read by definitions/words of the schema. */
export type MakeWord<K extends keyof Words> = (
  context: Context,
  members: Words[K],
  place: Place,
  attach?: Parameters<MakeValue>[1],
) => Json | undefined

export const WORDS: { readonly [K in keyof Words]: MakeWord<K> } = {
  $pick: (context, { $pick: list }, { spot }, attach) =>
    pickOne(context.world.chance, spot(context), list(context))?.(context, attach),
  $cycle(context, { $cycle: list }, _, attach) {
    const all = list(context)
    return all[((context.row?.n ?? 1) - 1) % all.length]?.(context, attach)
  },
  $some(context, { $some: list, count }, place) {
    const left = [...elementsOf(list(context))]
    const size = Math.min(left.length, countOf(context, place, count))
    return Array.from({ length: size }, (_, index) => {
      const draw = `${place.spot(context)}#${index}`
      return left.splice(wholeBetween(context.world.chance, draw, 0, left.length - 1), 1)
    }).flat()
  },
  $list: (context, { $list: element, count }, place) =>
    present(
      Array.from({ length: countOf(context, place, count) }, (_, index) =>
        element({ ...context, place: `${context.place}[${index}]`, index }),
      ),
    ),
  $each: (context, { $each: list, give }) =>
    present(
      elementsOf(list(context)).map((item, index) =>
        give(seeing({ ...context, place: `${context.place}[${index}]`, index }, { item })),
      ),
    ),
  $index: ({ index }, { $index: step, plus }) => plus + step * index,
  $join: (context, { $join: list, with: between }) =>
    elementsOf(list(context)).map(textOf).join(between),
  $first(context, { $first: list }) {
    for (const make of list(context)) {
      const made = make(context)
      if (made !== undefined) return made
    }
    return undefined
  },
  $if: (context, { $if: test, $value }, _, attach) =>
    isTrue(test(context)) ? $value(context, attach) : undefined,
  $int: (context, { $int: [min, max] }, { spot }) =>
    wholeBetween(context.world.chance, spot(context), min, max),
  $number(context, { $number: [min, max], decimals }, { spot }) {
    const scale = 10 ** decimals
    return wholeBetween(context.world.chance, spot(context), min * scale, max * scale) / scale
  },
  $digits: (context, { $digits: count }, { spot }) =>
    digits(context.world.chance, spot(context), count),
  $hex: (context, { $hex: count }, { spot }) =>
    hexDigits(context.world.chance, spot(context), count),
  $uuid: (context, _, { spot }) => uuid(context.world.chance, spot(context)),
  $sequence: ({ row }, { $sequence: first }) => String(first + (row?.position ?? 0)),
  $integer: (context, { $integer: made }) => asInteger(scalarText(made(context))),
  ...MOMENTS,
  $one(context, { $one: set, where, else: otherwise }, { spot, show }) {
    const rows = findRows(set, where, context)
    const row = where === undefined ? pickOne(context.world.chance, spot(context), rows) : rows[0]
    return row === undefined ? otherwise?.(context) : show(row, context)
  },
  $all: (context, { $all: set, where, limit }, { show }) =>
    present(
      findRows(set, where, context)
        .slice(0, limit)
        .map((row) => show(row, context)),
    ),
  $count: (context, { $count: set, where }) => findRows(set, where, context).length,
  $below(context, { $below: set }, { show }) {
    const rows = context.row === null ? [] : context.world.below(set, context.row)
    return present(rows.map((row) => show(row, context)))
  },
  $earlier(context, { $earlier: back }, { show }) {
    const { row, world } = context
    if (row === null) return undefined
    const found = world
      .rows(row.set)
      .findLast(({ parent, n }) => parent === row.parent && n === row.n - back)
    return found === undefined ? undefined : show(found, context)
  },
  $tree(context, { $tree: document, as: rules }) {
    const made = document(context)
    return isJsonObject(made) ? writeTree(made, rules, context) : undefined
  },
  $page: ({ page }, { $page: fact }) => (page === null ? undefined : fact(page)),
  /** A parameter of the query as it came: `params` cannot tell what the manifest filled in from what it left out. */
  $sent: ({ query }, { $sent: sent }) => query.findLast(([name]) => name === sent)?.[1],
  $file: (context, { $file: contentType, size }, { spot }) =>
    context.world.linkFile({
      name: spot(context),
      contentType,
      size: Number(size(context) ?? 0),
      row: context.row,
    }),
  $operate(context, { $operate: start, by: changes }) {
    const by = changes(context)
    const before = start(context)
    const after = (value: Json | undefined, operations: Json): Json | undefined =>
      Array.isArray(operations) ? operations.reduce<Json | undefined>(operate, value) : undefined
    if (!isJsonObject(by)) return after(before, by ?? null)
    const changed = Object.entries(by).map(([name, list]): [string, Json | undefined] => [
      name,
      after(own(before, name), list),
    ])
    return { ...(isJsonObject(before) ? before : {}), ...defined(changed) }
  },
  $absent: () => undefined,
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

/** All rows without conditions; none where no condition has a value. */
function findRows(
  name: string,
  conditions: Conditions | undefined,
  context: Context,
): readonly Row[] {
  const { world } = context
  if (conditions === undefined) return world.rows(name)
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

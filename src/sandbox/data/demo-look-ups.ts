// Words of the demo data that look at other rows, at the request's page, and at files.
import { parseRecordPath } from '../../language/expression/parse-path.ts'
import { ExpressionSyntaxError } from '../../language/expression/parse-text.ts'
import { compileBodyPath } from '../../language/expression/pick.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import { own } from '../../language/json/own.ts'
import { isObject } from '../wire/is-object.ts'
import { sameScalar, textOf } from '../wire/same-scalar.ts'
import { pickOne } from './chance.ts'
import type { Directive, DirectivePlace } from './demo-directive.ts'
import { spotOf } from './demo-draws.ts'
import { writeTree } from './demo-trees.ts'
import { PAGE_FACTS } from './page-facts.ts'
import type { Making, Row } from './world.ts'

type ShowRow = (row: Row, making: Making) => Json | undefined
type FindRows = (making: Making) => readonly Row[]

const SHOWN = ['as', 'get'] as const
const FOUND = ['where', ...SHOWN] as const

/** The words that find rows and what can be said about them. */
export const LOOK_UPS: Readonly<Record<string, Directive>> = {
  /** One row of a set: the one that `where` finds, else any, by chance. */
  $one: {
    options: [...FOUND, 'else'],
    compile(argument, place) {
      const find = compileFind(argument, place)
      const show = compileShow(textOf(argument), place)
      const otherwise = place.option('else')
      const fallback = otherwise === undefined ? () => undefined : place.compile(otherwise, 'else')
      const isSought = place.option('where') !== undefined
      return (making) => {
        const rows = find(making)
        const row = isSought ? rows[0] : pickOne(making.world.chance, spotOf(making, place), rows)
        return row === undefined ? fallback(making) : show(row, making)
      }
    },
  },
  /** All rows that `where` finds, or at most `limit` of them. */
  $all: {
    options: [...FOUND, 'limit'],
    compile(argument, place) {
      const find = compileFind(argument, place)
      const show = compileShow(textOf(argument), place)
      const limit = place.option('limit') ?? Infinity
      if (typeof limit !== 'number') return place.fail('limit is a number')
      return (making) =>
        find(making)
          .slice(0, limit)
          .map((row) => show(row, making))
          .filter((item) => item !== undefined)
    },
  },
  /** How many rows `where` finds. */
  $count: {
    options: ['where'],
    compile(argument, place) {
      const find = compileFind(argument, place)
      return (making) => find(making).length
    },
  },
  /** The rows of a set that hang below the row at hand, directly or not. */
  $below: {
    options: SHOWN,
    compile(argument, place) {
      if (!isSet(argument, place)) return () => undefined
      const show = compileShow(argument, place)
      return (making) => {
        const { row, world } = making
        if (row === null) return []
        return world
          .below(argument, row)
          .map((each) => show(each, making))
          .filter((item) => item !== undefined)
      }
    },
  },
  /** The row made that many rows earlier under the same parent. */
  $earlier: {
    options: SHOWN,
    compile(argument, place) {
      const show = compileShow(String(place.at[1]), place)
      if (typeof argument !== 'number') return place.fail('$earlier is how many rows back')
      return (making) => {
        const { row, world } = making
        if (row === null) return undefined
        const found = world
          .rows(row.set)
          .findLast(({ parent, n }) => parent === row.parent && n === row.n - argument)
        return found === undefined ? undefined : show(found, making)
      }
    },
  },
  /** A document that is a tree of nodes, as text. */
  $tree: {
    options: ['as'],
    compile(argument, place) {
      const document = place.compile(argument, '$tree')
      const { trees } = place.compiler
      const name = textOf(place.option('as') ?? null)
      const rules = trees.get(name)
      if (rules === undefined) {
        return place.fail(`there is no tree "${name}"`, `trees are ${[...trees.keys()].join(', ')}`)
      }
      return (making) => {
        const value = document(making)
        return isObject(value) ? writeTree(value, rules, making) : undefined
      }
    },
  },
  /** A fact about the page that is answered. */
  $page: {
    compile(argument, place) {
      const fact = typeof argument === 'string' ? PAGE_FACTS[argument] : undefined
      if (fact === undefined)
        return place.fail(`$page is one of ${Object.keys(PAGE_FACTS).join(', ')}`)
      return ({ page }) => (page === null ? undefined : fact(page))
    },
  },
  /** A parameter of the query as it came: `params` cannot tell what the manifest filled in from what it left out. */
  $sent: {
    compile(argument, place) {
      if (typeof argument !== 'string') return place.fail('$sent names a parameter of the query')
      return ({ query }) => query.findLast(([name]) => name === argument)?.[1]
    },
  },
  /** The signed address of a file of some bytes. */
  $file: {
    options: ['size'],
    compile(argument, place) {
      if (typeof argument !== 'string') return place.fail('$file is a content type')
      const size = place.compile(place.option('size') ?? 100_000, 'size')
      return (making) => {
        const bytes = size(making)
        return making.world.linkFile({
          name: spotOf(making, place),
          contentType: argument,
          size: typeof bytes === 'number' ? bytes : 0,
        })
      }
    },
  },
  /** A value after operations such as `[{ add: x }, { remove: y }, { set: z }]`, or an object after those of its members. */
  $operate: {
    options: ['by'],
    compile(argument, place) {
      const start = place.compile(argument, '$operate')
      const operations = place.compile(place.option('by') ?? null, 'by')
      return (making) => {
        const by = operations(making)
        const value = start(making)
        if (Array.isArray(by)) return by.reduce<Json | undefined>(operate, value)
        return isObject(by) ? operateMembers(isObject(value) ? value : {}, by) : undefined
      }
    },
  },
}

/** An object of which some members have operations. */
function operateMembers(object: JsonObject, by: JsonObject): JsonObject {
  const changed = Object.entries(by).flatMap(([name, list]) => {
    const value = Array.isArray(list)
      ? list.reduce<Json | undefined>(operate, own(object, name))
      : undefined
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...object, ...Object.fromEntries(changed) }
}

function operate(value: Json | undefined, operation: Json): Json | undefined {
  if (!isObject(operation)) return value
  const { set, add, remove } = operation
  if (set !== undefined) return set
  const list = Array.isArray(value) ? value : []
  if (add !== undefined) return list.some((item) => sameScalar(item, add)) ? list : [...list, add]
  return remove === undefined ? value : list.filter((item) => !sameScalar(item, remove))
}

function isSet(argument: Json, place: DirectivePlace): argument is string {
  if (typeof argument === 'string' && place.compiler.sets.has(argument)) return true
  place.fail(
    `there is no set "${textOf(argument)}"`,
    `sets are ${[...place.compiler.sets.keys()].join(', ')}`,
  )
  return false
}

function compileFind(argument: Json, place: DirectivePlace): FindRows {
  if (!isSet(argument, place)) return () => []
  const where = place.option('where')
  if (where === undefined) return ({ world }) => world.rows(argument)
  if (!isObject(where)) {
    place.fail('where maps paths to values')
    return () => []
  }
  const conditions = Object.entries(where).map(([path, value]) => ({
    pick: compilePick(path, place),
    value: place.compile(value, 'where', path),
  }))
  return (making) => {
    // A condition whose value is absent does not count; without any that does, nothing is found.
    const tests = conditions.flatMap(({ pick, value }) => {
      const wanted = value(making)
      return wanted === undefined || wanted === null ? [] : [{ pick, wanted }]
    })
    const [first] = tests
    if (first === undefined) return []
    const { world } = making
    const rows = Array.isArray(first.wanted)
      ? world.rows(argument)
      : world.matching(argument, first.pick, first.wanted)
    return rows.filter((row) =>
      tests.every(({ pick, wanted }) => isAmong(pick(row.fields), wanted)),
    )
  }
}

function isAmong(value: Json | undefined, wanted: Json): boolean {
  return Array.isArray(wanted)
    ? wanted.some((item: Json) => sameScalar(item, value))
    : sameScalar(wanted, value)
}

function compileShow(set: string, place: DirectivePlace): ShowRow {
  const form = place.option('as')
  const path = place.option('get')
  if (path !== undefined) {
    if (typeof path !== 'string') {
      place.fail('get is a path')
      return () => undefined
    }
    const pick = compilePick(path, place)
    return (row) => pick(row.fields)
  }
  if (form === undefined) return (row, making) => making.world.show(row, making)
  const forms = place.compiler.sets.get(set) ?? new Set()
  if (typeof form !== 'string' || !forms.has(form)) {
    place.fail(`there is no form "${textOf(form)}"`, `forms of ${set} are ${[...forms].join(', ')}`)
    return () => undefined
  }
  return (row, making) => making.world.form(row, form, making)
}

function compilePick(
  path: string,
  place: DirectivePlace,
): (fields: JsonObject) => Json | undefined {
  try {
    return compileBodyPath(parseRecordPath(path))
  } catch (error) {
    if (!(error instanceof ExpressionSyntaxError)) throw error
    place.fail(error.message)
    return () => undefined
  }
}

// What the words of the demo data are made with: readers of their arguments, and the compiler that they report to.
import { parseRecordPath } from '../../language/expression/parse-path.ts'
import { compileBodyPath } from '../../language/expression/pick.ts'
import { compileDuration, compileTimeFormat } from '../../language/expression/time.ts'
import type { Json } from '../../language/json/json.ts'
import { isJsonObject } from '../../language/json/members.ts'
import { own } from '../../language/json/own.ts'
import type { InnerSpan } from '../../language/expression/parse-text.ts'
import type { DocumentPath } from '../../language/manifest/document.ts'
import type { JsonSchema } from '../../language/manifest/manifest.ts'
import { demoDataSchema } from '../../late-modules.ts'
import { textOf } from '../wire/same-scalar.ts'
import { PAGE_FACTS } from './page-facts.ts'
import type { DemoCompiler } from './read-demo.ts'
import type { PickField } from './row-index.ts'
import type { Context, MakeValue, Row } from './world.ts'

export interface ProblemOptions {
  readonly hint?: string | null
  readonly part?: 'key' | 'value'
  readonly inner?: InnerSpan
}

/** The argument or an option of a word is not what it takes. */
export class BadWord extends Error {
  readonly hint: string | null

  constructor(message: string, hint: string | null = null) {
    super(message)
    this.hint = hint
  }
}

/**
 * Reads what stands in one place of the document; undefined: nothing does. Readers of the arguments and options of words
 * throw BadWord, all others report to the compiler.
 */
export type Reader<T> = (given: Json | undefined, at: DocumentPath, compiler: DemoCompiler) => T

export interface Place {
  /** The name of the draw that is made here: of the row, the element of a list and the place in the document. */
  readonly spot: (context: Context) => string
  /** What is said of a row: all of it, one member, or one of its forms. */
  readonly show: (row: Row, context: Context) => Json | undefined
}

/** schemas/demo.schema.json, by which demo data is checked and read. */
export function demoSchema(): JsonSchema {
  // A schema of our own.
  return demoDataSchema() as JsonSchema
}

export function definition(name: string): JsonSchema {
  return own(demoSchema()['definitions'], name) as JsonSchema
}

/** Any value; null where it is left out. */
export const value: Reader<MakeValue> = (given, at, compiler) => compiler.value(given ?? null, at)

/** The readers of what words take, by definition of the schema. They throw BadWord, ValueError and ExpressionSyntaxError. */
export const WORD_READERS: Readonly<Record<string, Reader<unknown>>> = {
  number(given, at) {
    if (typeof given === 'number') return given
    throw new BadWord(`${String(at.at(-1))} is a number`)
  },
  label(given, at) {
    if (typeof given === 'string') return given
    throw new BadWord(`${String(at.at(-1))} is a text`)
  },
  range(given, at) {
    const [min, max]: readonly unknown[] = Array.isArray(given) ? given : [given, given]
    if (typeof min === 'number' && typeof max === 'number' && min <= max) return [min, max]
    throw new BadWord(`${String(at.at(-1))} is [least, most]`)
  },
  choices(given, at, compiler): Choices {
    if (Array.isArray(given)) {
      const makers = given.map((item: Json, index) => compiler.value(item, [...at, index]))
      return () => makers
    }
    const list = value(given, at, compiler)
    return (context) => elementsOf(list(context)).map((item) => () => item)
  },
  setOf(given, _at, { sets }) {
    if (typeof given === 'string' && sets.has(given)) return given
    const known = [...sets.keys()].join(', ')
    throw new BadWord(`there is no set "${textOf(given)}"`, `sets are ${known}`)
  },
  treeName(given, _at, { trees }) {
    const rules = trees.get(textOf(given))
    if (rules !== undefined) return rules
    const known = [...trees.keys()].join(', ')
    throw new BadWord(`there is no tree "${textOf(given)}"`, `trees are ${known}`)
  },
  pageFact(given) {
    const name = textOf(given)
    if (Object.hasOwn(PAGE_FACTS, name)) return PAGE_FACTS[name]
    throw new BadWord(`$page is one of ${Object.keys(PAGE_FACTS).join(', ')}`)
  },
  member: (given) => pickAt(given),
  where(given, at, compiler): Conditions {
    if (!isJsonObject(given)) throw new BadWord('where maps paths to values')
    return Object.entries(given).map(([path, wanted]) => ({
      pick: pickAt(path),
      wanted: compiler.value(wanted, [...at, path]),
    }))
  },
  span(given) {
    const [least, most]: readonly unknown[] = Array.isArray(given) ? given : [given, given]
    if (typeof least === 'string' && typeof most === 'string')
      return [durationMs(least), durationMs(most)]
    throw new BadWord('this takes a duration such as PT3H, or [least, most]')
  },
  timeFormat(given, _at, { timeFormat }): WriteTime {
    const write = compileTimeFormat(textOf(given ?? timeFormat))
    return (ms) => write(new Date(ms).toISOString())
  },
}

/** Milliseconds of an ISO 8601 duration; months and years are counted from 1970. Throws ValueError. */
function durationMs(source: string): number {
  return Date.parse(textOf(compileDuration(source)('1970-01-01T00:00:00Z')))
}

/** What may be chosen: elements of a list that are made only then, or those of a list that a template gives. */
export type Choices = (context: Context) => readonly MakeValue[]

/** Which rows count: values at their paths. Absent values do not count. */
export type Conditions = readonly {
  readonly pick: PickField
  readonly wanted: MakeValue
}[]

/** Writes a time in milliseconds since 1970. */
export type WriteTime = (ms: number) => Json

/** Takes out of a row what lies at a path such as `$.fields.status`. Throws ExpressionSyntaxError. */
export function pickAt(path: Json | undefined): PickField {
  return compileBodyPath(parseRecordPath(textOf(path)))
}

/** The elements of a list, or the values of an object. */
export function elementsOf(list: Json | undefined): readonly Json[] {
  if (Array.isArray(list)) return list
  return isJsonObject(list) ? Object.values(list) : []
}

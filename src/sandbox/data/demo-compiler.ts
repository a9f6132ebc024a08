// What the words of the demo data are made with: readers of their arguments, and the compiler that they report to.
import { parseRecordPath } from '../../language/expression/parse-path.ts'
import { compileBodyPath } from '../../language/expression/pick.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import { isJsonObject } from '../../language/json/members.ts'
import { own } from '../../language/json/own.ts'
import type { InnerSpan } from '../../language/expression/parse-text.ts'
import type { DocumentPath } from '../../language/manifest/document.ts'
import { textOf } from '../wire/same-scalar.ts'
import type { Chance } from './chance.ts'
import type { DemoCompiler } from './read-demo.ts'
import type { PickField } from './row-index.ts'
import type { Context, MakeValue } from './world.ts'

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

type Readers = Readonly<Record<string, Reader<unknown>>>
export type Read<R extends Readers> = { readonly [K in keyof R]: ReturnType<R[K]> }

export function optional<T>(read: Reader<T>): Reader<T | undefined> {
  return (given, at, compiler) => (given === undefined ? undefined : read(given, at, compiler))
}

/** One word of the vocabulary: `{ $int: [1, 5] }`. */
export interface Word {
  /** Members that may stand next to it. */
  readonly options: readonly string[]
  /** Throws BadWord and ValueError. */
  compile(object: JsonObject, name: string, at: DocumentPath, compiler: DemoCompiler): MakeValue
}

export interface Place {
  readonly at: DocumentPath
  readonly compiler: DemoCompiler
  /** The name of the draw that is made here: of the row, the element of a list and the place in the document. */
  readonly spot: (context: Context) => string
}

/** A word from the readers of its argument and its options, and what it makes of them. */
export function word<A, R extends Readers>(
  argument: Reader<A>,
  options: R,
  make: (argument: A, options: Read<R>, place: Place) => MakeValue,
): Word {
  return {
    options: Object.keys(options),
    compile(written, name, at, compiler) {
      const source = at.join('.')
      const read = Object.entries(options).map(([option, reader]) => [
        option,
        reader(own(written, option), [...at, option], compiler),
      ])
      return make(
        argument(own(written, name), [...at, name], compiler),
        // One for each of the readers.
        Object.fromEntries(read) as Read<R>,
        { at, compiler, spot: (context) => `${context.place}|${source}` },
      )
    },
  }
}

/** A word that needs nothing but what it was given and the row or request at hand. */
export function made<A, R extends Readers>(
  argument: Reader<A>,
  options: R,
  make: (context: Context, argument: A, options: Read<R>, place: Place) => Json | undefined,
): Word {
  return word(
    argument,
    options,
    (read, more, place) => (context) => make(context, read, more, place),
  )
}

/** A word without options, from its argument and what is at hand. */
export function plain<A>(
  argument: Reader<A>,
  make: (argument: A, context: Context) => Json | undefined,
): Word {
  return made(argument, {}, (context, read) => make(read, context))
}

/** A word without options that draws by chance: one number, under the name of its place. */
export function drawn<A>(
  argument: Reader<A>,
  draw: (argument: A, chance: Chance, place: string) => Json | undefined,
): Word {
  return made(argument, {}, (context, read, _, { spot }) =>
    draw(read, context.world.chance, spot(context)),
  )
}

/** Any value; null where it is left out. */
export const value: Reader<MakeValue> = (given, at, compiler) => compiler.value(given ?? null, at)

/** Any value, which must be there. */
export const given: Reader<MakeValue> = (written, at, compiler) => {
  if (written !== undefined) return compiler.value(written, at)
  throw new BadWord(`${nameOf(at)} must be given`)
}

export const raw: Reader<Json | undefined> = (given) => given

export const number: Reader<number> = (given, at) => {
  if (typeof given === 'number') return given
  throw new BadWord(`${nameOf(at)} is a number`)
}

export const text: Reader<string> = (given, at) => {
  if (typeof given === 'string') return given
  throw new BadWord(`${nameOf(at)} is a text`)
}

/** A number, or [least, most]. */
export const range: Reader<readonly [number, number]> = (given, at) => {
  const [min, max]: readonly unknown[] = Array.isArray(given) ? given : [given, given]
  if (typeof min === 'number' && typeof max === 'number' && min <= max) return [min, max]
  throw new BadWord(`${nameOf(at)} is [least, most]`)
}

/** A list written out, whose elements are made only when chosen, or a template that gives a list. */
export const choices: Reader<(context: Context) => readonly MakeValue[]> = (
  given,
  at,
  compiler,
) => {
  if (Array.isArray(given)) {
    const makers = given.map((item: Json, index) => compiler.value(item, [...at, index]))
    return () => makers
  }
  const list = value(given, at, compiler)
  return (context) => elementsOf(list(context)).map((item) => () => item)
}

export const set: Reader<string> = (given, _at, { sets }) => {
  if (typeof given === 'string' && sets.has(given)) return given
  throw new BadWord(`there is no set "${textOf(given)}"`, `sets are ${[...sets.keys()].join(', ')}`)
}

/** What is read where nothing is given. */
export function orElse<T>(reader: Reader<T>, otherwise: Json): Reader<T> {
  return (given, at, compiler) => reader(given ?? otherwise, at, compiler)
}

/** Takes out of a row what lies at a path such as `$.fields.status`. Throws ExpressionSyntaxError. */
export function pickAt(path: Json | undefined): PickField {
  return compileBodyPath(parseRecordPath(textOf(path)))
}

/** The elements of a list, or the values of an object. */
export function elementsOf(list: Json | undefined): readonly Json[] {
  if (Array.isArray(list)) return list
  return isJsonObject(list) ? Object.values(list) : []
}

function nameOf(at: DocumentPath): string {
  return String(at.at(-1))
}

// What a helper is, and the ways to make one.
import { isExactNumber } from '../json/exact-number.ts'
import type { Json } from '../json/json.ts'
import { isList } from '../json/members.ts'
import type { Scope } from './syntax.ts'
import { ValueError } from './value-error.ts'

/** A compiled expression; undefined = absent. Throws ValueError. */
export type Evaluate = (scope: Scope) => Json | undefined

/** What is known of the calls of a helper without running one. */
interface Facts {
  /** The type that it gives; `arguments`: that of those it passes on; left out: unknown. */
  readonly gives?: 'arguments' | 'array' | 'boolean' | 'integer' | 'number' | 'string'
  /** Positions of the arguments whose text can become part of what it gives; left out: all of them. */
  readonly passes?: readonly number[]
  /** By position: throws when a literal argument there can never work, so that loading finds it. */
  readonly literals?: Readonly<Record<number, (literal: Json) => unknown>>
  /** Positions where only a literal may stand. */
  readonly literalOnly?: readonly number[]
}

export interface Helper extends Facts {
  readonly min: number
  readonly max: number
  /** The call with these arguments. There are at least `min` and at most `max` of them. */
  compile(args: readonly Evaluate[]): Evaluate
}

/** Makes a helper of a function; the helper is absent when one of its arguments is absent or null. */
type MakeHelper<Arguments extends readonly Json[]> = (
  run: (...given: Arguments) => Json | undefined,
  facts?: Facts,
) => Helper

export const unary: MakeHelper<[value: Json]> = takesAll(1)
export const binary: MakeHelper<[first: Json, second: Json]> = takesAll(2)
export const ternary: MakeHelper<[first: Json, second: Json, third: Json]> = takesAll(3)

function takesAll(count: 1 | 2 | 3): MakeHelper<[first: Json, second: Json, third: Json]> {
  return (run, facts = {}) => ({
    min: count,
    max: count,
    compile([first = absent, second = absent, third = absent]) {
      return (scope) => {
        const a = first(scope)
        if (a === undefined || a === null) return undefined
        const b = count > 1 ? second(scope) : a
        if (b === undefined || b === null) return undefined
        const c = count > 2 ? third(scope) : a
        return c === undefined || c === null ? undefined : run(a, b, c)
      }
    },
    ...facts,
  })
}

function absent(): undefined {
  return undefined
}

/**
 * A helper whose second argument is a small language of its own (a pattern, a format, a duration), nearly always a
 * literal: it is compiled once and again only when it changes.
 */
export function compiledSecond(
  compileSecond: (source: string) => (value: Json) => Json | undefined,
  facts: Pick<Facts, 'literalOnly'> = {},
): Helper {
  return {
    min: 2,
    max: 2,
    compile(args) {
      const compiled = remembering(compileSecond)
      return binary((value, source) => compiled(printed(source))(value)).compile(args)
    },
    passes: [0],
    literals: { 1: (source) => compileSecond(printed(source)) },
    ...facts,
  }
}

function remembering<A, B>(make: (argument: A) => B): (argument: A) => B {
  let last: { readonly argument: A; readonly made: B } | undefined
  return (argument) => {
    if (last === undefined || last.argument !== argument) last = { argument, made: make(argument) }
    return last.made
  }
}

/** A text, number (with all its digits) or boolean as text. Throws ValueError for null, lists and objects. */
export function printed(value: Json): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' && Number.isFinite(value)) return String(value === 0 ? 0 : value)
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  if (isExactNumber(value)) return value.rawJSON
  throw new ValueError(`text is needed here, not ${kindOf(value)}`)
}

/** The kind of a value, for messages: values themselves never enter one. */
export function kindOf(value: Json): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (isExactNumber(value)) return 'a number'
  return KINDS[typeof value] ?? 'something else'
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
}

/** The value as a list. Throws ValueError for everything else. */
export function requireList(value: Json): readonly Json[] {
  if (isList(value)) return value
  throw new ValueError(`a list is needed here, not ${kindOf(value)}`)
}

/** Absent, null and false are false; everything else is true, also 0, "", [] and {}: "was it given". */
export function isTrue(value: Json | undefined): boolean {
  return value !== undefined && value !== null && value !== false
}

// The values of demo data: YAML in, a function that makes the value out. What each word means: docs/sandbox.md.
import { compileTemplate, isTrue } from '../../language/expression/evaluate.ts'
import { ExpressionSyntaxError, parseTemplate } from '../../language/expression/parse-text.ts'
import { ValueError } from '../../language/expression/value-error.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import type { DocumentPath } from '../../language/manifest/document.ts'
import { isObject } from '../wire/is-object.ts'
import type { DemoCompiler, Directive } from './demo-directive.ts'
import { DRAWS } from './demo-draws.ts'
import { LOOK_UPS } from './demo-look-ups.ts'
import { MOMENTS } from './demo-moments.ts'
import type { MakeValue, Members } from './world.ts'

const DIRECTIVES: Readonly<Record<string, Directive>> = {
  ...DRAWS,
  ...LOOK_UPS,
  ...MOMENTS,
  $if: {
    options: ['$value'],
    compile(test, place) {
      const condition = place.compile(test, '$if')
      const value = place.option('$value')
      if (value === undefined) return place.fail('$if needs a $value')
      const make = place.compile(value, '$value')
      return (making, attach) => (isTrue(condition(making)) ? make(making, attach) : undefined)
    },
  },
}

/** Compiles a value. Findings go to the compiler; a value with findings makes nothing. */
export function compileValue(value: Json, at: DocumentPath, compiler: DemoCompiler): MakeValue {
  if (typeof value === 'string') return compileText(value, at, compiler)
  if (Array.isArray(value)) return compileList(value, at, compiler)
  if (!isObject(value)) return () => value
  return Object.keys(value).some((name) => name.startsWith('$'))
    ? compileDirective(value, at, compiler)
    : compileObject(value, at, compiler)
}

/** Compiles an object member by member, for rows whose members see each other. */
export function compileMembers(
  object: JsonObject,
  at: DocumentPath,
  compiler: DemoCompiler,
): Members {
  return Object.entries(object).map(([name, value]) => [
    name,
    compileValue(value, [...at, name], compiler),
  ])
}

function compileText(source: string, at: DocumentPath, compiler: DemoCompiler): MakeValue {
  try {
    const evaluate = compileTemplate(parseTemplate(source))
    return ({ scope }) => {
      try {
        return evaluate(scope)
      } catch (error) {
        // One name may hold a text in one request and an object in another: what a helper cannot take is absent.
        if (error instanceof ValueError) return undefined
        throw error
      }
    }
  } catch (error) {
    if (!(error instanceof ExpressionSyntaxError)) throw error
    const { message, offset, length, hint } = error
    compiler.problem(at, message, { hint, inner: { offset, length } })
    return () => undefined
  }
}

function compileList(list: readonly Json[], at: DocumentPath, compiler: DemoCompiler): MakeValue {
  const items = list.map((item, index) => compileValue(item, [...at, index], compiler))
  return (making) => items.map((make) => make(making)).filter((item) => item !== undefined)
}

function compileObject(object: JsonObject, at: DocumentPath, compiler: DemoCompiler): MakeValue {
  const members = compileMembers(object, at, compiler)
  return (making, attach) => {
    const made: Record<string, Json> = {}
    attach?.(made)
    for (const [name, make] of members) {
      const value = make(making, (partial) => {
        made[name] = partial
      })
      if (value === undefined) delete made[name]
      else made[name] = value
    }
    return made
  }
}

function compileDirective(object: JsonObject, at: DocumentPath, compiler: DemoCompiler): MakeValue {
  const names = Object.keys(object)
  const word = names.find((name) => Object.hasOwn(DIRECTIVES, name))
  const directive = word === undefined ? undefined : DIRECTIVES[word]
  if (word === undefined || directive === undefined) {
    const unknown = names.find((name) => name.startsWith('$')) ?? ''
    compiler.problem([...at, unknown], `there is no word "${unknown}"`, {
      part: 'key',
      hint: `words are ${Object.keys(DIRECTIVES).join(', ')}`,
    })
    return () => undefined
  }
  const allowed = directive.options ?? []
  for (const name of names) {
    if (name === word || allowed.includes(name)) continue
    compiler.problem([...at, name], `"${name}" does not belong to ${word}`, {
      part: 'key',
      hint: allowed.length === 0 ? `${word} stands alone` : `beside it: ${allowed.join(', ')}`,
    })
  }
  return directive.compile(object[word] ?? null, {
    at,
    spot: at.join('.'),
    compiler,
    option: (name) => (Object.hasOwn(object, name) ? object[name] : undefined),
    compile: (value, ...steps) => compileValue(value, [...at, ...steps], compiler),
    fail(message, hint) {
      compiler.problem([...at, word], message, { hint: hint ?? null })
      return () => undefined
    },
  })
}

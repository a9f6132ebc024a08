// The values of demo data: YAML in, a function that makes the value out. What each word means: docs/sandbox.md.
import { compileTemplate } from '../../language/expression/evaluate.ts'
import { ExpressionSyntaxError, parseTemplate } from '../../language/expression/parse-text.ts'
import { ValueError } from '../../language/expression/value-error.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import { isJsonObject } from '../../language/json/members.ts'
import type { DocumentPath } from '../../language/manifest/document.ts'
import { BadWord } from './demo-compiler.ts'
import { WORDS } from './demo-words.ts'
import type { DemoCompiler } from './read-demo.ts'
import type { MakeValue, Members } from './world.ts'

/** Compiles a value. Findings go to the compiler; a value with findings makes nothing. */
export function compileValue(value: Json, at: DocumentPath, compiler: DemoCompiler): MakeValue {
  if (typeof value === 'string') return compileText(value, at, compiler)
  if (Array.isArray(value)) {
    const items = value.map((item: Json, index) => compileValue(item, [...at, index], compiler))
    return (context) => items.map((make) => make(context)).filter((item) => item !== undefined)
  }
  if (!isJsonObject(value)) return () => value
  return Object.keys(value).some((name) => name.startsWith('$'))
    ? compileWord(value, at, compiler)
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
  const absent: MakeValue = () => undefined
  const compile = (): MakeValue => {
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
  }
  return compiler.readOr(compile, at, absent)
}

function compileObject(object: JsonObject, at: DocumentPath, compiler: DemoCompiler): MakeValue {
  const members = compileMembers(object, at, compiler)
  return (context, attach) => {
    const made: Record<string, Json> = {}
    attach?.(made)
    for (const [name, make] of members) {
      const value = make(context, (partial) => {
        made[name] = partial
      })
      if (value === undefined) delete made[name]
      else made[name] = value
    }
    return made
  }
}

function compileWord(object: JsonObject, at: DocumentPath, compiler: DemoCompiler): MakeValue {
  const names = Object.keys(object)
  const name = names.find((each) => Object.hasOwn(WORDS, each)) ?? ''
  const word = WORDS[name]
  if (word === undefined) {
    const unknown = names.find((each) => each.startsWith('$')) ?? ''
    compiler.problem([...at, unknown], `there is no word "${unknown}"`, {
      part: 'key',
      hint: `words are ${Object.keys(WORDS).join(', ')}`,
    })
    return () => undefined
  }
  for (const other of names) {
    if (other === name || word.options.includes(other)) continue
    compiler.problem([...at, other], `"${other}" does not belong to ${name}`, {
      part: 'key',
      hint:
        word.options.length === 0 ? `${name} stands alone` : `with it: ${word.options.join(', ')}`,
    })
  }
  try {
    return word.compile(object, name, at, compiler)
  } catch (error) {
    if (error instanceof BadWord || error instanceof ExpressionSyntaxError)
      compiler.problem([...at, name], error.message, { hint: error.hint })
    else if (error instanceof ValueError) compiler.problem([...at, name], error.message)
    else throw error
    return () => undefined
  }
}

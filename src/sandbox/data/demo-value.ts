// The values of demo data: YAML in, a function that makes the value out. What each word means: docs/sandbox.md.
import { compileTemplate } from '../../language/expression/evaluate.ts'
import { ExpressionSyntaxError, parseTemplate } from '../../language/expression/parse-text.ts'
import { ValueError } from '../../language/expression/value-error.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import { isJsonObject } from '../../language/json/members.ts'
import { own } from '../../language/json/own.ts'
import type { DocumentPath } from '../../language/manifest/document.ts'
import { requiredIn } from '../../language/manifest/json-schema.ts'
import type { JsonSchema } from '../../language/manifest/manifest.ts'
import { propertiesOf } from '../wire/schema-places.ts'
import { BadWord, definition, type Place } from './demo-compiler.ts'
import type { Words } from './demo-types.ts'
import { type MakeWord, WORDS } from './demo-words.ts'
import type { DemoCompiler } from './read-demo.ts'
import type { PickField } from './row-index.ts'
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
  const schemas = definition('words')['properties']
  const name = names.find((each) => Object.hasOwn(WORDS, each)) as keyof Words | undefined
  if (name === undefined) {
    const unknown = names.find((each) => each.startsWith('$')) ?? ''
    compiler.problem([...at, unknown], `there is no word "${unknown}"`, {
      part: 'key',
      hint: `words are ${Object.keys(WORDS).join(', ')}`,
    })
    return () => undefined
  }
  const schema = own(schemas, name) as JsonSchema
  const options = propertiesOf(schema).flatMap(([each]) => (each === name ? [] : [each]))
  for (const other of names) {
    if (other === name || options.includes(other)) continue
    compiler.problem([...at, other], `"${other}" does not belong to ${name}`, {
      part: 'key',
      hint: options.length === 0 ? `${name} stands alone` : `with it: ${options.join(', ')}`,
    })
  }
  try {
    const given = withoutEmpty(object, name, schema)
    const missing = requiredIn(schema).find((each) => own(given, each) === undefined)
    if (missing !== undefined) throw new BadWord(`${missing} must be given`)
    // The schema of the word says what is read.
    const members = compiler.read(schema, given, at) as Words[typeof name] & Shown
    const set = typeof object[name] === 'string' ? object[name] : String(at[1])
    const source = at.join('.')
    const place: Place = {
      spot: (context) => `${context.place}|${source}`,
      show: compileShow(set, members, compiler),
    }
    const make = WORDS[name] as MakeWord<typeof name>
    return (context, attach) => make(context, members, place, attach)
  } catch (error) {
    if (error instanceof BadWord || error instanceof ExpressionSyntaxError)
      compiler.problem([...at, name], error.message, { hint: error.hint })
    else if (error instanceof ValueError) compiler.problem([...at, name], error.message)
    else throw error
    return () => undefined
  }
}

/** A word without the options that are left empty (`count:`); where an option may be any value, null is one. */
function withoutEmpty(object: JsonObject, name: string, schema: JsonSchema): JsonObject {
  const options = own(schema, 'properties')
  const isValue = (each: string): boolean => {
    const option = own(options, each)
    return own(option, '$ref') === '#/definitions/value' && own(option, 'default') === undefined
  }
  const given = Object.entries(object).filter(
    ([each, written]) => written !== null || each === name || isValue(each),
  )
  return Object.fromEntries(given)
}

interface Shown {
  readonly as?: unknown
  readonly get?: PickField
}

function compileShow(
  name: string,
  { as: form, get: pick }: Shown,
  { sets }: DemoCompiler,
): Place['show'] {
  if (pick !== undefined) return ({ fields }) => pick(fields)
  if (typeof form !== 'string') return (row, context) => context.world.show(row, context)
  const forms = [...(sets.get(name) ?? [])]
  if (!forms.includes(form))
    throw new BadWord(`there is no form "${form}"`, `forms of ${name} are ${forms.join(', ')}`)
  return (row, context) => context.world.form(row, form, context)
}

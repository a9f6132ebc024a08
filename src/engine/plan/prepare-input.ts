// What a caller gave → what validation may see: aliases resolved, defaults filled in, problems listed all at once.
import type { Problem } from '../../errors.ts'
import { compileTemplate } from '../../language/expression/evaluate.ts'
import type { ParamPath, Scope } from '../../language/expression/syntax.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import { exactToNumber } from '../../language/json/exact-number.ts'
import { own } from '../../language/json/own.ts'
import { pointerTo } from '../../language/json/pointer.ts'
import { isJsonObject, ownAt, withMember } from '../../language/json/members.ts'
import type { InputSchema, JsonSchema } from '../../language/manifest/manifest.ts'
import { knownNames, trimUnknown } from '../../language/manifest/trim-unknown.ts'
import { compileValidator } from '../../language/manifest/validator.ts'
import { compileInt64Texts } from './int64-texts.ts'

export interface PreparedInput {
  readonly value: JsonObject
  readonly isValid: boolean
  /** Empty when the value is valid. Pointers begin with `pointer` of the preparation. */
  readonly problems: readonly Problem[]
}

/** Prepares and validates one input. `scope` serves the defaults that come from settings. */
export type PrepareInput = (given: JsonObject, scope: Scope) => PreparedInput

/** Where an input stands. */
export interface InputPlace {
  readonly definitions: Readonly<Record<string, JsonSchema>>
  /** Stands in front of every problem's pointer: `/params`. */
  readonly pointer: string
  /** Names a member in messages: `parameter`. */
  readonly noun: string
  readonly readsInt64?: boolean
}

/**
 * Compiles the preparation of params, credentials or config. What the caller gave is not changed, and nothing is coerced
 * but, with `readsInt64`, text of digits where the schema has an integer of 64 bits.
 * The validator is compiled at the first use.
 */
export function compileInput(
  input: InputSchema,
  { definitions, pointer, noun, readsInt64 = false }: InputPlace,
): PrepareInput {
  const fills = input.defaults.map((entry) => ({
    at: entry.at,
    valueIn: 'from' in entry ? compileTemplate(entry.from) : () => entry.value,
  }))
  const known = knownNames(
    input.schema,
    input.aliases.map(({ alias }) => alias),
  )
  const readInt64 = readsInt64 ? compileInt64Texts(input.schema, definitions) : null
  let validate: ReturnType<typeof compileValidator> | undefined
  return (given, scope) => {
    const problems: Problem[] = []
    const trimmed = known === null ? null : trimUnknown(given, known)
    let value = resolveAliases(trimmed?.value ?? given, input.aliases, pointer, problems)
    for (const fill of fills) value = fillIn(value, fill.at, () => fill.valueIn(scope))
    // An object comes back as an object.
    if (readInt64 !== null) value = readInt64(value) as JsonObject
    const validator = (validate ??= compileValidator(input.schema, definitions, { noun }))
    const checked = exactToNumber(value)
    if (problems.length === 0 && validator.isValid(checked))
      return { value, isValid: true, problems }
    let all: readonly Problem[] | undefined
    return {
      value,
      isValid: false,
      // Listed when they are read: of two authentication methods one never fits.
      get problems() {
        all ??= [
          ...problems,
          ...validator(checked, trimmed?.left).map((problem) => ({
            ...problem,
            pointer: pointer + problem.pointer,
          })),
        ]
        return all
      },
    }
  }
}

function resolveAliases(
  given: JsonObject,
  aliases: InputSchema['aliases'],
  pointer: string,
  problems: Problem[],
): JsonObject {
  let value = given
  for (const { alias, name } of aliases) {
    const aliased = own(value, alias)
    if (aliased === undefined) continue
    if (own(value, name) !== undefined) {
      problems.push({
        pointer: pointerTo(pointer, [alias]),
        code: 'alias',
        detail: `"${alias}" is another name of "${name}"; give one of them`,
      })
    }
    const { [alias]: _, ...others } = value
    value = { [name]: aliased, ...others }
  }
  return value
}

/** The value with a member added at `at`, if its parent is there and it is not. Copies only along the way. */
function fillIn(value: JsonObject, at: ParamPath, valueIn: () => Json | undefined): JsonObject {
  if (ownAt(value, at) !== undefined || !isJsonObject(ownAt(value, at.slice(0, -1)))) return value
  const filled = valueIn()
  return filled === undefined ? value : withMember(value, at, filled)
}

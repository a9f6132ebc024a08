// Query parameters and form fields: names and values, arrays and objects by style, every value encoded.
import { percentEncode } from '../../language/expression/encode.ts'
import { compileTemplate } from '../../language/expression/evaluate.ts'
import type { Scope } from '../../language/expression/syntax.ts'
import { ValueError } from '../../language/expression/value-error.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import { isJsonObject } from '../../language/json/members.ts'
import type { Entry, Style } from '../../language/manifest/manifest.ts'
import { attempt, type Refusals } from '../../language/expression/refusals.ts'
import { jsonText, printScalar } from '../../language/expression/text-value.ts'

type Pair = readonly [name: string, value: string]

/**
 * Compiles a query or form to `a=1&b=2`, or '' when nothing is given. Absent and null are dropped, an empty list is sent
 * only by the style `json`.
 */
export function compileEntries(
  entries: readonly Entry[],
): (scope: Scope, refusals: Refusals) => string {
  const compiled = entries.map((entry) => ({
    entry,
    evaluate: compileTemplate(entry.value),
    encodedName: percentEncode(entry.name),
  }))
  return (scope, refusals) => {
    let text = ''
    for (const { entry, evaluate, encodedName } of compiled) {
      const rendered = attempt(refusals, entry.value, () => {
        const value = evaluate(scope)
        if (value === undefined || value === null) return ''
        if (typeof value !== 'object') return `${encodedName}=${percentEncode(printScalar(value))}`
        return encodePairs(pairsOf(entry.name, value, entry.style))
      })
      if (rendered !== undefined && rendered !== '')
        text = text === '' ? rendered : `${text}&${rendered}`
    }
    return text
  }
}

/** `name=value` pairs, percent-encoded. */
export function encodePairs(pairs: readonly Pair[]): string {
  return pairs.map(([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`).join('&')
}

/** The pairs that a value becomes under a style. Throws ValueError for what the style cannot say. */
export function pairsOf(name: string, value: Json, style: Style): Pair[] {
  if (Array.isArray(value)) return LISTS[style](name, value)
  if (isJsonObject(value)) return OBJECTS[style](name, value)
  return [[name, printScalar(value)]]
}

const joined =
  (separator: string) =>
  (name: string, list: readonly Json[]): Pair[] =>
    list.length === 0 ? [] : [[name, list.map(printScalar).join(separator)]]

const LISTS: Readonly<Record<Style, (name: string, list: readonly Json[]) => Pair[]>> = {
  repeat: (name, list) => list.map((element): Pair => [name, printScalar(element)]),
  csv: joined(','),
  ssv: joined(' '),
  pipe: joined('|'),
  brackets: (name, list) => list.flatMap((element) => nested(`${name}[]`, element, 'brackets')),
  indices: (name, list) =>
    list.flatMap((element, index) => nested(`${name}[${index}]`, element, 'indices')),
  json: (name, list) => [[name, jsonText(list)]],
}

function noObject(): never {
  throw new ValueError('an object cannot be sent here: the style of this parameter is for lists')
}

const members =
  (style: Style) =>
  (name: string, object: JsonObject): Pair[] =>
    Object.entries(object).flatMap(([member, value]) => nested(`${name}[${member}]`, value, style))

const OBJECTS: Readonly<Record<Style, (name: string, object: JsonObject) => Pair[]>> = {
  repeat: noObject,
  csv: noObject,
  ssv: noObject,
  pipe: noObject,
  brackets: members('brackets'),
  indices: members('indices'),
  json: (name, object) => [[name, jsonText(object)]],
}

/** A value inside a list or object: null is dropped there as everywhere in a query. */
function nested(name: string, value: Json, style: Style): Pair[] {
  return value === null ? [] : pairsOf(name, value, style)
}

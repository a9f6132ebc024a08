// What a form asks for, in one line, before it is open.
import { fieldWords } from '../../display/field-words.ts'
import { type Json, type JsonObject, objectIn } from '../api/json-text.ts'
import { propertiesOf, requiredOf } from './schema-node.ts'

/** The credentials of a way as people call them: those without which it is refused, and those it takes as well. */
export function askedInWords(schema: JsonObject): string {
  const required = requiredOf(schema)
  const isNeeded = ([name, each]: readonly [string, Json]): boolean =>
    required.has(name) && objectIn(each)['default'] === undefined
  const list = (fields: readonly (readonly [string, Json])[]): string =>
    fields.map(([name, each]) => fieldWords(name, objectIn(each)['description']).label).join(', ')
  const all = propertiesOf(schema)
  const needed = all.filter(isNeeded)
  const others = all.filter((field) => !isNeeded(field))
  return [
    ...(needed.length === 0 ? [] : [`You need: ${list(needed)}.`]),
    ...(others.length === 0 ? [] : [`Optional: ${list(others)}.`]),
  ].join(' ')
}

// What a form begins with: what has to be given and leaves no choice.
import type { Json, JsonObject } from '../api/json-text.ts'
import { propertiesOf, readNode, requiredOf, resolve } from './schema-node.ts'

export function firstValue(schema: JsonObject, root: JsonObject = schema): JsonObject {
  const required = requiredOf(schema)
  return Object.fromEntries(
    propertiesOf(schema).flatMap(([name, given]): readonly [string, Json][] => {
      if (!required.has(name)) return []
      const member = resolve(given, root)
      if (member['const'] !== undefined) return [[name, member['const']]]
      return readNode(member, root).kind === 'object' ? [[name, firstValue(member, root)]] : []
    }),
  )
}

// What must not be kept outside of a form.
import { isObject, type Json, type JsonObject } from '../api/json-text.ts'
import { propertiesOf, resolve } from './schema-node.ts'

/** Whether a value has a member that its schema says is only ever written. */
export function hasSecret(value: Json | undefined, given: Json, root: JsonObject): boolean {
  if (value === undefined || value === null) return false
  const schema = resolve(given, root)
  if (schema['writeOnly'] === true) return true
  if (Array.isArray(value)) {
    const { items = null } = schema
    return value.some((each: Json) => hasSecret(each, items, root))
  }
  if (!isObject(value)) return false
  return propertiesOf(schema).some(([name, member]) => hasSecret(value[name], member, root))
}

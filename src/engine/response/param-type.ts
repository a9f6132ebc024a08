// What a parameter accepts, as far as a next page has to know it.
import type { ParamPath } from '../../language/expression/syntax.ts'
import type { Json } from '../../language/json/json.ts'
import { own } from '../../language/json/own.ts'
import type { JsonSchema } from '../../language/manifest/manifest.ts'

/** `text` or `number`: only that. `any`: both, or its schema does not say. */
export type ParamType = 'text' | 'number' | 'any'

/** Looks up the declared type of a parameter; references point into `definitions`. */
export function compileParamType(
  params: JsonSchema,
  path: ParamPath,
  definitions: Readonly<Record<string, JsonSchema>>,
): ParamType {
  let schema: Json | undefined = follow(params, definitions)
  for (const name of path) schema = follow(own(own(schema, 'properties'), name), definitions)
  const declared = own(schema, 'type')
  const types: readonly (Json | undefined)[] = Array.isArray(declared) ? declared : [declared]
  const text = types.includes('string')
  const number = types.includes('integer') || types.includes('number')
  if (text === number) return 'any'
  return text ? 'text' : 'number'
}

/** A reference has no siblings; one step is enough unless shapes refer to shapes. */
function follow(
  schema: Json | undefined,
  definitions: Readonly<Record<string, JsonSchema>>,
): Json | undefined {
  let target = schema
  for (let hops = 0; hops < 16; hops++) {
    const reference = own(target, '$ref')
    if (typeof reference !== 'string') return target
    target = own(definitions, reference.replace('#/definitions/', ''))
  }
  return undefined
}

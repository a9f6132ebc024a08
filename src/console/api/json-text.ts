// JSON as the service writes it: integers keep all their digits on the way in and out.

/** A JSON value. Integers that a number would round are bigints. */
export type Json = null | boolean | number | bigint | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [name: string]: Json
}

/** Parses JSON text. Throws SyntaxError. */
export function parseJson(text: string): Json {
  // The third argument of a reviver is newer than the library's types.
  const revive = (
    _name: string,
    value: unknown,
    context?: { readonly source?: string },
  ): unknown =>
    typeof value === 'number' && !Number.isSafeInteger(value)
      ? exactInteger(value, context?.source)
      : value
  return JSON.parse(text, revive) as Json
}

function exactInteger(value: number, source: string | undefined): number | bigint {
  return source !== undefined && /^-?\d+$/.test(source) ? BigInt(source) : value
}

/** Writes JSON text, with `space` for people. */
export function writeJson(value: Json, space?: number): string {
  return JSON.stringify(
    value,
    (_name, each: unknown) => (typeof each === 'bigint' ? rawNumber(each) : each),
    space,
  )
}

/** `JSON.rawJSON` is newer than the library's types; a browser without it sends what it can. */
function rawNumber(value: bigint): unknown {
  const { rawJSON } = JSON as { readonly rawJSON?: (text: string) => unknown }
  return rawJSON === undefined ? Number(value) : rawJSON(String(value))
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An object as it is; of everything else, none with members. */
export function objectIn(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {}
}

export function listIn(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : []
}

/** A single value as text. */
export function textIn(value: Json | undefined): string {
  return value === undefined || value === null || typeof value === 'object' ? '' : String(value)
}

/** RFC 7396: members of the patch replace, null removes. */
export function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return patch
  const merged: Record<string, Json> = { ...objectIn(target) }
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name]
    else merged[name] = mergePatch(merged[name], value)
  }
  return merged
}

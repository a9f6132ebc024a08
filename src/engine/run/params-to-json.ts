// What host code hands over (params, settings, credentials) as JSON, or a clear refusal.
import { ConnectorError, type ErrorCode, type Problem } from '../../errors.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import { isExactNumber } from '../../language/json/exact-number.ts'
import { isJsonObject } from '../../language/json/members.ts'
import { nativeJson } from '../../language/json/native-json.ts'
import { setOwn } from '../../language/json/own.ts'
import { pointerTo } from '../../language/json/pointer.ts'

const MAX_DEPTH = 32
const MAX_PROBLEMS = 20

/**
 * A copy of `value` that is nothing but JSON: members that are undefined are absent, a bigint keeps its digits, own
 * properties only. Throws `code` with pointers for what JSON cannot say (functions, NaN, dates, cycles, more than
 * 32 levels).
 */
export function toPlainJson(
  value: unknown,
  pointer: string,
  code: ErrorCode = 'params_invalid',
): JsonObject {
  const problems: Problem[] = []
  const copy = copyOf(value, { pointer, path: [], problems })
  if (problems.length === 0 && isJsonObject(copy)) return copy
  if (problems.length === 0) problems.push({ pointer, code: 'type', detail: 'must be an object' })
  const message = problems.map((problem) => `${problem.pointer}: ${problem.detail}`).join('; ')
  throw new ConnectorError(code, message, { errors: problems })
}

/** Where the copy stands: pointers are written only for what goes wrong. */
interface Place {
  readonly pointer: string
  /** Names and indices from there to here. */
  readonly path: (string | number)[]
  readonly problems: Problem[]
}

function copyOf(value: unknown, place: Place): Json | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value
    case 'undefined':
      return undefined
    case 'bigint':
      return Number.isSafeInteger(Number(value)) ? Number(value) : nativeJson.rawJSON(String(value))
    case 'number':
      return Number.isFinite(value) ? value : refuse(place, 'must be a finite number')
    case 'function':
    case 'symbol':
      return refuse(place, `must be a JSON value, not a ${typeof value}`)
    case 'object':
      break
  }
  if (value === null || isExactNumber(value)) return value
  if (place.path.length >= MAX_DEPTH)
    return refuse(place, `is nested deeper than ${MAX_DEPTH} levels`)
  if (Array.isArray(value)) {
    return value.map((element: unknown, index) => copyInside(element, index, place) ?? null)
  }
  const prototype: unknown = Object.getPrototypeOf(value)
  if (
    prototype !== Object.prototype &&
    prototype !== null &&
    Object.getPrototypeOf(prototype) !== null
  ) {
    return refuse(place, `must be a plain object; ${hintFor(value)}`)
  }
  const copy: Record<string, Json> = {}
  for (const [name, member] of Object.entries(value)) {
    const plain = copyInside(member, name, place)
    if (plain === undefined) continue
    setOwn(copy, name, plain)
  }
  return copy
}

function copyInside(value: unknown, name: string | number, place: Place): Json | undefined {
  place.path.push(name)
  const copy = copyOf(value, place)
  place.path.pop()
  return copy
}

function refuse({ pointer, path, problems }: Place, detail: string): undefined {
  if (problems.length < MAX_PROBLEMS)
    problems.push({ pointer: pointerTo(pointer, path), code: 'type', detail })
  return undefined
}

function hintFor(value: object): string {
  return value instanceof Date
    ? 'pass a date as text, for example date.toISOString()'
    : `this is a ${value.constructor.name}`
}

// A vendor's complaints about single fields, as problems of the caller's parameters.
import type { Problem } from '../../errors.ts'
import type { Json } from '../../language/json/json.ts'
import { isJsonObject } from '../../language/json/members.ts'
import type { Redact } from './excerpt.ts'
import { pointerTo } from '../../language/json/pointer.ts'
import { oneLine, textOf } from './plain-text.ts'

/** As many problems as one answer reports. */
const MAX_PROBLEMS = 20
const MAX_DETAIL = 500
/** Parameters of more members than this are not searched for names. */
const MAX_MEMBERS = 5000

/**
 * The problems in a map of field names to texts, in its order; none when it is no object.
 *
 * The pointer names a parameter when exactly one given parameter path ends in the field's name, whose dots may mean
 * nesting; else it is empty and the name stands in front of the text.
 */
export function fieldProblems(
  fields: Json | undefined,
  params: unknown,
  redact: Redact,
): Problem[] {
  if (!isJsonObject(fields)) return []
  const places = findPlaces(params)
  return Object.entries(fields)
    .slice(0, MAX_PROBLEMS)
    .map(([name, said]) => {
      const pointer = onlyPlace(places, name)
      const text = textOf(Array.isArray(said) ? said.map(textOf).join('; ') : said) ?? 'refused'
      const detail = pointer === null ? `${name}: ${text}` : text
      return {
        pointer: pointer ?? '',
        code: 'upstream',
        detail: oneLine(redact(detail), MAX_DETAIL),
      }
    })
}

interface Place {
  /** Member names from the top, joined by dots; list places are left out. */
  readonly path: string
  readonly pointer: string
}

function onlyPlace(places: readonly Place[], name: string): string | null {
  const found = places.filter(({ path }) => path === name || path.endsWith(`.${name}`))
  return found.length === 1 ? (found[0]?.pointer ?? null) : null
}

function findPlaces(params: unknown): Place[] {
  const places: Place[] = []
  const visit = (value: unknown, path: string, pointer: string): void => {
    if (Array.isArray(value)) {
      value.forEach((element, index) => visit(element, path, `${pointer}/${index}`))
      return
    }
    if (!isJsonObject(value)) return
    for (const [name, member] of Object.entries(value)) {
      if (places.length >= MAX_MEMBERS) return
      const place = {
        path: path === '' ? name : `${path}.${name}`,
        pointer: pointerTo(pointer, [name]),
      }
      places.push(place)
      visit(member, place.path, place.pointer)
    }
  }
  visit(params, '', '/params')
  return places.length >= MAX_MEMBERS ? [] : places
}

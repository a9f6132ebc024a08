// Texts of XML as the schema of a record says them: numbers, truths, and lists of one.
import { manifestDefect } from '../../language/expression/value-error.ts'
import { tryParseJson } from '../../language/json/parse-json.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import { isJsonObject, isList } from '../../language/json/members.ts'
import { setOwn } from '../../language/json/own.ts'
import type { ResponseRules } from '../../language/manifest/manifest.ts'

/** What the schema says of one place of a record. */
type TextType = NonNullable<ResponseRules['types']>[number]['type']

interface Place {
  readonly types: Set<TextType>
  readonly members: Map<string, Place>
  each: Place | null
}

/**
 * Compiles the types of a record that was read from XML; null where the schema asks for none.
 *
 * At a list, one value becomes a list of one and an empty element an empty list. Text of digits becomes a number with all
 * of them, `true` and `false` (`1` and `0`) become a truth, an empty element is null where null may stand. Any other text
 * stays as it came, as in records of JSON.
 */
export function compileTypes(types: ResponseRules['types']): ((record: Json) => Json) | null {
  if (types === undefined || types.length === 0) return null
  const root = emptyPlace()
  for (const { at, type } of types) {
    let place = root
    for (const step of at.steps) {
      if (step.kind === 'all') place = place.each ??= emptyPlace()
      else if (step.kind === 'member') {
        const known = place.members.get(step.name) ?? emptyPlace()
        place.members.set(step.name, known)
        place = known
      } else throw manifestDefect(`a type cannot stand at ${at.source}`)
    }
    place.types.add(type)
  }
  return (record) => typed(record, root)
}

function emptyPlace(): Place {
  return { types: new Set(), members: new Map(), each: null }
}

function typed(value: Json, place: Place): Json {
  if (place.types.has('list')) {
    const { each } = place
    const list = isList(value) ? value : value === '' || value === null ? [] : [value]
    return each === null ? list : list.map((element) => typed(element, each))
  }
  if (typeof value === 'string') return typedText(value, place.types)
  if (!isJsonObject(value)) return value
  const changed: Record<string, Json> = { ...value }
  for (const [name, member] of Object.entries(value)) {
    const inside = place.members.get(name) ?? place.each
    if (inside !== null) setOwn(changed, name, typed(member, inside))
  }
  return changed satisfies JsonObject
}

function typedText(text: string, types: ReadonlySet<TextType>): Json {
  const bare = text.trim()
  if (bare === '' && types.has('null')) return null
  if (types.has('number') && NUMBER.test(bare)) return tryParseJson(bare) ?? text
  if (types.has('boolean')) return TRUTHS.get(bare) ?? text
  return text
}

/** A number as JSON writes it. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** Source: XML Schema part 2, boolean. */
const TRUTHS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

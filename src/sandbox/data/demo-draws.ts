// Words of the demo data that draw: numbers, texts, choices, lists.
import type { Json } from '../../language/json/json.ts'
import { nativeJson } from '../../language/json/native-json.ts'
import { isObject } from '../wire/is-object.ts'
import { scalarText } from '../wire/same-scalar.ts'
import { digits, hexDigits, pickOne, uuid, wholeBetween } from './chance.ts'
import type { Directive, DirectivePlace } from './demo-directive.ts'
import type { Making, MakeValue } from './world.ts'

/** The words that draw by chance, by the number of the row, or put drawn things together. */
export const DRAWS: Readonly<Record<string, Directive>> = {
  $pick: {
    compile(argument, place) {
      const choices = compileChoices(argument, place, '$pick')
      return (making, attach) =>
        pickOne(making.world.chance, spotOf(making, place), choices(making))?.(making, attach)
    },
  },
  $cycle: {
    compile(argument, place) {
      const choices = compileChoices(argument, place, '$cycle')
      return (making, attach) => {
        const list = choices(making)
        return list[((making.row?.n ?? 1) - 1) % list.length]?.(making, attach)
      }
    },
  },
  $some: {
    options: ['count'],
    compile(argument, place) {
      const list = place.compile(argument, '$some')
      const bounds = readBounds(place.option('count') ?? [0, 3])
      if (bounds === null) return place.fail('count is a number or [least, most]')
      return (making) => {
        const spot = spotOf(making, place)
        const left = [...asList(list(making))]
        const count = countOf(making, spot, bounds)
        const chosen: Json[] = []
        while (chosen.length < count && left.length > 0) {
          const index = wholeBetween(
            making.world.chance,
            `${spot}#${chosen.length}`,
            0,
            left.length - 1,
          )
          chosen.push(...left.splice(index, 1))
        }
        return chosen
      }
    },
  },
  $list: {
    options: ['count'],
    compile(argument, place) {
      const element = place.compile(argument, '$list')
      const bounds = readBounds(place.option('count') ?? [1, 3])
      if (bounds === null) return place.fail('count is a number or [least, most]')
      return (making) =>
        Array.from({ length: countOf(making, spotOf(making, place), bounds) }, (_, index) =>
          element({ ...making, place: `${making.place}[${index}]`, index }),
        ).filter((item) => item !== undefined)
    },
  },
  $join: {
    options: ['with'],
    compile(argument, place) {
      const list = place.compile(argument, '$join')
      const separator = place.option('with') ?? ' '
      if (typeof separator !== 'string') return place.fail('with is a text')
      return (making) =>
        asList(list(making))
          .map((item) => scalarText(item) ?? '')
          .join(separator)
    },
  },
  $int: {
    compile(argument, place) {
      const bounds = readBounds(argument)
      if (bounds === null) return place.fail('$int is [least, most]')
      const [min, max] = bounds
      return (making) => wholeBetween(making.world.chance, spotOf(making, place), min, max)
    },
  },
  $number: {
    options: ['decimals'],
    compile(argument, place) {
      const bounds = readBounds(argument)
      const decimals = place.option('decimals') ?? 2
      if (bounds === null || typeof decimals !== 'number') {
        return place.fail('$number is [least, most], decimals a number')
      }
      const scale = 10 ** decimals
      const [min, max] = bounds
      return (making) =>
        wholeBetween(making.world.chance, spotOf(making, place), min * scale, max * scale) / scale
    },
  },
  $digits: {
    compile: (argument, place) =>
      typeof argument === 'number'
        ? (making) => digits(making.world.chance, spotOf(making, place), argument)
        : place.fail('$digits is the number of digits'),
  },
  $hex: {
    compile: (argument, place) =>
      typeof argument === 'number'
        ? (making) => hexDigits(making.world.chance, spotOf(making, place), argument)
        : place.fail('$hex is the number of digits'),
  },
  $uuid: {
    compile: (_argument, place) => (making) => uuid(making.world.chance, spotOf(making, place)),
  },
  $sequence: {
    compile: (argument, place) =>
      typeof argument === 'number'
        ? (making) => String(argument + (making.row?.position ?? 0))
        : place.fail('$sequence is the first number'),
  },
  $integer: {
    compile(argument, place) {
      const text = place.compile(argument, '$integer')
      return (making) => asInteger(scalarText(text(making)))
    },
  },
  /** Counts the elements of the list around it: 0, 1000, 2000 and so on, from `plus`. */
  $index: {
    options: ['plus'],
    compile(argument, place) {
      const plus = place.option('plus') ?? 0
      return typeof argument === 'number' && typeof plus === 'number'
        ? (making) => plus + argument * making.index
        : place.fail('$index and plus are numbers')
    },
  },
  /** One value for each element of a list, which templates see as `record.item`. */
  $each: {
    options: ['give'],
    compile(argument, place) {
      const list = place.compile(argument, '$each')
      const give = place.compile(place.option('give') ?? null, 'give')
      return (making) =>
        asList(list(making))
          .map((item, index) => give(forItem(making, item, index)))
          .filter((item) => item !== undefined)
    },
  },
  /** The first value that is there. */
  $first: {
    compile(argument, place) {
      if (!Array.isArray(argument)) return place.fail('$first is a list')
      const makers = argument.map((item: Json, index) => place.compile(item, '$first', index))
      return (making) => {
        for (const make of makers) {
          const value = make(making)
          if (value !== undefined) return value
        }
        return undefined
      }
    },
  },
  $absent: { compile: () => () => undefined },
}

/** The name of this draw: the row (and the element of a list) and the spot in the document. */
export function spotOf(making: Making, place: DirectivePlace): string {
  return `${making.place}|${place.spot}`
}

/** A number, or [least, most]. */
function readBounds(value: Json): readonly [number, number] | null {
  if (typeof value === 'number') return [value, value]
  if (!Array.isArray(value) || value.length !== 2) return null
  const [min, max]: readonly unknown[] = value
  return typeof min === 'number' && typeof max === 'number' && min <= max ? [min, max] : null
}

function countOf(making: Making, spot: string, [min, max]: readonly [number, number]): number {
  return wholeBetween(making.world.chance, `${spot}#count`, min, max)
}

/** A list written out, whose elements are made only when chosen, or a template that gives a list. */
function compileChoices(
  argument: Json,
  place: DirectivePlace,
  word: string,
): (making: Making) => readonly MakeValue[] {
  if (Array.isArray(argument)) {
    const makers = argument.map((item: Json, index) => place.compile(item, word, index))
    return () => makers
  }
  const list = place.compile(argument, word)
  return (making) => asList(list(making)).map((item) => () => item)
}

function asList(value: Json | undefined): readonly Json[] {
  if (Array.isArray(value)) return value
  return isObject(value) ? Object.values(value) : []
}

function forItem(making: Making, item: Json, index: number): Making {
  const { record } = making.scope
  const seen = isObject(record) ? { ...record, item } : { item }
  return {
    ...making,
    place: `${making.place}[${index}]`,
    index,
    scope: { ...making.scope, record: seen },
  }
}

/** Digits as a JSON number that keeps all of them. */
function asInteger(text: string | undefined): Json | undefined {
  if (text === undefined || !/^-?\d+$/.test(text)) return undefined
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : nativeJson.rawJSON(text)
}

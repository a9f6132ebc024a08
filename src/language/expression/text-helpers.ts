// Helpers over text. A number or boolean counts as its text; given a list they work on each of its elements.
import type { Json } from '../json/json.ts'
import { isList } from '../json/members.ts'
import {
  type Helper,
  binary,
  compiledSecond,
  requireList,
  printed,
  ternary,
  unary,
} from './helper.ts'
import type { TextHelper } from './syntax.ts'
import { compilePattern } from './pattern.ts'
import { ValueError } from './value-error.ts'

export const TEXT_HELPERS: Readonly<Record<TextHelper, Helper>> = {
  lower: unary((value) => eachText(value, (text) => text.toLowerCase())),
  upper: unary((value) => eachText(value, (text) => text.toUpperCase())),
  trim: unary((value) => eachText(value, (text) => text.trim())),
  /** `replace text from to`: every occurrence, literally. */
  replace: ternary(
    (value, from, to) => {
      const wanted = notEmpty(from)
      const put = printed(to)
      return eachText(value, (text) => text.replaceAll(wanted, () => put))
    },
    { passes: [0, 2], literals: { 1: notEmpty } },
  ),
  /** `match text regex`: the first group; absent without a match. */
  match: compiledSecond(
    (source) => {
      const pattern = compilePattern(source)
      return (value) => eachText(value, (text) => pattern.firstGroup(text))
    },
    { literalOnly: [1] },
  ),
  /** `join list sep`: null elements are left out. */
  join: binary(
    (list, separator) => {
      const texts = requireList(list).filter((element) => element !== null)
      return texts.map(printed).join(printed(separator))
    },
    { gives: 'string' },
  ),
  /** `concat a b…`: as one text. */
  concat: {
    min: 2,
    max: 9,
    compile: (args) => (scope) => {
      const given = args.map((each) => each(scope))
      const isComplete = given.every((value) => value !== undefined && value !== null)
      return isComplete ? given.map((value) => printed(value)).join('') : undefined
    },
    gives: 'string',
  },
  /** `split text sep`: trims, drops empty parts; a list passes through. */
  split: binary(
    (value, separator) => {
      const mark = notEmpty(separator)
      if (isList(value)) return value
      const parts = printed(value).split(mark)
      return parts.map((part) => part.trim()).filter((part) => part !== '')
    },
    { gives: 'array', passes: [0], literals: { 1: notEmpty } },
  ),
  /** `quote text mark`: a backslash before each mark, and before each backslash, else one could undo the other. */
  quote: binary(
    (value, mark) => {
      const wanted = notEmpty(mark)
      return eachText(value, (text) =>
        text.replaceAll('\\', '\\\\').replaceAll(wanted, () => `\\${wanted}`),
      )
    },
    { passes: [0], literals: { 1: notEmpty } },
  ),
}

function eachText(value: Json, run: (text: string) => string | undefined): Json | undefined {
  if (!isList(value)) return run(printed(value))
  const results: Json[] = []
  for (const element of value) {
    const result = element === null ? undefined : run(printed(element))
    if (result !== undefined) results.push(result)
  }
  return results
}

function notEmpty(value: Json): string {
  const text = printed(value)
  if (text === '') throw new ValueError('an empty text cannot be looked for')
  return text
}

// How each helper is written, for the way out of a wrong call.
import type { HelperName } from '../../expression/syntax.ts'

/** The arguments of each helper by name, as docs/manifest-language.md has them. */
export const USAGE: Readonly<Record<HelperName, string>> = {
  default: 'a b',
  or: 'a b',
  and: 'a b',
  not: 'a',
  if: 'condition a b',
  eq: 'a b',
  in: 'value list',
  given: 'params.name',
  lower: 'text',
  upper: 'text',
  trim: 'text',
  replace: "text 'from' 'to'",
  match: "text '^(regex)$'",
  join: "list ','",
  split: "text ','",
  quote: "text '\"'",
  concat: 'a b',
  first: 'list',
  last: 'list',
  only: 'list',
  unique: 'list',
  length: 'list',
  lookup: 'object key',
  graphql_fields: 'list',
  int: 'value',
  float: 'value',
  string: 'value',
  json: 'value',
  base64: 'text',
  urlencode: 'text',
  segments: 'path',
  xml: 'text',
  hash_sha256: 'text',
  hmac_sha256: 'message key',
  date: "time 'iso'",
  add_duration: "time 'P1D'",
  round_up: "time 'P1D'",
  now: '',
}

/** Helpers of which the first argument is what is worked on, and the others say how. */
export const VALUE_FIRST: ReadonlySet<HelperName> = new Set<HelperName>([
  'join',
  'split',
  'quote',
  'replace',
  'match',
  'date',
  'add_duration',
  'round_up',
])

/** A call as it is written: `{{ join list ',' }}`. */
export function usageOf(helper: HelperName): string {
  return `write {{ ${helper}${USAGE[helper] === '' ? '' : ` ${USAGE[helper]}`} }}`
}

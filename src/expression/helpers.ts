// The closed list of helpers. What each does: docs/manifest-language.md, "Expressions".
import type { HelperName } from './syntax.ts'

/** How many arguments a helper takes. */
export interface Helper {
  readonly min: number
  readonly max: number
}

/** Every helper by name. */
export const HELPERS: Readonly<Record<HelperName, Helper>> = {
  default: { min: 2, max: Infinity },
  or: { min: 2, max: Infinity },
  and: { min: 2, max: Infinity },
  not: { min: 1, max: 1 },
  if: { min: 3, max: 3 },
  eq: { min: 2, max: 2 },
  in: { min: 2, max: 2 },
  given: { min: 1, max: 1 },
  lower: { min: 1, max: 1 },
  upper: { min: 1, max: 1 },
  trim: { min: 1, max: 1 },
  replace: { min: 3, max: 3 },
  match: { min: 2, max: 2 },
  join: { min: 2, max: 2 },
  split: { min: 2, max: 2 },
  quote: { min: 2, max: 2 },
  first: { min: 1, max: 1 },
  last: { min: 1, max: 1 },
  only: { min: 1, max: 1 },
  unique: { min: 1, max: 1 },
  length: { min: 1, max: 1 },
  lookup: { min: 2, max: 2 },
  graphql_fields: { min: 1, max: 1 },
  int: { min: 1, max: 1 },
  float: { min: 1, max: 1 },
  string: { min: 1, max: 1 },
  json: { min: 1, max: 1 },
  base64: { min: 1, max: 1 },
  urlencode: { min: 1, max: 1 },
  xml: { min: 1, max: 1 },
  hash_sha256: { min: 1, max: 1 },
  hmac_sha256: { min: 2, max: 2 },
  date: { min: 2, max: 2 },
  add_duration: { min: 2, max: 2 },
  now: { min: 0, max: 0 },
}

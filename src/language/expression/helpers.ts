// The closed list of helpers. What each does: docs/manifest-language.md, "Expressions".
import * as choice from './choice-helpers.ts'
import * as code from './code-helpers.ts'
import { graphqlFieldsHelper } from './graphql-fields.ts'
import type { Helper } from './helper.ts'
import * as list from './list-helpers.ts'
import type { HelperName } from './syntax.ts'
import * as text from './text-helpers.ts'
import * as time from './time-helpers.ts'
import * as type from './type-helpers.ts'

/** Every helper by name. */
export const HELPERS: Readonly<Record<HelperName, Helper>> = {
  default: choice.defaultHelper,
  or: choice.orHelper,
  and: choice.andHelper,
  not: choice.notHelper,
  if: choice.ifHelper,
  eq: choice.eqHelper,
  in: choice.inHelper,
  given: choice.givenHelper,
  lower: text.lowerHelper,
  upper: text.upperHelper,
  trim: text.trimHelper,
  replace: text.replaceHelper,
  match: text.matchHelper,
  join: text.joinHelper,
  split: text.splitHelper,
  quote: text.quoteHelper,
  first: list.firstHelper,
  last: list.lastHelper,
  only: list.onlyHelper,
  unique: list.uniqueHelper,
  length: list.lengthHelper,
  lookup: list.lookupHelper,
  graphql_fields: graphqlFieldsHelper,
  int: type.intHelper,
  float: type.floatHelper,
  string: type.stringHelper,
  json: type.jsonHelper,
  base64: code.base64Helper,
  urlencode: code.urlencodeHelper,
  xml: code.xmlHelper,
  hash_sha256: code.hashSha256Helper,
  hmac_sha256: code.hmacSha256Helper,
  date: time.dateHelper,
  add_duration: time.addDurationHelper,
  round_up: time.roundUpHelper,
  now: time.nowHelper,
}

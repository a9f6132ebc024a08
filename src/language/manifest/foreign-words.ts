// Words of other notations for what a manifest says: the way out of a value or key that does not exist.
import { VENDOR_SEARCH } from './actions.ts'

/** What a word means where one of these is allowed, the first one that is; `how` where a value alone would not do. */
const MEANT: Readonly<Record<string, readonly string[]>> = {
  // types of other languages and databases
  int: ['integer'],
  long: ['integer'],
  bigint: ['integer'],
  float: ['number'],
  double: ['number'],
  decimal: ['number'],
  bool: ['boolean'],
  str: ['string'],
  text: ['string'],
  char: ['string'],
  varchar: ['string'],
  uuid: ['string'],
  list: ['array'],
  set: ['array'],
  dict: ['object'],
  map: ['object'],
  hash: ['object'],
  struct: ['object'],
  any: ['object'],
  none: ['null'],
  nil: ['null'],
  date: ['string'],
  datetime: ['string', 'date-time'],
  timestamp: ['string', 'date-time'],
  file: ['string', 'binary'],
  base64: ['byte'],
  url: ['uri'],
  // signatures and clients, as JWT, OpenID and MIME call them
  hs256: ['hmac_sha256'],
  hs384: ['hmac_sha384'],
  hs512: ['hmac_sha512'],
  'hmac-sha256': ['hmac_sha256'],
  client_secret_basic: ['basic'],
  client_secret_post: ['body'],
  'application/json': ['json'],
  'application/x-www-form-urlencoded': ['form'],
  urlencoded: ['form'],
  // times
  s: ['seconds', 'epoch_s'],
  sec: ['seconds', 'epoch_s'],
  ms: ['epoch_ms'],
  m: ['minutes'],
  min: ['minutes'],
  unix: ['epoch_s'],
  epoch: ['epoch_s'],
  iso8601: ['iso'],
  rfc3339: ['iso'],
  // actions and tests
  remove: ['delete'],
  destroy: ['delete'],
  search: [VENDOR_SEARCH],
  find: [VENDOR_SEARCH],
  query: [VENDOR_SEARCH],
  read: ['get'],
  retrieve: ['get'],
  show: ['get'],
  add: ['create'],
  insert: ['create'],
  edit: ['update'],
  patch: ['update'],
  regex: ['matches'],
  regexp: ['matches'],
  pattern: ['matches'],
  min_value: ['gte'],
  max_value: ['lte'],
  // certificates
  cert: ['certificate'],
  pem: ['certificate'],
}

/** What is written with a value, where the value alone would say too little. */
const WITH: Readonly<Record<string, string>> = {
  date: 'format: date',
  datetime: 'format: date-time',
  timestamp: 'format: date-time',
  uuid: 'format: uuid',
  file: 'format: binary',
}

/** `write integer`: what a word of another notation is called here, where that is one of `allowed`; else null. */
export function translated(word: string, allowed: readonly string[]): string | null {
  const name = word.toLowerCase()
  if (!Object.hasOwn(MEANT, name)) return null
  const meant = MEANT[name]?.find((each) => allowed.includes(each))
  if (meant === undefined) return null
  const more = meant === 'string' && Object.hasOwn(WITH, name) ? WITH[name] : undefined
  return more === undefined ? `write ${meant}` : `write type: ${meant}, ${more}`
}

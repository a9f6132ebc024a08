// Helpers that encode, escape and hash text. A number or boolean counts as its text.
import type { Json } from '../json/json.ts'
import { encodeSegment, escapeXml, percentEncode, wellFormed } from './encode.ts'
import { nodeCrypto } from '../../late-modules.ts'
import { type Helper, binary, printed, unary } from './helper.ts'
import type { CodeHelper } from './syntax.ts'

export const CODE_HELPERS: Readonly<Record<CodeHelper, Helper>> = {
  /** Base64 of the text's UTF-8, with padding. */
  base64: unary((value) => Buffer.from(wellFormed(printed(value))).toString('base64')),
  urlencode: unary((value) => percentEncode(printed(value))),
  /** `segments path`: the segments between its slashes, each percent-encoded. Stands in the path of a request only. */
  segments: unary((value) => printed(value).split('/').map(encodeSegment).join('/'), {
    gives: 'string',
  }),
  xml: unary((value) => escapeXml(printed(value))),
  /** SHA-256 of the text's UTF-8, in hex. */
  hash_sha256: unary((value) => digest(nodeCrypto().createHash('sha256'), value), { passes: [] }),
  /** `hmac_sha256 message key`, in hex. */
  hmac_sha256: binary(
    (message, key) => digest(nodeCrypto().createHmac('sha256', wellFormed(printed(key))), message),
    { passes: [] },
  ),
}

type Hashing = ReturnType<ReturnType<typeof nodeCrypto>['createHash' | 'createHmac']>

function digest(hash: Hashing, value: Json): string {
  return hash.update(wellFormed(printed(value))).digest('hex')
}

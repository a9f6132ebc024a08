// Helpers that encode, escape and hash text. A number or boolean counts as its text.
import { escapeXml, percentEncode, wellFormed } from './encode.ts'
import { nodeCrypto } from '../../late-modules.ts'
import { type Helper, binary, printed, unary } from './helper.ts'

/** Base64 of the text's UTF-8, with padding. */
export const base64Helper: Helper = unary((value) =>
  Buffer.from(wellFormed(printed(value))).toString('base64'),
)

export const urlencodeHelper: Helper = unary((value) => percentEncode(printed(value)))
export const xmlHelper: Helper = unary((value) => escapeXml(printed(value)))

/** SHA-256 of the text's UTF-8, in hex. */
export const hashSha256Helper: Helper = unary(
  (value) =>
    nodeCrypto()
      .createHash('sha256')
      .update(wellFormed(printed(value)))
      .digest('hex'),
  { passes: [] },
)

/** `hmac_sha256 message key`, in hex. */
export const hmacSha256Helper: Helper = binary(
  (message, key) =>
    nodeCrypto()
      .createHmac('sha256', wellFormed(printed(key)))
      .update(wellFormed(printed(message)))
      .digest('hex'),
  { passes: [] },
)

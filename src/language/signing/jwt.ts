// JSON Web Tokens in compact form. Source: RFC 7515 section 7.1, RFC 7519.
import type { JsonObject } from '../json/json.ts'
import { tryParseJson } from '../json/parse-json.ts'
import { isJsonObject } from '../json/members.ts'
import { type JwsAlgorithm, type SigningKey, signBytes, verifiesBytes } from './algorithms.ts'

/** A token of these claims. `header` names the algorithm itself. */
export function signJwt(
  algorithm: JwsAlgorithm,
  key: SigningKey,
  header: JsonObject,
  claims: JsonObject,
): string {
  const signed = [header, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  return `${signed}.${signBytes(algorithm, key, Buffer.from(signed)).toString('base64url')}`
}

/** Header and claims of a token that this key signed by this algorithm; null for any other text. Looks at no time. */
export function readJwt(
  algorithm: JwsAlgorithm,
  key: SigningKey,
  token: string,
): { readonly header: JsonObject; readonly claims: JsonObject } | null {
  const [head = '', body = '', signature, ...more] = token.split('.')
  if (signature === undefined || more.length > 0) return null
  const [header, claims] = [head, body].map((part) =>
    tryParseJson(Buffer.from(part, 'base64url').toString('utf8')),
  )
  if (!isJsonObject(header) || !isJsonObject(claims) || header['alg'] !== algorithm) return null
  const bytes = Buffer.from(`${head}.${body}`)
  return verifiesBytes(algorithm, key, bytes, Buffer.from(signature, 'base64url'))
    ? { header, claims }
    : null
}

// The tokens of a block `jwt`, checked as the vendor does that knows the key and what must be claimed.
import { compileTemplate } from '../../language/expression/evaluate.ts'
import { pathsIn } from '../../language/expression/paths-in.ts'
import type { Scope } from '../../language/expression/syntax.ts'
import type { JsonObject } from '../../language/json/json.ts'
import { isJsonObject } from '../../language/json/members.ts'
import { jsonEqual } from '../../language/json/json-equal.ts'
import type { AuthMethod } from '../../language/manifest/manifest.ts'
import { readSigningKey } from '../../language/signing/algorithms.ts'
import { readJwt } from '../../language/signing/jwt.ts'
import { scalarText } from '../wire/same-scalar.ts'

/**
 * Whether a token is one of the method's: signed with the key of `scope`, with the header and the claims that the
 * manifest says, good for `ttl`. `facts`: the request that carries it. The sandbox lives in another time, so when the
 * token ends is not compared with its clock.
 */
export function acceptsJwt(
  { jwt }: AuthMethod,
  token: string,
  { scope, facts }: { readonly scope: Scope; readonly facts: JsonObject },
): boolean {
  if (jwt === undefined) return false
  const key = scalarText(compileTemplate(jwt.key)(scope))
  const read =
    key === undefined
      ? null
      : readJwt(jwt.alg, readSigningKey(jwt.alg, key, jwt.keyEncoding), token)
  if (read === null) return false
  const { iat, exp, jti } = read.claims
  if (typeof iat !== 'number' || typeof exp !== 'number' || exp <= iat) return false
  const request = { ...facts, ...(typeof jti === 'string' && { nonce: jti }) }
  const expect = (template: typeof jwt.claims): JsonObject => {
    const value = compileTemplate(template)({ ...scope, request, now: () => iat * 1000 })
    return isJsonObject(value) ? value : {}
  }
  // What is made of the clock differs by the moment in which it was made.
  const given = expect(jwt.claims)
  const timed = (name: string): boolean => ['iat', 'exp', 'nbf'].includes(name)
  const nonced = pathsIn([jwt.header, jwt.claims], 'request').some(([part]) => part === 'nonce')
  return (
    (Object.hasOwn(given, 'exp') || exp - iat === Math.floor(jwt.ttlMs / 1000)) &&
    Object.entries(given).every(
      ([name, value]) => timed(name) || sameClaim(value, read.claims[name], nonced),
    ) &&
    Object.entries(expect(jwt.header)).every(([name, value]) =>
      sameClaim(value, read.header[name], nonced),
    )
  )
}

function sameClaim(wanted: unknown, given: unknown, nonced: boolean): boolean {
  if (given === undefined) return false
  // Of a token with a nonce in another place than `jti`, the texts that may hold it are not known.
  return jsonEqual(wanted as never, given as never) || (nonced && typeof given === 'string')
}

// The block `jwt` of a method: a token for each request, of the key among the credentials.
import { compileTemplate } from '../../language/expression/evaluate.ts'
import { namesIn } from '../../language/expression/paths-in.ts'
import type { Scope } from '../../language/expression/syntax.ts'
import { printScalar } from '../../language/expression/text-value.ts'
import { ValueError } from '../../language/expression/value-error.ts'
import type { JsonObject } from '../../language/json/json.ts'
import type { AuthMethod } from '../../language/manifest/manifest.ts'
import { readSigningKey, type SigningKey } from '../../language/signing/algorithms.ts'
import { signJwt } from '../../language/signing/jwt.ts'
import { missingFor } from '../../language/signing/missing.ts'
import { absentIn } from '../../language/signing/request-facts.ts'
import { nodeCrypto } from '../../late-modules.ts'
import { compilePlaced, unfit } from './apply.ts'

export interface JwtMaker {
  /** The scope in which templates find `jwt`. A copy of it by `...` has none. */
  scopeWith(scope: Scope): Scope
  /** Throws `credentials_invalid` for a key that does not fit; says nothing of one that is absent. */
  check(scope: Scope): void
}

/**
 * Compiles the block. Looking at `jwt` throws `credentials_invalid` for a key that is absent or does not fit, and for
 * claims that cannot be made: nothing is sent then.
 */
export function compileJwt(block: NonNullable<AuthMethod['jwt']>): JwtMaker {
  const { alg, keyEncoding, ttlMs } = block
  const keyIn = compilePlaced(block.key, (value): SigningKey =>
    readSigningKey(alg, printScalar(value), keyEncoding),
  )
  const header = compileTemplate(block.header)
  const claims = compileTemplate(block.claims)
  const names = namesIn([block.header, block.claims], 'credentials')

  function make(scope: Scope, facts: JsonObject): string {
    const key = keyIn(scope)
    if (key === undefined) throw missingFor('the JSON Web Token', absentIn(block.key, scope))
    const nonce = nodeCrypto().randomUUID()
    const seen: Scope = { ...scope, request: { ...facts, nonce } }
    try {
      const iat = Math.floor((scope.now?.() ?? 0) / 1000)
      const given = claims(seen) as JsonObject
      const issued = typeof given['iat'] === 'number' ? given['iat'] : iat
      const exp = Math.floor(issued + ttlMs / 1000)
      return signJwt(
        alg,
        key,
        { typ: 'JWT', ...(header(seen) as JsonObject), alg },
        { iat, exp, ...given },
      )
    } catch (error) {
      throw error instanceof ValueError ? unfit(names, error.message) : error
    }
  }

  return {
    check: (scope) => void keyIn(scope),
    scopeWith: (scope) =>
      Object.defineProperties<Scope>(
        { ...scope },
        {
          jwt: { get: () => make(scope, {}) },
          jwtFor: { value: (facts: JsonObject) => make(scope, facts) },
        },
      ),
  }
}

// What a method puts on every request: `basic`, `bearer`, `headers` and `query` of its `apply` block.
import type { Scope, Template } from '../../language/expression/syntax.ts'
import { ValueError } from '../../language/expression/value-error.ts'
import type { Json } from '../../language/json/json.ts'
import type { AuthMethod } from '../../language/manifest/manifest.ts'
import type { AppliedCredentials } from '../request/build.ts'
import { pairsOf } from '../request/entries.ts'
import { headerValue, textOf } from '../request/text-value.ts'
import { compilePlaced } from './placed-value.ts'

/** Applied to a manifest without any method: a public API. */
export const NOTHING_APPLIED: AppliedCredentials = { headers: {}, query: [] }

/**
 * Compiles the `apply` block of a method to a function of credentials, client, session, config and maps.
 *
 * Header names are in lower case, query values not yet encoded. A template that is absent or null drops its header or
 * query value; an absent basic password is the empty password. The result holds as long as the credentials do, so it
 * is made once for each generation of them, not for each call.
 * Throws `credentials_invalid`, naming the members, when a value cannot stand where it is put.
 */
export function compileApply(method: AuthMethod): (scope: Scope) => AppliedCredentials {
  const { basic, bearer, headers, query } = method.apply
  const header: (readonly [name: string, valueIn: (scope: Scope) => string | undefined])[] = []
  if (basic !== null) header.push(['authorization', compileBasic(basic)])
  if (bearer !== null) {
    const token = (value: Json): string => `Bearer ${headerValue(value)}`
    header.push(['authorization', compilePlaced(bearer, token)])
  }
  for (const { name, value } of headers) {
    header.push([name.toLowerCase(), compilePlaced(value, headerValue)])
  }
  const parameters = query.map(({ name, value, style }) =>
    compilePlaced(value, (given) => pairsOf(name, given, style)),
  )
  return (scope) => {
    const applied: Record<string, string> = {}
    for (const [name, valueIn] of header) {
      const value = valueIn(scope)
      if (value !== undefined) applied[name] = value
    }
    return { headers: applied, query: parameters.flatMap((pairsIn) => pairsIn(scope) ?? []) }
  }
}

function compileBasic(basic: {
  readonly username: Template
  readonly password: Template
}): (scope: Scope) => string | undefined {
  const username = compilePlaced(basic.username, userName)
  const password = compilePlaced(basic.password, textOf)
  return (scope) => {
    const user = username(scope)
    return user === undefined ? undefined : basicHeader(user, password(scope) ?? '')
  }
}

function userName(value: Json): string {
  const text = textOf(value)
  // RFC 7617 section 2: what follows the first colon would become part of the password.
  if (text.includes(':')) throw new ValueError('a user name must not hold a colon')
  return text
}

/** The value of a Basic Authorization header. Source: RFC 7617, with UTF-8. */
export function basicHeader(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}

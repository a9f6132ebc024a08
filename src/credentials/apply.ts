// What a method puts on every request: `basic`, `bearer`, `headers` and `query` of its `apply` block.
import { ConnectorError, type Problem } from '../errors.ts'
import { compileTemplate } from '../expression/evaluate.ts'
import type { Scope, Template } from '../expression/syntax.ts'
import type { Json } from '../json/json.ts'
import type { AuthMethod } from '../manifest/manifest.ts'
import type { AppliedCredentials } from '../request/build.ts'
import { namesIn } from './names-in.ts'

/** Applied to a manifest without any method: a public API. */
export const NOTHING_APPLIED: AppliedCredentials = { headers: {}, query: [] }

/**
 * Compiles the `apply` block of a method to a function of credentials, client, session, config and maps.
 *
 * Header names are in lower case, query values not yet encoded. A template that is absent or null drops its header or
 * query value; an absent basic password is the empty password. The result holds as long as the credentials do, so it
 * is made once for each generation of them, not for each call.
 * Throws `credentials_invalid`, naming the members, when a value cannot stand in a header; `internal_error` when the
 * manifest puts an object there.
 */
export function compileApply(method: AuthMethod): (scope: Scope) => AppliedCredentials {
  const { basic, bearer, headers, query } = method.apply
  const header: Placed[] = []
  if (basic !== null) {
    const username = place(basic.username)
    const password = place(basic.password)
    header.push({
      name: 'authorization',
      names: [...username.names, ...password.names],
      valueIn: (scope) => basicOf(username, password, scope),
    })
  }
  if (bearer !== null) {
    const token = place(bearer)
    header.push({
      name: 'authorization',
      names: token.names,
      valueIn: (scope) => prefixed('Bearer ', token.valueIn(scope)),
    })
  }
  for (const { name, value } of headers) header.push({ name: name.toLowerCase(), ...place(value) })
  const parameters = query.map(({ name, value }) => ({ name, ...place(value) }))
  return (scope) => {
    const applied: Record<string, string> = {}
    for (const entry of header) {
      const value = entry.valueIn(scope)
      if (value !== undefined) applied[entry.name] = checkedHeader(value, entry)
    }
    const pairs: (readonly [string, string])[] = []
    for (const entry of parameters) {
      const value = entry.valueIn(scope)
      if (value !== undefined) pairs.push([entry.name, value])
    }
    return { headers: applied, query: pairs }
  }
}

/** One value of the block, with the credentials it is made of. */
interface Placed {
  readonly name: string
  readonly names: readonly string[]
  readonly valueIn: (scope: Scope) => string | undefined
}

function place(template: Template): Omit<Placed, 'name'> {
  const evaluate = compileTemplate(template)
  return { names: namesIn(template, 'credentials'), valueIn: (scope) => textOf(evaluate(scope)) }
}

/** A JSON value as the text of a header or query value; undefined drops it. */
export function textOf(value: Json | undefined): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'object') {
    if ('rawJSON' in value && typeof value.rawJSON === 'string') return value.rawJSON
    throw new ConnectorError(
      'internal_error',
      'the manifest puts an object where a text must stand',
    )
  }
  return String(value)
}

function basicOf(
  username: Omit<Placed, 'name'>,
  password: Omit<Placed, 'name'>,
  scope: Scope,
): string | undefined {
  const user = username.valueIn(scope)
  if (user === undefined) return undefined
  // RFC 7617 section 2: what follows the first colon would become part of the password.
  if (user.includes(':')) throw unusable(username.names, 'must not contain a colon')
  return basicHeader(user, password.valueIn(scope) ?? '')
}

/** The value of a Basic Authorization header. Source: RFC 7617, with UTF-8. */
export function basicHeader(user: string, password: string): string {
  return 'Basic ' + Buffer.from(`${user}:${password}`).toString('base64')
}

function prefixed(prefix: string, value: string | undefined): string | undefined {
  return value === undefined ? undefined : prefix + value
}

const HEADER_VALUE = /^[\t\x20-\x7e]*$/

function checkedHeader(value: string, { names }: Placed): string {
  if (!HEADER_VALUE.test(value)) {
    throw unusable(
      names,
      'must not contain line breaks, control characters or letters beyond ASCII',
    )
  }
  return value
}

function unusable(names: readonly string[], detail: string): ConnectorError {
  const errors: Problem[] = names.map((name) => ({
    pointer: `/credentials/${name}`,
    code: 'format',
    detail,
  }))
  return new ConnectorError('credentials_invalid', `${names.join(', ')} ${detail}`, { errors })
}

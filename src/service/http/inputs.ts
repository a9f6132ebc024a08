// Path, query and body of a request, checked by the schemas of its route.
import { ConnectorError, type Problem } from '../../errors.ts'
import { exactToNumber } from '../../language/json/exact-number.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import { knownNames, trimUnknown } from '../../language/manifest/trim-unknown.ts'
import { compileValidator } from '../../language/manifest/validator.ts'
import type { Route } from '../route.ts'
import type { Call } from './site.ts'

export interface Inputs {
  readonly path: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string | undefined>>
  readonly body: JsonObject
}

/** What came, as the carrier of the request has parsed it: texts, and what a `BodyReader` gives. */
export interface Given extends Pick<Call, 'path' | 'query'> {
  readonly body: JsonObject | undefined
}

export type CheckInputs = (request: Given) => Inputs

/** Other spellings that are accepted for one member. Answers never use them. */
const USER_ALIASES = ['workspace_name', 'customer_name'] as const

const compiled = new WeakMap<Route, CheckInputs>()

/** The check of what comes to one route, compiled once. It throws `request_malformed` with all problems at once. */
export function inputsOf(route: Route): CheckInputs {
  const check = compiled.get(route) ?? compileInputs(route)
  compiled.set(route, check)
  return check
}

function compileInputs(route: Route): CheckInputs {
  const checkBody = route.body === null ? null : compileValidator(route.body.schema, {})
  const checkQuery =
    route.query === null
      ? null
      : compileValidator(route.query, {}, { noun: 'query parameter', pointer: '' })
  const known = route.body === null ? null : knownNames(route.body.schema, USER_ALIASES)
  const takesUser =
    route.body !== null &&
    Object.hasOwn((route.body.schema['properties'] ?? {}) as object, 'external_user_id')

  return (request) => {
    const query = queryOf(request)
    const problems: Problem[] = []
    if (checkQuery === null) {
      const [name] = Object.keys(query)
      if (name !== undefined) problems.push(unknownQuery(name))
    } else problems.push(...checkQuery(query), ...unstorable(query))
    const given = request.body
    let body: JsonObject = {}
    if (route.body !== null && given === undefined && !route.body.optional) {
      problems.push({ pointer: '', code: 'required', detail: 'a JSON body must be sent' })
    } else if (given !== undefined) {
      if (checkBody === null && Object.keys(given).length > 0)
        problems.push({ pointer: '', code: 'unknown', detail: 'this route takes no body' })
      const trimmed = known === null ? null : trimUnknown(given, known)
      body = trimmed?.value ?? given
      if (takesUser) body = withUser(body, problems)
      if (checkBody !== null) problems.push(...checkBody(exactToNumber(body), trimmed?.left))
      problems.push(...unstorable(body))
    }
    if (problems.length > 0) throw malformed(problems)
    return { path: request.path, query, body }
  }
}

function queryOf(request: Given): Record<string, string> {
  const values: Record<string, string> = {}
  for (const [name, value] of Object.entries(request.query)) {
    if (typeof value === 'string') values[name] = value
    else {
      const detail = 'must be given once'
      throw malformed([{ pointer: `/${name}`, code: 'repeated', detail }])
    }
  }
  return values
}

/** Texts of ours that no database keeps as they are. */
function unstorable(values: JsonObject): readonly Problem[] {
  return Object.entries(values)
    .filter(([, value]) => typeof value === 'string' && !isStorable(value))
    .map(([name]) => ({
      pointer: `/${name}`,
      code: 'format',
      detail: 'must be text without NUL and without halves of surrogate pairs',
    }))
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

function unknownQuery(name: string): Problem {
  return { pointer: `/${name}`, code: 'unknown', detail: `unknown query parameter "${name}"` }
}

function withUser(body: JsonObject, problems: Problem[]): JsonObject {
  let user: Json | undefined = body['external_user_id']
  const rest: Record<string, Json> = { ...body }
  for (const alias of USER_ALIASES) {
    const value = rest[alias]
    if (value === undefined) continue
    delete rest[alias]
    if (user !== undefined && user !== value) {
      const detail = `${alias} is another name of external_user_id, and the two differ`
      problems.push({ pointer: `/${alias}`, code: 'alias', detail })
    }
    user = value
  }
  return user === undefined ? rest : { ...rest, external_user_id: user }
}

function malformed(errors: readonly Problem[]): ConnectorError {
  const [first] = errors
  const where = first === undefined || first.pointer === '' ? '' : `${first.pointer} `
  // Of many, the last one says how many.
  const count = errors.at(-1)?.code === 'more' ? 'many' : errors.length - 1
  const more = errors.length > 1 ? ` (and ${count} more)` : ''
  const message = `${where}${first?.detail ?? 'is not valid'}${more}`
  return new ConnectorError('request_malformed', message, { errors })
}

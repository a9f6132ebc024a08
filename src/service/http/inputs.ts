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

/** Other names that are accepted for a member of a body or of a query. Answers never use them. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  external_user_id: ['workspace_name', 'customer_name'],
  connector_type: ['definition_id'],
}

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
  const ofBody = aliasesIn(route.body?.schema ?? null)
  const ofQuery = aliasesIn(route.query)
  const others = ofBody.map(({ alias }) => alias)
  const known = route.body === null ? null : knownNames(route.body.schema, others)

  return (request) => {
    const problems: Problem[] = [...unstorable(request.path)]
    const query = withoutAliases(queryOf(request), ofQuery, problems)
    if (checkQuery === null) {
      const [name] = Object.keys(query)
      if (name !== undefined) problems.push(unknownQuery(name))
    } else problems.push(...checkQuery(typed(query, route.query)), ...unstorable(query))
    const given = request.body
    let body: JsonObject = {}
    if (route.body !== null && given === undefined && !route.body.optional) {
      problems.push({ pointer: '', code: 'required', detail: 'a JSON body must be sent' })
    } else if (given !== undefined) {
      if (checkBody === null && Object.keys(given).length > 0)
        problems.push({ pointer: '', code: 'unknown', detail: 'this route takes no body' })
      const trimmed = known === null ? null : trimUnknown(given, known)
      body = trimmed?.value ?? given
      body = withoutAliases(body, ofBody, problems)
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

/** The values of a query as its schema speaks of them: routes get the texts. What is neither stays text, and is refused. */
function typed(query: Readonly<Record<string, string>>, schema: JsonObject | null): JsonObject {
  const properties = (schema?.['properties'] ?? {}) as Readonly<Record<string, JsonObject>>
  return Object.fromEntries(
    Object.entries(query).map(([name, text]) => {
      const type = Object.hasOwn(properties, name) ? properties[name]?.['type'] : undefined
      if (type === 'integer' && /^-?[0-9]{1,15}$/.test(text)) return [name, Number(text)]
      if (type === 'boolean' && /^(true|false)$/.test(text)) return [name, text === 'true']
      return [name, text]
    }),
  )
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

interface Alias {
  readonly alias: string
  readonly name: string
}

function aliasesIn(schema: JsonObject | null): readonly Alias[] {
  const properties = (schema?.['properties'] ?? {}) as object
  return Object.entries(ALIASES)
    .filter(([name]) => Object.hasOwn(properties, name))
    .flatMap(([name, aliases]) => aliases.map((alias) => ({ alias, name })))
}

/** The values under their own names. A name and its alias that differ are a problem. */
function withoutAliases<T extends Json>(
  values: Readonly<Record<string, T>>,
  aliases: readonly Alias[],
  problems: Problem[],
): Record<string, T> | Readonly<Record<string, T>> {
  let rest: Record<string, T> | null = null
  for (const { alias, name } of aliases) {
    const value = values[alias]
    if (value === undefined) continue
    rest ??= { ...values }
    delete rest[alias]
    const other = rest[name]
    if (other !== undefined && other !== value) {
      const detail = `${alias} is another name of ${name}, and the two differ`
      problems.push({ pointer: `/${alias}`, code: 'alias', detail })
    }
    rest[name] = value
  }
  return rest ?? values
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

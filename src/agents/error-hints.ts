// What the schemas of an action add to a failure: the field that was meant, and what the given params take.
import { amendError, type ConnectorError, type Problem } from '../errors.ts'
import type { JsonObject } from '../language/json/json.ts'
import { isJsonObject } from '../language/json/members.ts'
import { pathIn } from '../language/json/pointer.ts'
import { plainSchema } from './plain-schema.ts'
import { pathMeant } from './record-paths.ts'
import type { ActionRequest } from './run-action.ts'

const REFUSALS: ReadonlySet<string> = new Set(['upstream_rejected', 'upstream_unprocessable'])
/** Descriptions of params that are quoted, and how many characters of them. */
const MAX_QUOTED = 3
const MAX_CHARS = 400

/** The error with what the schemas say: `paramsTake` in its details is for the advice. */
export function withHints(error: ConnectorError, request: ActionRequest): ConnectorError {
  const { reads, params } = request
  if (error.errors.some(({ code }) => code === 'field_unknown'))
    return amendError(error, { errors: error.errors.map((each) => hinted(each, request)) })
  if (!REFUSALS.has(error.code) || reads === null) return error
  const takes = textsTaken(params, reads)
  return takes === '' ? error : amendError(error, { details: { paramsTake: takes } })
}

/** A field that is not searchable at the top may be one below: `summary` is `fields.summary`. */
function hinted(problem: Problem, { params, entity }: ActionRequest): Problem {
  const { code, pointer, detail, allowed = [] } = problem
  if (code !== 'field_unknown' || detail.includes('did you mean')) return problem
  const path = pathMeant(nameAt(pointer, params), entity)
  if (path === null || !allowed.includes(path.split('.')[0])) return problem
  return { ...problem, detail: `${detail}; did you mean "${path}"?` }
}

/** The name that a problem is about: the last of its pointer, or what stands at that place of a list. */
function nameAt(pointer: string, params: JsonObject): string {
  const last = pathIn(pointer).at(-1) ?? ''
  const { fields } = params
  const isListed = pointer === `/params/fields/${last}` && Array.isArray(fields)
  const listed: unknown = isListed ? fields[Number(last)] : last
  return typeof listed === 'string' ? listed : last
}

/** What each text that was given is to hold: `jql: Query, for example …`. */
function textsTaken(params: JsonObject, schema: JsonObject): string {
  const { properties } = plainSchema(schema)
  const known = isJsonObject(properties) ? properties : {}
  const texts = Object.keys(params).flatMap((name) => {
    const member = known[name]
    const description = isJsonObject(member) ? member['description'] : undefined
    return typeof params[name] === 'string' && typeof description === 'string'
      ? [`${name}: ${description}`]
      : []
  })
  return texts.slice(0, MAX_QUOTED).join(' ').slice(0, MAX_CHARS)
}

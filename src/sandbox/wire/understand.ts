// A request that fits a route → the parameters its caller must have given, and what a strict vendor objects to.
import type { Expression, Template } from '../../language/expression/syntax.ts'
import { exactToNumber } from '../../language/json/exact-number.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import { withMember } from '../../language/json/members.ts'
import { own } from '../../language/json/own.ts'
import { type BodyTemplate, dataOf } from '../../language/manifest/body-forms/forms.ts'
import { requiredIn } from '../../language/manifest/json-schema.ts'
import type { JsonSchema, Manifest } from '../../language/manifest/manifest.ts'
import { STYLES } from '../../language/manifest/pagination-styles.ts'
import { compileValidator } from '../../language/manifest/validator.ts'
import { LINK_PARAMETER } from '../answer/page.ts'
import { castText } from './cast-text.ts'
import type { Reading, WireProblem } from './read-back.ts'
import { readBody } from './read-body.ts'
import { readEntries, readHeaders } from './read-entries.ts'
import type { Route, RouteMatch } from './routes.ts'
import { schemaAt } from './schema-places.ts'
import type { WireRequest } from './wire-request.ts'

export interface Understood {
  readonly route: Route
  /** What could be read back; what a helper swallowed is missing. */
  readonly params: JsonObject
  /** The same one by one: where each stood, and values of earlier steps too. Cast to their types. */
  readonly readings: readonly Reading[]
  readonly problems: readonly WireProblem[]
  /** How many fixed values were found in their places: the more, the surer the reading. */
  readonly constants: number
}

export type Understand = (match: RouteMatch, request: WireRequest) => Understood

/** Compiles the reading of requests. `credentialNames`: names of query parameters that carry credentials. */
export function compileUnderstanding(
  manifest: Manifest,
  credentialNames: ReadonlySet<string>,
): Understand {
  const checks = new Map<JsonSchema, ReturnType<typeof compileValidator>>()
  const { definitions } = manifest

  function check(schema: JsonSchema, value: Json): readonly string[] {
    const validate = checks.get(schema) ?? compileValidator(schema, definitions)
    checks.set(schema, validate)
    return validate(exactToNumber(value)).map(({ pointer, detail }) =>
      `${pointer} ${detail}`.trim(),
    )
  }

  return (match, request) => {
    const { route, reader } = match
    const template = route.step.request
    reader.from = 'query'
    readEntries(reader, template.query, request.query, othersIn(route, credentialNames))
    reader.from = 'header'
    readHeaders(reader, template.headers, request.headers)
    reader.from = 'body'
    readBody(reader, template.body, request)

    const problems = [...reader.problems]
    const readings: Reading[] = []
    const schema = route.action.params.schema
    let params: JsonObject = {}
    for (const reading of reader.readings) {
      if (reading.root !== 'params') {
        readings.push(reading)
        continue
      }
      const place = schemaAt(schema, reading.path, definitions)
      const { style } = reading
      const value =
        style === null ? reading.value : castText(reading.value, style, place, definitions)
      params = withMember(params, reading.path, value)
      readings.push({ ...reading, value })
      if (!reading.exact || place === null) continue
      const field = reading.path.join('.')
      problems.push(...check(place, value).map((message) => ({ field, message })))
    }
    for (const name of requiredAlone(schema, template.query, template.body)) {
      if (own(params, name) === undefined) problems.push({ field: name, message: 'is required' })
    }
    return { route, params, readings, problems, constants: reader.constants }
  }
}

/** Names in the query that the request template does not know, but that are right nevertheless. */
function othersIn(route: Route, credentialNames: ReadonlySet<string>): ReadonlySet<string> {
  return STYLES[route.action.pagination.type].by === 'address'
    ? new Set([...credentialNames, LINK_PARAMETER])
    : credentialNames
}

/** Required parameters that stand alone in the query or in the body, so that their absence shows. */
function requiredAlone(
  schema: JsonSchema,
  query: readonly { readonly value: Template }[],
  body: BodyTemplate,
): readonly string[] {
  const plain = new Set(query.flatMap(({ value }) => plainParams(value)))
  const data = dataOf(body)
  if (data !== null) for (const name of plainParams(data)) plain.add(name)
  return requiredIn(schema).filter((name) => plain.has(name))
}

function plainParams(template: Template): readonly string[] {
  if (template.kind === 'object') return template.members.flatMap(([, value]) => plainParams(value))
  return template.kind === 'value' ? topLevelParam(template.expression) : []
}

/** The parameter that an expression is as a whole. */
export function topLevelParam(expression: Expression): readonly string[] {
  if (expression.kind !== 'path' || expression.root !== 'params') return []
  const [name, ...rest] = expression.path
  return name !== undefined && rest.length === 0 ? [name] : []
}

// What a method puts on every request: what the words of its `apply` block carry, filled with credentials.
import { ConnectorError } from '../../errors.ts'
import { compileTemplate, ValueError } from '../../language/expression/evaluate.ts'
import { namesIn } from '../../language/expression/paths-in.ts'
import type { Scope, Template } from '../../language/expression/syntax.ts'
import type { Json } from '../../language/json/json.ts'
import type { Carried, PlacedValue } from '../../language/manifest/credential-places/place.ts'
import type { AppliedCredentials } from '../request/build.ts'
import { pairsOf } from '../request/entries.ts'

/** Applied to a manifest without any method: a public API. */
export const NOTHING_APPLIED: AppliedCredentials = { headers: {}, query: [] }

/**
 * Compiles what an `apply` block carries to a function of credentials, client, session, config and maps.
 *
 * Header names are in lower case, query values not yet encoded. A template that is absent or null drops its header or
 * query value; an absent basic password is the empty password. The result holds as long as the credentials do, so it
 * is made once for each generation of them, not for each call; a signature is made by it for each attempt.
 * Throws `credentials_invalid`, naming the members, when a value cannot stand where it is put.
 */
export function compileApply(carried: readonly Carried[]): (scope: Scope) => AppliedCredentials {
  const fills = carried.map(compileCarried)
  return (scope) => {
    const headers: Record<string, string> = {}
    const query: Pair[] = []
    const signatures: Sign[] = []
    for (const fill of fills) fill(scope, { headers, query, signatures })
    if (signatures.length === 0) return { headers, query }
    const sign: Sign = (request) =>
      Object.assign({}, ...signatures.map((each) => each(request))) as ReturnType<Sign>
    return { headers, query, sign }
  }
}

type Pair = readonly [name: string, value: string]
type Sign = NonNullable<AppliedCredentials['sign']>
interface Filled {
  readonly headers: Record<string, string>
  readonly query: Pair[]
  readonly signatures: Sign[]
}

function compileCarried(part: Carried): (scope: Scope, into: Filled) => void {
  if (part.in === 'query') {
    const pairs = compilePlaced(part.value, (value) => pairsOf(part.name, value, part.style))
    return (scope, { query }) => void query.push(...(pairs(scope) ?? []))
  }
  const texts = compileTexts(part.values)
  if (part.in === 'signature') {
    return (scope, { signatures }) => {
      const given = texts(scope)
      signatures.push((request) => part.sign(given, { ...request, now: scope.now?.() ?? 0 }))
    }
  }
  return (scope, { headers }) => {
    const header = part.write(texts(scope))
    if (header !== undefined) headers[part.name] = header
  }
}

function compileTexts(
  values: readonly PlacedValue[],
): (scope: Scope) => readonly (string | undefined)[] {
  const compiled = values.map(({ template, put }) => compilePlaced(template, put))
  return (scope) => compiled.map((textIn) => textIn(scope))
}

/**
 * Compiles a template to what `put` makes of its value; undefined when it is absent or null.
 *
 * A value that a helper or `put` refuses (ValueError) is `credentials_invalid` with the names of the credentials the
 * template is made of, `internal_error` where there are none: then only the manifest can be the cause.
 */
export function compilePlaced<T>(
  template: Template,
  put: (value: Json) => T,
): (scope: Scope) => T | undefined {
  const evaluate = compileTemplate(template)
  const names = namesIn(template, 'credentials')
  return (scope) => {
    try {
      const value = evaluate(scope)
      return value === undefined || value === null ? undefined : put(value)
    } catch (error) {
      if (!(error instanceof ValueError)) throw error
      throw unfit(names, error.message)
    }
  }
}

/** The error for credentials that cannot stand where the manifest puts them. */
function unfit(names: readonly string[], detail: string): ConnectorError {
  return names.length === 0
    ? new ConnectorError(
        'internal_error',
        `the manifest puts a value where it cannot stand: ${detail}`,
      )
    : new ConnectorError('credentials_invalid', `${names.join(', ')}: ${detail}`, {
        errors: names.map((name) => ({ pointer: `/credentials/${name}`, code: 'format', detail })),
      })
}

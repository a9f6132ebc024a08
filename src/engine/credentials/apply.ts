// What a method puts on every request: what the words of its `apply` block carry, filled with credentials.
import { ConnectorError } from '../../errors.ts'
import { compileTemplate, ValueError } from '../../language/expression/evaluate.ts'
import { namesIn, pathsIn } from '../../language/expression/paths-in.ts'
import type { Scope, Template } from '../../language/expression/syntax.ts'
import type { Json } from '../../language/json/json.ts'
import type {
  Carried,
  CarriedSignature,
  PlacedValue,
} from '../../language/manifest/credential-places/place.ts'
import {
  requestFacts,
  type SignedMessage,
  withPairs,
} from '../../language/signing/request-facts.ts'
import { nodeCrypto } from '../../late-modules.ts'
import type { AppliedCredentials } from '../request/build.ts'
import type { ClientCertificate } from '../request/upstream-request.ts'
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
  const secretQuery = carried.flatMap((part) =>
    part.in === 'signature' ? part.queryNames : part.in === 'query' ? [part.name] : [],
  )
  return (scope) => {
    const headers: Record<string, string> = {}
    const query: Pair[] = []
    const signatures: Attempt[] = []
    const certificates: ClientCertificate[] = []
    for (const fill of fills) fill(scope, { headers, query, signatures, certificates })
    const [tls] = certificates
    const shown = tls === undefined ? {} : { tls }
    if (signatures.length === 0) return { headers, query, ...shown }
    const sign: Sign = (request) => ({
      ...signatures.reduce((message, each) => each(message), request),
      secretQuery,
    })
    return { headers, query, sign, ...shown }
  }
}

type Pair = readonly [name: string, value: string]
type Sign = NonNullable<AppliedCredentials['sign']>
type Attempt = (request: SignedMessage) => SignedMessage
interface Filled {
  readonly headers: Record<string, string>
  readonly query: Pair[]
  readonly signatures: Attempt[]
  readonly certificates: ClientCertificate[]
}

function compileCarried(part: Carried): (scope: Scope, into: Filled) => void {
  const made = part.in === 'query' ? part.value : part.values
  return part.in !== 'signature' && pathsIn(made, 'jwt').length > 0
    ? compileLate(part)
    : compileOnce(part)
}

/** What holds a token of the block `jwt` is made for each attempt, as signatures are. */
function compileLate(
  part: Exclude<Carried, CarriedSignature>,
): (scope: Scope, into: Filled) => void {
  const fill = compileOnce(part)
  return (scope, { signatures }) => {
    signatures.push((request) => {
      const hash = { alg: 'sha256', encoding: 'hex' } as const
      const now = { ...scope, jwt: scope.jwtFor?.(requestFacts(request, hash, {})) ?? '' }
      const headers: Record<string, string> = { ...request.headers }
      const query: Pair[] = []
      fill(now, { headers, query, signatures: [], certificates: [] })
      return { ...request, headers, url: withPairs(request.url, query) }
    })
  }
}

function compileOnce(part: Carried): (scope: Scope, into: Filled) => void {
  if (part.in === 'query') {
    const pairs = compilePlaced(part.value, (value) => pairsOf(part.name, value, part.style))
    return (scope, { query }) => void query.push(...(pairs(scope) ?? []))
  }
  const texts = compileTexts(part.values)
  if (part.in === 'connection') {
    const [certificate = [], key = [], passphrase = []] = part.values.map(({ template }) =>
      namesIn(template, 'credentials'),
    )
    const names = { certificate, key, passphrase }
    return (scope, { certificates }) => {
      const [shown, secret, phrase = null] = texts(scope)
      if (shown !== undefined && secret !== undefined)
        certificates.push({ certificate: shown, key: secret, passphrase: phrase, names })
    }
  }
  if (part.in === 'signature') {
    const names = namesIn([part.placed, part.values], 'credentials')
    return (scope, { signatures }) => {
      const given = texts(scope)
      signatures.push((request) => {
        const nonce = nodeCrypto().randomBytes(16)
        try {
          return part.sign(given, { ...request, now: scope.now?.() ?? 0, nonce, scope })
        } catch (error) {
          throw error instanceof ValueError ? unfit(names, error.message) : error
        }
      })
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
export function unfit(names: readonly string[], detail: string): ConnectorError {
  return names.length === 0
    ? new ConnectorError(
        'internal_error',
        `the manifest puts a value where it cannot stand: ${detail}`,
      )
    : new ConnectorError('credentials_invalid', `${names.join(', ')}: ${detail}`, {
        errors: names.map((name) => ({ pointer: `/credentials/${name}`, code: 'format', detail })),
      })
}

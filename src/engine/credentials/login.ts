// Session methods: a login request whose answer holds what later calls carry.
import { ConnectorError, type ErrorCode, isConnectorError } from '../../errors.ts'
import { whenLoaded } from '../../late-modules.ts'
import { compileBodyPath } from '../../language/expression/pick.ts'
import type { Json, JsonObject } from '../../language/json/json.ts'
import type { Path } from '../../language/expression/syntax.ts'
import { loginSteps } from '../../language/manifest/access/all-access.ts'
import type { AuthMethod } from '../../language/manifest/manifest.ts'
import { decodeBody } from '../response/decode.ts'
import { compileSideCall, type Send } from './follow-up.ts'
import type { Material, MethodContext } from './material.ts'
import { Secret } from './redact.ts'
import { type Presented, type Renewal, UNKNOWN_YET } from './renewal.ts'
import { compileStores, type RefusedValue } from './stored-values.ts'
import { lifeUntil, readTokenFailure, type TokenOutcome } from './token-answer.ts'

const MAX_MS = 30_000

/**
 * Compiles the renewal of a method with a login. Its outcome is told in the terms of a token request, as the same rules follow from it.
 *
 * `expires` of the manifest may point at seconds of life, at a time in seconds or milliseconds since 1970, or at an
 * ISO time; anything else says nothing. Throws what building the request throws; nothing was sent then.
 */
export function compileLogin(
  context: MethodContext,
  session: NonNullable<AuthMethod['session']>,
): Renewal {
  const { ports, view } = context
  const steps = loginSteps(session)
  const last = steps.length - 1
  const requests = steps.map((step, index) =>
    compileStep(context, step, index === last ? session.expires : null),
  )
  const unknown = Object.fromEntries(
    steps
      .flatMap(({ store }) => store)
      .flatMap(({ root, name }) => (root === 'session' ? [[name, UNKNOWN_YET]] : [])),
  )

  async function present(given: Material): Promise<Presented> {
    const material = { ...given, session: new Secret<JsonObject>({}) }
    const now = ports.clock.now()
    let kept: Material = material
    let told: number | null = null
    for (const { send, keep, endIn } of requests) {
      let answer: Json
      try {
        answer = await send(view.scopeOf(kept), view.appliedOf(kept))
      } catch (error) {
        if (!isConnectorError(error) || NOT_OF_THE_LOGIN.has(error.code)) throw error
        return { outcome: outcomeOf(error), material, refused: [], error }
      }
      const { material: next, refused } = keep(answer, kept)
      const [missing] = refused
      if (missing !== undefined) return { ...unusable(missing), material, refused: [] }
      kept = next
      told = endIn === null ? null : lifeUntil(endIn(answer), now)
    }
    return {
      outcome: sessionOutcome(told ?? session.ttlMs),
      material: kept,
      refused: [],
      error: null,
    }
  }

  return {
    maxMs: MAX_MS,
    byConsent: true,
    spends: false,
    accessIn: (material) => {
      const values = material.session.reveal()
      return Object.keys(values).length === 0 ? undefined : values
    },
    withPlaceholders: (material) => ({
      ...material,
      session: new Secret({ ...unknown, ...material.session.reveal() }),
    }),
    rulesFor: () => ({ renewable: true, rotates: false, graceMs: null }),
    missingIn: () => [],
    usesOperatorsClient: () => false,
    present,
  }
}

function unusable({ target, detail }: RefusedValue): Pick<Presented, 'outcome' | 'error'> {
  const error = new ConnectorError(
    'upstream_malformed',
    `the answer to the login gives no usable ${target}: ${detail}`,
  )
  return {
    outcome: { kind: 'lost', status: null, problem: error.message, cause: error },
    error,
  }
}

interface StepRequest {
  readonly send: Send<Json>
  readonly keep: ReturnType<typeof compileStores>
  readonly endIn: ((answer: Json) => Json | undefined) | null
}

/** One request of a login. Its answer is an object of `body`, `headers` and `cookies`, as far as they are wanted. */
function compileStep(
  context: MethodContext,
  { request, store, decode = 'json' }: ReturnType<typeof loginSteps>[number],
  expires: Path | null,
): StepRequest {
  const { manifest, method } = context
  const paths = [...store.map(({ at }) => at), ...(expires === null ? [] : [expires])]
  const reads = (root: Path['root']): boolean => paths.some((path) => path.root === root)
  const send = compileSideCall(context, request, 'session', { keepsCookies: reads('cookies') })
  const readsBody = reads('body')
  return {
    async send(scope, applied) {
      const { headers, cookies = {}, body } = await send(scope, applied)
      const decoded = readsBody
        ? await whenLoaded(() => decodeBody(body, headers['content-type'], decode))
        : null
      const pairs = Object.entries(cookies).map(([name, value]) => `${name}=${value}`)
      return {
        // A token that is the whole answer may have a line end behind it.
        body: typeof decoded === 'string' ? decoded.trim() : (decoded ?? null),
        headers: { ...headers },
        cookies: { ...cookies },
        'cookie header': pairs.length === 0 ? null : pairs.join('; '),
      }
    },
    keep: compileStores(
      manifest,
      method,
      store.map((each) => ({ ...each, at: inAnswer(each.at) })),
    ),
    endIn: expires === null ? null : compileBodyPath(inAnswer(expires)),
  }
}

/** A path into the object that stands for an answer. */
function inAnswer(path: Path): Path {
  const isHeader = path.root === 'cookies' && path.steps.length === 0
  const steps = path.steps.map((step) =>
    path.root === 'headers' && step.kind === 'member'
      ? { ...step, name: step.name.toLowerCase() }
      : step,
  )
  const name = isHeader ? 'cookie header' : path.root
  return { ...path, root: 'body', steps: [{ kind: 'member', name }, ...steps] }
}

/** Codes of requests that could not be built. */
const NOT_OF_THE_LOGIN: ReadonlySet<ErrorCode> = new Set([
  'config_invalid',
  'credentials_invalid',
  'params_invalid',
  'internal_error',
])

function sessionOutcome(lifeMs: number | null): TokenOutcome {
  return { kind: 'tokens', accessToken: '', refreshToken: null, lifeMs, tokenType: null, body: {} }
}

function outcomeOf(error: ConnectorError): TokenOutcome {
  const status = error.upstream?.status ?? null
  if (status === null) return readTokenFailure(error)
  if (status === 408 || status === 429 || status >= 500) {
    return { kind: 'busy', status, retryAfterMs: error.retryAfterMs }
  }
  return { kind: 'refused', status, error: 'login_refused' }
}

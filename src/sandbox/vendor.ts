// One vendor without its server: a request in, an answer out.
import type { Scope } from '../language/expression/syntax.ts'
import type { JsonObject } from '../language/json/json.ts'
import { isJsonObject } from '../language/json/members.ts'
import type { Action } from '../language/manifest/manifest.ts'
import { contextFor, neededScopes, prepare } from './answer/vendor-call.ts'
import type { Call } from './answer/vendor-call.ts'
import { meansSomething, performAction } from './answer/perform-action.ts'
import { compileCredentialCheck } from './auth/check-credentials.ts'
import type { Caller, CredentialCheck } from './auth/check-credentials.ts'
import type { DemoClient } from './auth/demo-credentials.ts'
import { compileOAuth } from './auth/oauth-endpoints.ts'
import type { Consent } from './auth/oauth-endpoints.ts'
import { missingScopes } from './auth/scopes.ts'
import type { ScopeRules } from './auth/scopes.ts'
import { compileSideRoutes } from './auth/side-routes.ts'
import type { SideVendor } from './auth/side-routes.ts'
import { hexDigits } from './data/chance.ts'
import { mergeObjects } from './data/world.ts'
import { FILES_PATH } from './files/file-links.ts'
import type { FileLinks } from './files/file-links.ts'
import { VendorRefusal, writeRefusal } from './wire/refusal.ts'
import { compareRanks, compileRoutes, listRoutes } from './wire/routes.ts'
import type { RouteMatch } from './wire/routes.ts'
import { scalarText } from './wire/same-scalar.ts'
import { compileUnderstanding } from './wire/understand.ts'
import { fileAnswer, valueAnswer } from './wire/wire-answer.ts'
import type { WireAnswer } from './wire/wire-answer.ts'
import type { WireRequest } from './wire/wire-request.ts'

/** What a request is, before anything has happened. */
export interface Intent {
  /**
   * The operations it may belong to, the likeliest first: several actions may send the same request. Beside actions:
   * `oauth.authorize`, `oauth.token`, `oauth.after_token`, `session`, `check`, `route`, `file`, `unknown`.
   */
  readonly operations: readonly string[]
  /** The parameters that could be read back. */
  readonly params: JsonObject
  /** Takes effect and answers; refusals are answers too. */
  perform(): WireAnswer
  /** The vendor's own error body, with no effect. */
  refuse(refusal: VendorRefusal): WireAnswer
}

export type Vendor = (request: WireRequest) => Intent

export interface VendorOptions extends SideVendor {
  readonly client: DemoClient
  readonly scopes: ScopeRules
  readonly consent: Consent
  readonly links: FileLinks
  /** Seconds to wait, or null: the manifest's rate limits. */
  readonly limiter: () => number | null
}

/** Compiles a vendor. */
export function compileVendor(options: VendorOptions): Vendor {
  const { manifest, world, known } = options
  const check = compileCredentialCheck(options)
  const findRoutes = compileRoutes(listRoutes(manifest), manifest, known)
  const understand = compileUnderstanding(manifest, check.queryNames)
  const oauth = compileOAuth(options)
  const side = compileSideRoutes(options)
  let answered = 0

  function refused(
    refusal: VendorRefusal,
    action: Action | undefined,
    params: JsonObject,
  ): WireAnswer {
    const requestId = hexDigits(world.chance, `request/${++answered}`, 20)
    const worded = word(refusal, options, params)
    const about = action ?? manifest.entities[0]?.actions[0]
    const { status, headers, body } = writeRefusal(worded, {
      errorBody: about?.errorBody ?? NO_ERROR_BODY,
      rules: about?.steps.flatMap(({ errors }) => errors) ?? [],
      requestId,
    })
    const beside = options.demo.errorEnvelope?.(contextFor(options, { params }))
    const whole = isJsonObject(beside) && isJsonObject(body) ? mergeObjects(beside, body) : body
    return valueAnswer(status, whole, { headers })
  }

  function intent(
    operations: readonly string[],
    perform: () => WireAnswer,
    about: { readonly action?: Action; readonly params?: JsonObject } = {},
  ): Intent {
    const params = about.params ?? {}
    const refuse = (refusal: VendorRefusal): WireAnswer => refused(refusal, about.action, params)
    return {
      operations,
      params,
      refuse,
      perform() {
        try {
          return perform()
        } catch (error) {
          if (error instanceof VendorRefusal) return refuse(error)
          throw error
        }
      },
    }
  }

  function admit(request: WireRequest): Caller {
    const waitSeconds = options.limiter()
    if (waitSeconds !== null) {
      const headers = { 'retry-after': String(waitSeconds) }
      throw new VendorRefusal('rate_limited', 'Too many requests', { headers })
    }
    const caller = check.callerOf(request)
    if (caller === null) {
      throw new VendorRefusal('unauthorized', unauthorizedMessage(check, request))
    }
    return caller
  }

  function actionIntent(matches: readonly RouteMatch[], request: WireRequest): Intent {
    const calls = matches.map((match) => prepare(options, understand(match, request), request))
    const [best, ...others] = likeliestFirst(calls)
    if (best === undefined) return unknownIntent(request, false)
    const { route, problems, params } = best.understood
    const alike = others.filter(({ understood }) => understood.problems.length === 0)
    const downloads = alike
      .map(({ understood }) => understood.route.action)
      .filter(({ download }) => download?.url != null)
    return intent(
      [...new Set([best, ...alike].map(({ understood }) => understood.route.operation))],
      () => {
        if (route.step.request.auth === 'same') permit(admit(request), best, alike)
        if (problems.length > 0) {
          throw new VendorRefusal(
            'invalid',
            problems.map(({ field, message }) => `${field} ${message}`).join('; '),
            {
              fields: Object.fromEntries(problems.map(({ field, message }) => [field, message])),
            },
          )
        }
        return performAction({ ...best, downloads })
      },
      { action: route.action, params },
    )
  }

  function fileIntent(request: WireRequest): Intent {
    return intent(['file'], () => {
      // Signed addresses and credentials exclude each other: a client that sends both has leaked them.
      if (check.carriesAny(request)) {
        throw new VendorRefusal('invalid', 'A signed address takes no credentials')
      }
      const file = options.links.open(request.segments, request.query)
      if (typeof file === 'string') {
        throw new VendorRefusal('invalid', `The address is ${file}`, { status: 403 })
      }
      return fileAnswer(file, request.headers, new Date(world.startMs).toUTCString())
    })
  }

  function unknownIntent(request: WireRequest, pathIsKnown: boolean): Intent {
    return intent(['unknown'], () => {
      throw pathIsKnown
        ? new VendorRefusal('unknown_route', `${request.method} is not allowed here`, {
            status: 405,
          })
        : new VendorRefusal(
            'unknown_route',
            `There is nothing at ${request.target.split('?')[0] ?? ''}`,
          )
    })
  }

  return (request) => {
    world.requests++
    if (request.segments[0] === FILES_PATH) return fileIntent(request)
    const beside = side(request)
    const asked = beside?.operation === 'oauth.after_token' ? null : oauth(request)
    if (asked !== null) return intent([asked.operation], () => asked.perform())
    const found = findRoutes(request.method, request.segments)
    if (beside?.operation !== 'route' && found.matches.length > 0) {
      return actionIntent(found.matches, request)
    }
    if (beside === null) return unknownIntent(request, found.pathIsKnown)
    return intent([beside.operation], () => {
      return beside.perform(beside.open ? null : admit(request))
    })
  }
}

/** Throws for what the token of the caller was not issued for. */
function permit({ scopes }: Caller, best: Call, alike: readonly Call[]): void {
  const missing = missingOf(best, scopes)
  const [item] = missing
  if (item === undefined) return
  // Of readings that are as likely as the best one, any will do: no vendor could tell them apart.
  const rank = rankOf(best)
  const others = alike.filter((other) => compareRanks(rank, rankOf(other)) === 0)
  if (others.some((other) => missingOf(other, scopes).length === 0)) return
  throw new VendorRefusal('forbidden', `The token lacks the scope ${missing.join(', ')}`, { item })
}

function missingOf(call: Call, scopes: Caller['scopes']): readonly string[] {
  return missingScopes(neededScopes(call), scopes)
}

const NO_ERROR_BODY: Action['errorBody'] = {
  message: null,
  code: null,
  requestId: null,
  fields: null,
}

/** Readings without problems first; then the most fixed values found, a row that is there, the simpler action. */
function likeliestFirst(calls: readonly Call[]): readonly Call[] {
  return calls
    .map((call) => ({ call, rank: rankOf(call) }))
    .sort((a, b) => compareRanks(b.rank, a.rank))
    .map(({ call }) => call)
}

function rankOf(call: Call): readonly number[] {
  const { problems, constants, route } = call.understood
  return [
    -problems.length,
    constants,
    Number(problems.length === 0 && meansSomething(call)),
    Number(!route.stepped),
  ]
}

function unauthorizedMessage(check: CredentialCheck, request: WireRequest): string {
  return check.carriesAny(request) ? 'The credentials are wrong' : 'Credentials are missing'
}

/** The refusal in the words of the demo data, unless a rule of the demo data has worded it already. */
function word(refusal: VendorRefusal, vendor: VendorOptions, params: JsonObject): VendorRefusal {
  const text = vendor.demo.errors.get(refusal.kind)
  if (refusal.isWorded || text === undefined) return refusal
  const scope: Scope = { params, ...(refusal.item !== null && { record: { item: refusal.item } }) }
  const message = scalarText(text.message?.(contextFor(vendor, scope)))
  return new VendorRefusal(refusal.kind, message ?? refusal.message, {
    status: refusal.status ?? text.status ?? null,
    fields: refusal.fields,
    headers: refusal.headers,
  })
}

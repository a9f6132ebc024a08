// One vendor without its server: a request in, an answer out.
import type { Scope } from '../language/expression/syntax.ts'
import type { JsonObject } from '../language/json/json.ts'
import { isJsonObject, mergeObjects } from '../language/json/members.ts'
import { toolIn } from '../language/manifest/body-forms/forms.ts'
import { isOfGraphql } from '../language/manifest/graphql-failures.ts'
import type { Action } from '../language/manifest/manifest.ts'
import {
  type Call,
  contextFor,
  neededScopes,
  prepare,
  type VendorParts,
} from './answer/vendor-call.ts'
import { meansSomething, performAction } from './answer/perform-action.ts'
import {
  type Caller,
  compileCredentialCheck,
  type CredentialCheck,
} from './auth/check-credentials.ts'
import { missingScopes } from './auth/scopes.ts'
import { compileSideRoutes } from './auth/side-routes.ts'
import { hexDigits } from './data/chance.ts'
import { FILES_PATH } from './files/file-links.ts'
import { answerUpload, UPLOADS_PATH } from './files/upload-sessions.ts'
import { VendorRefusal, writeRefusal } from './wire/refusal.ts'
import { compareRanks, compileRoutes, type FindRoutes, type RouteMatch } from './wire/routes.ts'
import { scalarText } from './wire/same-scalar.ts'
import { calledTool, toolResult } from './wire/tool-wire.ts'
import { compileUnderstanding, type Understand } from './wire/understand.ts'
import { fileAnswer, valueAnswer, type WireAnswer } from './wire/wire-answer.ts'
import type { WireRequest } from './wire/wire-request.ts'

/** What a request is, before anything has happened. */
export interface Intent {
  /**
   * The operations it may belong to, the likeliest first: several actions may send the same request. Other than actions:
   * `oauth.authorize`, `oauth.token`, `oauth.register`, `oauth.after_token`, `revoke`, `webhooks.create`,
   * `webhooks.find`, `webhooks.renew`, `webhooks.delete`, `session`, `check`, `mcp`, `route`, `file`, `upload`, `unknown`.
   */
  readonly operations: readonly string[]
  /** The parameters that could be read back. */
  readonly params: JsonObject
  /** Takes effect and answers; refusals are answers too. */
  perform(): WireAnswer
  /** The vendor's own error body, with no effect. */
  refuse(refusal: VendorRefusal): WireAnswer
}

export class Vendor {
  readonly #options: VendorParts
  readonly #check: CredentialCheck
  readonly #findRoutes: FindRoutes
  readonly #understand: Understand
  readonly #side: ReturnType<typeof compileSideRoutes>
  /** Whether addresses of files may be asked for with credentials, and whether all must be. */
  readonly #fileAuth: { readonly takes: boolean; readonly needs: boolean }
  #answered = 0

  constructor(options: VendorParts) {
    const { manifest, known } = options
    this.#options = options
    this.#check = compileCredentialCheck(options)
    this.#findRoutes = compileRoutes(manifest, known)
    this.#understand = compileUnderstanding(manifest, this.#check.queryNames)
    this.#side = compileSideRoutes(options)
    const linked = manifest.entities.flatMap(({ actions }) =>
      actions.flatMap(({ download }) => (download?.url == null ? [] : [download.auth])),
    )
    const takes = linked.includes('same')
    this.#fileAuth = { takes, needs: takes && !linked.includes('none') }
  }

  intentOf(request: WireRequest): Intent {
    this.#options.world.requests++
    if (request.segments[0] === FILES_PATH)
      return this.#intent(['file'], () => this.#answerFile(request))
    if (request.segments[0] === UPLOADS_PATH)
      return this.#intent(['upload'], () => this.#answerUpload(request))
    const side = this.#side(request)
    const found = this.#findRoutes(request.method, request.segments)
    const isFirst = side?.isFirst === 'literal' ? !found.isLiteral : side?.isFirst === true
    if (!isFirst && found.matches.length > 0) return this.#actionIntent(found.matches, request)
    if (side === null)
      return this.#intent(['unknown'], () => refuseUnknown(request, found.pathIsKnown))
    return this.#intent([side.operation], () =>
      side.answer(request, side.open ? null : this.#admit(request)),
    )
  }

  #intent(
    operations: readonly string[],
    perform: () => WireAnswer,
    { action, params = {} }: { readonly action?: Action; readonly params?: JsonObject } = {},
  ): Intent {
    const refuse = (refusal: VendorRefusal): WireAnswer => this.#refused(refusal, action, params)
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

  #refused(refusal: VendorRefusal, action: Action | undefined, params: JsonObject): WireAnswer {
    const { demo, manifest, world } = this.#options
    const requestId = hexDigits(world.chance, `request/${++this.#answered}`, 20)
    const about = action ?? manifest.entities[0]?.actions[0]
    const { status, headers, body } = writeRefusal(word(refusal, this.#options, params), {
      errorBody: about?.errorBody ?? NO_ERROR_BODY,
      rules:
        about?.steps.flatMap(({ errors }) => errors.filter((rule) => !isOfGraphql(rule))) ?? [],
      requestId,
    })
    const envelope = demo.error_envelope?.(contextFor(this.#options, { params }))
    const whole = isJsonObject(envelope) && isJsonObject(body) ? mergeObjects(envelope, body) : body
    return valueAnswer(status, whole, headers)
  }

  #admit(request: WireRequest): Caller {
    const waitSeconds = this.#options.limiter()
    if (waitSeconds !== null) {
      const headers = { 'retry-after': String(waitSeconds) }
      throw new VendorRefusal('rate_limited', 'Too many requests', { headers })
    }
    const caller = this.#check.callerOf(request)
    if (caller !== null) return caller
    const isGiven = this.#check.carriesAny(request)
    const message = isGiven ? 'The credentials are wrong' : 'Credentials are missing'
    throw new VendorRefusal('unauthorized', message)
  }

  #actionIntent(matches: readonly RouteMatch[], request: WireRequest): Intent {
    const calls = ofCalledTool(matches, request).map((match) =>
      prepare(this.#options, this.#understand(match, request), request),
    )
    // There is a call for each of the matches.
    const [best, ...others] = likeliestFirst(calls) as readonly [Call, ...Call[]]
    const { route, problems, params } = best.understood
    const alike = others.filter(({ understood }) => understood.problems.length === 0)
    const downloads = alike
      .map(({ understood }) => understood.route.action)
      .filter(({ download }) => download?.url != null)
    const intent = this.#intent(
      [...new Set([best, ...alike].map(({ understood }) => understood.route.operation))],
      () => {
        if (route.step.request.auth === 'same') permit(this.#admit(request), best, alike)
        if (problems.length === 0) return performAction({ ...best, downloads })
        throw new VendorRefusal(
          'invalid',
          problems.map(({ field, message }) => `${field} ${message}`).join('; '),
          { fields: Object.fromEntries(problems.map(({ field, message }) => [field, message])) },
        )
      },
      { action: route.action, params },
    )
    return toolIn(route.step.request.body) === null
      ? intent
      : asTool(intent, request, route.action.response.decode)
  }

  #answerUpload(request: WireRequest): WireAnswer {
    const { uploads, known } = this.#options
    const session = uploads.of(request)
    if (session === null)
      throw new VendorRefusal('unknown_route', 'There is no such address for a file')
    if (session.upload.auth === 'same') this.#admit(request)
    else if (this.#check.carriesAny(request))
      throw new VendorRefusal('invalid', 'The address of a file takes no credentials')
    return answerUpload(session, request, known)
  }

  #answerFile(request: WireRequest): WireAnswer {
    const { segments, query, headers } = request
    // Signed addresses and credentials exclude each other, unless the manifest says otherwise: who sends both has leaked them.
    const { takes, needs } = this.#fileAuth
    if (needs) this.#admit(request)
    else if (!takes && this.#check.carriesAny(request))
      throw new VendorRefusal('invalid', 'A signed address takes no credentials', { status: 400 })
    const file = this.#options.links.open(segments, query)
    if (typeof file === 'string')
      throw new VendorRefusal('invalid', `The address is ${file}`, { status: 403 })
    return fileAnswer(file, headers, new Date(this.#options.world.startMs).toUTCString())
  }
}

/** Of actions that call tools at one address, those of the tool that is called. */
function ofCalledTool(matches: readonly RouteMatch[], request: WireRequest): readonly RouteMatch[] {
  const tool = calledTool(request)
  const calling = matches.filter(({ route }) => toolIn(route.step.request.body) === tool)
  return calling.length === 0 ? matches : calling
}

/** An intent whose answers are results of a tool. */
function asTool(
  intent: Intent,
  request: WireRequest,
  decode: Action['response']['decode'],
): Intent {
  return {
    ...intent,
    perform: () => toolResult(request, intent.perform(), decode),
    refuse: (refusal) => toolResult(request, intent.refuse(refusal), decode),
  }
}

function refuseUnknown({ method, target }: WireRequest, pathIsKnown: boolean): never {
  if (pathIsKnown)
    throw new VendorRefusal('unknown_route', `${method} is not allowed here`, { status: 405 })
  throw new VendorRefusal('unknown_route', `There is nothing at ${target.split('?')[0] ?? ''}`)
}

/** Throws for what the token of the caller was not issued for. */
function permit(caller: Caller, best: Call, alike: readonly Call[]): void {
  const missing = missingOf(best, caller)
  const [item] = missing
  if (item === undefined) return
  // Of readings that are as likely as the best one, any will do: no vendor could tell them apart.
  const rank = rankOf(best)
  const others = alike.filter((other) => compareRanks(rank, rankOf(other)) === 0)
  if (others.some((other) => missingOf(other, caller).length === 0)) return
  throw new VendorRefusal('forbidden', `The token lacks the scope ${missing.join(', ')}`, { item })
}

function missingOf(call: Call, caller: Caller): readonly string[] {
  return missingScopes(neededScopes(call), caller)
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

/** The refusal in the words of the demo data, unless a rule of the demo data has worded it already. */
function word(refusal: VendorRefusal, vendor: VendorParts, params: JsonObject): VendorRefusal {
  const { kind, details } = refusal
  const { status, isWorded, item, fields, headers } = details
  const text = vendor.demo.errors[kind]
  if (isWorded || text === undefined) return refusal
  const scope: Scope = { params, ...(item !== null && { record: { item } }) }
  const message = scalarText(text.message?.(contextFor(vendor, scope)))
  return new VendorRefusal(kind, message ?? refusal.message, {
    status: status ?? text.status ?? null,
    fields,
    headers,
  })
}

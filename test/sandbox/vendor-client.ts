// A plain caller of a sandbox: requests rendered from the manifest, sent as they are, answers read as JSON.
import { compileApply } from '../../src/engine/credentials/apply.ts'
import { compileExpression, isTrue } from '../../src/language/expression/evaluate.ts'
import type { Scope } from '../../src/language/expression/syntax.ts'
import type { Json, JsonObject } from '../../src/language/json/json.ts'
import { own } from '../../src/language/json/own.ts'
import { parseJson } from '../../src/language/json/parse-json.ts'
import { carriedBy } from '../../src/language/manifest/credential-places/places.ts'
import type { Action, AuthMethod, Manifest } from '../../src/language/manifest/manifest.ts'
import { compilePlan } from '../../src/engine/plan/plan.ts'
import { createServerResolver } from '../../src/engine/request/base-url.ts'
import { compileRequest } from '../../src/engine/request/build.ts'
import type { AppliedCredentials } from '../../src/engine/request/build.ts'
import { compileTests } from '../../src/engine/response/answer-tests.ts'
import type { UpstreamRequest } from '../../src/engine/request/upstream-request.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { textOf } from '../../src/sandbox/wire/same-scalar.ts'
import { bytesIn } from '../fixtures/sent-bytes.ts'

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Json | undefined
  readonly url: string
}

export interface VendorClient {
  /** The replies to all requests of an action whose conditions hold, in order. */
  call(operation: string, params?: JsonObject): Promise<readonly Reply[]>
  /** The same with credentials of one's own, or none. */
  callWith(
    credentials: AppliedCredentials | null,
    operation: string,
    params?: JsonObject,
  ): Promise<readonly Reply[]>
  send(method: string, path: string, body?: Json): Promise<Reply>
}

export function createVendorClient(
  manifest: Manifest,
  vendor: Sandbox,
  method = manifest.auth[0],
): VendorClient {
  if (method === undefined) throw new TypeError('no authentication method')
  const { credentials, config, serverUrl } = vendor.options(method.name)
  const applied = apply(method, { credentials, config, maps: manifest.maps })
  const base = createServerResolver(manifest, method, serverUrl)({ config })

  async function callWith(
    authority: AppliedCredentials | null,
    operation: string,
    given: JsonObject = {},
  ): Promise<readonly Reply[]> {
    const action = findAction(manifest, operation)
    const { pagination } = action
    const next = pagination.type === 'link' ? own(given, pagination.param.join('.')) : undefined
    const params = compilePlan(manifest, action)(given, config)
    const replies: Reply[] = []
    const steps: Record<string, Json> = {}
    for (const step of action.steps) {
      const scope: Scope = {
        params,
        config,
        maps: manifest.maps,
        steps,
        record_fields: recordFields(manifest, action),
      }
      if (step.test !== null && !isTrue(compileExpression(step.test)(scope))) continue
      const build = compileRequest(step.request, manifest, {
        decode: action.response.decode,
        serverUrl,
      })
      let reply: Reply
      do {
        const request = build(scope, { base, credentials: authority })
        reply = await sendRequest(typeof next === 'string' ? { ...request, url: next } : request)
      } while (step.poll !== null && reply.status === 200 && !compileTests(step.poll.until)(reply))
      replies.push(reply)
      steps[step.name] = { status: reply.status, body: reply.body ?? null }
      if (reply.status >= 300) break
    }
    return replies
  }

  return {
    callWith,
    call: (operation, params) => callWith(applied, operation, params),
    send: (verb, path, body) =>
      sendRequest({
        method: verb,
        url: `${serverUrl}${path}`,
        headers: {
          ...applied.headers,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body: body === undefined ? null : JSON.stringify(body),
        redirects: 0,
        timeoutMs: 5_000,
        secretHeaders: [],
        secretQuery: [],
      }),
  }
}

export function findAction(manifest: Manifest, operation: string): Action {
  const [entity, name] = operation.split('.')
  const action = manifest.entities
    .find((candidate) => candidate.name === entity)
    ?.actions.find((candidate) => candidate.name === name)
  if (action === undefined) throw new TypeError(`no operation ${operation}`)
  return action
}

function recordFields(manifest: Manifest, action: Action): readonly string[] {
  return manifest.entities.find(({ name }) => name === action.entity)?.recordFields ?? []
}

export function apply(method: AuthMethod, scope: Scope): AppliedCredentials {
  return compileApply(carriedBy(method.apply))(scope)
}

/** The Authorization header for two members of the demo credentials. */
export function basicAuthorization(vendor: Sandbox, user: string, password: string): string {
  const { credentials } = vendor.options()
  const pair = `${textOf(credentials[user])}:${textOf(credentials[password])}`
  return `Basic ${Buffer.from(pair).toString('base64')}`
}

async function sendRequest(request: UpstreamRequest): Promise<Reply> {
  const response = await fetch(request.url, {
    method: request.method,
    headers: request.headers,
    // The manifests here send text; bytes would need a view of their own.
    body: request.body === null ? null : bytesIn(request.body).toString('utf8'),
    redirect: 'manual',
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') === true
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: text === '' ? undefined : isJson ? parseJson(text) : text,
    url: request.url,
  }
}

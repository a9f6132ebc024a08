// What clients are: the entities of a connector as members, and a few members of their own.
import type { Giving } from '../language/manifest/actions.ts'
import type { EntityDescription } from '../language/manifest/describe.ts'
import type { CallTerms } from '../engine/engine.ts'
import type { CheckResult } from '../engine/run/check.ts'
import type { PreviewedRequest } from '../engine/run/preview.ts'
import type { Download } from './download.ts'
import type { OptionNames } from './known-options.ts'
import type { OwnAnswer, OwnRequest } from './own-request.ts'
import type { PageCall, Result } from './page-call.ts'

export type { OwnAnswer, OwnRequest } from './own-request.ts'
export type { ActionDescription, EntityDescription } from '../language/manifest/describe.ts'

/** Options of one call. */
export interface CallOptions extends CallTerms {
  /** Appears in errors and logs; never sent to the third party. */
  readonly requestId?: string | undefined
}

/** Their names, for `requireKnown`. */
export const CALL_OPTIONS: OptionNames<CallOptions> = {
  signal: true,
  timeoutMs: true,
  retries: true,
  idempotencyKey: true,
  onProgress: true,
  requestId: true,
}

/** Options of a request of your own. `idempotencyKey`: for vendors with a header for it; then a write may be repeated. */
export type RequestOptions = Omit<CallOptions, 'onProgress'>

/** What a call gives depends on the action: a listing, a file, or one answer. */
export type Answer = PageCall | Promise<Download> | Promise<Result>

/** Calls one action. */
export type ActionCall = (params?: object, options?: CallOptions) => Answer

/**
 * The members every client has. Its entities are further members (`client.issues.get(params, options)`); their types come
 * from the generated file of a connector, without it `execute` is the way.
 */
export interface Client extends AsyncDisposable {
  /** Calls an action by name: the same as `client.entity.action(params, options)`. */
  execute(entity: string, action: Giving<'list'>, params?: object, options?: CallOptions): PageCall
  execute(
    entity: string,
    action: Giving<'stream'>,
    params?: object,
    options?: CallOptions,
  ): Promise<Download>
  execute(
    entity: string,
    action: Giving<'record' | 'nothing'>,
    params?: object,
    options?: CallOptions,
  ): Promise<Result>
  execute(entity: string, action: string, params?: object, options?: CallOptions): Answer
  /**
   * Sends a request of your own making with the credentials of this client, for what the connector has no action for.
   * Whatever the third party answers is the answer, also an error of its. docs/host-apps.md, "Send your own request".
   */
  request(request: OwnRequest, options?: RequestOptions): Promise<OwnAnswer>
  /** Validates and builds everything, sends nothing. Secrets are masked in every form. */
  preview(
    entity: string,
    action: string,
    params?: object,
  ): Promise<{ readonly requests: readonly PreviewedRequest[] }>
  /** Entities, actions and JSON Schemas; one entity when named. */
  describe(entity?: string): readonly EntityDescription[]
  /** Runs the manifest's check: do the credentials work? */
  check(options?: CallOptions): Promise<CheckResult>
  /** Ends calls under way and closes connections. */
  close(): Promise<void>
}

/** What a call on a closed client is told. */
export const CLIENT_CLOSED =
  'this client was closed (`close()`, or the end of an `await using` block)'

/** What `await using` needs of a client, where the language has it. */
export function disposable(close: () => Promise<void>): AsyncDisposable {
  // Not every browser has the symbol.
  const { asyncDispose } = Symbol as { readonly asyncDispose?: typeof Symbol.asyncDispose }
  return (asyncDispose === undefined ? {} : { [asyncDispose]: close }) as AsyncDisposable
}

/** The client with a member for each entity, with a function for each of its actions. */
export function withEntities(
  client: Client,
  entities: Iterable<readonly [entity: string, actions: Iterable<string>]>,
): Client {
  for (const [entity, actions] of entities) {
    const members: Record<string, ActionCall> = {}
    for (const action of actions)
      members[action] = (params, call) => client.execute(entity, action, params, call)
    // The lint keeps the names of entities from meeting the client's own.
    Object.defineProperty(client, entity, { value: Object.freeze(members), enumerable: true })
  }
  return client
}

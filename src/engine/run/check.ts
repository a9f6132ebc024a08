// Does the connection work? The manifest names the call that proves it.
import { type ConnectorError, refusesCredentials } from '../../errors.ts'
import { compileTemplate } from '../../language/expression/evaluate.ts'
import type { Path } from '../../language/expression/syntax.ts'
import type { JsonObject } from '../../language/json/json.ts'
import { isJsonObject } from '../../language/json/members.ts'
import type { Action, Check, JsonSchema, Manifest } from '../../language/manifest/manifest.ts'
import { type CompiledAction, compileAction } from './compiled-action.ts'

/** The request of a check takes nothing from a caller. */
const NO_PARAMS: JsonSchema = { type: 'object', properties: {}, additionalProperties: false }

/** What a check found. */
export interface CheckResult {
  /** `refused`: the credentials do not work, or may not do this. `inconclusive`: the third party could not be asked. */
  readonly result: 'ok' | 'refused' | 'inconclusive'
  readonly tookMs: number
  /** Why not; null when all is well. */
  readonly error: ConnectorError | null
}

/** The operation of a check and its params, which may depend on settings and the time. */
export interface CompiledCheck {
  readonly compiled: CompiledAction
  readonly params: (config: JsonObject, now: () => number) => JsonObject
}

/** Compiles the manifest's check; null where it has none. */
export function compileCheck(
  manifest: Manifest,
  serverUrl: string | null,
  find: (entity: string, action: string) => CompiledAction,
): CompiledCheck | null {
  const { check } = manifest
  if (check === null) return null
  if (check.kind === 'request')
    return { compiled: compileRequestOf(manifest, check, serverUrl), params: () => ({}) }
  const params = compileTemplate(check.params)
  return {
    compiled: find(check.entity, check.action),
    params: (config, now) => {
      const value = params({ config, maps: manifest.maps, now })
      return isJsonObject(value) ? value : {}
    },
  }
}

/** What a failed check says about the credentials. */
export function resultOf(error: ConnectorError): CheckResult['result'] {
  return refusesCredentials(error.code) ? 'refused' : 'inconclusive'
}

const WHOLE: Path = { root: 'body', steps: [], source: '$' }

/** An endpoint that is no action, compiled as one: its answer only has to be a success, and no web page. */
function compileRequestOf(
  manifest: Manifest,
  check: Extract<Check, { readonly kind: 'request' }>,
  serverUrl: string | null,
): CompiledAction {
  const action: Action = {
    entity: 'connection',
    name: 'get',
    summary: null,
    description: null,
    deprecated: false,
    scopes: [],
    params: {
      schema: NO_PARAMS,
      aliases: [],
      defaults: [],
      secrets: [],
      deprecated: [],
    },
    refuse: [],
    unsent: {},
    steps: [
      {
        name: 'check',
        test: null,
        request: check.request,
        poll: null,
        errors: check.errors,
        retry: check.retry,
      },
    ],
    response: {
      decode: 'json',
      kind: 'record',
      at: WHOLE,
      page: null,
      single: false,
      missing: 'fail',
      where: [],
      keep: null,
      set: [],
      drop: [],
      casts: [],
    },
    result: null,
    pagination: { type: 'none', reason: 'a check is one call', meta: [], emptyMeta: [] },
    retry: check.retry,
    errorBody: check.errorBody,
    download: null,
    touches: null,
    untested: null,
  }
  return compileAction(manifest, { recordFields: [] }, action, serverUrl)
}

// One operation of a manifest that is being worked on, on an account: rights, the question before a change, the engine, logs and
// audit log. The credentials go where the manifest that serves the account sends them, and nowhere else.
import { ConnectorError } from '../errors.ts'
import type { Engine } from '../engine/engine.ts'
import type { Transport } from '../engine/exchange/transport.ts'
import { isReading } from '../engine/run/reading-methods.ts'
import { ExchangeRecorder } from '../engine/run/recorded-exchanges.ts'
import { canonicalJson } from '../language/json/canonical-json.ts'
import type { Json, JsonObject } from '../language/json/json.ts'
import { gives } from '../language/manifest/actions.ts'
import { changesData } from '../language/manifest/changes-data.ts'
import type { Action, Manifest } from '../language/manifest/manifest.ts'
import type { InstanceRow } from './store/instances.ts'
import { type AuditedRunPorts, runAudited } from './audited-run.ts'
import type { ServiceBase } from './base.ts'
import { bodyText } from './body-text.ts'
import type { Connections } from './instances/connections.ts'
import { requireUsable } from './instances/states.ts'
import { json, type ServiceReply, type ServiceRequest } from './route.ts'
import { requireAction } from './tokens/principal.ts'

export interface DraftRunPorts extends AuditedRunPorts, Pick<ServiceBase, 'rows'> {
  readonly connections: Pick<Connections, 'of'>
}

export interface DraftRun {
  readonly operation: {
    readonly entity: string
    readonly action: string
    readonly params: JsonObject | null
  }
  /** The draft, with nothing but the operation and those that it calls. */
  readonly read: () => Promise<Manifest>
}

/** As long as a run in the sandbox. */
const RUN_MS = 10_000

/**
 * Runs it, and answers with the records and with what was said to the third party and by it.
 *
 * What it comes to says nothing of the account: its rules are a draft's. Nor does what it writes go into a copy.
 *
 * Throws `request_malformed` where the draft has another server or other ways to authenticate than what serves the account, and
 * with the pointer `/confirmed` for what may change something and was not confirmed; `destination_refused` where it leads to
 * another host.
 */
export async function runDraft(
  ports: DraftRunPorts,
  request: ServiceRequest,
  { operation, read }: DraftRun,
): Promise<ServiceReply> {
  const { clock, rows, connections } = ports
  const { principal, body } = request
  const startedAt = clock.monotonic()
  const { entity, action, params } = operation
  const row = await rows.get(principal, bodyText(body, 'connector_id'))
  noteDraft(request, row, operation)
  request.about(row)
  requireAction(principal, entity, action)
  const draft = await read()
  requireUsable(row)
  const connection = await connections.of(row)
  request.say(params ?? {}, connection.keeper)
  const manifest = asServed(draft, connection.manifest)
  const isWrite = manifest.entities.some(({ actions }) => actions.some(mayChange))
  if (isWrite && body['confirmed'] !== true) throw unconfirmed(row.name)
  const name = `${entity}.${action}`
  return await runAudited(ports, request, {
    row,
    action: 'execute.draft',
    target: name,
    operation: `draft ${name}`,
    isWrite,
    endsAtMs: startedAt + RUN_MS,
    async work(settings) {
      const recorder = new ExchangeRecorder()
      const engine = connection.draftEngine(manifest, (transport) => recorder.around(transport))
      const { data, meta, requests } = await answerOf(engine, operation, settings)
      request.note({ upstream_requests: requests })
      const exchanges = recorder.shown(connection.keeper)
      return { value: json(200, { answer: { data, meta }, exchanges }), outcome: 'done' }
    },
  })
}

/**
 * What it would send for the account: to its server, with its settings, secrets masked. Nothing is sent, and nothing renewed.
 * `example` gives parameters where there are none. Throws what a run throws before anything leaves.
 */
export async function previewDraft(
  { rows, connections }: Pick<DraftRunPorts, 'rows' | 'connections'>,
  request: ServiceRequest,
  run: DraftRun & { readonly example: () => Promise<JsonObject> },
): Promise<ServiceReply> {
  const { operation, read, example } = run
  const { entity, action } = operation
  const row = await rows.get(request.principal, bodyText(request.body, 'connector_id'))
  noteDraft(request, row, operation)
  requireAction(request.principal, entity, action)
  const draft = await read()
  requireUsable(row)
  const connection = await connections.of(row)
  const manifest = asServed(draft, connection.manifest)
  const params = operation.params ?? (await example())
  const requests = await connection
    .draftEngine(manifest, () => SILENT)
    .preview({ entity, action, params })
  return json(200, { params, requests: requests.map(({ curl, after }) => ({ curl, after })) })
}

/** A preview sends nothing. */
const SILENT: Transport = {
  send: () => Promise.reject(new TypeError('a preview sends nothing')),
  stream: () => Promise.reject(new TypeError('a preview sends nothing')),
  close: () => Promise.resolve(),
}

function noteDraft(
  request: ServiceRequest,
  row: InstanceRow,
  { entity, action }: DraftRun['operation'],
): void {
  const { id: connector_id, connectorType: connector_type } = row
  request.note({ connector_id, connector_type, entity, action, draft: true })
}

async function answerOf(
  engine: Engine,
  { entity, action, params }: DraftRun['operation'],
  settings: Parameters<Engine['execute']>[1],
): Promise<{ readonly data: Json; readonly meta: JsonObject; readonly requests: number }> {
  const wanted = { entity, action, params: params ?? {} }
  if (!gives(action, 'stream')) {
    const { envelope, requests } = await engine.execute(wanted, settings)
    return { data: envelope.data, meta: envelope.meta, requests }
  }
  const { headers, body, requests } = await engine.download(wanted, settings)
  body.destroy()
  return { data: null, meta: { content_type: headers['content-type'] ?? null }, requests }
}

/** By any of its methods: what a draft says of itself is not believed. */
function mayChange(action: Action): boolean {
  return changesData(action) || action.steps.some(({ request }) => !isReading(request.method))
}

/**
 * The draft with the server and the authentication of the manifest that serves. Expressions reach credentials under `auth`
 * alone, and the hosts that may see them are those of the server: so the draft can neither place them nor send them anywhere.
 */
function asServed(draft: Manifest, served: Manifest): Manifest {
  if (draft.type !== served.type)
    throw refused(`this is a manifest of ${draft.type}, and the account is one of ${served.type}`)
  const { headers: _own, ...place } = draft.server
  const { headers: _headers, ...servedPlace } = served.server
  const changed = [
    ...(isSame(place, servedPlace) ? [] : ['server']),
    ...(isSame(draft.auth, served.auth) ? [] : ['auth']),
  ]
  if (changed.length > 0)
    throw refused(
      `the draft changes ${changed.join(' and ')}, which says where the credentials of accounts go: on an account it runs with the ${changed.join(' and ')} of the served version ${served.version} alone; undo that, try it in the sandbox, or publish it first`,
    )
  const { hosts } = served.server
  const known = new Set([...originsIn(served), ...(hosts === 'any' ? [] : hosts.map(originOf))])
  const foreign = originsIn(draft).find((origin) => !known.has(origin))
  if (foreign !== undefined)
    throw new ConnectorError(
      'destination_refused',
      `the draft sends a request to ${foreign}, where the served version ${served.version} sends none; nothing was sent`,
    )
  return { ...draft, server: { ...draft.server, ...servedPlace }, auth: served.auth }
}

function originOf(host: string): string {
  return `https://${host}`
}

/** Of requests that do not go to the server's. */
function originsIn({ entities }: Manifest): readonly string[] {
  return entities.flatMap(({ actions }) =>
    actions.flatMap(({ steps }) => steps.flatMap(({ request }) => request.origin ?? [])),
  )
}

function isSame(one: unknown, other: unknown): boolean {
  // Parts of a compiled manifest are JSON.
  return canonicalJson(one as Json) === canonicalJson(other as Json)
}

function refused(detail: string): ConnectorError {
  return new ConnectorError('request_malformed', detail, {
    errors: [{ pointer: '/text', code: 'draft', detail }],
  })
}

function unconfirmed(account: string): ConnectorError {
  const detail = `it may change data of ${account} at the third party; confirm that to run it`
  return new ConnectorError('request_malformed', detail, {
    errors: [{ pointer: '/confirmed', code: 'required', detail }],
  })
}

// One operation on one instance: rights, state, place in the queue, the engine, and what the outcome says about the state.
import { ConnectorError, isConnectorError } from '../errors.ts'
import type { CallSettings, Relayed } from '../engine/engine.ts'
import { isOwnSearch } from './console/own-searches.ts'
import { bodyText } from './body-text.ts'
import { own } from '../language/json/own.ts'
import type { AuditAction } from '../display/audit-actions.ts'
import type { Json, JsonObject } from '../language/json/json.ts'
import { isJsonObject, ownAt } from '../language/json/members.ts'
import { pointerTo } from '../language/json/pointer.ts'
import { gives, kindOf } from '../language/manifest/actions.ts'
import { changesData } from '../language/manifest/changes-data.ts'
import type { Action } from '../language/manifest/manifest.ts'
import { describeEnd, UNSAID_END } from '../engine/response/describe-end.ts'
import type { UnsaidEnd } from '../engine/response/page-end.ts'
import type { FileStream } from '../engine/run/download.ts'
import type { AuditEntry } from './store/audit.ts'
import type { InstanceRow } from './store/instances.ts'
import { uuidv7 } from './store/uuid.ts'
import { ACTION_ALIASES, dialectOf, type ExecutionShown } from './dialects.ts'
import { auditOf } from './audit.ts'
import type { ServiceBase } from './base.ts'
import { downloadReply, withRangeHeader } from './downloads.ts'
import { type IdempotencyPorts, runOnce } from './idempotency.ts'
import type { Connection, Connections } from './instances/connections.ts'
import type { States } from './instances/states.ts'
import { requireEnabled, requireUsable } from './instances/states.ts'
import { instanceIdIn, type ServiceReply, type ServiceRequest } from './route.ts'
import type { OwnWrites } from './sync/own-writes.ts'
import type { SearchCopies } from './sync/search-copies.ts'
import { requireAction } from './tokens/principal.ts'

export interface ExecutePorts
  extends IdempotencyPorts, Pick<ServiceBase, 'clock' | 'rows' | 'gate' | 'streams' | 'tracing'> {
  readonly states: States
  readonly connections: Connections
  readonly search: SearchCopies
  readonly ownWrites: OwnWrites
  /** Told of every operation, for the metrics. */
  readonly observe: (operation: ObservedOperation) => void
}

export interface ObservedOperation {
  readonly connectorType: string
  readonly entity: string
  readonly action: string
  /** null: it succeeded. */
  readonly code: string | null
  readonly tookMs: number
  readonly upstreamRequests: number
}

interface Asked {
  readonly request: ServiceRequest
  readonly row: InstanceRow
  readonly connection: Connection
  readonly entity: string
  readonly action: string
  /** In monotonic milliseconds. */
  readonly startedAt: number
}

/** One that goes to the third party. */
interface Execution extends Asked {
  readonly params: JsonObject
  readonly files: ServiceRequest['files']['given']
  /** The action as the manifest describes it. */
  readonly described: Action
  /** What its event in the audit log is opened under; null: a reading operation. */
  auditId: string | null
}

/** What the body of a request asks for, told to its log. Throws `scope_denied`. */
export function readOperation(
  request: ServiceRequest,
  row: InstanceRow,
): Required<Pick<Execution, 'entity' | 'action' | 'params'>> {
  const entity = bodyText(request.body, 'entity')
  const asked = bodyText(request.body, 'action')
  const action = Object.hasOwn(ACTION_ALIASES, asked) ? (ACTION_ALIASES[asked] ?? asked) : asked
  request.note({ connector_id: row.id, connector_type: row.connectorType, entity, action })
  requireAction(request.principal, entity, action)
  const params = own(request.body, 'params')
  return { entity, action, params: isJsonObject(params) ? params : {} }
}

/** Runs the body of an execute request. Source: docs/reference/api.md, "Run an operation". */
export async function execute(ports: ExecutePorts, request: ServiceRequest): Promise<ServiceReply> {
  const startedAt = ports.clock.monotonic()
  const { principal } = request
  const id = instanceIdIn(request)
  const row = ports.rows.known(principal, id) ?? (await ports.rows.get(principal, id))
  request.about(row)
  const { entity, action, params: given } = readOperation(request, row)
  const connection = ports.connections.known(row) ?? (await ports.connections.of(row))
  request.say(given, connection.keeper)
  if (isSearch(connection, entity, action)) {
    requireEnabled(row)
    if (isOwnSearch(request, given)) request.note({ console_own: true })
    return await searchReply(ports, { request, row, connection, entity, action, startedAt }, given)
  }
  const { action: described } = connection.engine.find(entity, action)
  requireUsable(row)
  const asMeant = dialectOf(principal).params(described, given)
  const params = withRangeHeader(described, asMeant, request.header('range'))
  const isWrite = changesData(described)
  const auditId = isWrite ? uuidv7(ports.clock.now()) : null
  const execution: Execution = {
    request,
    row,
    connection,
    entity,
    action,
    params,
    files: request.files.given,
    described,
    startedAt,
    auditId,
  }
  const key = request.header('idempotency-key')
  // The bytes of a file are not kept for a key.
  if (!isWrite || gives(action, 'stream') || key === undefined)
    return await runInPlace(ports, execution, undefined)
  const { requestId } = request
  const body = keyedBody(request)
  const { organizationId } = principal
  return await runOnce(
    ports,
    { organizationId, instanceId: row.id, route: 'execute', key, body, requestId },
    (sending) => runInPlace(ports, execution, { key, sending }),
  )
}

/**
 * What a key stands for: the body and what is known of its files. Their bytes come once, and cannot be compared with those of
 * another request: their digests are. Throws `request_malformed` where one is missing.
 */
function keyedBody({ body, files: { given, described } }: ServiceRequest): JsonObject {
  const names = Object.keys(given)
  if (names.length === 0) return body
  const lacking = names.filter((name) => {
    const facts = own(described, name)
    return !isJsonObject(facts) || facts['sha256'] === undefined
  })
  if (lacking.length === 0) return { ...body, files: described }
  const errors = lacking.map((name) => ({
    pointer: pointerTo('/files', [name, 'sha256']),
    code: 'required',
    detail: 'an Idempotency-Key needs the sha256 of each file; give it, or send no key',
  }))
  throw new ConnectorError('request_malformed', errors[0]?.detail ?? '', { errors })
}

/** Runs an operation when the gate has a place for it. */
async function runInPlace(
  ports: ExecutePorts,
  execution: Execution,
  idempotent: { readonly key: string; readonly sending: () => Promise<void> } | undefined,
): Promise<ServiceReply> {
  const { request, connection, row, action, auditId } = execution
  const isWrite = auditId !== null
  const isFile = gives(action, 'stream')
  const deadline = execution.startedAt + request.timeoutMs
  const left = (): number => Math.max(1, deadline - ports.clock.monotonic())
  const leave =
    ports.gate.take(row.organizationId) ??
    (await ports.gate.enter(row.organizationId, left(), request.signal))
  let leaveStreams: (() => void) | null = null
  let requests = 0
  try {
    if (Object.keys(execution.files).length > 0)
      leaveStreams = ports.streams.enter(connection, row.organizationId)
    // A store that cannot be written refuses a write here, before anything leaves. The key is marked last: what is marked
    // stays uncertain where nothing more can be stored.
    if (isWrite)
      execution.auditId = await ports.store.audit.open(auditId, entryOf(execution, 'uncertain'))
    await idempotent?.sending()
    if (isFile) ports.records.admit()
    const settings = {
      // A write goes on when its caller has left: stopping it would only make its outcome unknown.
      ...(isWrite ? {} : { signal: request.signal }),
      timeoutMs: left(),
      observer: request.observer,
      ...(idempotent === undefined ? {} : { idempotencyKey: idempotent.key }),
    }
    if (isFile) {
      const file = await download(ports, execution, settings)
      requests = file.requests
      return withLifecycle(execution, downloadReply(row, execution.entity, file))
    }
    const answer = await inSpan(ports, execution, () =>
      isWrite ? write(ports, execution, settings) : connection.engine.relay(execution, settings),
    )
    requests = answer.requests
    // Whatever the store says from here on, the operation has succeeded.
    await prove(ports, execution)
    const isRecorded = !isWrite || (await audit(ports, execution, 'done'))
    return withLifecycle(
      execution,
      envelopeReply(ports, execution, answer, isRecorded ? [] : [NOT_RECORDED]),
    )
  } catch (error) {
    if (isConnectorError(error)) {
      const facts = factsOf(execution)
      await ports.records.attempt(facts, () =>
        ports.states.failed(row, connection, error, execution.request.requestId),
      )
      if (isWrite || isFile) await audit(ports, execution, cameOf(error), appliedBy(error))
      observe(ports, execution, error.code, requests)
    } else if (isWrite) await audit(ports, execution, 'internal_error, uncertain')
    throw error
  } finally {
    leave()
    leaveStreams?.()
    showRates(execution)
    request.note({ upstream_requests: requests })
  }
}

/** A file, which holds a place among the streams until its last byte. */
async function download(
  ports: ExecutePorts,
  execution: Execution,
  settings: CallSettings,
): Promise<FileStream> {
  const { connection, row } = execution
  const leaveStream = ports.streams.enter(connection, row.organizationId)
  try {
    const file = await inSpan(ports, execution, () =>
      connection.engine.download(execution, settings),
    )
    file.body.once('close', leaveStream)
    await Promise.all([prove(ports, execution), audit(ports, execution, 'done')])
    return file
  } catch (error) {
    leaveStream()
    throw error
  }
}

/** A success ends doubts about the instance. */
async function prove({ states, records }: ExecutePorts, execution: Execution): Promise<void> {
  const { row, request } = execution
  const facts = factsOf(execution)
  if (states.isDoubted(row))
    await records.attempt(facts, () => states.proved(row, request.requestId))
}

function inSpan<T>(
  { tracing }: ExecutePorts,
  { connection, entity, action, request }: Execution,
  work: () => Promise<T>,
): Promise<T> {
  if (tracing === null) return work()
  const { requestId } = request
  return tracing.operation(connection.manifest, { entity, action, requestId }, work)
}

/** Writes and downloads are remembered: who, which operation, what came of it. False: the audit log gets it later. */
async function audit(
  { store: { audit: log }, records }: ExecutePorts,
  execution: Execution,
  outcome: string,
  members: readonly string[] = [],
): Promise<boolean> {
  const entry = entryOf(execution, outcome, members)
  const { auditId } = execution
  return await records.keep({ ...factsOf(execution), outcome }, () =>
    auditId === null ? log.append(entry) : log.close(auditId, entry),
  )
}

function entryOf(
  { request, row, entity, action }: Execution,
  outcome: string,
  members: readonly string[] = [],
): AuditEntry {
  return auditOf(request.principal, request.requestId, `execute.${action as AuditedName}`, {
    instanceId: row.id,
    target: `${entity}.${action}`,
    outcome,
    members,
  })
}

/** Actions that only read are not told. */
type AuditedName = AuditAction extends infer Each
  ? Each extends `execute.${infer Name}`
    ? Name
    : never
  : never

function factsOf({ request, row, entity, action }: Execution): object {
  return { request_id: request.requestId, connector_id: row.id, operation: `${entity}.${action}` }
}

/** The code of a failure and, unless nothing was done, what became of the change. */
function cameOf({ code, outcome, steps }: ConnectorError): string {
  if (outcome === 'not_applied') return code
  const isKnown = steps !== null && steps.every((step) => step.outcome !== 'uncertain')
  return outcome === 'uncertain' && isKnown ? `${code}, applied in part` : `${code}, ${outcome}`
}

function appliedBy({ steps }: ConnectorError): readonly string[] {
  return (steps ?? []).flatMap(({ name, outcome }) => (outcome === 'applied' ? [name] : []))
}

/** A write, and its way into the copy. Its answer is a value: it may be kept for its key, and the copy looks into it. */
async function write(
  { clock, ownWrites }: ExecutePorts,
  execution: Execution,
  settings: CallSettings,
): Promise<Relayed> {
  const { request, row, connection, described, params } = execution
  const { requestId } = request
  const sentAtMs = clock.now()
  const bringIntoCopy = (data: Json): Promise<void> =>
    ownWrites.applied(row, { action: described, params, data, sentAtMs, requestId })
  try {
    const { envelope, page, requests } = await connection.engine.execute(execution, settings)
    await bringIntoCopy(envelope.data)
    return { ...envelope, unsaidEnd: page.unsaidEnd, requests }
  } catch (error) {
    // What is not there any more leaves the copy as well.
    if (
      kindOf(described.name)?.effect === 'removes' &&
      isConnectorError(error, 'upstream_not_found')
    )
      await bringIntoCopy(null)
    throw error
  }
}

/** Whether the copy answers. Throws `operation_unknown` for an entity that cannot be searched. */
export function isSearch({ engine }: Connection, entity: string, action: string): boolean {
  if (!gives(action, 'hits')) return false
  try {
    engine.find(entity, action)
  } catch (error) {
    if (!isConnectorError(error, 'search_needs_hosted_mode')) throw error
    return true
  }
  return false
}

async function searchReply(
  ports: ExecutePorts,
  asked: Asked,
  params: JsonObject,
): Promise<ServiceReply> {
  try {
    const answer = await ports.search(asked.row, asked.entity, params, asked.request.signal)
    observe(ports, asked, null, 0)
    const { request } = asked
    const content = dialectOf(request.principal).hits({
      ...answer,
      action: bodyText(request.body, 'action'),
      execution: executionOf(ports, asked, 0),
    })
    return { status: 200, content }
  } catch (error) {
    if (isConnectorError(error)) observe(ports, asked, error.code, 0)
    throw error
  }
}

/** What is left at the third party, in whole seconds: waits are rounded up. */
function showRates({ connection, request }: Execution): void {
  for (const [index, rate] of connection.budget.left().entries()) {
    request.showRate({
      name: index === 0 ? 'upstream' : `upstream-${index + 1}`,
      count: rate.count,
      windowSeconds: Math.ceil(rate.windowMs / 1000),
      remaining: rate.remaining,
      resetSeconds: Math.ceil(Math.max(rate.waitMs, rate.windowMs / rate.count) / 1000),
    })
  }
}

function envelopeReply(
  ports: ExecutePorts,
  execution: Execution,
  { data, meta, unsaidEnd, requests }: Relayed,
  warnings: readonly Warning[],
): ServiceReply {
  observe(ports, execution, null, requests)
  const end = unsaidEnd === null ? [] : warningsOfEnd(execution, unsaidEnd, meta)
  const all = [...warningsOf(execution), ...end, ...warnings]
  const about = executionOf(ports, execution, requests, all)
  const dialect = dialectOf(execution.request.principal)
  return { status: 200, content: dialect.operation({ data, meta, execution: about }) }
}

function executionOf(
  ports: ExecutePorts,
  { row, request, startedAt }: Asked,
  requests: number,
  warnings: readonly Warning[] = [],
): ExecutionShown {
  return {
    request_id: request.requestId,
    connector_id: row.id,
    connector_type: row.connectorType,
    connector_version: row.connectorVersion,
    upstream_requests: requests,
    took_ms: Math.round(ports.clock.monotonic() - startedAt),
    // Not written where there are none.
    warnings: warnings.length === 0 ? undefined : warnings,
  }
}

function observe(
  ports: ExecutePorts,
  { row, entity, action, startedAt }: Asked,
  code: string | null,
  requests: number,
): void {
  ports.observe({
    connectorType: row.connectorType,
    entity,
    action,
    code,
    tookMs: ports.clock.monotonic() - startedAt,
    upstreamRequests: requests,
  })
}

interface Warning {
  readonly code: string
  readonly pointer: string
  readonly detail: string
}

/** The write was applied, and the store failed behind it. */
const NOT_RECORDED: Warning = {
  code: 'not_recorded',
  pointer: '',
  detail:
    'the operation was done; the store cannot be written now, and the audit log gets its entry as soon as it can',
}

/** A listing that was probably cut short must not look complete. */
function warningsOfEnd(
  { entity, action }: Execution,
  end: UnsaidEnd,
  meta: JsonObject,
): readonly Warning[] {
  const described = describeEnd(`${entity}.${action}`, end, meta)
  return described?.doubt === 'truncated'
    ? [{ code: UNSAID_END, pointer: '', detail: described.text }]
    : []
}

/**
 * The answer of a deprecated action says since when it is, and until when it is expected to work. A manifest that names no
 * day says that it is: @0 lies in the past. Source: RFC 9745 section 2, RFC 8594 section 3.
 */
function withLifecycle({ described }: Execution, reply: ServiceReply): ServiceReply {
  const { deprecated, deprecatedSince, sunset } = described
  if (deprecated === false) return reply
  const seconds = deprecatedSince === undefined ? 0 : Date.parse(deprecatedSince) / 1000
  return {
    ...reply,
    headers: {
      ...reply.headers,
      deprecation: `@${seconds}`,
      ...(sunset === undefined ? {} : { sunset: new Date(sunset).toUTCString() }),
    },
  }
}

/** What a caller should change before it stops working. */
function warningsOf({ described, params }: Execution): readonly Warning[] {
  const code = 'deprecated'
  const { deprecated } = described
  const detail = typeof deprecated === 'string' ? deprecated : 'this action is deprecated'
  const ofAction = deprecated === false ? [] : [{ code, pointer: '/action', detail }]
  const given = described.params.deprecated.filter((path) => ownAt(params, path) !== undefined)
  const ofParams = given.map((path) => {
    return { code, pointer: pointerTo('/params', path), detail: 'this parameter is deprecated' }
  })
  return [...ofAction, ...ofParams]
}

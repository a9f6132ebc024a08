// One operation on one instance: rights, state, place in the queue, the engine, and what the outcome says about the state.
import { type ConnectorError, isConnectorError } from '../errors.ts'
import type { CallSettings, Engine, Relayed } from '../engine/engine.ts'
import type { Operation } from '../engine/plan/plan.ts'
import { bodyText } from './body-text.ts'
import { own } from '../language/json/own.ts'
import { JsonBytes } from '../language/json/json-bytes.ts'
import type { Json, JsonObject } from '../language/json/json.ts'
import { isJsonObject } from '../language/json/members.ts'
import { pointerTo } from '../language/json/pointer.ts'
import type { ParamPath } from '../language/expression/syntax.ts'
import { gives, kindOf } from '../language/manifest/actions.ts'
import { changesData } from '../language/manifest/changes-data.ts'
import type { Action } from '../language/manifest/manifest.ts'
import { describeEnd, UNSAID_END } from '../engine/response/describe-end.ts'
import type { UnsaidEnd } from '../engine/response/page-end.ts'
import type { AuditEntry } from './store/audit.ts'
import type { InstanceRow } from './store/instances.ts'
import { uuidv7 } from './store/uuid.ts'
import { auditOf } from './audit.ts'
import type { ServiceBase } from './base.ts'
import { downloadReply, withRangeHeader } from './downloads.ts'
import { type IdempotencyPorts, runOnce } from './idempotency.ts'
import type { Connection, Connections } from './instances/connections.ts'
import type { States } from './instances/states.ts'
import { requireEnabled, requireUsable } from './instances/states.ts'
import { json, type ServiceReply, type ServiceRequest } from './route.ts'
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

interface Run {
  readonly request: ServiceRequest
  readonly row: InstanceRow
  readonly connection: Connection
  readonly entity: string
  readonly action: string
  readonly params: JsonObject
  readonly startedAt: number
  /** What its event in the audit log is opened under; null: a reading operation. */
  readonly auditId: string | null
}

/** Runs the body of an execute request. Source: service specification, "Execute an operation". */
export async function execute(
  ports: ExecutePorts,
  id: string,
  request: ServiceRequest,
): Promise<ServiceReply> {
  const startedAt = ports.clock.monotonic()
  const row =
    ports.rows.known(request.principal, id) ?? (await ports.rows.get(request.principal, id))
  const entity = bodyText(request.body, 'entity')
  const action = bodyText(request.body, 'action')
  request.note({ connector_id: row.id, connector_type: row.connectorType, entity, action })
  requireAction(request.principal, entity, action)
  const connection = ports.connections.known(row) ?? (await ports.connections.of(row))
  const given = own(request.body, 'params')
  if (isSearch(connection, entity, action)) {
    requireEnabled(row)
    const run = { request, row, connection, entity, action, params: {}, startedAt, auditId: null }
    return await searchReply(ports, run, given ?? {})
  }
  const { action: known } = connection.engine.find(entity, action)
  requireUsable(row)
  const params = withRangeHeader(known, isJsonObject(given) ? given : {}, request.header('range'))
  const isWrite = changesData(known)
  const auditId = isWrite ? uuidv7(ports.clock.now()) : null
  const run: Run = { request, row, connection, entity, action, params, startedAt, auditId }
  const key = request.header('idempotency-key')
  // The bytes of a file are not kept for a key.
  if (!isWrite || gives(action, 'stream') || key === undefined)
    return await runOne(ports, run, undefined)
  const { principal, body, requestId } = request
  const { organizationId } = principal
  return await runOnce(
    ports,
    { organizationId, instanceId: row.id, route: 'execute', key, body, requestId },
    (sending) => runOne(ports, run, { key, sending }),
  )
}

async function runOne(
  ports: ExecutePorts,
  run: Run,
  idempotent: { readonly key: string; readonly sending: () => Promise<void> } | undefined,
): Promise<ServiceReply> {
  const { request, connection, row, entity, action } = run
  const isWrite = run.auditId !== null
  const isFile = gives(action, 'stream')
  const deadline = run.startedAt + request.deadlineMs
  const left = (): number => Math.max(1, deadline - ports.clock.monotonic())
  const leave =
    ports.gate.take(row.organizationId) ??
    (await ports.gate.enter(row.organizationId, left(), request.signal))
  let requests = 0
  try {
    // A store that cannot be written refuses a write here, before anything leaves. The key is marked last: what is marked
    // stays uncertain where nothing more can be stored.
    if (run.auditId !== null) await ports.store.audit.open(run.auditId, entryOf(run, 'uncertain'))
    await idempotent?.sending()
    if (isFile) ports.records.admit()
    const settings = {
      // A write goes on when its caller has left: stopping it would only make its outcome unknown.
      ...(isWrite ? {} : { signal: request.signal }),
      timeoutMs: left(),
      ...(idempotent === undefined ? {} : { idempotencyKey: idempotent.key }),
    }
    const operation = { entity, action, params: run.params }
    const sentAtMs = ports.clock.now()
    if (isFile) {
      const place = ports.streams.enter(connection, row.organizationId)
      try {
        const file = await inSpan(ports, run, () => connection.engine.download(operation, settings))
        requests = file.requests
        file.body.once('close', place)
        await Promise.all([prove(ports, run), audit(ports, run, 'done')])
        return downloadReply(row, entity, file)
      } catch (error) {
        place()
        throw error
      }
    }
    const answer = await inSpan(ports, run, () =>
      isWrite
        ? write(ports, run, settings, sentAtMs)
        : connection.engine.relay(operation, settings),
    )
    requests = answer.requests
    // Whatever the store says from here on, the operation has succeeded.
    await prove(ports, run)
    const isRecorded = !isWrite || (await audit(ports, run, 'done'))
    return envelopeReply(ports, run, answer, isRecorded ? [] : [NOT_RECORDED])
  } catch (error) {
    if (isConnectorError(error)) {
      await ports.records.attempt(factsOf(run), () => ports.states.failed(row, connection, error))
      if (isWrite || isFile) await audit(ports, run, cameOf(error), appliedBy(error))
      observe(ports, run, error.code, requests)
    } else if (isWrite) await audit(ports, run, 'internal_error, uncertain')
    throw error
  } finally {
    leave()
    showRates(run)
    request.note({ upstream_requests: requests })
  }
}

/** A success ends doubts about the instance. */
async function prove({ states, records }: ExecutePorts, run: Run): Promise<void> {
  if (states.isDoubted(run.row)) await records.attempt(factsOf(run), () => states.proved(run.row))
}

function inSpan<T>(
  { tracing }: ExecutePorts,
  { connection, entity, action, request }: Run,
  work: () => Promise<T>,
): Promise<T> {
  if (tracing === null) return work()
  const { requestId } = request
  return tracing.operation(connection.manifest, { entity, action, requestId }, work)
}

/** Writes and downloads are remembered: who, which operation, what came of it. False: the audit log gets it later. */
async function audit(
  { store: { audit: log }, records }: ExecutePorts,
  run: Run,
  outcome: string,
  members: readonly string[] = [],
): Promise<boolean> {
  const entry = entryOf(run, outcome, members)
  const { auditId } = run
  return await records.keep({ ...factsOf(run), outcome }, () =>
    auditId === null ? log.append(entry) : log.close(auditId, entry),
  )
}

function entryOf(
  { request, row, entity, action }: Run,
  outcome: string,
  members: readonly string[] = [],
): AuditEntry {
  return auditOf(request.principal, request.requestId, `execute.${action}`, {
    instanceId: row.id,
    target: `${entity}.${action}`,
    outcome,
    members,
  })
}

function factsOf({ request, row, entity, action }: Run): object {
  return { request_id: request.requestId, connector_id: row.id, operation: `${entity}.${action}` }
}

/** The code of a failure and, unless nothing was done, what became of the change. */
function cameOf({ code, outcome, steps }: ConnectorError): string {
  if (outcome === 'not_applied') return code
  const isKnown = steps !== null && steps.every((step) => step.outcome !== 'uncertain')
  return outcome === 'uncertain' && isKnown ? `${code}, applied in part` : `${code}, ${outcome}`
}

/** The names of the requests of a failed change that were applied. */
function appliedBy({ steps }: ConnectorError): readonly string[] {
  return (steps ?? []).flatMap(({ name, outcome }) => (outcome === 'applied' ? [name] : []))
}

/** A write, and its way into the copy. Its answer is a value: it may be kept for its key, and the copy looks into it. */
async function write(
  ports: ExecutePorts,
  run: Run,
  settings: CallSettings,
  sentAtMs: number,
): Promise<Relayed> {
  const { entity, action, params, connection } = run
  try {
    const answer = await executed(connection.engine, { entity, action, params }, settings)
    // A value, because nothing was relayed.
    await bringIntoCopy(ports, run, answer.data as Json, sentAtMs)
    return answer
  } catch (error) {
    // What is not there any more leaves the copy as well.
    if (kindOf(action)?.effect === 'removes' && isConnectorError(error, 'upstream_not_found'))
      await bringIntoCopy(ports, run, null, sentAtMs)
    throw error
  }
}

async function bringIntoCopy(
  { ownWrites }: ExecutePorts,
  { request: { requestId }, row, connection, entity, action, params }: Run,
  data: Json,
  sentAtMs: number,
): Promise<void> {
  const { action: known } = connection.engine.find(entity, action)
  await ownWrites.applied(row, { action: known, params, data, sentAtMs, requestId })
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

async function searchReply(ports: ExecutePorts, run: Run, params: Json): Promise<ServiceReply> {
  try {
    const answer = await ports.search(run.row, run.entity, params, run.request.signal)
    observe(ports, run, null, 0)
    const rest = JSON.stringify({
      next_cursor: answer.nextCursor,
      took_ms: answer.tookMs,
      replica: answer.replica,
      execution: executionOf(ports, run, 0),
    })
    // The hits are text already, with all the digits that the third party sent.
    return { kind: 'text', status: 200, text: `{"hits":${answer.hits},${rest.slice(1)}` }
  } catch (error) {
    if (isConnectorError(error)) observe(ports, run, error.code, 0)
    throw error
  }
}

/** What is left at the third party, in whole seconds: waits are rounded up. */
function showRates({ connection, request }: Run): void {
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

async function executed(
  engine: Engine,
  operation: Operation,
  settings: CallSettings,
): Promise<Relayed> {
  const { envelope, unsaidEnd, requests } = await engine.execute(operation, settings)
  return { ...envelope, unsaidEnd, requests }
}

function envelopeReply(
  ports: ExecutePorts,
  run: Run,
  { data, meta, unsaidEnd, requests }: Relayed,
  warnings: readonly Warning[],
): ServiceReply {
  observe(ports, run, null, requests)
  const { action } = run.connection.engine.find(run.entity, run.action)
  const end = unsaidEnd === null ? [] : warningsOfEnd(run, unsaidEnd, meta)
  const all = [...warningsOf(action, run.params), ...end, ...warnings]
  const execution = executionOf(ports, run, requests, all)
  if (!(data instanceof JsonBytes)) return json(200, { data, meta, execution })
  // The records stand where JSON.stringify would have put them.
  const after = `,${JSON.stringify({ meta, execution }).slice(1)}`
  return { kind: 'text', status: 200, text: { before: '{"data":', bytes: data.bytes, after } }
}

/** What an envelope says about its making. */
function executionOf(
  ports: ExecutePorts,
  run: Run,
  requests: number,
  warnings: readonly Warning[] = [],
): object {
  const { row, request, startedAt } = run
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

function observe(ports: ExecutePorts, run: Run, code: string | null, requests: number): void {
  ports.observe({
    connectorType: run.row.connectorType,
    entity: run.entity,
    action: run.action,
    code,
    tookMs: ports.clock.monotonic() - run.startedAt,
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
  { entity, action }: Run,
  end: UnsaidEnd,
  meta: JsonObject,
): readonly Warning[] {
  const described = describeEnd(`${entity}.${action}`, end, meta)
  return described?.doubt === 'truncated'
    ? [{ code: UNSAID_END, pointer: '', detail: described.text }]
    : []
}

/** What a caller should change before it stops working. */
function warningsOf(action: Action, params: JsonObject): readonly Warning[] {
  const warnings: Warning[] = []
  if (action.deprecated !== false) {
    warnings.push({
      code: 'deprecated',
      pointer: '/action',
      detail:
        typeof action.deprecated === 'string' ? action.deprecated : 'this action is deprecated',
    })
  }
  for (const path of action.params.deprecated) {
    if (!isGiven(params, path)) continue
    warnings.push({
      code: 'deprecated',
      pointer: pointerTo('/params', path),
      detail: 'this parameter is deprecated',
    })
  }
  return warnings
}

function isGiven(params: JsonObject, path: ParamPath): boolean {
  let value: Json | undefined = params
  for (const name of path) value = own(value, name)
  return value !== undefined
}

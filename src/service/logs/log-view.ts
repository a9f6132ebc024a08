// A log entry as the API shows it.
import type { Json, JsonObject } from '../../language/json/json.ts'
import { isJsonObject, isList } from '../../language/json/members.ts'
import { own } from '../../language/json/own.ts'
import { timeText } from '../store/instance-view.ts'
import type { LogRow } from '../store/logs.ts'
import type { PlainContent } from './log-content.ts'

/** In a list. */
export function entryOf(row: LogRow): JsonObject {
  return {
    id: row.logId,
    kind: row.kind,
    at: timeText(row.at),
    connector_id: row.instanceId,
    connector_type: row.connectorType,
    external_user_id: row.externalUserId,
    client_id: row.clientId,
    entity: row.entity,
    action: row.action,
    request_id: row.requestId,
    code: row.code,
    status: row.status,
    upstream_status: row.upstreamStatus,
    took_ms: Math.round(row.tookUs / 100) / 10,
    upstream_requests: stepsOf(row).length + numberOf(own(row.data, 'steps_left_out')),
    first_code: own(row.data, 'first_code') ?? null,
    detail: own(row.data, 'detail') ?? null,
  }
}

/** With its steps, the name that the application has now, and all else that it has. */
export function detailOf(
  row: LogRow,
  said: PlainContent | null,
  clientName: string | null,
): JsonObject {
  const { steps: _steps, detail: _detail, outcome = null, ...facts } = row.data
  return {
    ...entryOf(row),
    client_name: clientName,
    outcome,
    steps: stepsOf(row),
    facts,
    said: said && { params: said.params, answer: said.answer, cut: said.isCut },
  }
}

function stepsOf({ data }: LogRow): readonly Json[] {
  const steps = own(data, 'steps')
  return isList(steps) ? steps.filter(isJsonObject) : []
}

function numberOf(value: Json | undefined): number {
  return typeof value === 'number' ? value : 0
}

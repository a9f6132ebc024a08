// /activity: the latest operations of the organisation that is signed in.
import { timeText } from '../store/instance-view.ts'
import type { Activity, AnsweredOperation } from '../activity.ts'
import { json, type Route, routes } from '../route.ts'
import { answersWith, closed, each, listOf, open, orNull, TEXT, YES_NO } from '../routes/schemas.ts'

const OPERATION = open({
  ...each(['request_id', 'at', 'connector_id', 'connector_type', 'entity', 'action'], {
    type: 'string',
  }),
  ...each(
    ['client_id', 'external_user_id', 'code', 'detail', 'outcome'],
    orNull({ type: 'string' }),
  ),
  status: { type: 'integer' },
  steps: orNull(listOf(open({ name: { type: 'string' }, outcome: { type: 'string' } }))),
  took_ms: { type: 'number' },
  upstream_requests: {
    type: ['integer', 'null'],
    description: 'Null: it failed at the third party, after one request or more.',
  },
  bytes: { type: ['integer', 'null'], description: 'Of a download.' },
})

export function activityRoutes(activity: Activity): readonly Route[] {
  return routes([
    {
      name: 'consoleActivity',
      method: 'GET',
      path: '/activity',
      token: 'application',
      summary: 'The latest operations of this process, the newest first',
      query: closed({ connector_id: TEXT, failed: YES_NO }),
      success: answersWith(200, 'At most 500.', { data: listOf(OPERATION) }),
      handle: ({ principal, query }) =>
        Promise.resolve(
          json(200, {
            data: activity
              .list(principal.organizationId, {
                connectorId: query['connector_id'] ?? null,
                failedOnly: query['failed'] === 'true',
              })
              .map(shown),
          }),
        ),
    },
  ])
}

function shown(operation: AnsweredOperation): object {
  return {
    request_id: operation.requestId,
    at: timeText(operation.at),
    client_id: operation.clientId,
    external_user_id: operation.externalUserId,
    connector_id: operation.connectorId,
    connector_type: operation.connectorType,
    entity: operation.entity,
    action: operation.action,
    status: operation.status,
    code: operation.code,
    detail: operation.detail,
    outcome: operation.outcome,
    steps: operation.steps,
    took_ms: operation.tookMs,
    upstream_requests: operation.upstreamRequests,
    bytes: operation.bytes,
  }
}

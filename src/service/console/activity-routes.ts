// /activity: the latest operations of the organisation that is signed in.
import { timeText } from '../store/instance-view.ts'
import type { Activity, AnsweredOperation } from '../activity.ts'
import { json, type Route, routes } from '../route.ts'
import { closed, each, open, orNull, TEXT, YES_NO } from '../routes/schemas.ts'

const STRING = { type: 'string' } as const
const OPERATION = open({
  ...each(['request_id', 'at', 'connector_id', 'connector_type', 'entity', 'action'], STRING),
  ...each(['client_id', 'external_user_id', 'code', 'detail', 'outcome'], orNull(STRING)),
  status: { type: 'integer' },
  steps: orNull({ type: 'array', items: open({ name: STRING, outcome: STRING }) }),
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
      success: [
        {
          status: 200,
          description: 'At most 500.',
          schema: open({ data: { type: 'array', items: OPERATION } }),
        },
      ],
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

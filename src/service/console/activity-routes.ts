// /activity: the latest operations of the organisation that is signed in.
import type { Activity } from '../activity.ts'
import { json, type Route, routes } from '../route.ts'
import * as s from '../routes/schemas.ts'

const OPERATION = s.open({
  ...s.each(['request_id', 'at', 'connector_id', 'connector_type', 'entity', 'action'], {
    type: 'string',
  }),
  ...s.each(
    ['client_id', 'external_user_id', 'code', 'detail', 'outcome'],
    s.orNull({ type: 'string' }),
  ),
  status: { type: 'integer' },
  steps: s.orNull(s.listOf(s.open({ name: { type: 'string' }, outcome: { type: 'string' } }))),
  took_ms: { type: 'number' },
  upstream_requests: {
    type: ['integer', 'null'],
    description: 'Null: it failed at the third party, after one request or more.',
  },
  bytes: { type: ['integer', 'null'], description: 'Of a download.' },
})

export function activityRoutes(activity: Activity): readonly Route[] {
  return routes('application', [
    {
      name: 'consoleActivity',
      at: 'GET /activity',
      summary: 'The latest operations of this process, the newest first',
      query: s.closed({ connector_id: s.TEXT, failed: s.YES_NO }),
      success: s.answersWith(200, 'At most 500.', { data: s.listOf(OPERATION) }),
      async handle({ principal, query }) {
        const connectorId = query['connector_id'] ?? null
        const filter = { connectorId, failedOnly: query['failed'] === 'true' }
        return json(200, { data: activity.list(principal.organizationId, filter) })
      },
    },
  ])
}

// /activity: the latest operations of the organisation that is signed in.
import type { Activity } from '../activity.ts'
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
  return routes('application', [
    {
      name: 'consoleActivity',
      at: 'GET /activity',
      summary: 'The latest operations of this process, the newest first',
      query: closed({ connector_id: TEXT, failed: YES_NO }),
      success: answersWith(200, 'At most 500.', { data: listOf(OPERATION) }),
      async handle({ principal, query }) {
        const connectorId = query['connector_id'] ?? null
        const filter = { connectorId, failedOnly: query['failed'] === 'true' }
        return json(200, { data: activity.list(principal.organizationId, filter) })
      },
    },
  ])
}

// /users: everything of one end user, to be handed to them, and to be erased.
import { Readable } from 'node:stream'
import { json, type Route, routes } from '../route.ts'
import { eraseUser, exportUser, type UserPorts } from '../users.ts'
import * as s from './schemas.ts'

const QUERY = s.closed({ external_user_id: { type: 'string', minLength: 1, maxLength: 255 } }, [
  'external_user_id',
])

export function userRoutes(ports: UserPorts): readonly Route[] {
  return routes('application', [
    {
      name: 'exportUser',
      at: 'GET /users/export',
      queryExample: { external_user_id: 'user-42' },
      summary: 'Export all data of one end user, as lines of JSON',
      query: QUERY,
      success: s.answers(
        200,
        'application/x-ndjson: each line has a type; the last one is `end`, without which something is missing.',
        'bytes',
      ),
      async handle({ principal, query, requestId }) {
        const lines = exportUser(ports, principal, query['external_user_id'] ?? '', { requestId })
        // What can be refused is refused before the answer begins.
        const first = await lines.next()
        const all = (async function* () {
          if (first.done !== true) yield first.value
          yield* lines
        })()
        const headers = { 'content-type': 'application/x-ndjson' }
        return { status: 200, headers, content: Readable.from(all) }
      },
    },
    {
      name: 'eraseUser',
      at: 'DELETE /users',
      manage: true,
      queryExample: { external_user_id: 'user-42' },
      summary: 'Erase all data of one end user: accounts, credentials, copies, tokens, events',
      query: QUERY,
      success: s.answersWith(200, 'Erased. Safe to repeat.', {
        instances: { type: 'integer' },
        rows: {
          type: 'integer',
          description: 'Other rows, next to the instances and what belongs to them.',
        },
      }),
      async handle({ principal, query, requestId, signal }) {
        const user = query['external_user_id'] ?? ''
        return json(200, { ...(await eraseUser(ports, principal, user, { requestId, signal })) })
      },
    },
  ])
}

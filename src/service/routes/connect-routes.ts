// /connect/sessions: links for end users to connect their accounts. What they open is no API: ../connect.
import { timeText } from '../store/instance-view.ts'
import type { ConnectSessions } from '../connect/connect-sessions.ts'
import { json, type Route, routes } from '../route.ts'
import * as s from './schemas.ts'
import { LANGUAGES } from '../connect/page-words.ts'

const ADDRESS = { type: 'string', minLength: 1, maxLength: 2048 } as const

export function connectRoutes(sessions: ConnectSessions): readonly Route[] {
  return routes('any', [
    {
      name: 'listReturnUrls',
      at: 'GET /connect/return-urls',
      manage: true,
      summary: 'List the return URLs that connect links may use',
      success: s.answersWith(200, 'What a link accepts as return_url and as allowed_origin.', {
        return_urls: s.listOf({ type: 'string' }),
        allowed_origins: s.listOf({ type: 'string' }),
      }),
      errors: ['scope_denied'],
      handle: async ({ principal }) => {
        const { returnUrls, origins } = await sessions.places(principal)
        return json(200, { return_urls: returnUrls, allowed_origins: origins })
      },
    },
    {
      name: 'createConnectSession',
      at: 'POST /connect/sessions',
      manage: true,
      summary: 'Create a link with which an end user connects or reconnects an account',
      body: s.requiredBody(['external_user_id', 'return_url'], {
        external_user_id: { ...s.TEXT, description: 'The end user who will own the account.' },
        connector_types: {
          type: 'array',
          minItems: 1,
          maxItems: 100,
          items: s.TEXT,
          description: 'The connectors that the user may choose from; default: all.',
        },
        instance_id: { ...s.TEXT, description: 'Reconnects this instance, which keeps its id.' },
        return_url: {
          ...ADDRESS,
          description:
            'Where the user returns to, with ?connection=<id>; must match an entry of the allow-list exactly.',
        },
        allowed_origin: {
          ...ADDRESS,
          description:
            'The origin that may embed the page, such as https://app.example.com; must be the origin of an entry of the allow-list.',
        },
        lang: {
          enum: Object.keys(LANGUAGES),
          description: "The language of the page; default: what the user's browser prefers.",
        },
      }),
      success: s.answersWith(201, 'Send the user to connect_url, once. It works for ten minutes.', {
        connect_url: {
          type: 'string',
          format: 'uri',
          description:
            'Where the user connects the account: a link to open, or to give to the widget.',
        },
        token: {
          type: 'string',
          description:
            'The secret in the link: anyone who has it can connect this account, and nothing else.',
        },
        expires_at: s.TIME,
      }),
      errors: ['connector_unknown', 'instance_unknown', 'redirect_url_refused', 'scope_denied'],
      example: {
        external_user_id: 'user-42',
        connector_types: ['gong', 'jira'],
        return_url: 'https://app.example.com/connected',
        allowed_origin: 'https://app.example.com',
      },
      handle: async ({ principal, body, requestId }) => {
        const { connectUrl, token, expiresAt } = await sessions.open(principal, body, requestId)
        return json(201, { connect_url: connectUrl, token, expires_at: timeText(expiresAt) })
      },
    },
  ])
}

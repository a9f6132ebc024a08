// /oauth-clients: OAuth clients that an organisation keeps in the store. Secrets come in and never go out.
import { bodyText } from '../body-text.ts'
import type { ServiceBase } from '../base.ts'
import { ConnectorError, problemError } from '../../errors.ts'
import { consentOf } from '../../language/manifest/access/consent.ts'
import type { JsonSchema } from '../../language/manifest/manifest.ts'
import type { OAuthClients } from '../oauth/oauth-clients.ts'
import { empty, json, type Route, routes } from '../route.ts'
import { timeText } from '../store/instance-view.ts'
import type { OAuthClientRow } from '../store/oauth-clients.ts'
import * as s from './schemas.ts'

export type OAuthClientPorts = Pick<ServiceBase, 'oauthClients' | 'catalogue'>

export const STORED_CLIENT: JsonSchema = s.open({
  connector_type: { type: 'string' },
  client_id: { type: 'string', description: 'Not a secret.' },
  has_secret: { type: 'boolean' },
  changed_by: { type: 'string', description: 'As the audit log names them.' },
  changed_at: s.TIME,
  used: {
    type: 'boolean',
    description: 'False: the operator’s settings have a client, which takes precedence.',
  },
})

/** As they may stand in the Authorization header of a token request. Source: RFC 6749, appendix A. */
const VISIBLE = '^[\\x20-\\x7e]*$'

export function oauthClientRoutes({ oauthClients, catalogue }: OAuthClientPorts): readonly Route[] {
  return routes('application', [
    {
      name: 'listOAuthClients',
      at: 'GET /oauth-clients',
      manage: true,
      summary: 'List the OAuth clients of the organization, without secrets',
      success: s.answersWith(200, 'OAuth clients, by connector.', {
        data: s.listOf(STORED_CLIENT),
      }),
      async handle({ principal }) {
        const rows = await oauthClients.list(principal.organizationId)
        return json(200, { data: rows.map((row) => showClient(row, oauthClients)) })
      },
    },
    {
      name: 'putOAuthClient',
      at: 'POST /oauth-clients',
      manage: true,
      summary: 'Store the OAuth client of a connector, replacing any earlier one',
      body: s.requiredBody(['connector_type', 'client_id'], {
        connector_type: s.TEXT,
        client_id: { type: 'string', minLength: 1, maxLength: 500, pattern: VISIBLE },
        client_secret: {
          type: ['string', 'null'],
          minLength: 1,
          maxLength: 4000,
          pattern: VISIBLE,
          description:
            'If left out, the earlier one stays; null: the client is public and has none.',
        },
      }),
      example: { connector_type: 'gong', client_id: 'client-1', client_secret: 'secret-1' },
      success: s.answers(
        200,
        'As stored. Every process uses it within two seconds.',
        STORED_CLIENT,
      ),
      errors: ['connector_unknown', 'precondition_failed'],
      async handle({ principal, body, requestId }) {
        const { type, auth } = catalogue.get(bodyText(body, 'connector_type'), '/connector_type')
        const consents = auth.flatMap((method) => consentOf(method) ?? [])
        if (consents.length === 0)
          throw problemError('request_malformed', {
            pointer: '/connector_type',
            code: 'no_consent',
            detail: `${type} has no consent: its accounts are connected with credentials, without an OAuth client`,
          })
        const secret = body['client_secret']
        // Another process may have stored or removed one a moment ago.
        await oauthClients.refresh()
        const kept = oauthClients.stored(principal.organizationId, type)?.row.secretSealed ?? null
        const isLost = secret === null || (secret === undefined && kept === null)
        if (isLost && consents.some(({ client }) => client.hasSecret))
          throw problemError('request_malformed', {
            pointer: '/client_secret',
            code: 'required',
            detail: `${type} asks for a client with a secret`,
          })
        const change = {
          id: bodyText(body, 'client_id'),
          ...(typeof secret === 'string' || secret === null ? { secret } : {}),
        }
        if (!(await oauthClients.put(principal, requestId, type, change)))
          throw new ConnectorError(
            'precondition_failed',
            'somebody else has changed it just now; look at it, and try again',
          )
        const row = oauthClients.stored(principal.organizationId, type)?.row
        if (row === undefined) throw gone(type)
        return json(200, showClient(row, oauthClients))
      },
    },
    {
      name: 'deleteOAuthClient',
      at: 'DELETE /oauth-clients/{connector_type}',
      manage: true,
      summary: 'Remove the OAuth client of a connector; its tokens can then no longer be refreshed',
      success: s.answers(204, 'Removed.', null),
      errors: ['oauth_not_configured'],
      async handle({ principal, path, requestId }) {
        const type = path['connector_type'] ?? ''
        if (!(await oauthClients.remove(principal, requestId, type))) throw gone(type)
        return empty(204)
      },
    },
  ])
}

function gone(type: string): ConnectorError {
  return new ConnectorError('oauth_not_configured', `no OAuth client of ${type} is kept here`)
}

export function showClient(row: OAuthClientRow, oauthClients: OAuthClients): object {
  return {
    connector_type: row.connectorType,
    client_id: row.clientId,
    has_secret: row.secretSealed !== null,
    changed_by: row.changedBy,
    changed_at: timeText(row.changedAt),
    used: oauthClients.given(row.connectorType) === null,
  }
}

// /account/applications: tokens for applications and their users.
import { bodyText } from '../body-text.ts'
import type { JsonObject } from '../../language/json/json.ts'
import { empty, type Handler, json, type Route, routes } from '../route.ts'
import { SCOPED_TOKEN_SECONDS, type Tokens } from '../tokens/tokens.ts'
import * as s from './schemas.ts'

const NAMES = { type: 'array', minItems: 1, maxItems: 100, items: s.TEXT } as const
const ACTION = {
  type: 'string',
  pattern: String.raw`^([a-z0-9_-]+|\*)\.([a-z_]+|\*)$`,
  maxLength: 200,
} as const
const MIN_TTL_SECONDS = 60

const SCOPE = s.open({
  external_user_id: { type: 'string' },
  ...s.each(['connector_types', 'connector_ids', 'actions'], {
    type: ['array', 'null'],
    items: { type: 'string' },
  }),
  manage: { type: 'boolean' },
})

const ONE_OF_THEM = s.closed({ token: s.TEXT, external_user_id: s.TEXT })

export function tokenRoutes(tokens: Tokens): readonly Route[] {
  return routes('application', [
    {
      name: 'mintApplicationToken',
      at: 'POST /account/applications/token',
      aliases: ['/applications/token'],
      prefix: '/api/v1',
      token: 'none',
      summary: 'Exchange a client id and secret for an application token',
      body: s.requiredBody(['client_id', 'client_secret'], {
        client_id: s.TEXT,
        client_secret: s.TEXT,
        grant_type: { const: 'client_credentials', description: 'As named by OAuth 2.0.' },
      }),
      success: s.answersWith(200, 'The token.', {
        access_token: { type: 'string' },
        token_type: { const: 'bearer' },
        expires_in: { type: 'integer' },
        organization_id: { type: 'string' },
      }),
      errors: ['client_invalid', 'address_denied', 'rate_limited'],
      example: { client_id: '…', client_secret: 'tenon_cs_…' },
      handle: async (request) => {
        const { body } = request
        const [id, secret] = [bodyText(body, 'client_id'), bodyText(body, 'client_secret')]
        const minted = await tokens.mintApplication(id, secret, request)
        return json(200, {
          access_token: minted.token,
          token_type: 'bearer',
          expires_in: minted.expiresInSeconds,
          organization_id: minted.organizationId,
        })
      },
    },
    {
      name: 'mintScopedToken',
      at: 'POST /account/applications/scoped-token',
      aliases: ['/embedded/scoped-token'],
      prefix: '/api/v1',
      summary: 'Mint a scoped token for one end user',
      body: s.requiredBody(['external_user_id'], {
        external_user_id: s.TEXT,
        connector_types: NAMES,
        connector_ids: NAMES,
        actions: { type: 'array', minItems: 1, maxItems: 100, items: ACTION },
        manage: { type: 'boolean' },
        ttl_seconds: { type: 'integer', minimum: MIN_TTL_SECONDS, maximum: SCOPED_TOKEN_SECONDS },
      }),
      success: s.answersWith(200, 'The token and what it may do.', {
        ...s.each(['token', 'access_token'], { type: 'string' }),
        token_type: { const: 'bearer' },
        expires_in: { type: 'integer' },
        scope: SCOPE,
      }),
      errors: ['scope_denied', 'rate_limited'],
      example: { external_user_id: 'user-42', connector_types: ['gong'], actions: ['*.list'] },
      handle: (request) => mintScoped(tokens, request),
    },
    {
      name: 'revokeToken',
      at: 'POST /account/applications/revoke',
      prefix: '/api/v1',
      summary: 'Revoke one token, or all scoped tokens of a user',
      body: { optional: false, schema: { ...ONE_OF_THEM, minProperties: 1, maxProperties: 1 } },
      success: s.answers(204, 'Revoked, or never known.', null),
      errors: ['scope_denied'],
      example: { external_user_id: 'user-42' },
      handle: async ({ principal, body, requestId }) => {
        const { token } = body
        const isOne = typeof token === 'string'
        const target = isOne ? { token } : { externalUserId: bodyText(body, 'external_user_id') }
        await tokens.revoke(principal, target, requestId)
        return empty(204)
      },
    },
  ])
}

const mintScoped: Handler<Tokens> = async (tokens, { principal, body, requestId }) => {
  const ttlSeconds = body['ttl_seconds']
  const scope = {
    externalUserId: bodyText(body, 'external_user_id'),
    connectorTypes: textsAt(body, 'connector_types')?.map((type) => type.toLowerCase()) ?? null,
    connectorIds: textsAt(body, 'connector_ids'),
    actions: textsAt(body, 'actions'),
    manage: body['manage'] !== false,
    ttlSeconds: typeof ttlSeconds === 'number' ? ttlSeconds : SCOPED_TOKEN_SECONDS,
  }
  const { token, expiresInSeconds } = await tokens.mintScoped(principal, scope, requestId)
  return json(200, {
    token,
    access_token: token,
    token_type: 'bearer',
    expires_in: expiresInSeconds,
    scope: {
      external_user_id: scope.externalUserId,
      connector_types: scope.connectorTypes,
      connector_ids: scope.connectorIds,
      actions: scope.actions,
      manage: scope.manage,
    },
  })
}

function textsAt(body: JsonObject, name: string): readonly string[] | null {
  const value = body[name]
  return Array.isArray(value) ? value.map(String) : null
}

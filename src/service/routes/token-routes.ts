// /account/applications: tokens for applications and their users.
import { bodyText } from '../body-text.ts'
import type { JsonObject } from '../../language/json/json.ts'
import {
  empty,
  json,
  type Route,
  type ServiceReply,
  type ServiceRequest,
  routes,
} from '../route.ts'
import { SCOPED_TOKEN_SECONDS, type Tokens } from '../tokens/tokens.ts'
import { answers, answersWith, closed, open, requiredBody, TEXT } from './schemas.ts'

const NAMES = { type: 'array', minItems: 1, maxItems: 100, items: TEXT } as const
const ACTION = {
  type: 'string',
  pattern: String.raw`^([a-z0-9_-]+|\*)\.([a-z_]+|\*)$`,
  maxLength: 200,
} as const
const MIN_TTL_SECONDS = 60

const SCOPE = open({
  external_user_id: { type: 'string' },
  connector_types: { type: ['array', 'null'] },
  connector_ids: { type: ['array', 'null'] },
  actions: { type: ['array', 'null'] },
  manage: { type: 'boolean' },
})

export function tokenRoutes(tokens: Tokens): readonly Route[] {
  return routes([
    {
      name: 'mintApplicationToken',
      method: 'POST',
      path: '/account/applications/token',
      prefix: '/api/v1',
      token: 'none',
      summary: 'Exchange a client id and secret for an application token',
      body: requiredBody(['client_id', 'client_secret'], { client_id: TEXT, client_secret: TEXT }),
      success: answersWith(200, 'The token.', {
        access_token: { type: 'string' },
        token_type: { const: 'bearer' },
        expires_in: { type: 'integer' },
        organization_id: { type: 'string' },
      }),
      errors: ['client_invalid', 'rate_limited'],
      example: { client_id: '…', client_secret: 'tenon_cs_…' },
      handle: async ({ body, requestId, address }) => {
        const minted = await tokens.mintApplication(
          bodyText(body, 'client_id'),
          bodyText(body, 'client_secret'),
          { requestId, address },
        )
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
      method: 'POST',
      path: '/account/applications/scoped-token',
      aliases: ['/embedded/scoped-token'],
      prefix: '/api/v1',
      token: 'application',
      summary: 'Mint a token for one end user, narrowed as wished',
      body: requiredBody(['external_user_id'], {
        external_user_id: TEXT,
        connector_types: NAMES,
        connector_ids: NAMES,
        actions: { type: 'array', minItems: 1, maxItems: 100, items: ACTION },
        manage: { type: 'boolean' },
        ttl_seconds: {
          type: 'integer',
          minimum: MIN_TTL_SECONDS,
          maximum: SCOPED_TOKEN_SECONDS,
        },
      }),
      success: answersWith(200, 'The token and what it may do.', {
        token: { type: 'string' },
        access_token: { type: 'string' },
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
      method: 'POST',
      path: '/account/applications/revoke',
      prefix: '/api/v1',
      token: 'application',
      summary: 'End one token, or all scoped tokens of a user',
      body: {
        optional: false,
        schema: {
          ...closed({ token: TEXT, external_user_id: TEXT }),
          minProperties: 1,
          maxProperties: 1,
        },
      },
      success: answers(204, 'Ended, or never known.', null),
      errors: ['scope_denied'],
      example: { external_user_id: 'user-42' },
      handle: async ({ principal, body, requestId }) => {
        const { token } = body
        await tokens.revoke(
          principal,
          typeof token === 'string'
            ? { token }
            : { externalUserId: bodyText(body, 'external_user_id') },
          requestId,
        )
        return empty(204)
      },
    },
  ])
}

async function mintScoped(
  tokens: Tokens,
  { principal, body, requestId }: ServiceRequest,
): Promise<ServiceReply> {
  const ttlSeconds = body['ttl_seconds']
  const wish = {
    externalUserId: bodyText(body, 'external_user_id'),
    connectorTypes: textsAt(body, 'connector_types')?.map((type) => type.toLowerCase()) ?? null,
    connectorIds: textsAt(body, 'connector_ids'),
    actions: textsAt(body, 'actions'),
    manage: body['manage'] !== false,
    ttlSeconds: typeof ttlSeconds === 'number' ? ttlSeconds : SCOPED_TOKEN_SECONDS,
  }
  const { token, expiresInSeconds } = await tokens.mintScoped(principal, wish, requestId)
  return json(200, {
    token,
    access_token: token,
    token_type: 'bearer',
    expires_in: expiresInSeconds,
    scope: {
      external_user_id: wish.externalUserId,
      connector_types: wish.connectorTypes,
      connector_ids: wish.connectorIds,
      actions: wish.actions,
      manage: wish.manage,
    },
  })
}

function textsAt(body: JsonObject, name: string): readonly string[] | null {
  const value = body[name]
  return Array.isArray(value) ? value.map(String) : null
}

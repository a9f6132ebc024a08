// `oauth2`: tokens of a token endpoint. Source: RFC 6749.
import type { OAuth2 } from '../manifest.ts'
import type { OAuth2Source, Resolved } from '../source.ts'
import { type Access, afterTokenParts } from './access.ts'
import { consentNames } from './code-consent.ts'
import { CLIENT_AUTH, DEFAULT_GRANT, GRANTS, REFRESH } from './grants.ts'

export const oauth2: Access<OAuth2Source, OAuth2> = {
  parts: ({ grant = DEFAULT_GRANT, authorize, token, refresh, ...others }) => {
    const { presents, refreshes } = GRANTS[grant]
    const after = afterTokenParts(others.after_token)
    return {
      urls: Object.entries({
        authorize,
        token,
        refresh: refresh === false ? {} : refresh,
        register: others.register,
      }).flatMap(([name, { url } = {}]) =>
        url === undefined ? [] : [{ at: [name, 'url'], source: url }],
      ),
      requests: after.requests,
      headers: [{ at: ['token', 'headers'], source: token.headers ?? {} }],
      stores: [
        ...(authorize?.store === undefined
          ? []
          : [{ at: ['authorize', 'store'], source: authorize.store }]),
        { at: ['store'], source: others.store ?? {} },
        ...after.stores,
      ],
      asserts: [GRANTS[grant], CLIENT_AUTH[token.client_auth ?? 'basic']].some(
        ({ asserts }) => asserts === true,
      ),
      rootMembers: { id: { type: 'string' }, secret: { type: 'string' } },
      credentials: [
        REFRESH,
        'client_id',
        'client_secret',
        'expires_in',
        'expires_at',
        ...(presents ?? []),
      ],
      kept: {
        access_token: 'gets an access token it cannot keep',
        ...(others.client === 'registered' && {
          client_id: 'registers a client it cannot keep',
          ...(CLIENT_AUTH[token.client_auth ?? 'basic'].hasSecret && {
            client_secret: 'registers a client whose secret it cannot keep',
          }),
        }),
        ...(refresh !== false &&
          refreshes && {
            [REFRESH]: 'could refresh its token, and has no place for the refresh token',
          }),
      },
    }
  },
  stores: ({ authorize, store, afterToken }) => [
    ...(authorize?.store ?? []),
    ...store,
    ...afterToken.flatMap((step) => step.store),
  ],
  consent({ authorize, token, client, sameClient, app }) {
    if (authorize === null) return null
    const named = consentNames(authorize)
    return {
      page: authorize.url,
      urls: [token.url],
      scopes: authorize.scopes,
      scopeNames: authorize.scopeNames ?? {},
      scopeTitles: authorize.scopeTitles ?? {},
      client: {
        isRegistered: client === 'registered',
        hasSecret: CLIENT_AUTH[token.clientAuth].hasSecret,
        isShared: sameClient === true,
        app: app === undefined ? null : { url: app.url ?? null, steps: app.steps ?? [] },
      },
      stateIn: (query) => query[named.state],
      failureIn({ error, ...query }) {
        if (error === 'access_denied') return error
        return error === undefined && query[named.code] !== undefined ? null : 'upstream_error'
      },
    }
  },
  root: 'client',
  secrets: ['access_token', REFRESH, 'client_secret'],
}

/** Refreshing goes to the token endpoint where the block says nothing else. */
export function withRefresh({ refresh, ...block }: Resolved['oauth2']): OAuth2 {
  return { ...block, refresh: refresh === false ? null : { url: block.token.url, ...refresh } }
}

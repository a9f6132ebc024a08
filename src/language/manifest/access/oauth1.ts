// `oauth1`: a token of OAuth 1.0a that a user gives. Source: RFC 5849 section 2.
import type { OAuth1 } from '../manifest.ts'
import type { OAuth1Source } from '../source.ts'
import type { Access } from './access.ts'

/** How vendors say that the user did not agree. The first is of OAuth 1.0 vendors' own, `oauth_problem` of an extension. */
const DENIALS: Readonly<Record<string, RegExp>> = {
  denied: /^/,
  oauth_problem: /^(permission_denied|user_refused)$/,
  error: /^access_denied$/,
}

export const oauth1: Access<OAuth1Source, OAuth1> = {
  parts: ({ request_token, authorize, access_token, store = {} }) => ({
    urls: Object.entries({ request_token, authorize, access_token }).map(([name, { url }]) => ({
      at: [name, 'url'],
      source: url,
    })),
    requests: [],
    headers: Object.entries({ request_token, access_token }).map(([name, { headers = {} }]) => ({
      at: [name, 'headers'],
      source: headers,
    })),
    stores: [
      ...(authorize.store === undefined
        ? []
        : [{ at: ['authorize', 'store'], source: authorize.store }]),
      { at: ['store'], source: store },
    ],
    rootMembers: { id: { type: 'string' }, secret: { type: 'string' } },
    credentials: ['client_id', 'client_secret'],
    kept: {
      access_token: 'gets a token it cannot keep',
      token_secret: 'gets a token whose secret it cannot keep',
    },
  }),
  stores: ({ authorize, store }) => [...(authorize.store ?? []), ...store],
  consent: ({ requestToken, authorize, accessToken, sameClient }) => ({
    page: authorize.url,
    urls: [requestToken.url, accessToken.url],
    scopes: [],
    scopeNames: {},
    scopeTitles: {},
    client: { isRegistered: false, hasSecret: true, isShared: sameClient === true, app: null },
    // The address to come back to is ours, and the vendor adds to it (section 2.2).
    stateIn: (query) => query['state'],
    failureIn(query) {
      const isDenied = Object.entries(DENIALS).some(([name, says]) => {
        const value = query[name]
        return value !== undefined && says.test(value)
      })
      if (isDenied) return 'access_denied'
      return query['oauth_verifier'] ? null : 'upstream_error'
    },
  }),
  root: 'client',
  secrets: ['access_token', 'token_secret', 'client_secret'],
}

// `oauth2`: tokens of a token endpoint. Source: RFC 6749.
import type { Text } from '../../expression/syntax.ts'
import { parseDuration } from '../duration.ts'
import type { AfterToken, Entry, OAuth2 } from '../manifest.ts'
import { orNull } from '../or-null.ts'
import type { Site } from '../resolver.ts'
import type { OAuth2Source, TemplateMapSource } from '../source.ts'
import { type Access, type Requests, resolveStore } from './access.ts'
import { DEFAULT_GRANT, GRANTS, REFRESH } from './grants.ts'

export const oauth2: Access<OAuth2Source, OAuth2> = {
  resolve,
  parts: ({ grant = DEFAULT_GRANT, authorize, token, refresh, ...others }) => {
    const { presents, refreshes } = GRANTS[grant]
    const after = others.after_token ?? []
    return {
      urls: Object.entries({ authorize, token, refresh: refresh === false ? {} : refresh }).flatMap(
        ([name, { url } = {}]) => (url === undefined ? [] : [{ at: [name, 'url'], source: url }]),
      ),
      requests: after.map(({ request }, index) => ({
        at: ['after_token', index, 'request'],
        source: request,
        auth: 'same',
      })),
      headers: [{ at: ['token', 'headers'], source: token.headers ?? {} }],
      stores: [
        { at: ['store'], source: others.store ?? {} },
        ...after.map(({ store }, index) => ({
          at: ['after_token', index, 'store'],
          source: store,
        })),
      ],
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
        ...(refresh !== false &&
          refreshes && {
            [REFRESH]: 'could refresh its token, and has no place for the refresh token',
          }),
      },
    }
  },
  stores: ({ store, afterToken }) => [...store, ...afterToken.flatMap((step) => step.store)],
  root: 'client',
  secrets: ['access_token', REFRESH, 'client_secret'],
}

function resolve(
  { authorize, token, refresh, ...others }: OAuth2Source,
  site: Site,
  requests: Requests,
): OAuth2 {
  const { style } = requests
  const url = (source: string, key: string): Text => site.in(key, 'url').text(source, 'oauth2.url')
  const params = (map: TemplateMapSource | undefined, key: string): readonly Entry[] =>
    site.in(key, 'params').entries(map, { place: 'oauth2.params', style, repeatable: true })
  const tokenUrl = url(token.url, 'token')
  return {
    grant: others.grant ?? DEFAULT_GRANT,
    authorize: orNull(authorize, ({ issuer, ...block }) => ({
      url: url(block.url, 'authorize'),
      scopes: block.scopes ?? [],
      separator: block.separator ?? ' ',
      pkce: block.pkce ?? true,
      ...(issuer !== undefined && { issuer }),
      params: params(block.params, 'authorize'),
    })),
    token: {
      url: tokenUrl,
      method: token.method ?? 'POST',
      clientAuth: token.client_auth ?? 'basic',
      body: token.body ?? 'form',
      headers: site
        .in('token', 'headers')
        .headers(token.headers, { place: 'oauth2.headers', style, repeatable: true }),
      params: params(token.params, 'token'),
    },
    refresh:
      refresh === false
        ? null
        : {
            url: orNull(refresh?.url, (own) => url(own, 'refresh')) ?? tokenUrl,
            params: params(refresh?.params, 'refresh'),
          },
    rotatesRefreshToken: others.rotates_refresh_token ?? false,
    reuseGraceMs: orNull(others.reuse_grace, parseDuration),
    store: resolveStore(others.store, site.in('store'), 'oauth2.store'),
    afterToken: (others.after_token ?? []).map((step, index) =>
      resolveAfterToken(step, site.in('after_token', index), requests),
    ),
  }
}

function resolveAfterToken(
  step: NonNullable<OAuth2Source['after_token']>[number],
  site: Site,
  requests: Requests,
): AfterToken {
  const chosen = site.in('choose')
  return {
    on: step.on ?? 'connect',
    test: orNull(step.if, (test) => site.in('if').expression(test, 'condition')),
    request: requests.resolve(step.request, site.in('request'), 'same'),
    choose: orNull(step.choose, ({ from, match = {}, label }) => ({
      from: chosen.in('from').path(from, 'after_token.choose.from'),
      match: Object.entries(match).map(([path, value]) => ({
        at: chosen.in('match', path).key.path(path, 'after_token.choose.match'),
        value: chosen.in('match', path).text(value, 'choose.match'),
      })),
      label: chosen.in('label').path(label, 'after_token.choose.label'),
    })),
    store: resolveStore(step.store, site.in('store'), 'after_token.store'),
  }
}

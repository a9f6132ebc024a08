// Authentication methods: where credentials go, how tokens and sessions are got, what their answers leave behind.
import type { Text } from '../expression/syntax.ts'
import { resolveApply } from './credential-places/places.ts'
import type { PlacedMethod } from './draft.ts'
import { parseDuration } from './duration.ts'
import { resolveInput } from './input-schema.ts'
import type { AfterToken, AuthMethod, Entry, OAuth2, Store } from './manifest.ts'
import type { RequestDefaults } from './resolve-request.ts'
import { resolveRequest } from './resolve-request.ts'
import type { Resolver, Site } from './resolver.ts'
import { orNull } from './resolver.ts'
import type {
  AuthMethodSource,
  BaseUrlSource,
  OAuth2Source,
  StoreSource,
  TemplateMapSource,
} from './source.ts'

/** Resolves one method. `requests`: what holds for every request. */
export function resolveMethod(
  { name, at, source }: PlacedMethod,
  resolver: Resolver,
  requests: RequestDefaults,
): AuthMethod {
  const site = resolver.site('auth', at, { method: name })
  return {
    name,
    title: source.title ?? null,
    description: source.description ?? null,
    credentials: resolveInput(source.credentials, site.in('credentials')),
    urls: orNull(source.server, ({ url }) => resolveUrls(url, site.in('server', 'url'))),
    derive: Object.entries(source.derive ?? {}).map(([setting, value]) => ({
      setting: setting.slice('config.'.length),
      value: site.in('derive', setting).template(value, 'derive'),
    })),
    apply: resolveApply(source.apply, site.in('apply'), requests.style),
    session: orNull(source.session, (session) =>
      resolveSession(session, site.in('session'), requests),
    ),
    oauth2: orNull(source.oauth2, (oauth2) => resolveOAuth2(oauth2, site.in('oauth2'), requests)),
  }
}

/** Resolves one base URL or several. */
export function resolveUrls(url: BaseUrlSource, site: Site): readonly Text[] {
  if (typeof url === 'string') return [site.text(url, 'server.url')]
  return url.map((candidate, index) => site.in(index).text(candidate, 'server.url'))
}

function resolveSession(
  session: NonNullable<AuthMethodSource['session']>,
  site: Site,
  requests: RequestDefaults,
): AuthMethod['session'] {
  return {
    // A login carries the credentials in its own templates; there is no session yet to apply.
    request: resolveRequest(session.request, site.in('request'), requests, 'none'),
    store: resolveStore(session.store, site.in('store'), 'session.store'),
    ttlMs: orNull(session.ttl, parseDuration),
    expires: orNull(session.expires, (path) => site.in('expires').path(path, 'session.expires')),
  }
}

function resolveStore(store: StoreSource = {}, site: Site, use: string): readonly Store[] {
  return Object.entries(store).map(([target, path]) => {
    const [root = '', name = ''] = target.split('.')
    return {
      root: root as Store['root'], // the manifest schema allows no other
      name,
      at: site.in(target).path(path, use),
    }
  })
}

function resolveOAuth2(
  oauth2: OAuth2Source,
  site: Site,
  { style, ...rest }: RequestDefaults,
): OAuth2 {
  const { authorize, token, refresh } = oauth2
  const url = (source: string, key: string): Text => site.in(key, 'url').text(source, 'oauth2.url')
  const params = (map: TemplateMapSource | undefined, key: string): readonly Entry[] =>
    site.in(key, 'params').entries(map, { place: 'oauth2.params', style, repeatable: true })
  const tokenUrl = url(token.url, 'token')
  return {
    grant: oauth2.grant ?? 'authorization_code',
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
    rotatesRefreshToken: oauth2.rotates_refresh_token ?? false,
    reuseGraceMs: orNull(oauth2.reuse_grace, parseDuration),
    store: resolveStore(oauth2.store, site.in('store'), 'oauth2.store'),
    afterToken: (oauth2.after_token ?? []).map((step, index) =>
      resolveAfterToken(step, site.in('after_token', index), { style, ...rest }),
    ),
  }
}

function resolveAfterToken(
  step: NonNullable<OAuth2Source['after_token']>[number],
  site: Site,
  requests: RequestDefaults,
): AfterToken {
  const chosen = site.in('choose')
  return {
    on: step.on ?? 'connect',
    test: orNull(step.if, (test) => site.in('if').expression(test, 'condition')),
    request: resolveRequest(step.request, site.in('request'), requests),
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

// Authentication methods: where credentials go, how tokens and sessions are got, what their answers leave behind.
import type { Text } from '../expression/syntax.ts'
import type { PlaceResolver } from './credential-places/place.ts'
import { resolveApply } from './credential-places/places.ts'
import type { DocumentPath } from './document.ts'
import type { Owner, PlacedMethod, TextPlace } from './draft.ts'
import { parseDuration } from './duration.ts'
import { resolveInput } from './input-schema.ts'
import type { AfterToken, AuthMethod, Entry, OAuth2, Store } from './manifest.ts'
import { usesBelow } from './resolve-answer.ts'
import type { RequestDefaults } from './resolve-request.ts'
import { overlayHeaders, resolveRequest } from './resolve-request.ts'
import { below, resolveEntries, resolveTemplate } from './resolve-template.ts'
import type { Resolver, TextSite } from './resolver.ts'
import type {
  AuthMethodSource,
  ManifestSource,
  OAuth2Source,
  StoreSource,
  TemplateMapSource,
} from './source.ts'

/** Resolves one method. `requests`: what holds for every request. */
export function resolveMethod(
  method: PlacedMethod,
  manifest: ManifestSource,
  resolver: Resolver,
  requests: RequestDefaults,
): AuthMethod {
  const { name, at, source } = method
  const owner: Owner = { area: 'auth', entity: null, action: null, step: null, method: name }
  const block: Block = { at, owner, resolver, requests }
  return {
    name,
    title: source.title ?? null,
    description: source.description ?? null,
    credentials: resolveInput(
      manifest,
      source.credentials,
      { at: [...at, 'credentials'], owner },
      resolver,
    ),
    urls:
      source.server === undefined
        ? null
        : resolveUrls(source.server.url, { at: [...at, 'server', 'url'], owner }, resolver),
    derive: Object.entries(source.derive ?? {}).map(([setting, value]) => ({
      setting: setting.slice('config.'.length),
      value: resolveTemplate(value, textIn(block, 'derive', 'derive', setting), resolver),
    })),
    apply: resolveApply(source.apply, (word) => placeBelow(block, word)),
    session: source.session === undefined ? null : resolveSession(source.session, block),
    oauth2:
      source.oauth2 === undefined
        ? null
        : resolveOAuth2(source.oauth2, { ...block, at: [...at, 'oauth2'] }),
  }
}

/** Resolves one base URL or several. */
export function resolveUrls(
  url: string | readonly string[],
  site: { readonly at: DocumentPath; readonly owner: Owner },
  resolver: Resolver,
): readonly Text[] {
  const place: TextSite = { ...site, place: 'server.url' }
  if (typeof url === 'string') return [resolver.text(url, place)]
  return url.map((candidate, index) => resolver.text(candidate, below(place, index)))
}

interface Block {
  readonly at: DocumentPath
  readonly owner: Owner
  readonly resolver: Resolver
  readonly requests: RequestDefaults
}

function textIn(block: Block, place: TextPlace, ...keys: readonly (string | number)[]): TextSite {
  return { at: [...block.at, ...keys], owner: block.owner, place }
}

function entriesIn(
  block: Block,
  map: TemplateMapSource | undefined,
  site: TextSite,
): readonly Entry[] {
  return resolveEntries(map, site, block.resolver, {
    use: site.place,
    style: block.requests.style,
    styled: false,
    repeatable: true,
  })
}

/** What resolves below a word of `apply`. */
function placeBelow(block: Block, word: string): PlaceResolver {
  const here = textIn(block, 'apply', 'apply', word)
  return {
    template: (source, ...keys) =>
      resolveTemplate(source, { ...here, at: [...here.at, ...keys] }, block.resolver),
    headers: (source) => overlayHeaders([], entriesIn(block, source, here)),
    query: (source) => entriesIn(block, source, here),
  }
}

function resolveSession(
  session: NonNullable<AuthMethodSource['session']>,
  block: Block,
): AuthMethod['session'] {
  const { at, owner, resolver, requests } = block
  const here = { at: [...at, 'session'], owner }
  const uses = usesBelow(here, 'session')
  return {
    request: resolveRequest(
      session.request,
      { at: [...here.at, 'request'], owner },
      resolver,
      // A login carries the credentials in its own templates; there is no session yet to apply.
      { defaults: requests, auth: 'none' },
    ),
    store: resolveStore(session.store, { ...block, at: [...here.at, 'store'] }, 'session.store'),
    ttlMs: session.ttl === undefined ? null : parseDuration(session.ttl),
    expires: session.expires === undefined ? null : resolver.path(session.expires, uses('expires')),
  }
}

function resolveStore(store: StoreSource | undefined, block: Block, use: string): readonly Store[] {
  return Object.entries(store ?? {}).map(([target, path]) => {
    const [root = '', name = ''] = target.split('.')
    return {
      root: root as Store['root'], // the manifest schema allows no other
      name,
      at: block.resolver.path(path, { at: [...block.at, target], owner: block.owner, use }),
    }
  })
}

function resolveOAuth2(oauth2: OAuth2Source, block: Block): OAuth2 {
  const { resolver } = block
  const { authorize, token, refresh } = oauth2
  const url = (source: string, key: string): Text =>
    resolver.text(source, textIn(block, 'oauth2.url', key, 'url'))
  const params = (map: TemplateMapSource | undefined, key: string): readonly Entry[] =>
    entriesIn(block, map, textIn(block, 'oauth2.params', key, 'params'))
  const tokenUrl = url(token.url, 'token')
  return {
    grant: oauth2.grant ?? 'authorization_code',
    authorize:
      authorize === undefined
        ? null
        : {
            url: url(authorize.url, 'authorize'),
            scopes: authorize.scopes ?? [],
            separator: authorize.separator ?? ' ',
            pkce: authorize.pkce ?? true,
            ...(authorize.issuer === undefined ? {} : { issuer: authorize.issuer }),
            params: params(authorize.params, 'authorize'),
          },
    token: {
      url: tokenUrl,
      method: token.method ?? 'POST',
      clientAuth: token.client_auth ?? 'basic',
      body: token.body ?? 'form',
      headers: overlayHeaders(
        [],
        entriesIn(block, token.headers, textIn(block, 'oauth2.headers', 'token', 'headers')),
      ),
      params: params(token.params, 'token'),
    },
    refresh:
      refresh === false
        ? null
        : {
            url: refresh?.url === undefined ? tokenUrl : url(refresh.url, 'refresh'),
            params: params(refresh?.params, 'refresh'),
          },
    rotatesRefreshToken: oauth2.rotates_refresh_token ?? false,
    reuseGraceMs: oauth2.reuse_grace === undefined ? null : parseDuration(oauth2.reuse_grace),
    store: resolveStore(oauth2.store, { ...block, at: [...block.at, 'store'] }, 'oauth2.store'),
    afterToken: (oauth2.after_token ?? []).map((step, index) =>
      resolveAfterToken(step, { ...block, at: [...block.at, 'after_token', index] }),
    ),
  }
}

type AfterTokenSource = NonNullable<OAuth2Source['after_token']>[number]

function resolveAfterToken(step: AfterTokenSource, block: Block): AfterToken {
  const { at, owner, resolver, requests } = block
  const { choose } = step
  const uses = usesBelow({ at: [...at, 'choose'], owner }, 'after_token.choose')
  return {
    on: step.on ?? 'connect',
    test:
      step.if === undefined ? null : resolver.expression(step.if, textIn(block, 'condition', 'if')),
    request: resolveRequest(step.request, { at: [...at, 'request'], owner }, resolver, {
      defaults: requests,
      auth: 'same',
    }),
    choose:
      choose === undefined
        ? null
        : {
            from: resolver.path(choose.from, uses('from')),
            match: Object.entries(choose.match ?? {}).map(([path, value]) => ({
              at: resolver.path(path, { ...below(uses('match'), path), part: 'key' }),
              value: resolver.text(value, textIn(block, 'choose.match', 'choose', 'match', path)),
            })),
            label: resolver.path(choose.label, uses('label')),
          },
    store: resolveStore(step.store, { ...block, at: [...at, 'store'] }, 'after_token.store'),
  }
}

// Where requests may go: hosts of base URLs and of literal addresses, headers that are not the manifest's to set.
import { carriedBy, chosenHeaders, credentialHeaders } from '../credential-places/places.ts'
import { type DocumentPath, problemAt } from '../document.ts'
import { actionsOf, type ManifestDraft, methodsOf, type PlacedText } from '../draft.ts'
import type { ManifestProblem } from '../problem.ts'
import type { AuthMethodSource } from '../source.ts'
import { fieldsOf, isListed, literalHost, type PlacedField, requestsOf } from './request-facts.ts'

/** Findings about hosts and headers. */
export function lintServers(draft: ManifestDraft): readonly ManifestProblem[] {
  return [
    ...lintUserInfo(draft),
    ...lintHosts(draft),
    ...lintCustomerHosts(draft),
    ...lintLiteralHosts(draft),
    ...lintHeaders(draft),
  ]
}

function urlsOf(draft: ManifestDraft): readonly PlacedText[] {
  return draft.texts.filter(({ place }) => place === 'server.url' || place === 'oauth2.url')
}

/** `https://api.example@other.example` names another host than it seems to, and credentials would go there. */
function lintUserInfo(draft: ManifestDraft): readonly ManifestProblem[] {
  return writtenUrls(draft)
    .filter(({ url }) => hasUserInfo(url))
    .map(({ at }) =>
      problemAt(draft.document, {
        at,
        rule: 'server/user-info',
        message:
          'this URL has user information before its host; everything before the @ is no host',
        hint: 'write the host alone; credentials go into auth',
      }),
    )
}

function hasUserInfo(url: string): boolean {
  const written = url.replaceAll(/\{\{.*?\}\}/gs, 'x')
  return /^[a-z]+:\/\/[^/?#\\]*@/i.test(written)
}

interface WrittenUrl {
  readonly at: DocumentPath
  readonly url: string
}

/** Every URL of a manifest, literal or not: base URLs, those of OAuth, and of requests that leave the base URL. */
function writtenUrls(draft: ManifestDraft): readonly WrittenUrl[] {
  return [
    ...serverUrls(draft),
    ...methodsOf(draft.source).flatMap(({ at, source: { oauth2 } }) => {
      if (oauth2 === undefined) return []
      const { authorize, token, refresh } = oauth2
      return Object.entries({ authorize, token, refresh }).flatMap(([name, block]) =>
        typeof block === 'object' && block.url !== undefined
          ? [{ at: [...at, 'oauth2', name, 'url'], url: block.url }]
          : [],
      )
    }),
    ...requestsOf(draft.source).flatMap(({ at, source }) => {
      const [, url] = /^[A-Z]+ ([a-z]+:\/\/.*)$/is.exec(source.http) ?? []
      return url === undefined ? [] : [{ at: [...at, 'http'], url }]
    }),
  ]
}

/** The base URLs, of the server and of methods. */
function serverUrls(draft: ManifestDraft): readonly WrittenUrl[] {
  const servers: readonly (readonly [at: DocumentPath, url: string | readonly string[]])[] = [
    [['server', 'url'], draft.source.server.url],
    ...methodsOf(draft.source).flatMap(({ at, source }) =>
      source.server === undefined ? [] : [[[...at, 'server', 'url'], source.server.url] as const],
    ),
  ]
  return servers.flatMap(([at, urls]) =>
    typeof urls === 'string'
      ? [{ at, url: urls }]
      : urls.map((url, index) => ({ at: [...at, index], url })),
  )
}

/** A host that is not literal could be any: it must be listed. */
function lintHosts(draft: ManifestDraft): readonly ManifestProblem[] {
  if (draft.source.server.hosts !== undefined) return []
  return urlsOf(draft)
    .filter(({ text }) => literalHost(text) === null)
    .map(({ at }) =>
      problemAt(draft.document, {
        at,
        rule: 'server/hosts-missing',
        message:
          'the host of this URL is not literal, and server.hosts does not say which hosts it may name',
        hint: 'add server.hosts, for example ["*.example.com"]',
      }),
    )
}

/** `hosts: any`: the host is one setting as a whole, which no answer of the vendor may change. */
function lintCustomerHosts(draft: ManifestDraft): readonly ManifestProblem[] {
  if (draft.source.server.hosts !== 'any') return []
  const urls = urlsOf(draft)
  const settings = new Set(
    urls.flatMap(({ text }) => {
      const [, host] = text
      const path = typeof host === 'object' && host.kind === 'path' && host.root === 'config'
      return path ? host.path.slice(0, 1) : []
    }),
  )
  return [
    ...urls
      .filter(({ text }) => literalHost(text) === null && !isWholeSetting(text))
      .map(({ at }) =>
        problemAt(draft.document, {
          at,
          rule: 'server/host-in-parts',
          message: 'with hosts: any the host is one whole setting',
          hint: 'write "https://{{ config.host }}/…"',
        }),
      ),
    ...methodsOf(draft.source).flatMap(({ at, source }) =>
      targetsOf(source, at)
        .filter(({ target }) => settings.has(target.replace(/^config\./, '')))
        .filter(({ target }) => target.startsWith('config.'))
        .map((stored) =>
          problemAt(draft.document, {
            at: stored.at,
            part: 'key',
            rule: 'server/host-stored',
            message: `"${stored.target}" names the host of the server, and with hosts: any nothing but the customer may set it`,
            hint: 'list the hosts in server.hosts',
          }),
        ),
    ),
  ]
}

function isWholeSetting([scheme, host, rest]: PlacedText['text']): boolean {
  return (
    scheme === 'https://' &&
    typeof host === 'object' &&
    host.kind === 'path' &&
    host.root === 'config' &&
    (rest === undefined || (typeof rest === 'string' && rest.startsWith('/')))
  )
}

interface Target {
  readonly at: DocumentPath
  readonly target: string
}

/** What `derive` and every `store` of a method write to. */
export function targetsOf(method: AuthMethodSource, at: DocumentPath): readonly Target[] {
  const blocks: readonly (readonly [at: DocumentPath, targets: object | undefined])[] = [
    [[...at, 'derive'], method.derive],
    [[...at, 'session', 'store'], method.session?.store],
    [[...at, 'oauth2', 'store'], method.oauth2?.store],
    ...(method.oauth2?.after_token ?? []).map(
      (entry, index) => [[...at, 'oauth2', 'after_token', index, 'store'], entry.store] as const,
    ),
  ]
  return blocks.flatMap(([place, targets]) =>
    Object.keys(targets ?? {}).map((target) => ({ at: [...place, target], target })),
  )
}

/** Literal hosts: those of base URLs must be among the listed ones, credentials go to listed ones only. */
function lintLiteralHosts(draft: ManifestDraft): readonly ManifestProblem[] {
  const { server } = draft.source
  const hosts = Array.isArray(server.hosts) ? (server.hosts as readonly string[]) : null
  const own = literalServerHosts(draft)
  const bases = hosts === null ? [] : own.filter(({ host }) => !isListed(host, hosts))
  const trusted = new Set([
    ...own.map(({ host }) => host),
    ...(hosts ?? []).filter((host) => !host.startsWith('*.')),
  ])
  const requests = requestsOf(draft.source).flatMap(({ at, source, credentialed }) => {
    const host = /^[A-Z]+ https?:\/\/([^/]+)/.exec(source.http)?.[1]
    return host === undefined || !credentialed || trusted.has(host) ? [] : [{ at, host }]
  })
  return [
    ...bases.map(({ at, host }) =>
      problemAt(draft.document, {
        at,
        rule: 'server/host-not-listed',
        message: `server.hosts does not list "${host}", so no request could be sent there`,
        hint: `add ${host} to server.hosts`,
      }),
    ),
    ...requests.map(({ at, host }) =>
      problemAt(draft.document, {
        at: [...at, 'http'],
        rule: 'server/credentials-elsewhere',
        message: `credentials do not go to "${host}": server.hosts does not list it`,
        hint: `add ${host} to server.hosts, or send the request with auth: none`,
      }),
    ),
  ]
}

function literalServerHosts(
  draft: ManifestDraft,
): readonly { readonly at: DocumentPath; readonly host: string }[] {
  return serverUrls(draft).flatMap(({ at, url }) => {
    const host = /^https?:\/\/([^/{]+)(?:\/|$)/.exec(url)?.[1]
    return host === undefined ? [] : [{ at, host }]
  })
}

const ENGINE_HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'host',
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
const FRAMING: ReadonlySet<string> = new Set(
  [...ENGINE_HEADERS].filter((name) => name !== 'authorization' && name !== 'cookie'),
)

function lintHeaders(draft: ManifestDraft): readonly ManifestProblem[] {
  const { source, manifest } = draft
  const applied = new Map(
    manifest.auth.map(({ name, apply }) => [name, new Set(credentialHeaders(carriedBy(apply)))]),
  )
  const everywhere = new Set([...applied.values()].flatMap((names) => [...names]))
  const shared = [
    ...fieldsOf(source.server.headers, ['server', 'headers']),
    ...fieldsOf(source.defaults?.request?.headers, ['defaults', 'request', 'headers']),
    ...actionsOf(source).flatMap((action) =>
      fieldsOf(action.source.download?.headers, [...action.at, 'download', 'headers']),
    ),
  ]
  return [
    ...shared.flatMap((field) => lintHeader(draft, field, everywhere)),
    ...requestsOf(source).flatMap(({ at, source: request, method, credentialed }) => {
      const names = method === null ? everywhere : (applied.get(method) ?? new Set<string>())
      const fields = fieldsOf(request.headers, [...at, 'headers'])
      return fields.flatMap((field) => lintHeader(draft, field, credentialed ? names : new Set()))
    }),
    ...methodsOf(source).flatMap(({ at, source: method }) => [
      ...chosenHeaders(method.apply).flatMap(([word, name]) =>
        lintFraming(draft, name, [...at, 'apply', word, name]),
      ),
      ...Object.keys(method.oauth2?.token.headers ?? {}).flatMap((name) =>
        lintFraming(draft, name, [...at, 'oauth2', 'token', 'headers', name]),
      ),
    ]),
  ]
}

function lintHeader(
  draft: ManifestDraft,
  { at, part, name }: PlacedField,
  applied: ReadonlySet<string>,
): readonly ManifestProblem[] {
  const lower = name.toLowerCase()
  if (ENGINE_HEADERS.has(lower)) return [headerProblem(draft, at, part, name)]
  if (!applied.has(lower)) return []
  return [
    problemAt(draft.document, {
      at,
      part,
      rule: 'auth/header-taken',
      message: `the header "${name}" is set by the authentication`,
      hint: 'remove it here, or send the request with auth: none',
    }),
  ]
}

function lintFraming(
  draft: ManifestDraft,
  name: string,
  at: DocumentPath,
): readonly ManifestProblem[] {
  return FRAMING.has(name.toLowerCase()) ? [headerProblem(draft, at, 'key', name)] : []
}

function headerProblem(
  draft: ManifestDraft,
  at: DocumentPath,
  part: 'key' | 'value',
  name: string,
): ManifestProblem {
  return problemAt(draft.document, {
    at,
    part,
    rule: 'request/engine-header',
    message: `the header "${name}" belongs to the engine`,
    hint: name.toLowerCase() === 'authorization' ? 'say it under auth.*.apply' : 'remove it',
  })
}

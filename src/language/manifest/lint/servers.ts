// Where requests may go: hosts of base URLs and of literal addresses, headers that are not the manifest's to set.
import { accessParts } from '../access/all-access.ts'
import { httpOf } from '../body-forms/forms.ts'
import { carriedBy, chosenHeaders, credentialHeaders } from '../credential-places/places.ts'
import type { DocumentPath } from '../document.ts'
import type { PlacedMethod, PlacedText } from '../draft.ts'
import { keyAt, type Lint, type Place } from './lint.ts'
import { fieldsOf, isListed, literalHost, requestsOf } from './request-facts.ts'

export function lintServers(lint: Lint): void {
  lintUserInfo(lint)
  lintHosts(lint)
  lintLiteralHosts(lint)
  lintReach(lint)
  lintHeaders(lint)
}

/** `https://api.example@other.example` names another host than it seems to, and credentials would go there. */
function lintUserInfo(lint: Lint): void {
  for (const { at, url } of writtenUrls(lint)) {
    if (!/^[a-z]+:\/\/[^/?#\\]*@/i.test(url.replaceAll(/\{\{.*?\}\}/gs, 'x'))) continue
    const message =
      'this URL has user information before its host; everything before the @ is no host'
    lint.error(
      'server/user-info',
      { at },
      message,
      'write the host alone; credentials go into auth',
    )
  }
}

interface WrittenUrl {
  readonly at: DocumentPath
  readonly url: string
}

/** Every URL of a manifest, literal or not: base URLs, those of OAuth, and of requests that leave the base URL. */
function writtenUrls(lint: Lint): readonly WrittenUrl[] {
  return [
    ...serverUrls(lint),
    ...lint.methods.flatMap((method) =>
      accessParts(method).urls.map(({ at, source }) => ({ at, url: source })),
    ),
    ...requestsOf(lint).flatMap(({ at, source }) => {
      const [, url] = /^[A-Z]+ ([a-z]+:\/\/.*)$/is.exec(httpOf(source)) ?? []
      return url === undefined ? [] : [{ at: [...at, 'http'], url }]
    }),
  ]
}

/** The base URLs, of the server and of methods. */
function serverUrls({ source, methods }: Lint): readonly WrittenUrl[] {
  const servers = [{ at: [] as DocumentPath, source }, ...methods].flatMap((owner) =>
    owner.source.server === undefined
      ? []
      : [{ at: [...owner.at, 'server', 'url'], urls: owner.source.server.url }],
  )
  return servers.flatMap(({ at, urls }) =>
    typeof urls === 'string'
      ? [{ at, url: urls }]
      : urls.map((url, index) => ({ at: [...at, index], url })),
  )
}

/** A host that is not literal could be any: it must be listed, or be one setting that no answer of the vendor may change. */
function lintHosts(lint: Lint): void {
  const { hosts } = lint.source.server
  if (hosts !== undefined && hosts !== 'any') return
  const urls = lint.draft.texts.filter(({ place }) => ['server.url', 'oauth.url'].includes(place))
  for (const { at, text } of urls) {
    if (literalHost(text) !== null) continue
    if (hosts === undefined) {
      const message =
        'the host of this URL is not literal, and server.hosts does not say which hosts it may name'
      const hint = 'add server.hosts, for example ["*.example.com"]'
      lint.error('server/hosts-missing', { at }, message, hint)
    } else if (!isWholeSetting(text)) {
      const message = 'with hosts: any the host is one whole setting'
      lint.error('server/host-in-parts', { at }, message, 'write "https://{{ config.host }}/…"')
    }
  }
  if (hosts === undefined) return
  const settings = urls.flatMap(({ text: [, host] }) =>
    typeof host === 'object' && host.kind === 'path' && host.root === 'config'
      ? `config.${host.path[0] ?? ''}`
      : [],
  )
  for (const { at, target } of lint.methods.flatMap(targetsOf)) {
    if (!settings.includes(target)) continue
    const message = `"${target}" names the host of the server, and with hosts: any nothing but the customer may set it`
    const hint = 'list the hosts in server.hosts'
    lint.error('server/host-stored', keyAt(...at), message, hint)
  }
}

/** A host with settings in it that no entry of `server.hosts` allows, whatever the settings are. */
function lintReach(lint: Lint): void {
  const { hosts } = lint.source.server
  if (!Array.isArray(hosts)) return
  for (const { at, url } of writtenUrls(lint)) {
    const host = /^https:\/\/([^/]*(?:\{\{.*?\}\}[^/]*)+)(?:\/|$)/s.exec(url)?.[1]
    if (
      host === undefined ||
      host.startsWith('{{') === (host.lastIndexOf('}}') === host.length - 2)
    )
      continue
    const start = host.slice(0, host.indexOf('{{'))
    const end = host.slice(host.lastIndexOf('}}') + 2)
    if ((hosts as readonly string[]).some((entry) => canBe(entry, start, end))) continue
    const message = `no entry of server.hosts allows a host that ends in "${end}": every request would be refused`
    const hint = `add ${end.startsWith('.') ? `*${end}` : 'the host'} to server.hosts`
    lint.error('server/host-not-listed', { at }, message, hint)
  }
}

/** Whether some text between this beginning and this end is a host that an entry allows. */
function canBe(entry: string, start: string, end: string): boolean {
  if (entry.startsWith('*.')) {
    const suffix = entry.slice(1)
    return suffix.endsWith(end) || end.endsWith(suffix)
  }
  return entry.startsWith(start) && entry.endsWith(end) && entry.length > start.length + end.length
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

/** What `derive` and every `store` of a method write to. */
export function targetsOf(
  method: PlacedMethod,
): readonly { readonly at: DocumentPath; readonly target: string }[] {
  const derived = { at: [...method.at, 'derive'], source: method.source.derive ?? {} }
  return [derived, ...accessParts(method).stores].flatMap(({ at, source }) =>
    Object.keys(source).map((target) => ({ at: [...at, target], target })),
  )
}

/** Literal hosts: those of base URLs must be among the listed ones, credentials go to listed ones only. */
function lintLiteralHosts(lint: Lint): void {
  const { server } = lint.source
  const hosts = Array.isArray(server.hosts) ? (server.hosts as readonly string[]) : null
  const trusted = new Set(hosts?.filter((host) => !host.startsWith('*.')))
  for (const { at, url } of serverUrls(lint)) {
    const host = /^https?:\/\/([^/{]+)(?:\/|$)/.exec(url)?.[1]
    if (host === undefined) continue
    trusted.add(host)
    if (hosts === null || isListed(host, hosts)) continue
    const message = `server.hosts does not list "${host}", so no request could be sent there`
    lint.error('server/host-not-listed', { at }, message, `add ${host} to server.hosts`)
  }
  for (const { at, source, credentialed } of requestsOf(lint)) {
    const host = /^[A-Z]+ https?:\/\/([^/]+)/.exec(httpOf(source))?.[1]
    if (host === undefined || !credentialed || trusted.has(host)) continue
    const message = `credentials do not go to "${host}": server.hosts does not list it`
    const hint = `add ${host} to server.hosts, or send the request with auth: none`
    lint.error('server/credentials-elsewhere', { at: [...at, 'http'] }, message, hint)
  }
}

const FRAMING =
  /^(host|connection|content-length|expect|keep-alive|proxy-authorization|proxy-connection|te|trailer|transfer-encoding|upgrade)$/i
const ENGINE_HEADERS = new RegExp(`${FRAMING.source}|^(authorization|cookie)$`, 'i')

function lintHeaders(lint: Lint): void {
  const { source, draft } = lint
  const applied = new Map(
    draft.manifest.auth.map(({ name, apply }) => [
      name,
      new Set(credentialHeaders(carriedBy(apply))),
    ]),
  )
  const everywhere = new Set([...applied.values()].flatMap((names) => [...names]))
  const none = new Set<string>()
  const check = (
    place: Place,
    name: string,
    taken: ReadonlySet<string>,
    own = ENGINE_HEADERS,
  ): void => {
    const lower = name.toLowerCase()
    if (own.test(name)) {
      const hint = lower === 'authorization' ? 'say it under auth.*.apply' : 'remove it'
      lint.error('request/engine-header', place, `the header "${name}" belongs to the engine`, hint)
    } else if (taken.has(lower)) {
      const message = `the header "${name}" is set by the authentication`
      const hint = 'remove it here, or send the request with auth: none'
      lint.error('auth/header-taken', place, message, hint)
    }
  }
  const shared = [
    ...fieldsOf(source.server.headers, ['server', 'headers']),
    ...fieldsOf(source.defaults?.request?.headers, ['defaults', 'request', 'headers']),
    ...lint.actions.flatMap((action) =>
      fieldsOf(action.source.download?.headers, [...action.at, 'download', 'headers']),
    ),
    ...lint.actions.flatMap(({ at, source: { upload } }) =>
      (['chunk', 'ask'] as const).flatMap((part) =>
        fieldsOf(upload?.[part].headers, [...at, 'upload', part, 'headers']),
      ),
    ),
  ]
  for (const field of shared) check(field, field.name, everywhere)
  for (const { at, source: request, method, credentialed } of requestsOf(lint)) {
    const names = method === null ? everywhere : (applied.get(method) ?? none)
    // A method that does without its own words says how its request is authenticated.
    const own = method !== null && !credentialed ? FRAMING : ENGINE_HEADERS
    for (const field of fieldsOf(request.headers, [...at, 'headers']))
      check(field, field.name, credentialed ? names : none, own)
  }
  for (const method of lint.methods) {
    const chosen = chosenHeaders(method.source.apply).map((keys) => ({
      at: [...method.at, 'apply', ...keys],
      name: keys.at(-1) ?? '',
    }))
    const ofAccess = accessParts(method).headers.flatMap(({ at, source: headers }) =>
      Object.keys(headers).map((name) => ({ at: [...at, name], name })),
    )
    for (const { at, name } of [...chosen, ...ofAccess]) check(keyAt(...at), name, none, FRAMING)
  }
}

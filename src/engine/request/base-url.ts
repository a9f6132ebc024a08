// Where an instance's requests go: the first base URL that its settings complete, if the manifest allows its host.
import { ConnectorError } from '../../errors.ts'
import { encodeSegment } from '../../language/expression/encode.ts'
import { compileExpression } from '../../language/expression/evaluate.ts'
import { namesIn } from '../../language/expression/paths-in.ts'
import type { Scope, Text, TextPart } from '../../language/expression/syntax.ts'
import { ValueError } from '../../language/expression/value-error.ts'
import type { AuthMethod, Manifest, Server } from '../../language/manifest/manifest.ts'
import { isHostAllowed, isLabel } from './hosts.ts'
import { printScalar } from '../../language/expression/text-value.ts'

export interface BaseUrl {
  /** `https://api.example.com`, no slash at its end. */
  readonly origin: string
  /** '' or `/v2`, no slash at its end. */
  readonly path: string
}

/**
 * Compiles the choice of the base URL: of the method's URLs, else the server's, the first with no absent part.
 *
 * `serverUrl` (sandbox, tests, a proxy) replaces the origin and keeps the path. Throws `config_invalid` with the names
 * of missing settings when no URL is complete, and `destination_refused` when a setting would lead to a host that
 * `server.hosts` does not name. What was decided for one settings object is remembered.
 */
export function createServerResolver(
  manifest: Manifest,
  method: AuthMethod | null,
  serverUrl: string | null = null,
): (scope: Scope) => BaseUrl {
  const urls = (method?.urls ?? manifest.server.urls).map((text) =>
    compileUrl(text, manifest.server.hosts),
  )
  const instead = serverUrl === null ? null : standIn(serverUrl)
  const replace = (base: BaseUrl): BaseUrl =>
    instead === null ? base : { origin: instead.origin, path: instead.path + base.path }
  let known: { readonly config: Scope['config']; readonly base: BaseUrl } | null = null
  return (scope) => {
    if (known !== null && known.config === scope.config && scope.config !== undefined)
      return known.base
    for (const render of urls) {
      const base = render(scope)
      if (base === null) continue
      known = { config: scope.config, base: replace(base) }
      return known.base
    }
    throw missingSettings(manifest, method, scope)
  }
}

/** Base URLs by authentication method: credentials that a function gives may be for another one later. */
export function createServerOf(
  manifest: Manifest,
  serverUrl: string | null,
): (credentials: { readonly method: AuthMethod | null }, scope: Scope) => BaseUrl {
  const resolvers = new Map<AuthMethod | null, (scope: Scope) => BaseUrl>()
  return ({ method }, scope) => {
    let resolve = resolvers.get(method)
    if (resolve === undefined) {
      resolve = createServerResolver(manifest, method, serverUrl)
      resolvers.set(method, resolve)
    }
    return resolve(scope)
  }
}

/** What stands in for the origins of a manifest. Throws `config_invalid` for what is no HTTP URL. */
export function standIn(serverUrl: string): BaseUrl {
  if (!URL.canParse(serverUrl) || !/^https?:$/.test(new URL(serverUrl).protocol))
    throw new ConnectorError(
      'config_invalid',
      'serverUrl must be a URL such as http://127.0.0.1:8080',
    )
  const { origin, pathname } = new URL(serverUrl)
  return { origin, path: pathname.replace(/\/$/, '') }
}

/** Renders one candidate; null when a part of it is absent. */
function compileUrl(text: Text, hosts: Server['hosts']): (scope: Scope) => BaseUrl | null {
  const parts = text.map(compilePart)
  const literal = literalHost(text)
  return (scope) => {
    let url = ''
    let isDotted = false
    for (const [index, part] of parts.entries()) {
      const place = placeIn(url)
      const value = part(scope, place, hosts)
      if (value === null) return null
      isDotted ||= place === 'host' && typeof text[index] !== 'string' && value.includes('.')
      url += value
    }
    return parsed(url, { literal, isDotted, hosts })
  }
}

type Place = 'start' | 'host' | 'path'

/** What comes next in a URL that begins like this. */
function placeIn(url: string): Place {
  if (url === '') return 'start'
  return /^https:\/\/[^/]*$/.test(url) ? 'host' : 'path'
}

function compilePart(
  part: TextPart,
): (scope: Scope, place: Place, hosts: Server['hosts']) => string | null {
  if (typeof part === 'string') return () => part
  if (part.kind === 'ifBlock' || part.kind === 'eachBlock')
    throw new TypeError('a base URL has no blocks')
  const evaluate = compileExpression(part)
  return (scope, place, hosts) => {
    const value = evaluate(scope)
    if (value === undefined || value === null) return null
    const text = placeable(() => printScalar(value))
    // A whole URL: everything about it is judged after parsing.
    if (place === 'start') return text.replace(/\/$/, '')
    if (place === 'host') return hostPart(text, hosts)
    return text.split('/').map(pathSegment).join('/')
  }
}

/**
 * Labels of the host. Where the customer runs the server, the whole host with the port and the path below which it
 * answers, if it has any. Anything else could name another host.
 */
function hostPart(text: string, hosts: Server['hosts']): string {
  if (hosts === 'any') return ownServer(text)
  const name = text.toLowerCase()
  if (name.split('.').every(isLabel)) return name
  throw refused(ONE_LABEL)
}

const ONE_LABEL = 'a setting must be one part of a host name: letters, digits and hyphens'

function ownServer(text: string): string {
  const [, host = '', port, path = ''] =
    /^([^:/]+)(?::([1-9]\d{0,4}))?((?:\/[^/]+)*)\/?$/.exec(text) ?? []
  const name = host.toLowerCase()
  if (!name.split('.').every(isLabel) || Number(port ?? 1) > 65_535)
    throw refused(
      'a setting must be a host name such as shop.example.com, with a port and a path if the server has them, without scheme',
    )
  const segments = path.split('/').slice(1).map(pathSegment)
  return [port === undefined || port === '443' ? name : `${name}:${port}`, ...segments].join('/')
}

function pathSegment(segment: string): string {
  return placeable(() => encodeSegment(segment))
}

/** The host that stands in the text itself; null when settings have a part in it. */
function literalHost(text: Text): string | null {
  const [first] = text
  const match = typeof first === 'string' ? /^https:\/\/([^/]+)(\/|$)/.exec(first) : null
  if (match === null || (match[2] === '' && text.length > 1)) return null
  return match[1] ?? null
}

/** The finished text is parsed, and what the parser understood is judged again: it must be what was written. */
function parsed(
  text: string,
  {
    literal,
    isDotted,
    hosts,
  }: {
    readonly literal: string | null
    /** A setting gave more than one label of the host. */
    readonly isDotted: boolean
    readonly hosts: Server['hosts']
  },
): BaseUrl {
  const url = URL.canParse(text) ? new URL(text) : null
  const written = /^https:\/\/([^/]+)/.exec(text)?.[1] ?? ''
  if (url === null || url.protocol !== 'https:')
    throw refused('the base URL must begin with https:// and a host')
  const isPlain =
    url.username === '' &&
    url.password === '' &&
    (url.port === '' || hosts === 'any') &&
    url.search === '' &&
    url.hash === ''
  if (!isPlain || url.host !== written.toLowerCase() || text.includes('\\')) {
    throw refused('the base URL must hold a host and a path only')
  }
  // More labels than one could lead below a `*.` entry to a host of somebody else.
  if (isDotted && hosts !== 'any' && !hosts.includes(url.hostname)) throw refused(ONE_LABEL)
  if (url.hostname !== literal && !isHostAllowed(url.hostname, hosts)) {
    throw refused(
      `the host ${url.hostname} is not one this connector may call${hosts === 'any' ? '' : ` (${hosts.join(', ')})`}`,
    )
  }
  return { origin: url.origin, path: url.pathname.replace(/\/$/, '') }
}

function placeable<T>(place: () => T): T {
  try {
    return place()
  } catch (error) {
    if (error instanceof ValueError)
      throw refused(`a setting cannot stand in the base URL: ${error.message}`)
    throw error
  }
}

function refused(reason: string): ConnectorError {
  return new ConnectorError('destination_refused', `${reason}; nothing was sent`)
}

function missingSettings(
  manifest: Manifest,
  method: AuthMethod | null,
  scope: Scope,
): ConnectorError {
  const names = namesIn(method?.urls ?? manifest.server.urls, 'config')
  const missing = names.filter((name) => {
    const given = scope.config
    return given === undefined || !Object.hasOwn(given, name) || (given[name] ?? null) === null
  })
  return new ConnectorError(
    'config_invalid',
    `${manifest.type} needs ${missing.length > 1 ? 'one of the settings' : 'the setting'} ${missing.join(', ')} to know where to call`,
    {
      errors: missing.map((name) => ({
        pointer: `/config/${name}`,
        code: 'required',
        detail: 'is needed for the base URL',
      })),
      details: { missing },
    },
  )
}

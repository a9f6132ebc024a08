// The server of a document as the manifest's: every variable becomes a setting, and hosts say where credentials may go.
import { filled, type OpenApiServer, VARIABLE } from './document.ts'
import { parameterName } from './draft-names.ts'
import type { DraftSchema } from './draft-schema.ts'

export interface DraftedServer {
  readonly server: { readonly url: string; readonly hosts?: readonly string[] | 'any' }
  /** `config` of the manifest; null: no setting is needed. */
  readonly config: DraftSchema | null
  /** Another address of the document, with the same variables as settings. */
  readonly addressOf: (url: string) => string
}

/** More hosts than these are not listed one by one. */
const MAX_HOSTS = 20

/** The URL of a server without variables, https and without a slash at its end; null: it has variables, or is none. */
export function literalServer(server: OpenApiServer | null): string | null {
  if (server === null || server.url.includes('{')) return null
  return trimmed(server.url).replace(/^http:/i, 'https:')
}

/** The hosts of a drafted server with those of the operations that are called elsewhere. */
export function hostsWith(
  { url, hosts }: DraftedServer['server'],
  others: readonly (OpenApiServer | null)[],
): DraftedServer['server'] {
  const further = others.flatMap((other) => {
    const host = URL.parse(literalServer(other) ?? '')?.hostname
    return host === undefined ? [] : [host]
  })
  if (further.length === 0 || hosts === 'any') return { url, ...(hosts !== undefined && { hosts }) }
  const own = hosts ?? [URL.parse(url)?.hostname ?? '']
  return { url, hosts: [...new Set([...own, ...further])] }
}

const STAND_IN = 'https://api.example.com'

/**
 * Drafts the server. The default of a variable is an example in the setting's description and nothing more: it may be
 * the name of one customer, to whom the credentials of all would go. Where too little of a host is literal to say which
 * hosts there are, the host is one setting as a whole. What was guessed is told through `note`.
 */
export function draftServer(
  server: OpenApiServer | null,
  note: (text: string) => void,
): DraftedServer {
  if (server === null) {
    note(`the document names no absolute server; ${STAND_IN} stands in for it`)
    return { server: { url: STAND_IN }, config: null, addressOf: (url) => url }
  }
  const literal = literalServer(server)
  if (literal !== null)
    return { server: { url: literal }, config: null, addressOf: (other) => other }
  const names = settingNames(server)
  const { host, path, hosts } = addressIn(server, note)
  const withSettings = (text: string): string =>
    text.replaceAll(VARIABLE, (_whole, name: string) => `{{ config.${names.get(name) ?? name} }}`)
  const url = `https://${withSettings(host + path)}`
  if (!url.includes('{{')) return { server: { url }, config: null, addressOf: (other) => other }
  const used = [...names].filter(([, setting]) => url.includes(`{{ config.${setting} }}`))
  note(
    `the server has variables: each customer sets ${used.map(([, setting]) => `config.${setting}`).join(', ')}`,
  )
  const filledOrigin = originOf(filled(server))
  return {
    server: { url, hosts },
    config: {
      required: used.map(([, setting]) => setting),
      properties: Object.fromEntries(
        used.map(([name, setting]) => [setting, settingOf(server, name)]),
      ),
    },
    // A token endpoint at the host of the example is at the host of each customer.
    addressOf: (other) =>
      host.includes('{') && filledOrigin !== null && originOf(other) === filledOrigin
        ? `https://${withSettings(host)}${other.slice(filledOrigin.length)}`
        : withSettings(other),
  }
}

/** At least two labels: a single label would admit a whole top-level domain. */
const HOST_NAME = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i
/** The setting of a host that is a setting as a whole. */
const HOST = 'host'

function settingNames({ url }: OpenApiServer): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const [, name = ''] of url.matchAll(VARIABLE)) {
    const wanted = parameterName(name)
    const isTaken = [...names].some(([other, taken]) => other !== name && taken === wanted)
    names.set(name, isTaken ? `${wanted}_${names.size + 1}` : wanted)
  }
  return names.set(HOST, names.get(HOST) ?? HOST)
}

interface Address {
  /** With variables in braces. */
  readonly host: string
  readonly path: string
  readonly hosts: readonly string[] | 'any'
}

function addressIn(server: OpenApiServer, note: (text: string) => void): Address {
  // A variable for the scheme is no choice: only https is spoken.
  const [, authority = '', path = ''] =
    /^(?:https?|\{[^{}]+\}):\/\/([^/]+)(.*)$/i.exec(server.url) ?? []
  if (authority === '') {
    // The first variable holds the scheme and the host, and perhaps a path.
    const rest = server.url.replace(/^\{[^{}]+\}/, '')
    const base = URL.parse(
      filled({ ...server, url: server.url.slice(0, -rest.length || undefined) }),
    )
    return { host: `{${HOST}}`, path: trimmed(trimmed(base?.pathname ?? '') + rest), hosts: 'any' }
  }
  const [, host = '', port = null] = /^(.*?)(?::(\{[^{}]+\}|\d+))?$/.exec(authority) ?? []
  const isFixed = !host.includes('{') && port !== null && !port.includes('{')
  if (port !== null && !isFixed) note(`the port ${port} of the server is left out: https has 443`)
  const name = isFixed ? `${host}:${port}` : host
  const hosts = hostsOf(host, server)
  if (hosts !== null) return { host: name, path: trimmed(path), hosts }
  note('too little of the host is literal: the customer sets it as a whole')
  return { host: `{${HOST}}`, path: trimmed(path), hosts: 'any' }
}

/** The hosts that a name with variables can stand for; null: any. */
function hostsOf(host: string, { variables }: OpenApiServer): readonly string[] | null {
  const listed = [...host.matchAll(VARIABLE)].reduce<readonly string[]>(
    (found, [whole, name = '']) =>
      found.flatMap((each) =>
        (variables.get(name)?.choices ?? []).map((choice) => each.replaceAll(whole, choice)),
      ),
    [host],
  )
  const isSound = listed.every((each) => HOST_NAME.test(each))
  if (listed.length > 0 && listed.length <= MAX_HOSTS && isSound)
    return listed.map((each) => each.toLowerCase())
  const literal = host.slice(host.lastIndexOf('}') + 1).replace(/^[^.]*\./, '')
  return HOST_NAME.test(literal) ? [`*.${literal.toLowerCase()}`] : null
}

function settingOf({ variables }: OpenApiServer, name: string): DraftSchema {
  const variable = variables.get(name)
  const example = variable?.example ?? null
  const description = [
    variable?.description?.replaceAll(/\s+/g, ' ').replaceAll('{{', '{ {') ??
      (name === HOST && variable === undefined ? 'Host of the server.' : null),
    example === null ? null : `For example ${example}.`,
  ].filter((sentence) => sentence !== null)
  const choices = variable?.choices ?? []
  return {
    ...(choices.length === 0 ? { type: 'string', minLength: 1 } : { enum: [...choices] }),
    ...(description.length === 0 ? {} : { description: description.join(' ') }),
  }
}

function originOf(url: string): string | null {
  return /^https?:\/\/[^/]+/i.exec(url)?.[0] ?? null
}

function trimmed(path: string): string {
  return path.replace(/\/+$/, '')
}

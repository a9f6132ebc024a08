// The requests of a manifest, wherever they stand.
import type { Text } from '../../expression/syntax.ts'
import { accessParts } from '../access/all-access.ts'
import type { DocumentPath } from '../document.ts'
import type { PlacedAction } from '../draft.ts'
import type { FieldsSource, ManifestSource, RequestSource } from '../source.ts'
import type { Lint } from './lint.ts'

export interface PlacedRequest {
  readonly at: DocumentPath
  readonly source: RequestSource
  /** Whose it is; null: of the check, of an authentication method, or of webhooks. */
  readonly action: PlacedAction | null
  /** Name of the authentication method whose own request this is. */
  readonly method: string | null
  readonly credentialed: boolean
  /** Whether it may change what it likes: of an authentication method, or of webhooks. */
  readonly isFree: boolean
}

export function requestsOf({ source, actions, methods }: Lint): readonly PlacedRequest[] {
  const checks = [source.check?.request ?? []].flat()
  const own = [
    ...checks.map((check) => ({
      at: ['check', 'request'],
      source: check,
      auth: 'same',
      method: null,
      isFree: false,
    })),
    ...methods.flatMap((method) =>
      accessParts(method).requests.map((request) => ({
        ...request,
        method: method.name,
        isFree: true,
      })),
    ),
  ]
  const subscribing = subscribingRequests(source.webhooks?.subscribe).map((request) => ({
    ...request,
    auth: 'same',
    method: null,
    isFree: true,
  }))
  const placed = [...own, ...subscribing].map(({ auth, ...request }): PlacedRequest => {
    const credentialed = (request.source.auth ?? auth) === 'same'
    return { ...request, action: null, credentialed }
  })
  return [...placed, ...actions.flatMap(requestsIn)]
}

/** The requests of `webhooks.subscribe`. */
export function subscribingRequests(
  subscribe: NonNullable<ManifestSource['webhooks']>['subscribe'],
): readonly Pick<PlacedRequest, 'at' | 'source'>[] {
  if (subscribe === undefined) return []
  const { create, find, renew } = subscribe
  const at = ['webhooks', 'subscribe']
  const blocks = Object.entries({ create, find, renew }).flatMap(([key, block]) =>
    block === undefined ? [] : [{ at: [...at, key, 'request'], source: block.request }],
  )
  return [...blocks, { at: [...at, 'delete'], source: subscribe.delete }]
}

export function requestsIn(action: PlacedAction): readonly PlacedRequest[] {
  const { at, source } = action
  const all = [
    { request: source.request, at: [...at, 'request'] },
    ...(source.steps ?? []).map(({ request }, index) => ({
      request,
      at: [...at, 'steps', index, 'request'],
    })),
  ]
  return all.flatMap(({ request, at: place }) => {
    if (request === undefined) return []
    const credentialed = request.auth !== 'none'
    return [{ at: place, source: request, action, method: null, credentialed, isFree: false }]
  })
}

export interface PlacedField {
  readonly at: DocumentPath
  readonly part: 'key' | 'value'
  /** The name on the wire. */
  readonly name: string
  /** Undefined: the parameter of that name. */
  readonly value: unknown
}

/** The entries of a query, of headers, of a form. */
export function fieldsOf(fields: FieldsSource = [], at: DocumentPath): readonly PlacedField[] {
  const isList = Array.isArray(fields)
  return Object.entries(fields).flatMap(([key, value]: [string, unknown]) => {
    if (!isList) return [{ at: [...at, key], part: 'key', name: key, value }]
    const place = [...at, Number(key)]
    if (typeof value !== 'string') return fieldsOf(value as FieldsSource, place)
    return [{ at: place, part: 'value', name: value, value: undefined }]
  })
}

/** The host of a URL as written: its name when it is literal, `null` when the call decides. */
export function literalHost(url: Text): string | null {
  const [first] = url
  if (typeof first !== 'string') return null
  const [, host, rest] = /^https?:\/\/([^/]*)(\/.*)?$/s.exec(first) ?? []
  return host !== undefined && host !== '' && (rest !== undefined || url.length === 1) ? host : null
}

/** Whether a host is one of `server.hosts`, where `*.` stands for any depth. */
export function isListed(host: string, hosts: readonly string[]): boolean {
  return hosts.some((entry) =>
    entry.startsWith('*.') ? host.endsWith(entry.slice(1)) : host === entry,
  )
}

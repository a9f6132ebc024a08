// The requests of a manifest, wherever they stand.
import type { Text } from '../../expression/syntax.ts'
import type { DocumentPath } from '../document.ts'
import { actionsOf, methodsOf } from '../draft.ts'
import type { FieldsSource, ManifestSource, RequestSource } from '../source.ts'

export interface PlacedRequest {
  readonly at: DocumentPath
  readonly source: RequestSource
  /** Name of the authentication method whose own request this is. */
  readonly method: string | null
  /** Whether credentials go with it. */
  readonly credentialed: boolean
}

/** Every request of a manifest. */
export function requestsOf(source: ManifestSource): readonly PlacedRequest[] {
  const actions = actionsOf(source).flatMap(({ at, source: action }) => [
    ...place(action.request, [...at, 'request'], null),
    ...(action.steps ?? []).flatMap((step, index) =>
      place(step.request, [...at, 'steps', index, 'request'], null),
    ),
  ])
  const methods = methodsOf(source).flatMap(({ at, name, source: method }) => [
    // A login is sent before there is anything to apply.
    ...place(method.session?.request, [...at, 'session', 'request'], name, 'none'),
    ...(method.oauth2?.after_token ?? []).flatMap((entry, index) =>
      place(entry.request, [...at, 'oauth2', 'after_token', index, 'request'], name),
    ),
  ])
  return [...place(source.check?.request, ['check', 'request'], null), ...methods, ...actions]
}

function place(
  request: RequestSource | undefined,
  at: DocumentPath,
  method: string | null,
  auth: 'same' | 'none' = 'same',
): readonly PlacedRequest[] {
  if (request === undefined) return []
  return [{ at, source: request, method, credentialed: (request.auth ?? auth) === 'same' }]
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
export function fieldsOf(
  fields: FieldsSource | undefined,
  at: DocumentPath,
): readonly PlacedField[] {
  if (fields === undefined) return []
  if (!Array.isArray(fields)) return membersOf(fields as Readonly<Record<string, unknown>>, at)
  return (fields as readonly (string | Readonly<Record<string, unknown>>)[]).flatMap(
    (entry, index): readonly PlacedField[] =>
      typeof entry === 'string'
        ? [{ at: [...at, index], part: 'value', name: entry, value: undefined }]
        : membersOf(entry, [...at, index]),
  )
}

function membersOf(
  map: Readonly<Record<string, unknown>>,
  at: DocumentPath,
): readonly PlacedField[] {
  return Object.entries(map).map(([name, value]) => ({
    at: [...at, name],
    part: 'key',
    name,
    value,
  }))
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

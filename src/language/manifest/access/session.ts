// `session`: a login whose answer holds what later calls carry.
import { parseDuration } from '../duration.ts'
import type { AuthMethod } from '../manifest.ts'
import { orNull } from '../or-null.ts'
import type { AuthMethodSource } from '../source.ts'
import { type Access, resolveStore } from './access.ts'

export const session: Access<
  NonNullable<AuthMethodSource['session']>,
  NonNullable<AuthMethod['session']>
> = {
  resolve: ({ request, store, ttl, expires }, site, requests) => ({
    // A login carries the credentials in its own templates; there is no session yet to apply.
    request: requests.resolve(request, site.in('request'), 'none'),
    store: resolveStore(store, site.in('store'), 'session.store'),
    ttlMs: orNull(ttl, parseDuration),
    expires: orNull(expires, (path) => site.in('expires').path(path, 'session.expires')),
  }),
  parts: ({ request, store }) => ({
    urls: [],
    requests: [{ at: ['request'], source: request, auth: 'none' }],
    headers: [],
    stores: [{ at: ['store'], source: store }],
    rootMembers: Object.fromEntries(
      Object.keys(store)
        .filter((target) => target.startsWith('session.'))
        .map((target) => [target.slice('session.'.length), {}]),
    ),
    credentials: [],
    kept: {},
  }),
  stores: ({ store }) => store,
  root: 'session',
  secrets: [],
}

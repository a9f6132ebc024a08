// `session`: a login whose answer holds what later calls carry.
import type { AuthMethod } from '../manifest.ts'
import type { AuthMethodSource } from '../source.ts'
import type { Access } from './access.ts'

export const session: Access<
  NonNullable<AuthMethodSource['session']>,
  NonNullable<AuthMethod['session']>
> = {
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

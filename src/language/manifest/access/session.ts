// `session`: a login whose answer holds what later calls carry.
import type { AuthMethod, RequestTemplate, Store } from '../manifest.ts'
import type { AuthMethodSource } from '../source.ts'
import type { Access } from './access.ts'

type Session = NonNullable<AuthMethod['session']>
interface LoginStep {
  readonly request: RequestTemplate
  readonly store: readonly Store[]
  /** How its answer is read; json when left out. */
  readonly decode?: Session['decode']
}

/** The requests of a login, in order. */
export function loginSteps({ request, store = [], steps, decode }: Session): readonly LoginStep[] {
  return steps ?? (request === undefined ? [] : [{ request, store, ...(decode && { decode }) }])
}

export const session: Access<
  NonNullable<AuthMethodSource['session']>,
  NonNullable<AuthMethod['session']>
> = {
  parts: ({ request, store, steps }) => {
    const written = steps?.map((step, index) => ({ ...step, at: ['steps', index] })) ?? [
      { request, store, at: [] },
    ]
    const stores = written.map((step) => ({
      at: [...step.at, 'store'],
      source: step.store ?? {},
    }))
    return {
      urls: [],
      requests: written.flatMap((step) =>
        step.request === undefined
          ? []
          : [{ at: [...step.at, 'request'], source: step.request, auth: 'none' as const }],
      ),
      headers: [],
      stores,
      rootMembers: Object.fromEntries(
        stores
          .flatMap(({ source }) => Object.keys(source))
          .filter((target) => target.startsWith('session.'))
          .map((target) => [target.slice('session.'.length), {}]),
      ),
      credentials: [],
      kept: {},
    }
  },
  stores: (resolved) => loginSteps(resolved).flatMap(({ store }) => store),
  root: 'session',
  secrets: [],
}

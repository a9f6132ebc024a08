// Where a consent may send the browser back to: only what the operator listed, character by character.
import { type ConnectorError, problemError } from '../../errors.ts'
import type { Store } from '../store/store.ts'
import type { Principal } from '../tokens/principal.ts'

/** Names that an answer of ours puts into the query. */
const OURS = ['secret_id', 'error', 'error_description', 'state'] as const
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Why a URL can stand on no allow-list; null: it can. `allowLoopback`: http to this machine, for development. */
export function redirectUrlProblem(text: string, allowLoopback: boolean): string | null {
  const url = URL.parse(text)
  if (url === null) return 'is no absolute URL'
  const loopback = allowLoopback && url.protocol === 'http:' && LOOPBACK.has(url.hostname)
  if (url.protocol !== 'https:' && !loopback)
    return allowLoopback ? 'must be https, or http to localhost' : 'must be https'
  if (url.username !== '' || url.password !== '') return 'must name no user'
  if (text.includes('#')) return 'must have no fragment'
  const taken = OURS.find((name) => url.searchParams.has(name))
  return taken === undefined ? null : `must not have "${taken}" in its query`
}

/** The allow-list of a caller's application; `others` is that of callers that no application stands behind. */
export async function redirectUrlsOf(
  store: Pick<Store, 'applications'>,
  { clientId }: Pick<Principal, 'clientId'>,
  others: readonly string[],
): Promise<readonly string[]> {
  if (clientId === null) return others
  const application = await store.applications.byClientId(clientId)
  return application?.redirectUrls ?? []
}

/** Those of a list that can be used as they stand: what an operator wrote before the rules changed may not. */
export function usableRedirectUrls(
  allowed: readonly string[],
  allowLoopback: boolean,
): readonly string[] {
  return allowed.filter((url) => redirectUrlProblem(url, allowLoopback) === null)
}

/** Throws `redirect_url_refused`, which names the list, unless the URL is exactly one of the list. `member`: its name in the body. */
export function requireRedirectUrl(
  text: string,
  allowed: readonly string[],
  allowLoopback: boolean,
  member = 'redirect_url',
): void {
  const problem = redirectUrlProblem(text, allowLoopback)
  if (problem === null && allowed.includes(text)) return
  const detail =
    problem ??
    'is not on the allow-list of this application; compare it character by character with tenon apps list'
  throw redirectRefused(member, detail, usableRedirectUrls(allowed, allowLoopback))
}

export function redirectRefused(
  member: string,
  detail: string,
  allowed: readonly string[],
): ConnectorError {
  const problem = { pointer: `/${member}`, code: 'redirect', detail, allowed }
  return problemError('redirect_url_refused', problem, `${member} ${detail}`)
}

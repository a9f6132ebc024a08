// The consent of the authorization code flow: its page, and the names of the parameters there. Source: RFC 6749 section 4.1.
import type { Text } from '../../expression/syntax.ts'
import type { AuthMethod, OAuth2 } from '../manifest.ts'

/** The token requests of a method with the page on which its users agree. */
export type CodeConsent = OAuth2 & { readonly authorize: NonNullable<OAuth2['authorize']> }

/** The authorization code flow of a method; null where it has none. */
export function codeConsentOf({ oauth2 }: Pick<AuthMethod, 'oauth2'>): CodeConsent | null {
  return oauth2 === null || oauth2.authorize === null ? null : (oauth2 as CodeConsent)
}

type Authorize = CodeConsent['authorize']
type ConsentParam = keyof NonNullable<Authorize['names']>

/** The names of OAuth 2.0 (RFC 6749 sections 4.1.1 and 4.1.2) for what a vendor may call otherwise. */
const STANDARD_NAMES: Readonly<Record<ConsentParam, string>> = {
  responseType: 'response_type',
  clientId: 'client_id',
  redirectUri: 'redirect_uri',
  scope: 'scope',
  state: 'state',
  code: 'code',
}

/** How the vendor calls the parameters of its consent page, and of the address that the page leads back to. */
export function consentNames({ names }: Pick<Authorize, 'names'>): typeof STANDARD_NAMES {
  return { ...STANDARD_NAMES, ...names }
}

/** The parameters of a consent page, by the names of OAuth 2.0 next to those of the vendor. */
export function readConsentParams(
  authorize: Pick<Authorize, 'names'>,
  given: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const named: Readonly<Record<string, string>> = consentNames(authorize)
  const told = Object.entries(STANDARD_NAMES).flatMap(([key, name]) => {
    const value = given.get(named[key] ?? name)
    return value === undefined ? [] : [[name, value] as const]
  })
  return new Map([...given, ...told])
}

/** The address of a page, and the fragment behind it, with its `#`: there pages read their parameters that are scripts. */
export function splitFragment(url: Text): { readonly page: Text; readonly fragment: string } {
  const last = url.at(-1)
  const at = typeof last === 'string' ? last.indexOf('#') : -1
  if (typeof last !== 'string' || at < 0) return { page: url, fragment: '' }
  return { page: [...url.slice(0, -1), last.slice(0, at)], fragment: last.slice(at) }
}

// What a user is asked to agree to, on a page of the third party.
import type { Text } from '../../expression/syntax.ts'
import { own } from '../../json/own.ts'
import type { AuthMethod, Manifest, OAuth2 } from '../manifest.ts'

/** The token requests of a method with the page on which its users agree. */
export type ConsentRules = OAuth2 & { readonly authorize: NonNullable<OAuth2['authorize']> }

/** The consent of a method; null where it has none. */
export function consentOf({ oauth2 }: Pick<AuthMethod, 'oauth2'>): ConsentRules | null {
  return oauth2 === null || oauth2.authorize === null ? null : (oauth2 as ConsentRules)
}

/** The methods of a connector whose users agree in a browser. */
export function consentMethods({ auth }: Pick<Manifest, 'auth'>): readonly AuthMethod[] {
  return auth.filter((method) => consentOf(method) !== null)
}

/** One of them; without a name the first. */
export function consentMethod(
  manifest: Pick<Manifest, 'auth'>,
  name: string | null = null,
): AuthMethod | undefined {
  return consentMethods(manifest).find((method) => name === null || method.name === name)
}

/** Those that one client is for: the first, and what says that it shares its client. */
export function offeredConsents(manifest: Pick<Manifest, 'auth'>): readonly AuthMethod[] {
  return consentMethods(manifest).filter(
    (method, index) => index === 0 || consentOf(method)?.sameClient === true,
  )
}

/** Whether the service registers a client for its consents, so that the operator need not. */
export function registersClient(manifest: Pick<Manifest, 'auth'>): boolean {
  const method = consentMethod(manifest)
  return method !== undefined && consentOf(method)?.client === 'registered'
}

/** What a method calls the scopes of actions; those that its tokens cannot have are left out. */
export function scopesOfMethod(
  needed: readonly string[],
  method: Pick<AuthMethod, 'oauth2'>,
): readonly string[] {
  const names = consentOf(method)?.authorize.scopeNames ?? {}
  return needed.flatMap((scope) => {
    const name = own(names, scope)
    return name === null ? [] : [typeof name === 'string' ? name : scope]
  })
}

/**
 * The scopes that the consent of a method asks for: its own, and those that any action needs. None for a method without
 * a consent. Source: docs/manifest-language.md, "Entities, actions, schemas".
 */
export function consentScopes(
  { entities }: Pick<Manifest, 'entities'>,
  method: Pick<AuthMethod, 'oauth2'>,
): readonly string[] {
  const consent = consentOf(method)
  if (consent === null) return []
  const needed = entities.flatMap(({ actions }) => actions.flatMap(({ scopes }) => scopes))
  return [...new Set([...consent.authorize.scopes, ...scopesOfMethod(needed, method)])]
}

type Authorize = ConsentRules['authorize']
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

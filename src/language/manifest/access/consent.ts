// What a user is asked to agree to, on a page of the third party.
import { own } from '../../json/own.ts'
import { ACTIONS } from '../actions.ts'
import type { AuthMethod, Manifest } from '../manifest.ts'
import type { ConsentRules } from './access.ts'
import { type AccessWord, consentOf } from './all-access.ts'

export type { ClientApp } from './access.ts'
export { codeConsentOf } from './code-consent.ts'
export { consentOf }

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
    (method, index) => index === 0 || consentOf(method)?.client.isShared === true,
  )
}

/** The consent of a connector; null where it has none. */
function consentRules(manifest: Pick<Manifest, 'auth'>): ConsentRules | null {
  const method = consentMethod(manifest)
  return method === undefined ? null : consentOf(method)
}

/** Whether the service registers a client for its consents, so that the operator need not. */
export function registersClient(manifest: Pick<Manifest, 'auth'>): boolean {
  return consentRules(manifest)?.client.isRegistered === true
}

/** Whether there is a client for the consent of a method. `isGiven`: the operator has one for the connector. */
export function hasClient(
  manifest: Pick<Manifest, 'auth'>,
  method: AuthMethod,
  isGiven: boolean,
): boolean {
  const consent = consentOf(method)
  if (consent === null) return false
  return consent.client.isRegistered || (isGiven && offeredConsents(manifest).includes(method))
}

/** What a method calls the scopes of actions; those that its tokens cannot have are left out. */
export function scopesOfMethod(
  needed: readonly string[],
  method: Pick<AuthMethod, AccessWord>,
): readonly string[] {
  const names = consentOf(method)?.scopeNames ?? {}
  return needed.flatMap((scope) => {
    const name = own(names, scope)
    return name === null ? [] : [typeof name === 'string' ? name : scope]
  })
}

/** Whether a grant has a scope of actions, by the name that the method has for it. */
export function isGranted(
  scope: string,
  method: Pick<AuthMethod, AccessWord> | undefined,
  granted: ReadonlySet<string>,
): boolean {
  const names = (method === undefined ? null : consentOf(method))?.scopeNames ?? {}
  const name = own(names, scope)
  return name !== null && granted.has(typeof name === 'string' ? name : scope)
}

export interface MissingScope {
  readonly scope: string
  /** What it allows, in words; null: the manifest does not say. */
  readonly title: string | null
  /** `entity.action` each; empty: only the consent itself asks for it. */
  readonly operations: readonly string[]
}

/**
 * What the consent of a method asks for and a grant lacks. Scopes that tokens of the method cannot have are no part of it:
 * connecting again does not bring them.
 */
export function missingScopes(
  manifest: Pick<Manifest, 'entities'>,
  method: AuthMethod,
  granted: readonly string[],
): readonly MissingScope[] {
  const titles = new Map(Object.entries(consentOf(method)?.scopeTitles ?? {}))
  const actions = manifest.entities.flatMap(({ name, actions: each }) =>
    each.map((action) => ({
      operation: `${name}.${action.name}`,
      scopes: scopesOfMethod(action.scopes, method),
    })),
  )
  return consentScopes(manifest, method)
    .filter((scope) => !granted.includes(scope))
    .map((scope) => ({
      scope,
      title: titles.get(scope) ?? null,
      operations: actions
        .filter(({ scopes }) => scopes.includes(scope))
        .map(({ operation }) => operation),
    }))
}

/**
 * What the consent of a method asks for, in words for the people who agree, first what they should know: scopes by which
 * actions delete or change something, then those of which the manifest does not know, then those by which they only read.
 * Scopes without words are left out.
 */
export function consentTitles(
  manifest: Pick<Manifest, 'entities'>,
  method: Pick<AuthMethod, AccessWord>,
): readonly string[] {
  const titles = new Map(Object.entries(consentOf(method)?.scopeTitles ?? {}))
  const weights = scopeWeights(manifest, method)
  const scopes = consentScopes(manifest, method).toSorted(
    (a, b) => (weights.get(a) ?? WEIGHTS.unknown) - (weights.get(b) ?? WEIGHTS.unknown),
  )
  return [...new Set(scopes.flatMap((scope) => titles.get(scope) ?? []))]
}

const WEIGHTS = { removes: 0, alters: 1, adds: 1, unknown: 2, reads: 3 } as const

/**
 * How much a scope allows, by the actions that name it. Of several scopes of an action that changes something, those that
 * are enough to read are not what it changes by.
 */
function scopeWeights(
  { entities }: Pick<Manifest, 'entities'>,
  method: Pick<AuthMethod, AccessWord>,
): ReadonlyMap<string, number> {
  const actions = entities.flatMap((entity) =>
    entity.actions.map(({ name, scopes }) => ({
      weight: WEIGHTS[ACTIONS[name].effect ?? 'reads'],
      scopes: scopesOfMethod(scopes, method),
    })),
  )
  const reading = actions.filter(({ weight }) => weight === WEIGHTS.reads)
  const weights = new Map(
    reading.flatMap(({ scopes, weight }) =>
      scopes.map((scope) => [scope, weight] as [string, number]),
    ),
  )
  const isReading = new Set(weights.keys())
  for (const { weight, scopes } of actions) {
    const changing = scopes.filter((scope) => !isReading.has(scope))
    for (const scope of changing.length > 0 ? changing : scopes)
      weights.set(scope, Math.min(weight, weights.get(scope) ?? weight))
  }
  return weights
}

/**
 * The scopes that the consent of a method asks for: its own, and those that any action needs. None for a method without
 * a consent. Source: docs/manifest-language.md, "Entities, actions, schemas".
 */
export function consentScopes(
  { entities }: Pick<Manifest, 'entities'>,
  method: Pick<AuthMethod, AccessWord>,
): readonly string[] {
  const consent = consentOf(method)
  if (consent === null) return []
  const needed = entities.flatMap(({ actions }) => actions.flatMap(({ scopes }) => scopes))
  return [...new Set([...consent.scopes, ...scopesOfMethod(needed, method)])]
}

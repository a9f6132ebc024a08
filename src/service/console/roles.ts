// Which role a person of the OpenID provider has, as the settings say.
import { type Role, ROLES } from '../../display/rights.ts'
import type { ServiceSettings } from '../settings.ts'

/** What a provider says of a person. Source: OpenID Connect Core 1.0, section 5.1. */
export type Claims = Readonly<Record<string, unknown>>

export type RoleSettings = Pick<
  ServiceSettings,
  'oidcRoleClaim' | 'oidcViewers' | 'oidcDevelopers' | 'oidcAdministrators' | 'oidcDefaultRole'
>

const LISTS = {
  viewer: 'oidcViewers',
  developer: 'oidcDevelopers',
  administrator: 'oidcAdministrators',
} as const satisfies Readonly<Record<Role, keyof RoleSettings>>

/**
 * The highest role of the lists that name the person, else the default; null: none, and nobody is let in without one.
 *
 * A list has addresses (`ada@example.com`), whole domains (`@example.com`) and values of the claim that holds roles. An
 * address counts only where the provider says that it was proved. Without lists the values of the claim are the roles.
 */
export function roleOf(claims: Claims, settings: RoleSettings): Role | null {
  const named = [...addressesIn(claims), ...valuesIn(claims, settings.oidcRoleClaim)]
  const hasLists = ROLES.some((role) => settings[LISTS[role]].length > 0)
  const isNamed = (role: Role): boolean =>
    hasLists
      ? settings[LISTS[role]].some((entry) => named.includes(folded(entry)))
      : settings.oidcRoleClaim !== null && valuesIn(claims, settings.oidcRoleClaim).includes(role)
  return ROLES.findLast(isNamed) ?? settings.oidcDefaultRole
}

/** The address that the provider has proved; null: it says of none. */
export function provedAddress({ email, email_verified: isVerified }: Claims): string | null {
  return isVerified === true && typeof email === 'string' && ADDRESS.test(email)
    ? email.toLowerCase()
    : null
}

const ADDRESS = /^[^\s@\p{C}]{1,200}@[^\s@\p{C}]{1,200}$/u

/** As they may stand in a list: whole, and their domain. */
function addressesIn(claims: Claims): readonly string[] {
  const address = provedAddress(claims)
  return address === null ? [] : [address, address.slice(address.indexOf('@'))]
}

/** Values of a claim with one or many. What looks like an address is no value: only proved ones are addresses. */
function valuesIn(claims: Claims, name: string | null): readonly string[] {
  const value = name === null ? [] : claims[name]
  return [value]
    .flat()
    .filter((each) => typeof each === 'string' && !each.includes('@')) as string[]
}

/** Addresses are compared without regard to case, values of claims as they are. */
function folded(entry: string): string {
  return entry.includes('@') ? entry.toLowerCase() : entry
}

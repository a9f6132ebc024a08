// Accounts of which something is wrong, told together: whether one third party is ill or one customer.
import { ACTS, whoActs } from './who-acts.ts'

export interface Ill {
  readonly user: string
  readonly type: string
  readonly code: string
}

export type IllTogether<T> =
  | { readonly kind: 'vendor'; readonly type: string; readonly those: readonly T[] }
  | { readonly kind: 'user'; readonly user: string; readonly those: readonly T[] }
  | { readonly kind: 'one'; readonly those: readonly [T] }

/** So many accounts of one connector with one code, of several users, are no matter of one of them. */
const MANY = 3
const SEVERAL = 2

export function isOfVendor(ill: { readonly accounts: number; readonly users: number }): boolean {
  return ill.accounts >= MANY && ill.users >= SEVERAL
}

/** Of all accounts of a connector, as they are counted. */
export function isMostOf(ill: number, total: number): boolean {
  return ill >= MANY && ill * 2 >= total
}

/** Accounts of one connector that fail with one code, among all of it. */
interface FailingAlike {
  readonly code: string
  readonly accounts: number
  readonly users: number
  /** Whether `accounts` has all of them, and not those alone that were looked at. */
  readonly isWhole: boolean
  /** Accounts of the connector that fail with whatever code. */
  readonly failing: number
  readonly total: number
}

/**
 * How many accounts of a connector say that it is the third party that is ill; null: it does not look like that. A third
 * party that answers, and refuses what it is asked for or asks for patience, is not ill.
 */
export function illOfVendor(of: FailingAlike): number | null {
  const ill = of.isWhole ? of.accounts : of.failing
  const looksLikeIt =
    isOfVendor(of) && isMostOf(ill, of.total) && whoActs(of.code) === ACTS.upstream
  return looksLikeIt ? ill : null
}

/** What many have in common first, then what one user has, then the others as they come. */
export function illTogether<T>(
  all: readonly T[],
  illOf: (each: T) => Ill,
): readonly IllTogether<T>[] {
  const alike = [...Map.groupBy(all, (each) => causeOf(illOf(each))).values()]
  const ofVendors = alike
    .filter((those) =>
      isOfVendor({
        accounts: those.length,
        users: new Set(those.map((each) => illOf(each).user)).size,
      }),
    )
    .toSorted((a, b) => b.length - a.length)
  const told = new Set(ofVendors.flat())
  const others = all.filter((each) => !told.has(each))
  const byUser = Map.groupBy(others, (each) => illOf(each).user)
  const ofUsers = [...byUser]
    .filter(([, those]) => those.length >= SEVERAL)
    .toSorted(([, a], [, b]) => b.length - a.length)
  return [
    ...ofVendors.flatMap((those) =>
      those[0] === undefined
        ? []
        : [{ kind: 'vendor', type: illOf(those[0]).type, those } as const],
    ),
    ...ofUsers.map(([user, those]) => ({ kind: 'user', user, those }) as const),
    ...others.flatMap((each) =>
      (byUser.get(illOf(each).user)?.length ?? 0) >= SEVERAL
        ? []
        : [{ kind: 'one', those: [each] } as const],
    ),
  ]
}

export interface InTwoWays<T> {
  readonly kind: 'vendor' | 'user'
  readonly name: string
  readonly failing: readonly T[]
  readonly refused: readonly T[]
}

/**
 * Of one user, or of many users of one connector: accounts of which some fail and others are refused. Most of them first,
 * users before connectors.
 */
export function illInTwoWays<T>(
  failing: readonly T[],
  refused: readonly T[],
  ofWhom: (each: T) => Pick<Ill, 'user' | 'type'>,
): readonly InTwoWays<T>[] {
  const by = (kind: 'vendor' | 'user'): readonly InTwoWays<T>[] => {
    const nameOf = (each: T): string => ofWhom(each)[kind === 'user' ? 'user' : 'type']
    const others = Map.groupBy(refused, nameOf)
    return [...Map.groupBy(failing, nameOf)]
      .map(([name, those]) => ({ kind, name, failing: those, refused: others.get(name) ?? [] }))
      .filter((each) => each.refused.length > 0)
      .toSorted((a, b) => countOf(b) - countOf(a))
  }
  return [
    ...by('user'),
    ...by('vendor').filter((each) =>
      isOfVendor({
        accounts: countOf(each),
        users: new Set([...each.failing, ...each.refused].map((one) => ofWhom(one).user)).size,
      }),
    ),
  ]
}

function countOf(of: Pick<InTwoWays<unknown>, 'failing' | 'refused'>): number {
  return of.failing.length + of.refused.length
}

function causeOf({ type, code }: Ill): string {
  return `${type} ${code}`
}

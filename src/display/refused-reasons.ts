// Why uses of an application are refused, in words: what the console and the command line say.

/** `not_permitted`: it asked for what it may not do, or what the operator does not allow anybody. */
export type RefusedReason =
  'wrong_secret' | 'expired_secret' | 'disabled' | 'address' | 'not_permitted'

export const REFUSED_REASONS: Readonly<Record<RefusedReason, string>> = {
  wrong_secret: 'wrong secret',
  expired_secret: 'expired secret',
  disabled: 'application disabled',
  address: 'address not allowed',
  not_permitted: 'not permitted',
}

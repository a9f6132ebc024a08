// Why uses of an application are refused, in words: what the console and the command line say.

/** `not_permitted`: what its token asked for is not for it. */
export type RefusedReason =
  'wrong_secret' | 'expired_secret' | 'disabled' | 'address' | 'not_permitted'

export const REFUSED_REASONS: Readonly<Record<RefusedReason, string>> = {
  wrong_secret: 'wrong secret',
  expired_secret: 'expired secret',
  disabled: 'application disabled',
  address: 'address not allowed',
  not_permitted: 'not allowed for its token',
}

// The text of our own tokens: opaque, recognisable by secret scanners, and safe against typing errors.
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** What a token is for. The prefix says it, so that a token at the wrong place is refused without a look-up. */
export type TokenKind =
  'application' | 'scoped' | 'agent' | 'oauth_secret' | 'client_secret' | 'connect'

const PREFIXES: Readonly<Record<TokenKind, string>> = {
  application: 'tenon_at_',
  scoped: 'tenon_st_',
  agent: 'tenon_mt_',
  oauth_secret: 'tenon_os_',
  client_secret: 'tenon_cs_',
  connect: 'tenon_ct_',
}

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_BYTES = 32
/** 62^43 is more than 2^256. */
const RANDOM_DIGITS = 43
/** 62^6 is more than 2^32. */
const CHECK_DIGITS = 6
const FORM = /^(tenon_[a-z]{2}_)([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/

/** A new token: prefix, 43 base62 digits of 256 random bits, 6 digits of CRC-32 over all before them. */
export function mintToken(kind: TokenKind): string {
  const head =
    PREFIXES[kind] + base62(BigInt(`0x${randomBytes(RANDOM_BYTES).toString('hex')}`), RANDOM_DIGITS)
  return head + checkDigits(head)
}

/** Whether a text has the form of such a token, check digits included. Says nothing about whether it exists. */
export function isTokenText(text: string, kinds: readonly TokenKind[]): boolean {
  const match = FORM.exec(text)
  if (match === null) return false
  const [, prefix = '', random = '', check = ''] = match
  return kinds.some((kind) => PREFIXES[kind] === prefix) && checkDigits(prefix + random) === check
}

/** 256 random bits in base64url: for what only a browser or a third party keeps. */
export function randomText(): string {
  return randomBytes(RANDOM_BYTES).toString('base64url')
}

export function isRandomText(text: string | undefined): text is string {
  return text !== undefined && RANDOM_TEXT.test(text)
}

const RANDOM_TEXT = /^[\w-]{43}$/

/** What the store keeps of a secret: SHA-256, 64 hex digits. The secrets have 256 random bits, so nothing slower is needed. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret)
}

/** Compares two hashes without telling by time how much of them is equal. */
export function isSameHash(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}

function checkDigits(head: string): string {
  return base62(BigInt(crc32(head)), CHECK_DIGITS)
}

function base62(value: bigint, digits: number): string {
  let text = ''
  for (let rest = value; text.length < digits; rest /= 62n) text = DIGITS[Number(rest % 62n)] + text
  return text
}

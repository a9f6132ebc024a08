// Signatures of bytes: the one place that knows what an algorithm is called, what key it takes and how it signs.
import type { KeyObject } from 'node:crypto'
import { nodeCrypto } from '../../late-modules.ts'
import { ValueError } from '../expression/value-error.ts'

type Family = 'hash' | 'hmac' | 'rsa' | 'rsa_pss' | 'ecdsa' | 'ed25519'
interface Entry {
  readonly family: Family
  /** As Node calls it; null: the algorithm brings its own. */
  readonly hash: string | null
  /** The curve that the algorithm is for (RFC 7518 section 3.4); left out: any. */
  readonly curve?: string
}

type Sha2 = '256' | '384' | '512'
export type SignAlgorithm =
  `hmac_sha${'1' | Sha2}` | `rsa_sha${'1' | '256' | '512'}` | 'ecdsa_sha256' | 'ed25519' | HashName
export type JwsAlgorithm = `${'HS' | 'RS'}${Sha2}` | 'PS256' | 'ES256' | 'ES384' | 'EdDSA'

/** The algorithms of `sign`. `md5` to `sha512` take no key: it stands in what is hashed. */
const SIGN: Readonly<Record<SignAlgorithm, Entry>> = {
  hmac_sha1: { family: 'hmac', hash: 'sha1' },
  hmac_sha256: { family: 'hmac', hash: 'sha256' },
  hmac_sha384: { family: 'hmac', hash: 'sha384' },
  hmac_sha512: { family: 'hmac', hash: 'sha512' },
  rsa_sha1: { family: 'rsa', hash: 'sha1' },
  rsa_sha256: { family: 'rsa', hash: 'sha256' },
  rsa_sha512: { family: 'rsa', hash: 'sha512' },
  ecdsa_sha256: { family: 'ecdsa', hash: 'sha256' },
  ed25519: { family: 'ed25519', hash: null },
  md5: { family: 'hash', hash: 'md5' },
  sha1: { family: 'hash', hash: 'sha1' },
  sha256: { family: 'hash', hash: 'sha256' },
  sha512: { family: 'hash', hash: 'sha512' },
}

/** The algorithms of JSON Web Signatures. Source: RFC 7518 section 3.1, RFC 8037 section 3.1. */
const JWS: Readonly<Record<JwsAlgorithm, Entry>> = {
  HS256: { family: 'hmac', hash: 'sha256' },
  HS384: { family: 'hmac', hash: 'sha384' },
  HS512: { family: 'hmac', hash: 'sha512' },
  RS256: { family: 'rsa', hash: 'sha256' },
  RS384: { family: 'rsa', hash: 'sha384' },
  RS512: { family: 'rsa', hash: 'sha512' },
  PS256: { family: 'rsa_pss', hash: 'sha256' },
  ES256: { family: 'ecdsa', hash: 'sha256', curve: 'prime256v1' },
  ES384: { family: 'ecdsa', hash: 'sha384', curve: 'secp384r1' },
  EdDSA: { family: 'ed25519', hash: null },
}

export type Algorithm = SignAlgorithm | JwsAlgorithm
const ALGORITHMS: Readonly<Record<Algorithm, Entry>> = { ...SIGN, ...JWS }

export type HashName = 'md5' | 'sha1' | 'sha256' | 'sha512'

/** How bytes are written as text. */
export type BytesEncoding = 'hex' | 'base64' | 'base64url'
/** How the text of a key stands for its bytes. */
export type KeyEncoding = 'text' | 'hex' | 'base64'

/** A key that is read and fits its algorithm. Null: the algorithm takes none. */
export type SigningKey = KeyObject | null

/** What kind of key an algorithm takes; `hash`: none. */
export function keyKindOf(algorithm: Algorithm): Family {
  return ALGORITHMS[algorithm].family
}

const KEY_TYPES: Readonly<Record<Exclude<Family, 'hash' | 'hmac'>, string>> = {
  rsa: 'rsa',
  rsa_pss: 'rsa',
  ecdsa: 'ec',
  ed25519: 'ed25519',
}

/** What stands before the 32 bytes of an Ed25519 key in PKCS #8. Source: RFC 8410 section 7. */
const ED25519_PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')

/** What stands before the 32 bytes of an Ed25519 public key. Source: RFC 8410 section 4. */
const ED25519_SPKI = Buffer.from('302a300506032b6570032100', 'hex')

/**
 * Reads the key of an algorithm: bytes for HMAC, else a private key in PEM, where `\n` may stand for line breaks.
 * The 32 bytes of an Ed25519 key may also be given in hex or base64.
 * Throws ValueError, which says what is needed and nothing of the key.
 */
export function readSigningKey(
  algorithm: Algorithm,
  text: string,
  encoding: KeyEncoding = 'text',
): SigningKey {
  const { family } = ALGORITHMS[algorithm]
  if (family === 'hash') return null
  const { createPrivateKey, createSecretKey } = nodeCrypto()
  if (family === 'hmac') {
    const bytes = keyBytes(text, encoding)
    if (bytes.length === 0) throw new ValueError(`${algorithm} needs a key, and this one is empty`)
    return createSecretKey(bytes)
  }
  let key: KeyObject
  try {
    if (encoding === 'text') key = createPrivateKey(pemText(text))
    else {
      const bytes = keyBytes(text, encoding)
      const isRaw = family === 'ed25519' && bytes.length === 32
      const der = isRaw ? Buffer.concat([ED25519_PKCS8, bytes]) : bytes
      key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
    }
  } catch {
    // The cause may quote the key.
    const form = encoding === 'text' ? 'a private key in PEM without a passphrase' : 'a private key'
    throw new ValueError(`${algorithm} needs ${form}, and this is none that can be read`)
  }
  return requireFit(algorithm, key)
}

/**
 * Reads the key by which signatures of others are checked: bytes for HMAC, else a public key, in PEM, or as SPKI or the
 * 32 bytes of Ed25519 in hex or base64. Throws ValueError, which says what is needed and nothing of the key.
 */
export function readVerifyingKey(
  algorithm: Algorithm,
  text: string,
  encoding: KeyEncoding = 'text',
): SigningKey {
  const { family } = ALGORITHMS[algorithm]
  if (family === 'hash' || family === 'hmac') return readSigningKey(algorithm, text, encoding)
  const { createPublicKey } = nodeCrypto()
  let key: KeyObject
  try {
    if (encoding === 'text') key = createPublicKey(pemText(text))
    else {
      const bytes = keyBytes(text, encoding)
      const isRaw = family === 'ed25519' && bytes.length === 32
      const der = isRaw ? Buffer.concat([ED25519_SPKI, bytes]) : bytes
      key = createPublicKey({ key: der, format: 'der', type: 'spki' })
    }
  } catch {
    const form = encoding === 'text' ? 'a public key in PEM' : 'a public key'
    throw new ValueError(`${algorithm} needs ${form}, and this is none that can be read`)
  }
  return requireFit(algorithm, key)
}

function pemText(text: string): string {
  return text
    .replaceAll(String.raw`\n`, '\n')
    .trim()
    .concat('\n')
}

function requireFit(algorithm: Algorithm, key: KeyObject): KeyObject {
  const { family, curve } = ALGORITHMS[algorithm]
  // Families without a key of their own have none to check.
  const wanted = KEY_TYPES[family as keyof typeof KEY_TYPES]
  const type = key.asymmetricKeyType ?? 'unknown'
  if (type !== wanted)
    throw new ValueError(`${algorithm} needs a key of the type ${wanted}, and this one is ${type}`)
  const named = key.asymmetricKeyDetails?.namedCurve
  if (curve !== undefined && named !== curve)
    throw new ValueError(`${algorithm} needs a key on ${curve}, and this one is on ${named ?? '?'}`)
  return key
}

function keyBytes(text: string, encoding: KeyEncoding): Buffer {
  if (encoding === 'text') return Buffer.from(text, 'utf8')
  const fits =
    encoding === 'hex' ? /^(?:[0-9a-f]{2})+$/i.test(text) : /^[A-Za-z0-9+/_-]+={0,2}$/.test(text)
  if (!fits) throw new ValueError(`the key must be ${encoding}`)
  return Buffer.from(text, encoding)
}

/** The signature of `bytes`. ECDSA is in DER, for JSON Web Signatures in the fixed form of RFC 7518 section 3.4. */
export function signBytes(algorithm: Algorithm, key: SigningKey, bytes: Uint8Array): Buffer {
  const { family, hash } = ALGORITHMS[algorithm]
  const { createHash, createHmac, sign } = nodeCrypto()
  if (key === null)
    return createHash(hash ?? '')
      .update(bytes)
      .digest()
  if (family === 'hmac')
    return createHmac(hash ?? '', key)
      .update(bytes)
      .digest()
  return sign(hash, bytes, { key, ...optionsOf(algorithm) })
}

/** Whether two texts are the same, in a time that does not tell where they differ. */
export function isSameText(one: string, other: string): boolean {
  const { createHash, timingSafeEqual } = nodeCrypto()
  const [a, b] = [one, other].map((text) => createHash('sha256').update(text).digest())
  return a !== undefined && b !== undefined && timingSafeEqual(a, b)
}

/** Whether `signature` is one of `bytes` by this key, in constant time where the key is shared. */
export function verifiesBytes(
  algorithm: Algorithm,
  key: SigningKey,
  bytes: Uint8Array,
  signature: Uint8Array,
): boolean {
  const { createPublicKey, timingSafeEqual, verify } = nodeCrypto()
  if (key === null || key.type === 'secret') {
    const expected = signBytes(algorithm, key, bytes)
    return expected.length === signature.length && timingSafeEqual(expected, signature)
  }
  const known = key.type === 'private' ? createPublicKey(key) : key
  return verify(
    ALGORITHMS[algorithm].hash,
    bytes,
    { key: known, ...optionsOf(algorithm) },
    signature,
  )
}

function optionsOf(algorithm: Algorithm): {
  dsaEncoding?: 'ieee-p1363'
  padding?: number
  saltLength?: number
} {
  const { family } = ALGORITHMS[algorithm]
  if (family === 'rsa_pss') {
    const { RSA_PKCS1_PSS_PADDING: padding, RSA_PSS_SALTLEN_DIGEST: saltLength } =
      nodeCrypto().constants
    // RFC 7518 section 3.5: the salt is as long as the hash.
    return { padding, saltLength }
  }
  return family === 'ecdsa' && Object.hasOwn(JWS, algorithm) ? { dsaEncoding: 'ieee-p1363' } : {}
}

export function hashText(
  name: HashName,
  bytes: Uint8Array,
  encoding: BytesEncoding = 'hex',
): string {
  return nodeCrypto().createHash(name).update(bytes).digest(encoding)
}

/** A key of an algorithm, as text, for vendors that are played; null: any text is one. The same for the whole process. */
export function makeUpKey(algorithm: Algorithm, encoding: KeyEncoding = 'text'): string | null {
  const { family, curve = 'prime256v1' } = ALGORITHMS[algorithm]
  if (family === 'hash') return null
  if (family === 'hmac')
    return encoding === 'text' ? null : Buffer.from('demo-signing-key').toString(encoding)
  const kind = `${family === 'rsa_pss' ? 'rsa' : family} ${curve}`
  let key = madeUp.get(kind)
  if (key === undefined) {
    key = generateKey(family, curve)
    madeUp.set(kind, key)
  }
  return encoding === 'text'
    ? key.export({ type: 'pkcs8', format: 'pem' }).toString()
    : key.export({ type: 'pkcs8', format: 'der' }).toString(encoding)
}

/** Making one takes up to a tenth of a second. */
const madeUp = new Map<string, KeyObject>()

function generateKey(family: Family, namedCurve: string): KeyObject {
  const { generateKeyPairSync } = nodeCrypto()
  if (family === 'ed25519') return generateKeyPairSync('ed25519').privateKey
  if (family === 'ecdsa') return generateKeyPairSync('ec', { namedCurve }).privateKey
  return generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
}

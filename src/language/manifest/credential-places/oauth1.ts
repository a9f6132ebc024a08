// `oauth1`: the signature of OAuth 1.0a in Authorization. Source: RFC 5849 section 3.
import type { Template } from '../../expression/syntax.ts'
import { percentEncode } from '../../expression/encode.ts'
import { printScalar } from '../../expression/text-value.ts'
import {
  hashText,
  keyKindOf,
  makeUpKey,
  readSigningKey,
  signBytes,
  verifiesBytes,
} from '../../signing/algorithms.ts'
import { missingFor } from '../../signing/missing.ts'
import { absentIn, partsOfUrl, type SignedMessage } from '../../signing/request-facts.ts'
import type { Apply, CarriedSignature, CredentialPlace, PlacedValue } from './place.ts'

type OAuth1 = NonNullable<Apply['oauth1']>
type Pair = readonly [name: string, value: string]

export const oauth1: CredentialPlace<'oauth1'> = {
  carried: (block) => (block === undefined ? [] : [carriedSignature(block)]),
}

/** A token with its secret: the temporary one of a consent, or the one that it gives. */
export interface TokenPair {
  readonly token: string
  readonly secret: string
}

/**
 * The signature of a request of a consent: as the method signs its calls, but with the temporary token in place of the own
 * one, null: none yet, and with parameters of the protocol. Source: RFC 5849 sections 2.1 and 2.3.
 */
export function consentSignature(
  { oauth1: block }: Apply,
  { pair, params }: { readonly pair: TokenPair | null; readonly params: readonly Pair[] },
): CarriedSignature {
  // The schema wants the two together.
  if (block === undefined) throw new TypeError('the method signs nothing')
  const constant = (value: string): Template => ({ kind: 'constant', value })
  const { token: _own, tokenSecret: _ownSecret, ...client } = block
  const temporary =
    pair === null
      ? { token: null, tokenSecret: null }
      : { token: constant(pair.token), tokenSecret: constant(pair.secret) }
  return carriedSignature({ ...client, ...temporary }, params)
}

/** The parameters of the protocol in a header `Authorization`; empty where it is of another scheme. */
export function protocolParams(header: string | undefined): ReadonlyMap<string, string> {
  return new Map(readHeader(header))
}

/** As the third party calls an algorithm. Source: RFC 5849 section 3.4; the longer hashes are what vendors added. */
const METHODS: Readonly<Record<OAuth1['alg'], string>> = {
  hmac_sha1: 'HMAC-SHA1',
  hmac_sha256: 'HMAC-SHA256',
  hmac_sha512: 'HMAC-SHA512',
  rsa_sha1: 'RSA-SHA1',
  rsa_sha256: 'RSA-SHA256',
}

function carriedSignature(block: OAuth1, params: readonly Pair[] = []): CarriedSignature {
  const { alg, consumerKey, consumerSecret, token, tokenSecret, realm } = block
  const isHmac = keyKindOf(alg) === 'hmac'
  // A text can be any shared secret; a private key is read, so that one that does not fit is told before a call.
  const putSecret: PlacedValue['put'] = (value) => {
    const text = printScalar(value)
    if (!isHmac) readSigningKey(alg, text)
    return text
  }
  const optional = [token, tokenSecret, realm].map((template) => ({
    template: template ?? ({ kind: 'constant', value: null } as const),
    put: printScalar,
  }))
  /** Of the base text of a request (section 3.4.1); the key of an HMAC is both secrets (section 3.4.2). */
  const keyOf = (secret: string, other: string | undefined) =>
    isHmac
      ? readSigningKey(alg, `${percentEncode(secret)}&${percentEncode(other ?? '')}`)
      : readSigningKey(alg, secret)

  return {
    in: 'signature',
    names: ['authorization'],
    queryNames: [],
    values: [
      { template: consumerKey, put: printScalar },
      { template: consumerSecret, put: putSecret, makeUp: () => (isHmac ? null : makeUpKey(alg)) },
      ...optional,
    ],
    placed: [],
    sign([key, secret, own, ownSecret, area], { now, nonce, scope, ...message }) {
      const needed = [consumerKey, consumerSecret, token ?? [], tokenSecret ?? []]
      const absent = absentIn(needed, scope)
      if (key === undefined || secret === undefined || absent.length > 0)
        throw missingFor('the signature', absent)
      const pairs: Pair[] = [
        ['oauth_consumer_key', key],
        ['oauth_nonce', Buffer.from(nonce).toString('hex')],
        ['oauth_signature_method', METHODS[alg]],
        ['oauth_timestamp', String(Math.floor(now / 1000))],
        ...(own === undefined ? [] : [['oauth_token', own] as const]),
        ['oauth_version', '1.0'],
        ...params,
        ...bodyHashOf(block, message),
      ]
      const bytes = Buffer.from(baseText(message, pairs))
      const signature = signBytes(alg, keyOf(secret, ownSecret), bytes).toString('base64')
      const sent: readonly Pair[] = [
        ...(area === undefined ? [] : [['realm', area] as const]),
        ...pairs,
        ['oauth_signature', signature],
      ]
      const authorization = `OAuth ${sent.map(([name, value]) => `${name}="${percentEncode(value)}"`).join(', ')}`
      return { ...message, headers: { ...message.headers, authorization } }
    },
    accepts([key, secret, own, ownSecret, area], { scope: _scope, told: _told, ...arrived }) {
      const pairs = readHeader(arrived.headers['authorization'])
      const given = new Map(pairs)
      const signature = given.get('oauth_signature')
      if (secret === undefined || signature === undefined) return false
      const isTheirs =
        given.get('oauth_consumer_key') === key &&
        given.get('oauth_token') === own &&
        given.get('realm') === area &&
        given.get('oauth_signature_method') === METHODS[alg]
      const [hash] = bodyHashOf(block, arrived)
      if (!isTheirs || given.get('oauth_body_hash') !== hash?.[1]) return false
      const signed = pairs.filter(([name]) => name !== 'realm' && name !== 'oauth_signature')
      const bytes = Buffer.from(baseText(arrived, signed))
      return verifiesBytes(alg, keyOf(secret, ownSecret), bytes, Buffer.from(signature, 'base64'))
    },
  }
}

const FORM = /^application\/x-www-form-urlencoded\b/i

/** The base text: method, address and all parameters. Source: RFC 5849 section 3.4.1. */
function baseText(message: SignedMessage, pairs: readonly Pair[]): string {
  const { host, path, query } = partsOfUrl(message.url)
  const [scheme = ''] = message.url.toLowerCase().split(':')
  const form = isForm(message) ? Buffer.from(message.body ?? '').toString('utf8') : ''
  const all = [...pairs, ...readPairs(query), ...readPairs(form)]
    .map(([name, value]) => [percentEncode(name), percentEncode(value)] as const)
    .toSorted(([a, x], [b, y]) => order(a, b) || order(x, y))
  const text = all.map(([name, value]) => `${name}=${value}`).join('&')
  const address = `${scheme}://${host.toLowerCase()}${path}`
  return [message.method.toUpperCase(), address, text].map(percentEncode).join('&')
}

function isForm({ headers }: SignedMessage): boolean {
  return FORM.test(headers['content-type'] ?? '')
}

/** The hash of a body that is no form. Source: the extension "OAuth Request Body Hash 1.0". */
function bodyHashOf({ alg, bodyHash }: OAuth1, message: SignedMessage): readonly Pair[] {
  if (!bodyHash || isForm(message)) return []
  if (message.body === null) throw missingFor('the signature', ['request.body_hash'])
  const name = alg.endsWith('_sha1') ? 'sha1' : alg.endsWith('_sha512') ? 'sha512' : 'sha256'
  return [['oauth_body_hash', hashText(name, message.body, 'base64')]]
}

function readPairs(text: string): readonly Pair[] {
  return [...new URLSearchParams(text)]
}

function readHeader(header = ''): readonly Pair[] {
  const [, list = ''] = /^OAuth\s+(.*)$/is.exec(header) ?? []
  return [...list.matchAll(/([\w%.~-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [
    decoded(name),
    decoded(value),
  ])
}

/** What is encoded wrongly stands for itself, and no signature is one of it. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

// `sign`: a signature over the request as it leaves, in headers or query parameters, made for each attempt.
import { compileTemplate } from '../../expression/evaluate.ts'
import { pathsIn } from '../../expression/paths-in.ts'
import type { Scope } from '../../expression/syntax.ts'
import { headerValue, printScalar } from '../../expression/text-value.ts'
import {
  keyKindOf,
  makeUpKey,
  readSigningKey,
  signBytes,
  type SigningKey,
  verifiesBytes,
} from '../../signing/algorithms.ts'
import { missingFor } from '../../signing/missing.ts'
import {
  absentIn,
  compileSigned,
  requestFacts,
  type SignedMessage,
  withoutPairs,
  withPairs,
} from '../../signing/request-facts.ts'
import type { Entry } from '../manifest.ts'
import type {
  Apply,
  ApplySource,
  CarriedSignature,
  CredentialPlace,
  PlaceFinding,
  Told,
} from './place.ts'

type SignSource = NonNullable<ApplySource['sign']>
type Sign = NonNullable<Apply['sign']>

export const sign: CredentialPlace<'sign'> = {
  carried: (block) => (block === undefined ? [] : [carriedSignature(block)]),
  headerNames: ({ headers = {} }) => Object.keys(headers).map((name) => ['headers', name]),
  findings: signFindings,
}

/** What is wrong with a signature, as `apply` or `webhooks` says it. */
export function signFindings({
  alg,
  key,
  of,
  headers,
  query,
}: Pick<SignSource, 'alg' | 'key' | 'of' | 'headers' | 'query'>): readonly PlaceFinding[] {
  const found: PlaceFinding[] = []
  const needsKey = keyKindOf(alg) !== 'hash'
  if (needsKey && key === undefined)
    found.push({
      rule: 'auth/sign-key',
      at: ['alg'],
      message: `${alg} signs with a key, and there is none`,
      hint: 'add key: "{{ credentials.… }}"',
    })
  if (!needsKey && key !== undefined)
    found.push({
      rule: 'auth/sign-key',
      at: ['key'],
      message: `${alg} is a hash and takes no key`,
      hint: `put the secret into of, or choose hmac_${alg}`,
    })
  const sent = JSON.stringify([headers, query])
  const isSent = (name: string): boolean => new RegExp(`\\b${name}\\b`).test(sent)
  if (!/\{\{[^}]*\bsignature\b/.test(sent))
    found.push({
      rule: 'auth/sign-unsent',
      at: [],
      message: 'no header and no query parameter of sign holds the signature',
      hint: 'write {{ signature }} where the vendor reads it',
    })
  for (const name of ['request.timestamp', 'request.nonce'])
    if (new RegExp(`\\b${name}\\b`).test(of) && !isSent(name))
      found.push({
        rule: 'auth/sign-unsent',
        at: ['of'],
        message: `the signature is made of ${name}, which no header and no query parameter of sign sends, so nobody could check it`,
        hint: `send {{ ${name} }} under headers or query`,
      })
  return found
}

/** The signature that a block says, for `apply` and for vendors that are played. */
export function carriedSignature(block: Sign): CarriedSignature {
  const { alg, keyEncoding, encoding } = block
  const render = compileSigned(block.of)
  const headers = block.headers.map(compileEntry)
  const query = block.query.map(compileEntry)
  const readKey = (text: string): SigningKey => readSigningKey(alg, text, keyEncoding)

  function bytesOf(scope: Scope, message: SignedMessage): Buffer {
    const rendered = render(scope, message)
    if (rendered.bytes === null) throw missingFor('the signature', rendered.absent)
    return rendered.bytes
  }
  const scopeWith = (scope: Scope, message: SignedMessage, told: Told): Scope => ({
    ...scope,
    request: requestFacts(message, block.bodyHash, told),
    ...(told.signature === undefined ? {} : { signature: told.signature }),
  })

  return {
    in: 'signature',
    names: headers.map(({ name }) => name),
    queryNames: query.map(({ name }) => name),
    values:
      block.key === null
        ? []
        : [
            {
              template: block.key,
              makeUp: () => makeUpKey(alg, keyEncoding),
              put(value) {
                const text = printScalar(value)
                readKey(text)
                return text
              },
            },
          ],
    placed: [
      ...block.headers.map((entry) => ({ in: 'header' as const, ...entry })),
      ...block.query.map((entry) => ({ in: 'query' as const, ...entry })),
    ],
    sign([keyText], { scope: given, now, nonce, ...sent }) {
      if (block.key !== null && keyText === undefined)
        throw missingFor('the signature', absentIn(block.key, given))
      const told: Told = {
        timestamp: TIMESTAMPS[block.timestamp](now),
        nonce: NONCES[block.nonce](nonce),
      }
      const put = (message: SignedMessage, isLast: boolean, facts: Told): SignedMessage => {
        const scope = scopeWith(given, message, facts)
        const own = (entries: readonly CompiledEntry[]): readonly [string, string][] =>
          entries.flatMap(({ name, isSignature, textIn }) => {
            if (isSignature !== isLast) return []
            const text = textIn(scope)
            return text === undefined ? [] : [[name, text] as [string, string]]
          })
        return {
          ...message,
          headers: { ...message.headers, ...Object.fromEntries(own(headers)) },
          url: withPairs(message.url, own(query)),
        }
      }
      // What is not made of the signature may be part of what is signed.
      const unsigned = put(sent, false, told)
      const bytes = bytesOf(scopeWith(given, unsigned, told), unsigned)
      const signature = signBytes(alg, keyText === undefined ? null : readKey(keyText), bytes)
      return put(unsigned, true, { ...told, signature: signature.toString(encoding) })
    },
    accepts([keyText], { scope: given, told, ...arrived }) {
      if (told.signature === undefined) return false
      // The parameters that are made of the signature were not there when it was made.
      const last = new Set(query.flatMap(({ name, isSignature }) => (isSignature ? [name] : [])))
      const message = { ...arrived, url: withoutPairs(arrived.url, last) }
      const scope = scopeWith(given, message, told)
      const { bytes } = render(scope, message)
      if (bytes === null) return false
      const key = keyText === undefined ? null : readKey(keyText)
      return verifiesBytes(alg, key, bytes, Buffer.from(told.signature, encoding))
    },
  }
}

interface CompiledEntry {
  readonly name: string
  /** Whether it is made of the signature. */
  readonly isSignature: boolean
  readonly textIn: (scope: Scope) => string | undefined
}

function compileEntry({ name, value }: Entry): CompiledEntry {
  const evaluate = compileTemplate(value)
  return {
    name,
    isSignature: pathsIn(value, 'signature').length > 0,
    textIn(scope) {
      const given = evaluate(scope)
      if (given !== undefined && given !== null) return headerValue(given)
      if (value.kind === 'when') return undefined
      throw missingFor(`"${name}" of the signature`, absentIn(value, scope))
    },
  }
}

const TIMESTAMPS: Readonly<Record<Sign['timestamp'], (now: number) => string>> = {
  epoch_s: (now) => String(Math.floor(now / 1000)),
  epoch_ms: (now) => String(Math.floor(now)),
  iso: (now) => new Date(now).toISOString(),
  iso_s: (now) => new Date(now).toISOString().replace(/\.\d+Z$/, 'Z'),
  http: (now) => new Date(now).toUTCString(),
}

const NONCES: Readonly<Record<Sign['nonce'], (random: Uint8Array) => string>> = {
  hex: (random) => Buffer.from(random).toString('hex'),
  // RFC 9562 section 5.4
  uuid(random) {
    const bytes = Buffer.from(random)
    bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
    bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
    return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  },
}

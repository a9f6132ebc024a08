// What a request says of itself, for templates that say what a signature is made of.
import { percentEncode } from '../expression/encode.ts'
import type { Json, JsonObject } from '../json/json.ts'
import { compileExpression, compileText } from '../expression/evaluate.ts'
import type { Expression, Scope, Text, TextPart } from '../expression/syntax.ts'
import { type BytesEncoding, type HashName, hashText } from './algorithms.ts'

/** A request as it leaves, or as it arrived. */
export interface SignedMessage {
  readonly method: string
  /** Absolute, encoded. */
  readonly url: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** null: it is read while it is sent, so that nothing can be made of it before. */
  readonly body: Uint8Array | null
}

/** The members of `request` in templates of a signature. */
export const REQUEST_FACTS = [
  'method',
  'url',
  'host',
  'path',
  'query',
  'sorted_query',
  'headers',
  'body',
  'body_hash',
  'timestamp',
  'nonce',
] as const

/** What `request` holds. Path and query are encoded as they travel; the sorted query by name, then by value. */
export function requestFacts(
  message: SignedMessage,
  hash: { readonly alg: HashName; readonly encoding: BytesEncoding },
  told: { readonly timestamp?: string | undefined; readonly nonce?: string | undefined },
): JsonObject {
  const { host, path, query } = partsOfUrl(message.url)
  return {
    method: message.method,
    url: message.url,
    host,
    path,
    query,
    sorted_query: sortPairs(query.split('&')).join('&'),
    headers: { ...message.headers },
    ...(message.body === null
      ? {}
      : {
          body: Buffer.from(message.body).toString('utf8'),
          body_hash: hashText(hash.alg, message.body, hash.encoding),
        }),
    ...(told.timestamp === undefined ? {} : { timestamp: told.timestamp }),
    ...(told.nonce === undefined ? {} : { nonce: told.nonce }),
  }
}

/** The parts of an address as they are written in it. */
export function partsOfUrl(url: string): {
  readonly host: string
  readonly path: string
  readonly query: string
} {
  const [, rest = ''] = /^[a-z]+:\/\/(.*?)(?:#.*)?$/is.exec(url) ?? []
  const [address = '', ...queries] = rest.split('?')
  const slash = address.indexOf('/')
  return {
    host: new URL(url).host,
    path: slash < 0 ? '/' : address.slice(slash),
    query: queries.join('?'),
  }
}

/** Pairs `name=value` as they are encoded, by name, then by value, each by its bytes. */
export function sortPairs(pairs: readonly string[]): readonly string[] {
  const keyed = pairs.map((pair) => {
    const mark = pair.indexOf('=')
    const [name, value] = mark < 0 ? [pair, ''] : [pair.slice(0, mark), pair.slice(mark + 1)]
    return { pair, name, value }
  })
  const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
  return keyed
    .toSorted((a, b) => order(a.name, b.name) || order(a.value, b.value))
    .map(({ pair }) => pair)
}

/** The address with further parameters at its end. */
export function withPairs(url: string, pairs: readonly (readonly [string, string])[]): string {
  if (pairs.length === 0) return url
  const text = pairs.map(([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`)
  return `${url}${url.includes('?') ? '&' : '?'}${text.join('&')}`
}

/** The address without the parameters of these names: as it was before a signature was put on it. */
export function withoutPairs(url: string, names: ReadonlySet<string>): string {
  const [address = '', ...queries] = url.split('?')
  const pairs = queries.join('?').split('&')
  const kept = pairs.filter((pair) => !names.has(decodedName(pair)))
  return queries.length === 0 || kept.length === 0 ? address : `${address}?${kept.join('&')}`
}

function decodedName(pair: string): string {
  const [name = ''] = pair.split('=')
  try {
    return decodeURIComponent(name)
  } catch {
    // What is encoded wrongly is none of the names that we look for.
    return name
  }
}

/** The bytes of a text; null where names that it needs are absent. */
export interface Rendered {
  readonly bytes: Buffer | null
  readonly absent: readonly string[]
}

/**
 * Compiles what is signed: a text whose `{{ request.body }}` stands for the bytes of the body as they are.
 * Throws ValueError for values that a helper cannot take.
 */
export function compileSigned(
  text: Text,
): (scope: Scope, message: Pick<SignedMessage, 'body'>) => Rendered {
  const parts = text.map((part) => ({ part, render: compileText([part]) }))
  return (scope, message) => {
    const pieces: Buffer[] = []
    const absent: string[] = []
    for (const { part, render } of parts) {
      if (isBody(part)) {
        if (message.body === null) absent.push('request.body')
        else pieces.push(Buffer.from(message.body))
        continue
      }
      const piece = render(scope)
      if (piece === undefined) absent.push(...absentIn(part, scope))
      else pieces.push(Buffer.from(piece, 'utf8'))
    }
    return { bytes: absent.length > 0 ? null : Buffer.concat(pieces), absent }
  }
}

function isBody(part: TextPart): boolean {
  return typeof part !== 'string' && part.kind === 'path' && pathName(part) === 'request.body'
}

function pathName({ root, path }: Extract<Expression, { kind: 'path' }>): string {
  return [root, ...path].join('.')
}

/** The names in a tree of expressions that hold nothing, as they are written. */
export function absentIn(tree: unknown, scope: Scope): readonly string[] {
  if (typeof tree !== 'object' || tree === null) return []
  const node = tree as Expression
  if (node.kind === 'path') {
    const value: Json | undefined = compileExpression(node)(scope)
    return value === undefined || value === null ? [pathName(node)] : []
  }
  return [...new Set(Object.values(tree).flatMap((below) => absentIn(below, scope)))]
}

// Whether a delivery is from the vendor: its signature, a secret that is sent along, its time.
import { ConnectorError } from '../../errors.ts'
import {
  compileExpression,
  compileTemplate,
  ValueError,
} from '../../language/expression/evaluate.ts'
import { compilePath } from '../../language/expression/pick.ts'
import { pathsIn } from '../../language/expression/paths-in.ts'
import type { Scope } from '../../language/expression/syntax.ts'
import type { Json } from '../../language/json/json.ts'
import { isList } from '../../language/json/members.ts'
import type { Webhooks } from '../../language/manifest/manifest.ts'
import {
  isSameText,
  keyKindOf,
  readVerifyingKey,
  verifiesBytes,
} from '../../language/signing/algorithms.ts'
import { compileTold } from '../../language/signing/read-told.ts'
import { compileSigned, requestFacts, withoutPairs } from '../../language/signing/request-facts.ts'
import { scalarText } from '../response/answer-tests.ts'
import type { Delivery } from './arrived.ts'

type Verify = Webhooks['verify']
type Sign = NonNullable<Verify['sign']>
type Token = NonNullable<Verify['token']>

/** Throws `webhook_unverified` or `webhook_expired`. `now`: milliseconds since 1970. */
export type VerifyDelivery = (delivery: Delivery, scope: Scope, now: number) => void

/** Compiles all that `verify` asks for. */
export function compileVerify({ sign, token, windowMs }: Verify): VerifyDelivery {
  const checks: VerifyDelivery[] = []
  if (token !== null) checks.push(compileToken(token))
  if (sign !== null) checks.push(compileSignature(sign, windowMs))
  return (delivery, scope, now) => {
    for (const check of checks) check(delivery, scope, now)
  }
}

/** Compiles the comparison of a secret that the vendor sends along. */
export function compileToken({ header, query, body, value }: Token): VerifyDelivery {
  const evaluate = compileTemplate(value)
  const pick = body === undefined ? null : compilePath(body)
  const textsIn = (delivery: Delivery): readonly (string | undefined)[] => {
    const { headers, query: given } = delivery.arrived
    if (header !== undefined) return [own(headers, header)]
    if (query !== undefined) return [own(given, query)]
    const found: Json | undefined = pick?.(delivery.answer())
    return found !== undefined && isList(found) ? found.map(scalarText) : [scalarText(found)]
  }
  return (delivery, scope) => {
    const expected = scalarText(evaluate(scope))
    // An empty secret is one that everybody knows.
    if (expected === undefined || expected === '') throw unverified('secret_missing')
    const texts = textsIn(delivery)
    const isSame = texts.every((text) => text !== undefined && isSameText(text, expected))
    if (texts.length === 0 || !isSame) throw unverified('token_wrong')
  }
}

function compileSignature(block: Sign, windowMs: number): VerifyDelivery {
  const { alg, keyEncoding, encoding, headers, query, bodyHash, timestamp } = block
  const readTold = compileTold([...headers, ...query], block.separator)
  const render = compileSigned(block.of)
  const evaluateKey = block.key === null ? null : compileTemplate(block.key)
  const isTimed = pathsIn(block.of, 'request').some(([name]) => name === 'timestamp')

  const last = new Set(
    query.flatMap(({ name, value }) => (pathsIn(value, 'signature').length > 0 ? [name] : [])),
  )
  // The secret of a hash stands in what is hashed.
  const secrets =
    keyKindOf(alg) === 'hash'
      ? SECRET_ROOTS.flatMap((root) =>
          pathsIn(block.of, root)
            .filter(([name]) => root === 'credentials' || root === 'config' || name === 'secret')
            .map((path) => compileExpression({ kind: 'path', root, path })),
        )
      : null

  function keyTextIn(scope: Scope): string {
    if (evaluateKey === null || keyKindOf(alg) === 'hash') return ''
    const text = scalarText(evaluateKey(scope))
    if (text === undefined || text === '') throw unverified('secret_missing')
    return text
  }

  return (delivery, scope, now) => {
    const { arrived } = delivery
    const keyText = keyTextIn(scope)
    const isHeld = secrets?.some((read) => (scalarText(read(scope)) ?? '') !== '') ?? true
    if (!isHeld) throw unverified('secret_missing')
    const told = readTold([
      ...headers.map(({ name }) => own(arrived.headers, name)),
      ...query.map(({ name }) => own(arrived.query, name)),
    ])
    if (told.signatures.length === 0) throw unverified('signature_missing')
    try {
      // The parameters that are made of the signature were not there when it was made.
      const url = withoutPairs(arrived.url, last)
      const facts = requestFacts({ ...arrived, url }, bodyHash, told)
      const { bytes } = render({ ...scope, request: facts }, arrived)
      if (bytes === null) throw unverified('signature_missing')
      const key = readVerifyingKey(alg, keyText, keyEncoding)
      const isRight = told.signatures.some((signature) =>
        verifiesBytes(alg, key, bytes, Buffer.from(signature, encoding)),
      )
      if (!isRight) throw unverified('signature_wrong')
    } catch (error) {
      // A key that cannot be read is the operator's affair, or the user's; the sender is told nothing of it.
      if (error instanceof ValueError) throw unverified('secret_unusable', error)
      throw error
    }
    // Only who has a signed delivery hears that it is too old.
    if (isTimed && !isNear(told.timestamp, timestamp, { now, windowMs })) throw expired(windowMs)
  }
}

const SECRET_ROOTS = ['credentials', 'config', 'client', 'webhook'] as const

function isNear(
  text: string | undefined,
  format: Sign['timestamp'],
  { now, windowMs }: { readonly now: number; readonly windowMs: number },
): boolean {
  return text !== undefined && Math.abs(TIMES[format](text) - now) <= windowMs
}

/** NaN, which is near nothing, for what is no time. */
const TIMES: Readonly<Record<Sign['timestamp'], (text: string) => number>> = {
  epoch_s: (text) => numberOf(text) * 1000,
  epoch_ms: numberOf,
  iso: Date.parse,
  iso_s: Date.parse,
  http: Date.parse,
}

function numberOf(text: string): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
}

function own(values: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined
}

/**
 * The error for whatever does not prove its sender. It says the same in every case, so that nobody learns which instances
 * there are or how near a guess was; `reason` is for the operator's log alone, and no part of what is answered.
 */
export function unverified(reason: UnverifiedReason, cause?: unknown): ConnectorError {
  const error = new ConnectorError(
    'webhook_unverified',
    'nothing proves that this webhook is from the vendor; nothing was done',
    { cause },
  )
  REASONS.set(error, reason)
  return error
}

export type UnverifiedReason =
  | 'instance_unknown'
  | 'connector_unknown'
  | 'secret_missing'
  | 'secret_unusable'
  | 'signature_missing'
  | 'signature_wrong'
  | 'token_wrong'
  | 'not_a_delivery'

const REASONS = new WeakMap<ConnectorError, UnverifiedReason>()

/** Why a delivery was not believed; null: for another reason than its proof. */
export function reasonOf(error: unknown): UnverifiedReason | null {
  return error instanceof ConnectorError ? (REASONS.get(error) ?? null) : null
}

function expired(windowMs: number): ConnectorError {
  return new ConnectorError(
    'webhook_expired',
    `this webhook is signed for a time more than ${Math.round(windowMs / 1000)} seconds away; nothing was done`,
  )
}

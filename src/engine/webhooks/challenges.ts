// Requests by which a vendor asks whether somebody is there, and what it is answered.
import { compileTemplate } from '../../language/expression/evaluate.ts'
import type { Scope } from '../../language/expression/syntax.ts'
import type { Json } from '../../language/json/json.ts'
import { headerValue } from '../../language/expression/text-value.ts'
import type { Webhooks } from '../../language/manifest/manifest.ts'
import { scalarText } from '../response/answer-tests.ts'
import type { Delivery } from './arrived.ts'
import { compileWhen } from './when.ts'
import { compileToken, unverified, type VerifyDelivery } from './verify.ts'

type ChallengeRule = Webhooks['challenges'][number]

/** What is answered, with status 200. */
export interface ChallengeAnswer {
  readonly headers: Readonly<Record<string, string>>
  readonly content: string
}

export interface Challenge {
  readonly matches: (delivery: Delivery) => boolean
  /** Null: it has to pass what every delivery has to pass. */
  readonly verify: VerifyDelivery | null
  /** Throws `webhook_unverified` where the request lacks what the answer is made of. */
  readonly answer: (delivery: Delivery, scope: Scope) => ChallengeAnswer
}

/** No vendor asks for more, and what an unknown sender has given is not sent back at any length. */
const MAX_ANSWER = 4096

export function compileChallenge({ when, verify, token, answer }: ChallengeRule): Challenge {
  const matchesRest = compileWhen(when)
  const text = answer.text === undefined ? null : compileTemplate(answer.text)
  const json = answer.json === undefined ? null : compileTemplate(answer.json)
  const headers = answer.headers.map(({ name, value }) => ({ name, read: compileTemplate(value) }))
  return {
    matches: (delivery) =>
      (when.method === undefined || when.method === delivery.arrived.method) &&
      matchesRest(() => delivery.answer(), delivery),
    verify: token !== undefined ? compileToken(token) : verify === false ? () => {} : null,
    answer(delivery, given) {
      const scope: Scope = { ...given, event: eventOf(delivery) }
      const own = headers.flatMap(({ name, read }) => {
        const value = read(scope)
        return value === undefined || value === null ? [] : [[name, headerValue(value)] as const]
      })
      const content = text === null ? jsonText(json?.(scope)) : scalarText(text(scope))
      if (content === undefined || content.length > MAX_ANSWER) throw unverified('not_a_delivery')
      const type = text === null ? 'application/json' : 'text/plain; charset=utf-8'
      return { headers: { 'content-type': type, ...Object.fromEntries(own) }, content }
    },
  }
}

function jsonText(value: Json | undefined): string | undefined {
  return value === undefined ? '' : JSON.stringify(value)
}

function eventOf(delivery: Delivery): NonNullable<Scope['event']> {
  const { method, query, headers } = delivery.arrived
  return { method, query: { ...query }, headers: { ...headers }, body: delivery.body }
}

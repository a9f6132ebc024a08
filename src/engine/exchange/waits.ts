// How long a vendor asks us to wait before the next attempt.
import { type Answer, compilePath } from '../../language/expression/pick.ts'
import type { Json } from '../../language/json/json.ts'
import type { AnswerTests, WaitFormat, WaitRule } from '../../language/manifest/manifest.ts'
import { parseJson } from '../../language/json/parse-json.ts'

export interface WaitInput {
  /** null when no answer came. */
  readonly answer: Answer | null
  /** The attempt that failed, from 1. */
  readonly attempt: number
  /** Milliseconds since 1970. */
  readonly now: number
  /** From 0 up to 1. */
  readonly random: number
}

export interface Wait {
  readonly ms: number
  /** True when the vendor named the time, false when we chose it. */
  readonly asked: boolean
}

/** "Retry-After: 0" in a loop means "now": never hammer faster than this. */
const FLOOR_MS = 100
/** A vendor that asks for more is asked again after a day: no vendor's slip of the pen closes a connection for ever. */
const MAX_WAIT_MS = 24 * 60 * 60_000

/**
 * The wait after a failed attempt: the first rule that gives one.
 *
 * A value of zero, a negative one, a time in the past and garbage count as no value; of several values the largest
 * holds, and none is longer than 24 hours. Without any rule that applies the wait is the floor of 100 ms.
 * `compileWhen` compiles what must hold of the answer for a rule to be looked at.
 */
export function compileWaits(
  rules: readonly WaitRule[],
  compileWhen: (tests: AnswerTests) => (answer: Answer) => boolean = () => () => true,
): (input: WaitInput) => Wait {
  const compiled = rules.map((rule) => {
    const wait = compileRule(rule)
    if (rule.when === undefined) return wait
    const holds = compileWhen(rule.when)
    return (input: WaitInput) => (input.answer !== null && holds(input.answer) ? wait(input) : null)
  })
  return (input) => {
    for (const rule of compiled) {
      const wait = rule(input)
      if (wait !== null) return { ms: bounded(wait.ms), asked: wait.asked }
    }
    return { ms: FLOOR_MS, asked: false }
  }
}

const retryAfter = compileWaits([
  { kind: 'header', name: 'retry-after', path: null, format: 'seconds' },
])

/** The wait that the header Retry-After asks for; null: it asks for none. Source: RFC 9110 section 10.2.3. */
export function retryAfterMs(answer: Answer, now: number): number | null {
  const wait = retryAfter({ answer, attempt: 1, now, random: 0 })
  return wait.asked ? wait.ms : null
}

function bounded(ms: number): number {
  return Math.min(MAX_WAIT_MS, Math.max(FLOOR_MS, Math.ceil(ms)))
}

function compileRule(rule: WaitRule): (input: WaitInput) => Wait | null {
  switch (rule.kind) {
    case 'constant':
      return () => ({ ms: rule.ms, asked: false })
    case 'exponential':
      // Full jitter: https://www.rfc-editor.org/rfc/rfc9110#name-retry-after leaves the choice to the client.
      return ({ attempt, random }) => ({
        ms: random * Math.min(rule.maxMs, rule.baseMs * 2 ** (attempt - 1)),
        asked: false,
      })
    case 'header': {
      const pick = rule.path === null ? null : compilePath(rule.path)
      return ({ answer, now }) => {
        const text = answer?.headers[rule.name]
        if (answer === null || text === undefined) return null
        if (pick === null) return asked(largest([text], rule.format, now))
        const body = parsed(text)
        return body === undefined
          ? null
          : asked(largest(pick({ ...answer, body }), rule.format, now))
      }
    }
    case 'body': {
      const pick = compilePath(rule.at)
      return ({ answer, now }) =>
        answer === null ? null : asked(largest(pick(answer), rule.format, now))
    }
  }
}

function asked(ms: number): Wait | null {
  return ms > 0 ? { ms, asked: true } : null
}

function largest(found: Json | undefined, format: WaitFormat, now: number): number {
  const values = Array.isArray(found) ? found : [found]
  return values.reduce<number>(
    (most, value) => Math.max(most, toMilliseconds(value, format, now)),
    0,
  )
}

/** A wait of `format` as milliseconds from now; 0 when it cannot be read. */
function toMilliseconds(value: Json | undefined, format: WaitFormat, now: number): number {
  const text =
    typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : ''
  const number = /^\d+(\.\d+)?$/.test(text) ? Number(text) : null
  // Retry-After may hold a date although the manifest speaks of seconds (RFC 9110 section 10.2.3).
  if (number === null) return text.length > 3 ? positive(Date.parse(text) - now) : 0
  return positive(MILLISECONDS[format](number, now))
}

const MILLISECONDS: Readonly<Record<WaitFormat, (number: number, now: number) => number>> = {
  seconds: (number) => number * 1000,
  minutes: (number) => number * 60_000,
  ms: (number) => number,
  epoch_s: (number, now) => number * 1000 - now,
  epoch_ms: (number, now) => number - now,
  iso: () => 0,
}

function positive(ms: number): number {
  return ms > 0 ? ms : 0
}

function parsed(text: string): Json | undefined {
  try {
    return parseJson(text)
  } catch {
    // A header that is not the JSON it should be says nothing about the wait; the next rule decides.
    return undefined
  }
}

// What an answer means: success, or a failure and what to do about it.
import { compileTemplate, ValueError } from '../../language/expression/evaluate.ts'
import type { Answer } from '../../language/expression/pick.ts'
import type { Scope, Template } from '../../language/expression/syntax.ts'
import type { Outcome } from '../../errors.ts'
import type {
  AnswerTests,
  ErrorClass,
  ErrorEffect,
  ErrorRuleTemplate,
} from '../../language/manifest/manifest.ts'
import { compileHeaderTest, compileTests, type AnswerCheck } from './answer-tests.ts'
import { textOf } from './plain-text.ts'
import { withResponse } from './malformed-answer.ts'

/** `pass`: read the answer as a success. Everything else names what to do, and how to report it if that fails. */
export type Verdict = { readonly effect: 'pass' } | Ruling

export interface Ruling {
  readonly effect: ErrorEffect
  /** Of the error, should the operation fail; null: the answer is of an unexpected kind. */
  readonly as: ErrorClass | null
  /** What the rule knows about a write; null: what the class says. */
  readonly outcome: Outcome | null
  /** What the rule says to people, not redacted yet. */
  readonly message: string | null
  /** The place of the rule in its list; null where the status decided alone. */
  readonly rule: number | null
}

export interface ErrorRuleOptions {
  /** The body of a success is a stream: rules that look into it do not meet a 2xx. */
  readonly stream?: boolean
  /** False for actions of one record: `empty` says nothing about those, and its rules are skipped. */
  readonly listing?: boolean
}

/**
 * Compiles the rules of a step: the first one that matches decides, else the status.
 *
 * Without a rule, 2xx passes; 401 asks for fresh credentials (`refresh_auth`), which fails with its class where there
 * is nothing to refresh; everything else fails with the class of its status, null for redirects and other 4xx.
 * Source: docs/manifest-language.md, "Errors, retries, authentication".
 */
export function compileErrorRules(
  rules: readonly ErrorRuleTemplate[],
  options: ErrorRuleOptions = {},
): (answer: Answer, scope: Scope) => Verdict {
  const { stream = false, listing = true } = options
  const compiled = rules
    .map((template, place) => compileRule(template, place, stream))
    .filter(({ effect }) => listing || effect !== 'empty')
  return (answer, scope) => {
    for (const rule of compiled) {
      if (rule.matches(answer, scope)) return rule.rule(answer, scope)
    }
    return isSuccess(answer.status) ? PASS : byStatus(answer.status)
  }
}

/** The class that a status stands for; null for success, redirects and every 4xx without a meaning of its own. */
export function classOfStatus(status: number): ErrorClass | null {
  return CLASSES.get(status) ?? (status >= 500 ? 'unavailable' : null)
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}

const PASS: Verdict = { effect: 'pass' }

const CLASSES: ReadonlyMap<number, ErrorClass> = new Map([
  [400, 'invalid'],
  [401, 'credentials'],
  [403, 'forbidden'],
  [404, 'not_found'],
  [408, 'unavailable'],
  [409, 'conflict'],
  [410, 'not_found'],
  [413, 'too_large'],
  [422, 'unprocessable'],
  [429, 'rate_limited'],
])

/** The class of an effect whose rule names none. */
const CLASS_OF_EFFECT: Readonly<Record<ErrorEffect, (status: number) => ErrorClass | null>> = {
  fail: classOfStatus,
  retry: (status) => classOfStatus(status) ?? 'unavailable',
  shrink_page: (status) => classOfStatus(status) ?? 'unavailable',
  refresh_auth: () => 'credentials',
  reauthorize: () => 'credentials',
  restart_pagination: () => 'cursor_expired',
  empty: () => null,
  ok: () => null,
}

interface CompiledRule {
  readonly effect: ErrorEffect
  matches(answer: Answer, scope: Scope): boolean
  rule(answer: Answer, scope: Scope): Ruling
}

function compileRule(template: ErrorRuleTemplate, place: number, stream: boolean): CompiledRule {
  const { effect, as, outcome } = template
  const meetsStatus = compileStatus(template.status)
  const meetsBody = template.body.length > 0 ? compileTests(template.body) : null
  const meetsHeaders = compileHeaders(template.headers)
  const say = template.message === null ? null : compileMessage(template.message)
  return {
    effect,
    matches(answer, scope) {
      if (!meetsStatus(answer.status) || !meetsHeaders(answer)) return false
      if (meetsBody === null) return true
      return !(stream && isSuccess(answer.status)) && meetsBody(answer, scope)
    },
    rule(answer, scope) {
      return {
        effect,
        as: as ?? CLASS_OF_EFFECT[effect](answer.status),
        outcome,
        message: say?.(answer, scope) ?? null,
        rule: place,
      }
    },
  }
}

/** Whether all that the tests ask for holds of an answer. */
export function compileAnswerTests({
  status,
  body,
  headers,
}: AnswerTests): (answer: Answer) => boolean {
  const checks = [compileHeaders(headers), ...(body.length > 0 ? [compileTests(body)] : [])]
  const meetsStatus = compileStatus(status)
  return (answer) => meetsStatus(answer.status) && checks.every((meets) => meets(answer))
}

/** Whether a status is one of these; of no ranges any is. */
export function compileStatus(ranges: ErrorRuleTemplate['status']): (status: number) => boolean {
  if (ranges.length === 0) return () => true
  return (status) => ranges.some(([from, to]) => status >= from && status <= to)
}

function compileHeaders(headers: ErrorRuleTemplate['headers']): AnswerCheck {
  const checks = headers.map(({ name, test }) => {
    const lowerName = name.toLowerCase()
    const check = compileHeaderTest(test)
    return (answer: Answer): boolean =>
      check(Object.hasOwn(answer.headers, lowerName) ? answer.headers[lowerName] : undefined)
  })
  return (answer) => checks.every((check) => check(answer))
}

/** Compiles a text about a failure; null where the answer does not have the form that the author had in mind. */
export function compileMessage(
  template: Template,
): (answer: Answer, scope: Scope) => string | null {
  const evaluate = compileTemplate(template)
  return (answer, scope) => {
    try {
      return textOf(evaluate(withResponse(scope, answer)))
    } catch (error) {
      if (!(error instanceof ValueError)) throw error
      return null // The class of the failure still holds.
    }
  }
}

function byStatus(status: number): Ruling {
  const effect = status === 401 ? 'refresh_auth' : 'fail'
  return { effect, as: classOfStatus(status), outcome: null, message: null, rule: null }
}

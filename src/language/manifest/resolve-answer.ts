// How an answer is read: records, tests, error rules, texts of errors, waits.
import type { Path } from '../expression/syntax.ts'
import { ACTIONS, type ActionName } from './actions.ts'
import { parseDuration } from './duration.ts'
import type {
  BodyTests,
  ErrorBody,
  ErrorRuleTemplate,
  Flag,
  ResponseRules,
  RetryPolicy,
  Test,
  WaitRule,
} from './manifest.ts'
import { orNull } from './or-null.ts'
import type { Site } from './resolver.ts'
import type {
  AnswerTestsSource,
  BodyTestsSource,
  ErrorBodySource,
  ErrorRuleSource,
  FlagSource,
  MatcherSource,
  ResponseSource,
  RetrySource,
  ScalarSource,
} from './source.ts'

/** Resolves `response`. `declared`: the names of the action's parameters. */
export function resolveResponse(
  source: ResponseSource = {},
  site: Site,
  action: ActionName,
  declared: ReadonlySet<string>,
): Omit<ResponseRules, 'casts'> {
  const { gives } = ACTIONS[action]
  const key = gives === 'list' ? 'records' : 'record'
  const path = (name: 'records' | 'record' | 'page'): Path | null =>
    orNull(source[name], (written) => site.in(name).path(written, `response.${name}`))
  return {
    decode: source.decode ?? 'json',
    kind: gives === 'nothing' ? 'record' : gives,
    at: path(key) ?? { root: 'body', steps: [], source: '$' },
    page: path('page'),
    single: source.single ?? false,
    missing: source.missing ?? 'fail',
    where: Object.entries(source.where ?? {}).map(([record, param]) => {
      const here = site.in('where', record)
      return {
        record: here.key.recordPath(record, 'response.where'),
        param: here.param(param, 'response.where', declared),
      }
    }),
    keep: orNull(source.keep, (keep) => site.in('keep').expression(keep, 'response.keep')),
    set: Object.entries(source.set ?? {}).map(([name, value]) => [
      name,
      site.in('set', name).template(value, 'response.set'),
    ]),
    drop: (source.drop ?? []).map((dropped, index) =>
      site.in('drop', index).recordPath(dropped, 'response.drop'),
    ),
  }
}

/** Resolves tests on a body; the keys are paths. */
export function resolveTests(tests: BodyTestsSource, site: Site, use: string): BodyTests {
  return Object.entries(tests).map(([path, matcher]) => {
    const here = site.in(path)
    return { at: here.key.path(path, use), test: resolveTest(matcher, here) }
  })
}

function resolveTest(matcher: MatcherSource, site: Site): Test {
  if (Array.isArray(matcher)) return { in: matcher as readonly ScalarSource[] }
  if (typeof matcher !== 'object' || matcher === null) return { equals: matcher }
  const test = matcher as Test // a map of tests is written as it is resolved
  if (test.matches !== undefined) site.in('matches').pattern(test.matches)
  return { ...test }
}

/** Resolves a path whose truth decides, or tests. */
export function resolveFlag(flag: FlagSource | undefined, site: Site, use: string): Flag | null {
  if (flag === undefined) return null
  return typeof flag === 'string'
    ? { kind: 'path', at: site.path(flag, use) }
    : { kind: 'tests', tests: resolveTests(flag, site, use) }
}

/** Resolves error rules in their order. */
export function resolveErrorRules(
  rules: readonly ErrorRuleSource[] | undefined,
  site: Site,
): readonly ErrorRuleTemplate[] {
  return (rules ?? []).map((rule, index) => ({
    ...resolveAnswerTests(rule.when, site.in(index, 'when')),
    effect: rule.then,
    as: rule.as ?? null,
    outcome: rule.outcome ?? null,
    message: orNull(rule.message, (message) =>
      site.in(index, 'message').template(message, 'errors.message'),
    ),
  }))
}

/** Resolves what must all hold of an answer, the `when` of a rule. */
export function resolveAnswerTests(
  when: AnswerTestsSource,
  site: Site,
): Pick<ErrorRuleTemplate, 'status' | 'body' | 'headers'> {
  return {
    status: [when.status ?? []].flat().map(statusRange),
    body: resolveTests(when.body ?? {}, site.in('body'), 'errors.body'),
    headers: Object.entries(when.header ?? {}).map(([name, matcher]) => ({
      name: name.toLowerCase(),
      test: resolveTest(matcher, site.in('header', name)),
    })),
  }
}

function statusRange(status: number | string): readonly [from: number, to: number] {
  if (typeof status === 'number') return [status, status]
  const from = Number(status[0]) * 100
  return [from, from + 99]
}

/** Resolves `error_body`. */
export function resolveErrorBody(source: ErrorBodySource = {}, site: Site): ErrorBody {
  const path = (key: 'code' | 'request_id' | 'fields'): Path | null =>
    orNull(source[key], (written) => site.in(key).path(written, `error_body.${key}`))
  return {
    message: orNull(source.message, (message) =>
      site.in('message').template(message, 'error_body.message'),
    ),
    code: path('code'),
    requestId: path('request_id'),
    fields: path('fields'),
  }
}

/** What holds where a manifest says nothing. Source: docs/manifest-language.md, "Errors, retries, authentication". */
export const DEFAULT_RETRY: RetryPolicy = {
  attempts: 3,
  on: [429, 502, 503, 504, 'network', 'timeout'],
  wait: [
    { kind: 'header', name: 'retry-after', path: null, format: 'seconds' },
    { kind: 'exponential', baseMs: 500, maxMs: 8000 },
  ],
  maxWaitMs: null,
  idempotent: false,
  idempotencyKey: null,
}

// The maximum of an exponential wait that names none: four doublings, as from 500 ms to 8 s.
const GROWTH = 16

/** Resolves `retry` over what holds without it, key by key. */
export function resolveRetry(retry: RetrySource = {}, site: Site, under: RetryPolicy): RetryPolicy {
  return {
    attempts: retry.attempts ?? under.attempts,
    on: retry.on ?? under.on,
    wait: retry.wait?.map((rule, index) => resolveWait(rule, site.in('wait', index))) ?? under.wait,
    maxWaitMs: orNull(retry.max_wait, parseDuration) ?? under.maxWaitMs,
    idempotent: retry.idempotent ?? under.idempotent,
    idempotencyKey: retry.idempotency_key ?? under.idempotencyKey,
  }
}

function resolveWait(rule: NonNullable<RetrySource['wait']>[number], site: Site): WaitRule {
  const path = (key: 'path' | 'body', written: string): Path =>
    site.in(key).path(written, `retry.wait.${key}`)
  const { header, body, constant, exponential = '0ms', format = 'seconds' } = rule
  if (header !== undefined) {
    const at = orNull(rule.path, (written) => path('path', written))
    return { kind: 'header', name: header.toLowerCase(), path: at, format }
  }
  if (body !== undefined) return { kind: 'body', at: path('body', body), format }
  if (constant !== undefined) return { kind: 'constant', ms: parseDuration(constant) }
  const baseMs = parseDuration(exponential)
  return { kind: 'exponential', baseMs, maxMs: orNull(rule.max, parseDuration) ?? baseMs * GROWTH }
}

// How an answer is read: records, tests, error rules, texts of errors, waits.
import type { Json } from '../json/json.ts'
import { ACTIONS, type ActionName } from './actions.ts'
import type { DocumentPath } from './document.ts'
import type { Owner } from './draft.ts'
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
import { below, resolveTemplate } from './resolve-template.ts'
import type { Resolver, TextSite, UseSite } from './resolver.ts'
import type {
  BodyTestsSource,
  ErrorBodySource,
  ErrorRuleSource,
  FlagSource,
  MatcherSource,
  ResponseSource,
  RetrySource,
} from './source.ts'

/** Where a block stands and whose it is. */
export interface BlockSite {
  readonly at: DocumentPath
  readonly owner: Owner
}

/** Resolves `response`. `declared`: the names of the action's parameters. */
export function resolveResponse(
  response: ResponseSource | undefined,
  site: BlockSite,
  resolver: Resolver,
  options: {
    readonly action: ActionName
    readonly declared: ReadonlySet<string>
    readonly casts: ResponseRules['casts']
  },
): ResponseRules {
  const { action, declared, casts } = options
  const source = response ?? {}
  const { gives } = ACTIONS[action]
  const key = gives === 'list' ? 'records' : 'record'
  const uses = usesBelow(site, 'response')
  const texts = (name: 'keep' | 'set'): TextSite => ({
    at: [...site.at, name],
    owner: site.owner,
    place: `response.${name}`,
  })
  return {
    decode: source.decode ?? 'json',
    kind: gives === 'nothing' ? 'record' : gives,
    at: source[key] === undefined ? WHOLE : resolver.path(source[key], uses(key)),
    page: source.page === undefined ? null : resolver.path(source.page, uses('page')),
    single: source.single ?? false,
    missing: source.missing ?? 'fail',
    where: Object.entries(source.where ?? {}).map(([record, param]) => {
      const here = below(uses('where'), record)
      return {
        record: resolver.recordPath(record, { ...here, part: 'key' }),
        param: resolver.param(param, here, declared),
      }
    }),
    keep: source.keep === undefined ? null : resolver.expression(source.keep, texts('keep')),
    set: Object.entries(source.set ?? {}).map(([name, value]) => [
      name,
      resolveTemplate(value, below(texts('set'), name), resolver),
    ]),
    drop: (source.drop ?? []).map((path, index) =>
      resolver.recordPath(path, below(uses('drop'), index)),
    ),
    casts,
  }
}

const WHOLE = { root: 'body', steps: [], source: '$' } as const

/** Sites below a block, with the keys that lead to them. */
export function usesBelow(site: BlockSite, block: string): (key: string) => UseSite {
  return (key) => ({ at: [...site.at, key], owner: site.owner, use: `${block}.${key}` })
}

/** Resolves tests on a body; the keys are paths. */
export function resolveTests(tests: BodyTestsSource, site: UseSite, resolver: Resolver): BodyTests {
  return Object.entries(tests).map(([path, matcher]) => {
    const here = below(site, path)
    return {
      at: resolver.path(path, { ...here, part: 'key' }),
      test: resolveTest(matcher, here, resolver),
    }
  })
}

function resolveTest(matcher: MatcherSource, site: UseSite, resolver: Resolver): Test {
  if (Array.isArray(matcher)) return { in: matcher as readonly Json[] } // a list of scalars
  if (typeof matcher !== 'object' || matcher === null) return { equals: matcher }
  const test = matcher as Test // a map of tests is written as it is resolved
  if (test.matches !== undefined) resolver.pattern(test.matches, below(site, 'matches'))
  return { ...test }
}

/** Resolves a path whose truth decides, or tests. */
export function resolveFlag(
  flag: FlagSource | undefined,
  site: UseSite,
  resolver: Resolver,
): Flag | null {
  if (flag === undefined) return null
  return typeof flag === 'string'
    ? { kind: 'path', at: resolver.path(flag, site) }
    : { kind: 'tests', tests: resolveTests(flag, site, resolver) }
}

/** Resolves error rules in their order. */
export function resolveErrorRules(
  rules: readonly ErrorRuleSource[] | undefined,
  site: BlockSite,
  resolver: Resolver,
): readonly ErrorRuleTemplate[] {
  return (rules ?? []).map((rule, index) => {
    const { when, message } = rule
    const at = [...site.at, index]
    const { owner } = site
    const text: TextSite = { at: [...at, 'message'], owner, place: 'errors.message' }
    return {
      ...resolveAnswerTests(when, { at: [...at, 'when'], owner }, resolver),
      effect: rule.then,
      as: rule.as ?? null,
      outcome: rule.outcome ?? null,
      message: message === undefined ? null : resolveTemplate(message, text, resolver),
    }
  })
}

/** Resolves what must all hold of an answer, the `when` of a rule. */
export function resolveAnswerTests(
  when: ErrorRuleSource['when'],
  { at, owner }: BlockSite,
  resolver: Resolver,
): Pick<ErrorRuleTemplate, 'status' | 'body' | 'headers'> {
  const tests: UseSite = { at: [...at, 'body'], owner, use: 'errors.body' }
  const headers: UseSite = { at: [...at, 'header'], owner, use: 'errors.header' }
  return {
    status: [when.status ?? []].flat().map(statusRange),
    body: resolveTests(when.body ?? {}, tests, resolver),
    headers: Object.entries(when.header ?? {}).map(([name, matcher]) => ({
      name: name.toLowerCase(),
      test: resolveTest(matcher, below(headers, name), resolver),
    })),
  }
}

function statusRange(status: number | string): readonly [from: number, to: number] {
  if (typeof status === 'number') return [status, status]
  const from = Number(status[0]) * 100
  return [from, from + 99]
}

/** Resolves `error_body`. */
export function resolveErrorBody(
  body: ErrorBodySource | undefined,
  site: BlockSite,
  resolver: Resolver,
): ErrorBody {
  const uses = usesBelow(site, 'error_body')
  const path = (key: 'code' | 'request_id' | 'fields'): ErrorBody['code'] => {
    const source = body?.[key]
    return source === undefined ? null : resolver.path(source, uses(key))
  }
  const text: TextSite = {
    at: [...site.at, 'message'],
    owner: site.owner,
    place: 'error_body.message',
  }
  return {
    message: body?.message === undefined ? null : resolveTemplate(body.message, text, resolver),
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

// The longest wait when an exponential one does not say: four doublings, as from 500 ms to 8 s.
const GROWTH = 16

/** Resolves `retry` over what holds without it, key by key. */
export function resolveRetry(
  retry: RetrySource | undefined,
  site: BlockSite,
  resolver: Resolver,
  under: RetryPolicy,
): RetryPolicy {
  if (retry === undefined) return under
  return {
    attempts: retry.attempts ?? under.attempts,
    on: retry.on ?? under.on,
    wait:
      retry.wait?.map((rule, index) =>
        resolveWait(rule, [...site.at, 'wait', index], site, resolver),
      ) ?? under.wait,
    maxWaitMs: retry.max_wait === undefined ? under.maxWaitMs : parseDuration(retry.max_wait),
    idempotent: retry.idempotent ?? under.idempotent,
    idempotencyKey: retry.idempotency_key ?? under.idempotencyKey,
  }
}

type WaitSource = NonNullable<RetrySource['wait']>[number]

function resolveWait(
  rule: WaitSource,
  at: DocumentPath,
  site: BlockSite,
  resolver: Resolver,
): WaitRule {
  const uses = usesBelow({ at, owner: site.owner }, 'retry.wait')
  const format = rule.format ?? 'seconds'
  if (rule.header !== undefined) {
    const path = rule.path === undefined ? null : resolver.path(rule.path, uses('path'))
    return { kind: 'header', name: rule.header.toLowerCase(), path, format }
  }
  if (rule.body !== undefined) {
    return { kind: 'body', at: resolver.path(rule.body, uses('body')), format }
  }
  if (rule.constant !== undefined) return { kind: 'constant', ms: parseDuration(rule.constant) }
  const baseMs = parseDuration(rule.exponential ?? '0ms')
  const maxMs = rule.max === undefined ? baseMs * GROWTH : parseDuration(rule.max)
  return { kind: 'exponential', baseMs, maxMs }
}

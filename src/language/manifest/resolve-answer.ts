// How an answer is read: tests, flags, members of meta, waits, and what is kept of it.
import { parseDuration } from './duration.ts'
import type { BodyTests, Flag, MetaPick, Store, Test, WaitRule } from './manifest.ts'
import { orNull } from './or-null.ts'
import type { Site } from './resolver.ts'
import type {
  BodyTestsSource,
  FlagSource,
  MatcherSource,
  PicksSource,
  RetrySource,
  ScalarSource,
  StoreSource,
} from './source.ts'

/** Resolves tests on a body; the keys are paths. */
export function resolveTests(tests: BodyTestsSource, site: Site, use: string): BodyTests {
  return Object.entries(tests).map(([path, matcher]) => {
    const here = site.in(path)
    return { at: here.key.path(path, use), test: resolveTest(matcher, here) }
  })
}

/** Resolves the test of one value. */
export function resolveTest(matcher: MatcherSource, site: Site): Test {
  if (Array.isArray(matcher)) return { in: matcher as readonly ScalarSource[] }
  if (typeof matcher !== 'object' || matcher === null) return { equals: matcher }
  const test = matcher as Test // a map of tests is written as it is resolved
  if (test.matches !== undefined) site.in('matches').pattern(test.matches)
  return { ...test }
}

/** Resolves a path whose truth decides, or tests. */
export function resolveFlag(flag: FlagSource, site: Site, use: string): Flag {
  return typeof flag === 'string'
    ? { kind: 'path', at: site.path(flag, use) }
    : { kind: 'tests', tests: resolveTests(flag, site, use) }
}

/** The statuses that are meant, from and to: `4xx` is 400 to 499. */
export function statusRange(status: number | string): readonly [from: number, to: number] {
  if (typeof status === 'number') return [status, status]
  const from = Number(status[0]) * 100
  return [from, from + 99]
}

// The maximum of an exponential wait that names none: four doublings, as from 500 ms to 8 s.
const GROWTH = 16

/** Resolves one way to wait. `use`: the keys that lead to it. */
export function resolveWait(
  rule: NonNullable<RetrySource['wait']>[number],
  site: Site,
  use: string,
): WaitRule {
  const { header, body, constant, exponential = '0ms', format = 'seconds' } = rule
  if (header !== undefined) {
    const at = orNull(rule.path, (path) => site.in('path').path(path, `${use}.path`))
    return { kind: 'header', name: header.toLowerCase(), path: at, format }
  }
  if (body !== undefined)
    return { kind: 'body', at: site.in('body').path(body, `${use}.body`), format }
  if (constant !== undefined) return { kind: 'constant', ms: parseDuration(constant) }
  const baseMs = parseDuration(exponential)
  return { kind: 'exponential', baseMs, maxMs: orNull(rule.max, parseDuration) ?? baseMs * GROWTH }
}

/** Resolves what is kept of an answer: places mapped to paths. */
export function resolveStore(store: StoreSource, site: Site, use: string): readonly Store[] {
  return Object.entries(store).map(([target, path]) => {
    const [root = '', name = ''] = target.split('.')
    return {
      root: root as Store['root'], // the manifest schema allows no other
      name,
      at: site.in(target).path(path, use),
    }
  })
}

/** The members of `meta` that the engine writes. */
const ENGINE_META: ReadonlySet<string> = new Set(['has_more', 'next', 'filtered_out'])

/** Resolves the members of `meta`. */
export function resolvePicks(picks: PicksSource, site: Site, use: string): readonly MetaPick[] {
  const members = resolveMembers(picks, site, use)
  for (const [index, key] of Object.keys(picks).entries()) {
    const name = members[index]?.name ?? ''
    if (!ENGINE_META.has(name)) continue
    const message = `"${name}" in meta is written by the engine`
    site.in(key).key.report('schema/misplaced-key', message, 'choose another name')
  }
  return members
}

function resolveMembers(picks: PicksSource, site: Site, use: string): readonly MetaPick[] {
  const seen = new Set<string>()
  return Object.entries(picks).map(([key, value]) => {
    const here = site.in(key)
    const optional = key.endsWith('?')
    const name = optional ? key.slice(0, -1) : key
    if (seen.has(name)) {
      const message = `"${name}" stands here twice, with and without ?`
      here.key.report('pagination/duplicate-meta', message, 'remove one of the two')
    }
    seen.add(name)
    return { name, optional, value: resolvePick(value, here, use) }
  })
}

function resolvePick(value: PicksSource[string], site: Site, use: string): MetaPick['value'] {
  if (typeof value === 'string' && value.startsWith('$'))
    return { kind: 'path', at: site.path(value, use) }
  return typeof value === 'object' && value !== null
    ? { kind: 'object', members: resolveMembers(value, site, use) }
    : { kind: 'constant', value }
}

// Which error of an account is told as its last one.
import { expect, test } from 'vitest'
import { lastErrorOf, wellSince } from '../../../src/console/screens/instances/last-error.ts'

const entry = (kind: 'operation' | 'sync' | 'delivery' | 'refresh', code: string) =>
  ({ kind, code, entity: kind === 'sync' ? 'issues' : null }) as const
const MISSED = entry('operation', 'upstream_not_found')
const WRONG = entry('operation', 'params_invalid')
const BROKEN = entry('operation', 'upstream_failed')
const HELD = entry('sync', 'upstream_suspended')
const SYNC = entry('sync', 'upstream_not_found')

test.for([
  ['nothing', [], [], undefined],
  ['deliveries alone', [entry('delivery', 'delivery_failed')], [], undefined],
  ['a call of its own alone', [MISSED], [], MISSED],
  ['a sync that fails, before one’s own call', [MISSED, SYNC], ['issues'], SYNC],
  ['a sync that fails, before a later call', [BROKEN, SYNC], ['issues'], SYNC],
  ['a sync that is well again', [BROKEN, SYNC], ['projects'], BROKEN],
  ['what was sent, before what was held back later', [HELD, SYNC], ['issues'], SYNC],
  ['what was held back, where nothing else is there', [HELD], ['issues'], HELD],
  ['what no caller caused, before what one did', [MISSED, WRONG, BROKEN], [], BROKEN],
  ['a sync that is well again, before one’s own call', [MISSED, SYNC], [], SYNC],
] as const)('the last error is that of %s', ([, failed, failing, want]) => {
  expect(lastErrorOf<(typeof failed)[number]>(failed, failing)).toBe(want)
})

const page = (requests: readonly number[], next: string | null = null) => ({
  data: requests.map((upstream_requests) => ({ upstream_requests })),
  meta: { next_cursor: next },
})

test.for([
  ['nothing', [page([])], 0, false],
  ['all that sent something', [page([1, 7]), page([2])], 3, false],
  ['no run that had nothing to ask', [page([0, 1, 0])], 1, false],
  ['a part of them', [page([1, 0], 'next')], 1, true],
] as const)('what went well since is %s', ([, pages, count, isAtLeast]) => {
  expect(wellSince(pages)).toEqual({ count, isAtLeast })
})

// Places in events and deliveries, as readers keep them.
import { beforeAll, expect, test } from 'vitest'
import { readMasterKeys } from '../../../src/service/vault/keys/local-keys.ts'
import { createSystemClock } from '../../../src/engine/adapters/system-clock.ts'
import { Cursors } from '../../../src/service/cursors.ts'
import { EventCursors } from '../../../src/service/events/event-cursor.ts'
import { applicationPrincipal, type Principal } from '../../../src/service/tokens/principal.ts'
import { Vault } from '../../../src/service/vault/vault.ts'
import { memoryDataKeys } from '../vault/memory-data-keys.ts'

const KEYS = `k1:${Buffer.alloc(32, 1).toString('base64')}`
const YEAR_MS = 365 * 86_400_000
const clock = createSystemClock()
const vault = new Vault({
  provider: readMasterKeys(KEYS, 'test'),
  dataKeys: memoryDataKeys(),
  clock,
})
const cursors = cursorsAt(() => clock.now())
const of = (organizationId: string): Principal => applicationPrincipal(organizationId, null, null)
const ACME = of('acme')

function cursorsAt(now: () => number): EventCursors {
  return new EventCursors(new Cursors(vault, { ...clock, now }))
}

let event: string
let delivery: string

beforeAll(async () => {
  event = await cursors.event(ACME, 7)
  delivery = await cursors.delivery(ACME, 'webhook-1', 7)
})

test.for<[string, () => Promise<number>]>([
  ['of events at another organisation', () => cursors.seqOfEvent(of('other'), event)],
  ['of deliveries for events', () => cursors.seqOfEvent(ACME, delivery)],
  ['of events for deliveries', () => cursors.seqOfDelivery(ACME, 'webhook-1', event)],
  ['of another webhook', () => cursors.seqOfDelivery(ACME, 'webhook-2', delivery)],
  [
    'of deliveries at another organisation',
    () => cursors.seqOfDelivery(of('other'), 'webhook-1', delivery),
  ],
  [
    'of events as earlier versions wrote them',
    () => cursors.seqOfDelivery(ACME, 'webhook-1', 'ZTEuMQ'),
  ],
  ['that is a bare number', () => cursors.seqOfEvent(ACME, 'Nw')],
])('T5 a cursor %s opens nothing', async ([, open]) => {
  await expect(open()).rejects.toMatchObject({ code: 'cursor_invalid' })
})

test('T5 no character of a cursor can be changed', async () => {
  for (const at of event.split('').keys()) {
    const other = event[at] === 'A' ? 'B' : 'A'
    const changed = event.slice(0, at) + other + event.slice(at + 1)
    await expect(cursors.seqOfEvent(ACME, changed)).rejects.toMatchObject({
      code: 'cursor_invalid',
    })
  }
})

test('places of events never end, those of deliveries after a day', async () => {
  const later = cursorsAt(() => clock.now() + YEAR_MS)
  expect(await later.seqOfEvent(ACME, event)).toBe(7)
  expect(await cursors.seqOfDelivery(ACME, 'webhook-1', delivery)).toBe(7)
  await expect(later.seqOfDelivery(ACME, 'webhook-1', delivery)).rejects.toMatchObject({
    code: 'cursor_invalid',
  })
})

test('a reader of an earlier version keeps its place', async () => {
  expect(await cursors.seqOfEvent(ACME, Buffer.from('e1.12').toString('base64url'))).toBe(12)
})

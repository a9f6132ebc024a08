// Refused access as the audit log is told of it: exact as long as there is room, and of every caller and route in any case.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ConnectorError } from '../../src/errors.ts'
import { createSystemClock } from '../../src/engine/adapters/system-clock.ts'
import { SILENT_LOG } from '../../src/service/log.ts'
import { type RefusedAccess, Refusals } from '../../src/service/refusals.ts'
import { openStore } from '../../src/service/store/open/open-store.ts'
import type { Store } from '../../src/service/store/store.ts'
import { storedInstance } from '../contracts/store/rows.ts'
import { eventually } from '../faults/resources.ts'
import { createTestClock } from '../fixtures/test-clock.ts'

let folder = ''
let store: Store
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenon-refusals-'))
  store = await openStore({ folder })
})
afterAll(async () => {
  await store.close()
  await rm(folder, { recursive: true, force: true })
})

const OF_ORGANIZATION = { organizationId: 'org-1', clientId: 'client-1' }
const refused: RefusedAccess = {
  principal: OF_ORGANIZATION,
  code: 'scope_denied',
  route: 'deleteConnectorInstance',
  address: '192.0.2.1',
  connectorId: null,
  requestId: 'request-1',
  why: null,
}

test('A1 many accounts and addresses hide no other refusal, and nothing that a path may hold breaks the log', async () => {
  const row = await storedInstance(store, { organizationId: 'org-1' })
  const foreign = await storedInstance(store, { organizationId: 'org-2' })
  const refusals = new Refusals({ store, clock: createSystemClock(), log: SILENT_LOG })
  for (const connectorId of [row.id, row.id, foreign.id, 'a\0b'])
    refusals.note({ ...refused, connectorId })
  for (let n = 1; n <= 150; n++) refusals.note({ ...refused, connectorId: `account-${n}` })
  refusals.note({ ...refused, code: 'token_invalid', principal: null, route: 'execute' })
  refusals.note({ ...refused, code: 'upstream_rejected' })
  const named = { organizationId: 'org-3', clientId: 'unknown' }
  for (const why of ['wrong secret of a', 'disabled application: secret of b', 'wrong secret of a'])
    refusals.note({ ...refused, code: 'client_invalid', route: 'mint', principal: named, why })
  await refusals.close()
  const told = async (organizationId: string, instanceId?: string): Promise<readonly unknown[]> => {
    const filter = { limit: 200, ...(instanceId === undefined ? {} : { instanceId }) }
    const events = await store.audit.list({ organizationId }, filter)
    return events
      .filter(({ action }) => action === 'access.refuse')
      .map(({ target, outcome, address, requestId }) => [target, outcome, address, requestId])
  }
  const on = 'deleteConnectorInstance'
  expect(await told('org-1', row.id)).toEqual([
    [on, 'scope_denied, 2 times', '192.0.2.1', 'request-1'],
  ])
  const rest = await told('org-1')
  // The account of others, the path that is none, 97 that are nobody's; and together what had no room.
  const alone = Array.from({ length: 99 }, () => [
    on,
    'scope_denied, 1 time',
    '192.0.2.1',
    'request-1',
  ])
  expect(rest).toEqual([[on, 'scope_denied, 53 times', null, 'request-1'], ...alone])
  expect(await told('org-2', foreign.id)).toEqual([])
  // Two client ids from one address are two refusals.
  const ofClients = await store.audit.list({ organizationId: 'org-3' }, { limit: 10 })
  expect(ofClients.map(({ outcome, members }) => [outcome, members.at(-1)])).toEqual([
    ['client_invalid, 1 time', 'disabled application: secret of b'],
    ['client_invalid, 2 times', 'wrong secret of a'],
  ])
  expect(await told('')).toEqual([['execute', 'token_invalid, 1 time', null, 'request-1']])
})

test('A1 what the store does not take while it is away is told as soon as it takes it, once and with all of its number', async () => {
  const clock = createTestClock()
  let isAway = true
  let attempts = 0
  const append: Store['audit']['append'] = async (entry) => {
    attempts++
    if (isAway) throw new ConnectorError('store_unavailable', 'the store cannot be reached')
    await store.audit.append(entry)
  }
  const ports = { store: { ...store, audit: { ...store.audit, append } }, clock, log: SILENT_LOG }
  const organizationId = 'org-away'
  const principal = { ...OF_ORGANIZATION, organizationId }
  const told = async (): Promise<readonly unknown[]> =>
    (await store.audit.list({ organizationId }, { limit: 10 })).map(
      ({ target, outcome, members }) => [target, outcome, members],
    )
  const refusals = new Refusals(ports)
  const first = `first at ${new Date(clock.now()).toISOString()}`
  refusals.note({ ...refused, principal })
  refusals.note({ ...refused, principal })
  refusals.note({ ...refused, principal, route: 'execute' })
  // Minutes pass; in each of them one attempt says that the store is away.
  await eventually(() => Promise.resolve(attempts > 2))
  expect(attempts).toBeLessThanOrEqual(clock.waits.length)
  expect(await told()).toEqual([])
  refusals.note({ ...refused, principal })
  const last = `last at ${new Date(clock.now()).toISOString()}`
  isAway = false
  await refusals.close()
  expect(await told()).toEqual(
    expect.arrayContaining([
      ['deleteConnectorInstance', 'scope_denied, 3 times', [first, last]],
      ['execute', 'scope_denied, 1 time', [first]],
    ]),
  )
  expect(await told()).toHaveLength(2)
})

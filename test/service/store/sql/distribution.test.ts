// The order in which transactions take tables, which is the order in which a backup on Citus locks them.
import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { REFRESH_PURPOSE } from '../../../../src/service/store/credentials.ts'
import { PLACEMENTS } from '../../../../src/service/store/sql/distribution.ts'
import type { Store } from '../../../../src/service/store/store.ts'
import { eventInput, storedWebhook } from '../../../contracts/store/events.ts'
import {
  auditEntry,
  credentialInput,
  instanceRow,
  intentInput,
  organizationEntry,
  secretInput,
  storedInstance,
} from '../../../contracts/store/rows.ts'
import { postgresSubject } from '../../../contracts/store/subject.ts'

type Row = Awaited<ReturnType<typeof storedInstance>>

/** The transactions of services that change more than one table. Those of an operator may give a backup longer to wait. */
const OPERATIONS: Readonly<Record<string, (store: Store, row: Row) => Promise<unknown>>> = {
  'a new instance': async (store, { organizationId }) => {
    const secret = secretInput({ organizationId })
    await store.oauthSecrets.insert(secret)
    const row = instanceRow({ organizationId })
    const options = { oauthSecretHash: secret.secretHash, audit: auditEntry(row) }
    expect(await store.instances.insert(row, credentialInput(), options)).toBe('inserted')
  },
  'a change of an instance': ({ instances }, row) =>
    instances.update(ownerOf(row), row.id, { name: 'new' }, auditEntry(row)),
  'another state': ({ instances }, row) =>
    instances.setState(row.id, { from: ['pending'], to: 'active', reason: null }, auditEntry(row)),
  'a refresh': ({ credentials }, row) =>
    credentials.commitRefresh(
      row.id,
      1,
      { ...credentialInput('two'), nextRefreshAt: 1 },
      auditEntry(row),
    ),
  'other credentials': ({ credentials }, row) =>
    credentials.replace(
      ownerOf(row),
      row.id,
      { seal: async () => credentialInput('three'), oauthSecretHash: null },
      auditEntry(row),
    ),
  'an intent': ({ intents }, row) => intents.put(intentInput(row.id)),
  'an event': ({ events }, { organizationId }) => events.append(eventInput({ organizationId })),
  'the end of a write': async ({ audit }, { organizationId }) => {
    const id = randomUUID()
    await audit.open(id, organizationEntry(organizationId))
    await audit.close(id, organizationEntry(organizationId))
  },
  'a new webhook': (store, { organizationId }) => storedWebhook(store, { organizationId }),
  'the end of an instance': ({ instances }, row) =>
    instances.delete(ownerOf(row), row.id, auditEntry(row)),
}

const subject = await postgresSubject()
afterAll(() => subject?.close())

describe('the tables that a transaction changes, or locks rows of', () => {
  test.for(Object.entries(OPERATIONS))('%s', async ([, operation], { skip }) => {
    if (subject === null) return skip('there is no PostgreSQL')
    const said: string[] = []
    const store = await subject.open({ onStatement: (text) => said.push(text) })
    const row = await storedInstance(store)
    await store.leases.acquire(row.id, REFRESH_PURPOSE, 'p', 60_000)
    said.length = 0
    await operation(store, row)
    const taken = [...new Set(said.flatMap((text) => takenBy(text)))]
    const order = Object.keys(PLACEMENTS)
    expect(taken.length).toBeGreaterThan(1)
    expect(taken).toEqual(taken.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)))
  })
})

function takenBy(statement: string): readonly string[] {
  const found =
    /^(?:insert into|update|delete from) "?(\w+)/.exec(statement) ??
    /^select .* from "?(\w+).* for update/.exec(statement)
  return found?.[1] === undefined ? [] : [found[1]]
}

function ownerOf({ organizationId }: Row): { readonly organizationId: string } {
  return { organizationId }
}

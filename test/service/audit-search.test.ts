// A search of the audit log for rare words: it ends after its time, says how far it looked, and goes on there.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditSearch, type FoundAudit, findAudit } from '../../src/service/audit-view.ts'
import type { AuditEvent, AuditSearch } from '../../src/service/store/audit.ts'
import type { Store } from '../../src/service/store/store.ts'
import { sqliteSubject, type StoreSubject, tamper } from '../contracts/store/subject.ts'
import { createTestClock } from '../fixtures/test-clock.ts'

const EVENTS = 1200
const ORGANIZATION = 'org-1'

let subject: StoreSubject
let store: Store
beforeAll(async () => {
  subject = await sqliteSubject()
  store = await subject.open()
  // The oldest is the only one with the word.
  await tamper(
    store,
    `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${EVENTS})
    insert into audit_event (chain_id, seq, at, organization_id, instance_id, request_id, actor, action, target, outcome, members, hash)
    select 'many', i, i, '${ORGANIZATION}', null, null, 'somebody', 'token.mint', case i when 1 then 'rare' else 'usual' end, 'done', '[]', '' from n`,
  )
})
afterAll(() => subject.close())

/** `stepMs`: how much time passes from one look at the clock to the next. */
async function find(
  { text, stepMs }: { readonly text: string; readonly stepMs: number },
  after?: AuditSearch['after'],
): Promise<FoundAudit> {
  const clock = createTestClock()
  const monotonic = (): number => {
    clock.advance(stepMs)
    return clock.monotonic()
  }
  const wanted = await auditSearch(store, ORGANIZATION, { text })
  const place = after === undefined ? {} : { after }
  const ports = { store, clock: { ...clock, monotonic } }
  return await findAudit(ports, ORGANIZATION, { ...wanted, ...place, limit: 2 })
}

const seqsOf = ({ rows, more }: FoundAudit): readonly unknown[] => [
  rows.map(({ event }) => event.seq),
  more?.seq ?? null,
]

test.for([
  { name: 'a search with time looks through all', text: 'rare', stepMs: 0, want: [[1], null] },
  {
    name: 'one whose time is over ends behind what it looked at',
    text: 'rare',
    stepMs: 2000,
    want: [[], 701],
  },
  { name: 'and looks at more as long as it has time', text: 'rare', stepMs: 1000, want: [[], 201] },
  {
    name: 'a page without words is full whatever the time',
    text: '',
    stepMs: 2000,
    want: [[1200, 1199], 1199],
  },
  {
    name: 'as is one of words that many have',
    text: 'usual',
    stepMs: 2000,
    want: [[1200, 1199], 1199],
  },
])('$name', async ({ text, stepMs, want }) =>
  expect(seqsOf(await find({ text, stepMs }))).toEqual(want),
)

test('what is beyond is found by those that go on', async () => {
  const looks: unknown[] = []
  let at: AuditEvent | null | undefined
  while (at !== null) {
    const found = await find({ text: 'rare', stepMs: 2000 }, at)
    looks.push(seqsOf(found))
    at = found.more
  }
  expect(looks).toEqual([
    [[], 701],
    [[], 201],
    [[1], null],
  ])
})

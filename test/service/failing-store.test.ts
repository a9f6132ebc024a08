// One write through execute, with the store failing at every single call of it: before the call, behind it, and from it on.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databaseOf } from '../../src/service/store/open/open-store.ts'
import { ConnectorError } from '../../src/errors.ts'
import type { FaultMode } from '../../src/sandbox/faults.ts'
import type { Store } from '../../src/service/store/store.ts'
import {
  postgresSubject,
  sqliteSubject,
  type StoreSubject,
  tamper,
} from '../contracts/store/subject.ts'
import { eventually } from '../faults/resources.ts'
import { type CallAnswer, type RunningService, runService } from '../fixtures/running-service.ts'
import { IS_FULL } from '../fixtures/sizes.ts'

/** `behind`: the call happens, and its answer is lost. */
const FAULTS = {
  before: 'before the call',
  behind: 'behind the call',
  from: 'for good',
} as const

type Fault = keyof typeof FAULTS

interface Faults {
  fault: Fault
  /** The call that fails, by its name; null: none. */
  at: string | null
  /** How often calls of each name were made since `at` was set, as `name` and `name again`. */
  calls: string[]
}

const away = (): ConnectorError =>
  new ConnectorError('store_unavailable', 'the store cannot be reached', { retryAfterMs: 1 })

/** A store whose calls fail as `faults` say. */
function failing(store: Store, faults: Faults): Store {
  const wrap = (name: string, call: (...given: unknown[]) => unknown) => {
    return async (...given: unknown[]): Promise<unknown> => {
      const step = faults.calls.includes(name) ? `${name} again` : name
      const isLater =
        faults.fault === 'from' && faults.at !== null && faults.calls.includes(faults.at)
      faults.calls.push(step)
      const isHit = step === faults.at || isLater
      if (isHit && faults.fault !== 'behind') throw away()
      const result = await call(...given)
      if (isHit) throw away()
      return result
    }
  }
  const groups = Object.entries(store).map(([group, value]) => {
    if (typeof value !== 'object' || value === null || group === 'migrations') return [group, value]
    const members = Object.entries(value as object).map(([name, call]) => [
      name,
      wrap(`${group}.${name}`, call as (...given: unknown[]) => unknown),
    ])
    return [group, Object.fromEntries(members)]
  })
  return Object.fromEntries(groups) as Store
}

interface Case {
  readonly name: string
  /** What the third party does with the write; null: it answers. */
  readonly vendor: FaultMode | null
  /** What a caller may be told once the request was sent. */
  readonly outcomes: readonly string[]
}

const CASES: readonly Case[] = [
  { name: 'a write that is applied', vendor: null, outcomes: ['200'] },
  { name: 'a write whose answer is lost', vendor: 'reset-after-apply', outcomes: ['uncertain'] },
]
const SUBJECTS = { SQLite: sqliteSubject, PostgreSQL: postgresSubject }
const STEPS = ['instances.get', 'credentials.read', 'intents.find', 'audit.open', 'audit.close']
const KEY_STEPS = ['idempotency.begin', 'idempotency.markSent', 'idempotency.finish']

/** The outcome of a problem; `200` for every success. */
const told = ({ status, body }: CallAnswer): string =>
  status < 300 ? '200' : (body as { readonly outcome: string }).outcome

describe.for(Object.keys(SUBJECTS) as (keyof typeof SUBJECTS)[])('%s', (kind) => {
  const faults: Faults = { fault: 'before', at: null, calls: [] }
  let subject: StoreSubject | null
  let world: RunningService
  let id: string

  beforeAll(async () => {
    subject = await SUBJECTS[kind]()
    if (subject === null) return
    const store = await subject.open()
    world = await runService({
      connectors: ['jira'],
      upstreamRates: true,
      store: failing(store, faults),
    })
    id = await world.connect('jira')
  })
  afterAll(async () => {
    await world[Symbol.asyncDispose]()
    await subject?.close()
  })

  /** With nothing remembered, so that every call is made. */
  function start(fault: Fault, at: string | null): void {
    world.service.rows.forget(id)
    world.service.connections.forget(id)
    Object.assign(faults, { fault, at, calls: [] })
  }

  const created = (): number => world.vendor('jira').requests('issues.create').length

  async function create(key: string | null, requestId: string): Promise<CallAnswer> {
    return await world.call(
      'POST',
      `/api/v1/connectors/sources/${id}/execute`,
      { entity: 'issues', action: 'create', params: world.vendor('jira').example('issues.create') },
      {
        headers: { 'x-request-id': requestId, ...(key === null ? {} : { 'idempotency-key': key }) },
      },
    )
  }

  /** Events of the request in the audit log. */
  async function recorded(requestId: string): Promise<number> {
    const events = await world.service.store.audit.list(
      { organizationId: 'default' },
      // The newest first, among which those of the request are.
      { instanceId: id, limit: 50 },
    )
    return events.filter((event) => event.requestId === requestId).length
  }

  // The two stores say the same at each call; the whole of the second one is for a long run.
  const isWhole = kind === 'SQLite' || IS_FULL
  const faultsOfCreation = (Object.keys(FAULTS) as Fault[]).slice(isWhole ? 0 : -1)

  test.for(faultsOfCreation)(
    'U10 an instance is made once with its key, the store failing %s at each call of its creation',
    async (fault, { skip }) => {
      if (subject === null) return skip('there is no PostgreSQL')
      const { credentials, config } = world.vendor('jira').options()
      const make = async (name: string): Promise<CallAnswer> =>
        await world.call(
          'POST',
          '/v1/integrations/connectors',
          { external_user_id: 'user-1', connector_type: 'jira', name, credentials, config },
          { headers: { 'idempotency-key': name } },
        )
      const made = async (name: string): Promise<number> =>
        (
          await world.service.store.instances.list(
            { organizationId: 'default' },
            { name, limit: 9 },
          )
        ).rows.length
      Object.assign(faults, { fault, at: null, calls: [] })
      expect((await make(randomUUID())).status).toBe(201)
      const steps = [...new Set(faults.calls)]
      expect(steps).toEqual(expect.arrayContaining(['instances.insert', 'instances.setState']))
      for (const step of steps) {
        const name = randomUUID()
        Object.assign(faults, { at: step, calls: [] })
        const first = await make(name)
        Object.assign(faults, { at: null, calls: [] })
        if ((await made(name)) === 1) expect([step, told(first)]).not.toEqual([step, 'not_applied'])
        let second = await make(name)
        await eventually(async () => {
          if (second.status === 409) second = await make(name)
          return second.status !== 409
        })
        // What is not known stays so; everything else ends with one instance.
        expect([step, await made(name), second.status]).toEqual(
          told(first) === 'uncertain'
            ? [step, expect.any(Number), first.status]
            : [step, 1, told(first) === 'not_applied' ? 201 : first.status],
        )
        expect([step, await made(name)]).toEqual([step, expect.toBeOneOf([0, 1])])
      }
    },
  )

  test.for(['before', 'from'] as const)(
    'U10 new credentials that were stored are not told as not stored, the store failing %s at each call of their change',
    { timeout: 120_000 },
    async (fault, { skip }) => {
      if (subject === null) return skip('there is no PostgreSQL')
      const { credentials } = world.vendor('jira').options()
      const change = async (): Promise<CallAnswer> =>
        await world.call('PATCH', `/v1/integrations/connectors/${id}`, { credentials })
      const generation = async (): Promise<number> =>
        (await world.service.store.credentials.read(id))?.generation ?? 0
      start(fault, null)
      expect((await change()).status).toBe(200)
      const steps = [...new Set(faults.calls)]
      expect(steps).toEqual(
        expect.arrayContaining(['credentials.replace', 'credentials.read', 'instances.setState']),
      )
      for (const step of steps) {
        const before = await generation()
        start(fault, step)
        const answer = await change()
        start(fault, null)
        const isStored = (await generation()) > before
        if (isStored) expect([step, told(answer)]).not.toEqual([step, 'not_applied'])
      }
      expect((await change()).status).toBe(200)
    },
  )

  const table = (isWhole ? CASES : CASES.slice(-1)).flatMap((each, at) =>
    (Object.keys(FAULTS) as Fault[]).flatMap((fault) =>
      // A key adds calls to those without one.
      (IS_FULL || (isWhole && at === 0) ? [true, false] : [true]).map((hasKey) => ({
        ...each,
        fault,
        hasKey,
        title: `${each.name}${hasKey ? ' with a key' : ''}, the store failing ${FAULTS[fault]}`,
      })),
    ),
  )

  test.for(table)(
    'U10 $title at each of its calls',
    async ({ vendor, outcomes, fault, hasKey }, { skip }) => {
      if (subject === null) return skip('there is no PostgreSQL')
      start(fault, null)
      await create(hasKey ? randomUUID() : null, randomUUID())
      const steps = [...new Set(faults.calls)]
      expect(steps).toEqual(expect.arrayContaining([...STEPS, ...(hasKey ? KEY_STEPS : [])]))
      for (const step of steps) {
        const [key, requestId] = [hasKey ? randomUUID() : null, randomUUID()]
        const before = created()
        if (vendor !== null) world.vendor('jira').fail('issues.create', { mode: vendor, times: 1 })
        start(fault, step)
        const first = await create(key, requestId)
        Object.assign(faults, { at: null, calls: [] })
        const sent = created() - before
        const isSent = sent > 0
        // What the vendor was to fail with and did not meet, is used up; a success keeps its circuit closed.
        if (vendor !== null && !isSent) await create(null, randomUUID())
        if (vendor !== null) await create(null, randomUUID())
        // Nothing says that a write was not applied once it may have left, and everything does that was not sent.
        const allowed = isSent ? outcomes : ['not_applied']
        expect([step, allowed.includes(told(first)), told(first)]).toEqual([
          step,
          true,
          told(first),
        ])
        if (isSent) await eventually(async () => (await recorded(requestId)) === 1)
        if (key === null) continue
        // The repeat writes where nothing was sent, and nothing more where something was.
        const between = created()
        let second = await create(key, randomUUID())
        await eventually(async () => {
          if (second.status === 409) second = await create(key, randomUUID())
          return second.status !== 409
        })
        expect([step, sent + created() - between, told(second)]).toEqual([
          step,
          1,
          isSent ? told(first) : '200',
        ])
      }
    },
  )
})

describe('a store that takes no changes', () => {
  interface Ready {
    readonly status: string
    readonly checks: Readonly<Record<string, string>>
    readonly writes: boolean
  }

  async function open(kind: keyof typeof SUBJECTS) {
    const subject = await SUBJECTS[kind]()
    if (subject === null) return null
    const store = await subject.open()
    const world = await runService({ connectors: ['jira'], store })
    const id = await world.connect('jira')
    return {
      world,
      store,
      id,
      run: async (action: string, headers: Readonly<Record<string, string>> = {}) =>
        await world.call(
          'POST',
          `/api/v1/connectors/sources/${id}/execute`,
          { entity: 'issues', action, params: world.vendor('jira').example(`issues.${action}`) },
          { headers },
        ),
      created: () => world.vendor('jira').requests('issues.create').length,
      ready: async () => {
        const { status, body } = await world.call('GET', '/readyz', undefined, { as: null })
        return { ...(body as Ready), code: status }
      },
      async [Symbol.asyncDispose]() {
        await world[Symbol.asyncDispose]()
        await subject.close()
      },
    }
  }

  test.for([
    { kind: 'SQLite', refuse: 'pragma query_only = on', allow: 'pragma query_only = off' },
    {
      kind: 'PostgreSQL',
      refuse: 'alter table audit_pending add constraint nothing check (false) not valid',
      allow: 'alter table audit_pending drop constraint nothing',
    },
  ] as const)(
    'D2 on $kind: the process stays ready for readers and says so, a write is refused before anything is sent',
    async ({ kind, refuse, allow }, { skip }) => {
      await using opened = await open(kind)
      if (opened === null) return skip('there is no PostgreSQL')
      const { store, run, created, ready } = opened
      expect(await ready()).toMatchObject({ code: 200, status: 'ready', writes: true })
      await tamper(store, refuse)
      const before = created()
      const refused = await run('create')
      expect([refused.status, (refused.body as { outcome: string }).outcome]).toEqual([
        kind === 'SQLite' ? 503 : 500,
        'not_applied',
      ])
      expect(created()).toBe(before)
      expect((await run('get')).status).toBe(200)
      await eventually(async () => !(await ready()).writes)
      expect(await ready()).toMatchObject({ code: 200, status: 'ready', checks: { store: 'ok' } })
      await tamper(store, allow)
      expect((await run('create')).status).toBe(200)
      await eventually(async () => (await ready()).writes)
    },
  )

  test('D2 while a disk fills up every write is either sent, answered and recorded, or refused', async () => {
    await using opened = await open('SQLite')
    if (opened === null) throw new TypeError('SQLite is always there')
    const { store, run, created, id, ready } = opened
    // SQLite fails in the same way as on a disk without room.
    await tamper(store, 'pragma max_page_count = 1')
    const before = created()
    const answers: string[] = []
    for (let n = 0; n < 500 && answers.at(-1) !== 'not_applied'; n++) {
      const sent = created()
      const answer = await run('create', n % 2 === 0 ? {} : { 'idempotency-key': `full-${n}` })
      answers.push(told(answer))
      expect([n, created() - sent, told(answer)]).toEqual(
        created() > sent ? [n, 1, '200'] : [n, 0, 'not_applied'],
      )
    }
    expect(answers.at(-1)).toBe('not_applied')
    expect(await ready()).toMatchObject({ code: 200, status: 'ready', writes: false })
    await tamper(store, 'pragma max_page_count = 1000000')
    const recorded = async (): Promise<number> =>
      (
        await store.audit.list({ organizationId: 'default' }, { instanceId: id, limit: 1000 })
      ).filter(({ action, outcome }) => action === 'execute.create' && outcome === 'done').length
    await eventually(async () => (await recorded()) === created() - before)
    expect(await store.audit.verify()).toBe(null)
  })

  test('A1 a key of which nothing left is free for the next process, though the store took nothing more', async ({
    onTestFinished,
  }) => {
    const subject = await sqliteSubject()
    onTestFinished(() => subject.close())
    const store = await subject.open()
    const faults: Faults = { fault: 'from', at: null, calls: [] }
    await using world = await runService({ connectors: ['jira'], store: failing(store, faults) })
    const id = await world.connect('jira')
    faults.at = 'audit.open'
    const refused = await world.call(
      'POST',
      `/api/v1/connectors/sources/${id}/execute`,
      { entity: 'issues', action: 'create', params: world.vendor('jira').example('issues.create') },
      { headers: { 'idempotency-key': 'nothing-left' } },
    )
    expect([refused.status, told(refused)]).toEqual([503, 'not_applied'])
    expect(
      await databaseOf(store)
        .db.selectFrom('idempotency_record')
        .select(['sent', 'status'])
        .where('scopeId', '=', id)
        .execute(),
    ).toEqual([{ sent: 0, status: null }])
  })

  test('A1 a write is answered while the store still says nothing about its records', async ({
    onTestFinished,
  }) => {
    const subject = await sqliteSubject()
    onTestFinished(() => subject.close())
    const store = await subject.open()
    const free = Promise.withResolvers<void>()
    const slow: Store = {
      ...store,
      audit: {
        ...store.audit,
        close: async (...given) => {
          await free.promise
          return await store.audit.close(...given)
        },
      },
      idempotency: {
        ...store.idempotency,
        finish: async (...given) => {
          await free.promise
          return await store.idempotency.finish(...given)
        },
      },
    }
    await using world = await runService({ connectors: ['jira'], store: slow })
    const id = await world.connect('jira')
    const create = async (): Promise<CallAnswer> =>
      await world.call(
        'POST',
        `/api/v1/connectors/sources/${id}/execute`,
        {
          entity: 'issues',
          action: 'create',
          params: world.vendor('jira').example('issues.create'),
        },
        { headers: { 'idempotency-key': 'slow', 'x-request-id': 'while-slow' } },
      )
    const first = await create()
    expect([first.status, first.body]).toEqual([
      200,
      expect.objectContaining({
        execution: expect.objectContaining({
          warnings: [{ code: 'not_recorded', pointer: '', detail: expect.any(String) }],
        }),
      }),
    ])
    expect((await create()).status).toBe(409)
    free.resolve()
    await eventually(async () => (await create()).status === 200)
    const events = await store.audit.list(
      { organizationId: 'default' },
      { instanceId: id, limit: 100 },
    )
    expect(events.filter(({ requestId }) => requestId === 'while-slow')).toHaveLength(1)
    expect(world.vendor('jira').requests('issues.create')).toHaveLength(1)
  })

  test('A1 a write behind which the audit log is locked is answered, says so, and is recorded once it is free', async ({
    skip,
  }) => {
    await using opened = await open('PostgreSQL')
    if (opened === null) return skip('there is no PostgreSQL')
    const { store, run, created, id } = opened
    const locked = Promise.withResolvers<void>()
    const free = Promise.withResolvers<void>()
    const holding = databaseOf(store)
      .db.transaction()
      .execute(async (tx) => {
        await sql.raw('lock table audit_head in exclusive mode').execute(tx)
        // A transaction that does nothing for long would be ended by the server.
        await sql.raw('set local idle_in_transaction_session_timeout = 0').execute(tx)
        locked.resolve()
        await free.promise
      })
    await locked.promise
    const key = { 'idempotency-key': 'locked', 'x-request-id': 'while-locked' }
    const before = created()
    const first = await run('create', key)
    const events = async () =>
      (
        await store.audit.list({ organizationId: 'default' }, { instanceId: id, limit: 100 })
      ).filter(({ requestId }) => requestId === 'while-locked')
    expect(await events()).toEqual([])
    free.resolve()
    await holding
    expect([first.status, first.body]).toEqual([
      200,
      expect.objectContaining({
        execution: expect.objectContaining({
          warnings: [{ code: 'not_recorded', pointer: '', detail: expect.any(String) }],
        }),
      }),
    ])
    await eventually(async () => (await events()).length === 1)
    expect(await events()).toMatchObject([{ action: 'execute.create', outcome: 'done' }])
    const second = await run('create', key)
    expect([second.status, second.body, created() - before]).toEqual([200, first.body, 1])
  })
})

import { describe, expect, test } from 'vitest'
import type { EventInput } from '../../../src/service/store/events.ts'
import type { InstanceRow } from '../../../src/service/store/instances.ts'
import type { Owner } from '../../../src/service/store/owner.ts'
import type { Store } from '../../../src/service/store/store.ts'
import type {
  DeliveryResult,
  WebhookInput,
  WebhookPlace,
} from '../../../src/service/store/webhooks.ts'
import type { EventType } from '../../../src/client/webhooks/event.ts'
import {
  auditEntry,
  credentialInput,
  instanceRow,
  organizationEntry,
  secretInput,
  storedInstance,
  unique,
} from './rows.ts'
import { type StoreSubject, tamper } from './subject.ts'

const HOUR_MS = 3_600_000

/** Every test has an organisation of its own: events are in one order per organisation. */
export function events(subject: () => StoreSubject, store: () => Store): void {
  async function typesOf(organizationId: string): Promise<readonly string[]> {
    const { events } = await store().events.list({ organizationId }, { afterSeq: 0, limit: 500 })
    return events.map(({ type }) => type)
  }

  test('E1 every change of an instance appends its event, in order, without secrets', async () => {
    const { instances, credentials, events } = store()
    const owner = { organizationId: unique('org') }
    const reason = { code: 'grant_refused', detail: 'no', since: 1, upstreamStatus: 400 }
    const row = await storedInstance(store(), { ...owner, config: { site: 'ß' } })
    const { id } = row
    const audit = auditEntry(row)
    const next = { ...credentialInput('two'), nextRefreshAt: null }
    await instances.setState(id, { from: ['pending'], to: 'active', reason: null })
    await credentials.commitRefresh(id, 1, next, audit) // nothing that anybody sees
    await instances.update(owner, id, { name: 'new' }, audit)
    await instances.setState(id, { from: ['active'], to: 'auth_error', reason })
    await instances.setState(id, { from: ['active'], to: 'auth_error', reason }) // not so any more
    await credentials.replace(
      owner,
      id,
      { seal: async () => credentialInput('three'), oauthSecretHash: null },
      audit,
    )
    await instances.setState(id, { from: ['pending', 'auth_error'], to: 'active', reason: null })
    await instances.setState(id, { from: ['active'], to: 'refresh_unknown', reason })
    await credentials.commitRefresh(id, 3, next, audit)
    await instances.update(owner, id, { enabled: false }, audit)
    await instances.delete(owner, id, audit)

    const page = await events.list(owner, { afterSeq: 0, limit: 100 })
    expect(
      page.events.map(({ seq, type, data }) => [seq, type, data['state'], data['name']]),
    ).toEqual([
      [1, 'connector.created', 'pending', 'Gong of ACME'],
      [2, 'connector.updated', 'active', 'Gong of ACME'],
      [3, 'connector.updated', 'active', 'new'],
      [4, 'connector.auth_error', 'auth_error', 'new'],
      [5, 'connector.updated', 'pending', 'new'],
      [6, 'connector.reauthorized', 'active', 'new'],
      [7, 'connector.updated', 'refresh_unknown', 'new'],
      [8, 'connector.updated', 'active', 'new'],
      [9, 'connector.updated', 'disabled', 'new'],
      [10, 'connector.deleted', 'disabled', 'new'],
    ])
    expect([page.lastSeq, page.removedSeq]).toEqual([10, 0])
    expect(page.events[3]).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/),
      seq: 4,
      organizationId: owner.organizationId,
      externalUserId: 'user-42',
      connectorType: 'gong',
      instanceId: id,
      type: 'connector.auth_error',
      at: expect.any(Number),
      data: {
        id,
        connector_id: id,
        external_user_id: 'user-42',
        connector_type: 'gong',
        connector_version: '1.0.0',
        name: 'new',
        state: 'auth_error',
        state_reason: {
          code: 'grant_refused',
          detail: 'no',
          since: '1970-01-01T00:00:00.001Z',
          upstream_status: 400,
        },
        enabled: true,
        auth_method: 'oauth2',
        granted_scopes: ['calls:read'],
        config: { site: 'ß' },
        sync: { enabled: true, interval_seconds: 900 },
        created_at: '2026-11-18T11:06:40.000Z',
        updated_at: expect.stringMatching(/^\d{4}-.*Z$/),
        last_checked_at: null,
        next_refresh_at: null,
      },
    })
    expect(new Set(page.events.map((event) => event.id)).size).toBe(10)
    const text = JSON.stringify(page)
    for (const secret of ['sealed', 'access of', 'refresh of']) expect(text).not.toContain(secret)
  })

  test('an instance that was disabled while it was refused is reauthorized when it works again', async () => {
    const { instances } = store()
    const owner = { organizationId: unique('org') }
    const row = await storedInstance(store(), { ...owner, state: 'auth_error' })
    await instances.update(owner, row.id, { enabled: false }, auditEntry(row))
    await instances.update(owner, row.id, { enabled: true }, auditEntry(row))
    await instances.setState(row.id, { from: ['pending'], to: 'active', reason: null })
    await instances.setState(row.id, { from: ['active'], to: 'refresh_unknown', reason: null })
    await instances.setState(row.id, { from: ['refresh_unknown'], to: 'active', reason: null })
    expect(await typesOf(owner.organizationId)).toEqual([
      'connector.created',
      'connector.updated',
      'connector.updated',
      'connector.reauthorized',
      'connector.updated',
      'connector.updated',
    ])
  })

  describe('E1 an event and its change are one transaction', () => {
    const changes: readonly {
      readonly name: string
      readonly change: (store: Store, row: InstanceRow) => Promise<unknown>
    }[] = [
      {
        name: 'insert',
        change: async (store, { organizationId }) => {
          const row = instanceRow({ organizationId })
          const options = { oauthSecretHash: null, audit: auditEntry(row) }
          return await store.instances.insert(row, credentialInput(), options)
        },
      },
      {
        name: 'update',
        change: (store, row) => store.instances.update(row, row.id, { name: 'x' }, auditEntry(row)),
      },
      {
        name: 'setState',
        change: (store, row) =>
          store.instances.setState(row.id, { from: ['pending'], to: 'auth_error', reason: null }),
      },
      {
        name: 'delete',
        change: (store, row) => store.instances.delete(row, row.id, auditEntry(row)),
      },
      {
        name: 'replace',
        change: (store, row) =>
          store.credentials.replace(
            row,
            row.id,
            { seal: async () => credentialInput('two'), oauthSecretHash: null },
            auditEntry(row),
          ),
      },
      {
        name: 'commitRefresh',
        change: (store, row) =>
          store.credentials.commitRefresh(
            row.id,
            1,
            { ...credentialInput('two'), nextRefreshAt: null },
            auditEntry(row),
          ),
      },
    ]

    async function everythingOf({ organizationId, id }: InstanceRow): Promise<unknown> {
      const owner = { organizationId }
      return [
        await store().instances.list(owner, { limit: 100 }),
        await store().credentials.read(id),
        await store().events.list(owner, { afterSeq: 0, limit: 100 }),
        await store().audit.list(owner, { instanceId: id, limit: 100 }),
      ]
    }

    test.for(changes)('$name without its event does not happen', async ({ change }) => {
      const organizationId = unique('org')
      const row = await storedInstance(store(), { organizationId })
      const before = await everythingOf(row)
      const forbid =
        subject().kind === 'sqlite'
          ? [
              `create trigger no_event before insert on event when new.organization_id = '${organizationId}' begin select raise(abort, 'no'); end`,
            ]
          : [
              `alter table event add constraint no_event check (organization_id <> '${organizationId}') not valid`,
            ]
      for (const statement of forbid) await tamper(store(), statement)
      await expect(change(store(), row)).rejects.toThrow()
      await tamper(
        store(),
        subject().kind === 'sqlite'
          ? 'drop trigger no_event'
          : 'alter table event drop constraint no_event',
      )
      expect(await everythingOf(row)).toEqual(before)
      await change(store(), row)
      expect(await typesOf(organizationId)).toHaveLength(2)
    })

    test('a secret that is refused leaves no event', async () => {
      const row = instanceRow({ organizationId: unique('org') })
      const oauthSecretHash = secretInput().secretHash
      const options = { oauthSecretHash, audit: auditEntry(row) }
      expect(await store().instances.insert(row, credentialInput(), options)).toBe(
        'oauth_secret_unknown',
      )
      expect(await typesOf(row.organizationId)).toEqual([])
    })
  })

  test('events of several processes have the numbers of their commits, without gaps', async () => {
    const openings = [store(), await subject().open(), await subject().open()]
    const organizationId = unique('org')
    const seen: number[] = []
    const writing = new AbortController()
    const reader = (async () => {
      while (!writing.signal.aborted) {
        const afterSeq = seen.at(-1) ?? 0
        const page = await store().events.list({ organizationId }, { afterSeq, limit: 7 })
        seen.push(...page.events.map(({ seq }) => seq))
      }
    })()
    await Promise.all(
      openings.map(async (opened) => {
        for (let i = 0; i < 20; i++) await opened.events.append(eventInput({ organizationId }))
      }),
    )
    writing.abort()
    await reader
    expect(seen).toEqual(Array.from(seen, (_, index) => index + 1))
    const { events, lastSeq } = await store().events.list(
      { organizationId },
      { afterSeq: 0, limit: 100 },
    )
    expect([events.map(({ seq }) => seq), lastSeq]).toEqual([
      Array.from({ length: 60 }, (_, index) => index + 1),
      60,
    ])
  })

  test('T4 events are seen by who sees the instance', async () => {
    const organizationId = unique('org')
    const event = await store().events.append(
      eventInput({ organizationId, instanceId: 'i', data: { big: 1 } }),
    )
    const cases: readonly [Owner, boolean][] = [
      [{ organizationId }, true],
      [{ organizationId: unique('other') }, false],
      [{ organizationId, externalUserId: 'user-42' }, true],
      [{ organizationId, externalUserId: 'user-43' }, false],
      [{ organizationId, connectorTypes: ['jira', 'gong'] }, true],
      [{ organizationId, connectorTypes: ['jira'] }, false],
      [{ organizationId, connectorTypes: [] }, false],
      [{ organizationId, connectorIds: ['i'] }, true],
      [{ organizationId, connectorIds: [] }, false],
    ]
    for (const [owner, sees] of cases) {
      const { events } = await store().events.list(owner, { afterSeq: 0, limit: 10 })
      expect([owner, events]).toEqual([owner, sees ? [event] : []])
    }
  })

  test('old events are removed with their deliveries, and what was removed is known', async () => {
    const organizationId = unique('org')
    const owner = { organizationId }
    let now = 1_000_000_000_000
    const opened = await subject().open({ clock: { now: () => now } })
    const webhook = await storedWebhook(opened, { organizationId })
    for (let i = 0; i < 3; i++) {
      await opened.events.append(eventInput({ organizationId }))
      now += HOUR_MS
    }
    expect(await opened.events.purgeBefore(1_000_000_000_000 + HOUR_MS + 1)).toBe(2)
    const { events, ...rest } = await opened.events.list(owner, { afterSeq: 0, limit: 10 })
    expect([events.map(({ seq }) => seq), rest]).toEqual([[3], { lastSeq: 3, removedSeq: 2 }])
    const left = await opened.webhooks.deliveries(placeOf(webhook), { limit: 10 })
    expect(left.map(({ seq }) => seq)).toEqual([3])
    expect(await opened.events.purgeBefore(now)).toBe(1)
    expect((await opened.events.append(eventInput({ organizationId }))).seq).toBe(4)
  })

  test('data beyond what receivers take is refused; of an instance the large members are left out', async () => {
    const organizationId = unique('org')
    const data = { text: 'x'.repeat(128 * 1024) }
    await expect(store().events.append(eventInput({ organizationId, data }))).rejects.toThrow(
      TypeError,
    )
    await storedInstance(store(), { organizationId, config: data })
    const [event] = (await store().events.list({ organizationId }, { afterSeq: 0, limit: 1 }))
      .events
    expect([event?.data['name'], event?.data['config'], event?.data['omitted']]).toEqual([
      'Gong of ACME',
      undefined,
      ['config', 'sync', 'granted_scopes', 'state_reason'],
    ])
  })

  describe('webhooks', () => {
    test('a webhook comes back as it was stored, and is its organisation’s own', async () => {
      const { webhooks } = store()
      const webhook = webhookInput({ eventTypes: ['connector.deleted', 'records.changed'] })
      const place = placeOf(webhook)
      const audit = organizationEntry(webhook.organizationId)
      expect(await webhooks.insert(webhook, 1, audit)).toBe(true)
      expect(await webhooks.insert(webhookInput(webhook), 1, audit)).toBe(false)
      const row = await webhooks.get(place)
      expect(row).toEqual({
        ...webhook,
        previousSecret: null,
        createdAt: expect.any(Number),
        updatedAt: row?.createdAt,
        disabledAt: null,
        disabledReason: null,
      })
      expect(await webhooks.list(webhook.organizationId)).toEqual([row])
      const foreign = { ...place, organizationId: unique('other') }
      expect([
        await webhooks.get(foreign),
        await webhooks.list(foreign.organizationId),
        await webhooks.update(foreign, { url: 'https://evil.example' }, audit),
        await webhooks.rotate(foreign, { ...webhook.secret, generation: 2 }, 1, audit),
        await webhooks.switchOff(foreign, audit),
        await webhooks.delete(foreign, audit),
        await webhooks.take(foreign, 10, 1000),
        await webhooks.deliveries(foreign, { limit: 10 }),
        await webhooks.get(place),
      ]).toEqual([null, [], null, null, false, false, [], [], row])
    })

    test('two secrets live during a rotation, and of two rotations at once one happens', async () => {
      const { webhooks } = store()
      const webhook = await storedWebhook(store())
      const audit = organizationEntry(webhook.organizationId)
      const secret = (generation: number) => ({ sealed: new Uint8Array([generation]), generation })
      const rotated = await webhooks.rotate(placeOf(webhook), secret(2), 5000, audit)
      expect(rotated).toMatchObject({
        secret: secret(2),
        previousSecret: { ...webhook.secret, endsAt: expect.any(Number) },
      })
      expect(rotated?.previousSecret?.endsAt).toBe((rotated?.updatedAt ?? 0) + 5000)
      expect(await webhooks.rotate(placeOf(webhook), secret(2), 5000, audit)).toBe(null)
      const anew = (generation: number) => ({ sealed: new Uint8Array([9, generation]), generation })
      expect(await webhooks.reseal(placeOf(webhook), anew(2))).toBe(true)
      expect(await webhooks.reseal(placeOf(webhook), anew(1))).toBe(true)
      expect(await webhooks.reseal(placeOf(webhook), anew(3))).toBe(false)
      expect(await webhooks.get(placeOf(webhook))).toMatchObject({
        secret: anew(2),
        previousSecret: anew(1),
      })
      const last = await webhooks.rotate(placeOf(webhook), secret(3), 0, audit)
      expect(last).toMatchObject({ secret: secret(3), previousSecret: null })
    })

    test('an event is queued for the webhooks that are on and want its type', async () => {
      const organizationId = unique('org')
      const all = await storedWebhook(store(), { organizationId })
      const some = await storedWebhook(store(), { organizationId, eventTypes: ['sync.failed'] })
      const off = await storedWebhook(store(), { organizationId })
      await store().webhooks.update(
        placeOf(off),
        { enabled: false },
        organizationEntry(organizationId),
      )
      for (const type of ['sync.completed', 'sync.failed'] as const)
        await store().events.append(eventInput({ organizationId, type }))
      const typesAt = async (webhook: WebhookInput): Promise<readonly EventType[]> =>
        (await store().webhooks.deliveries(placeOf(webhook), { limit: 10 })).map(({ type }) => type)
      expect([await typesAt(all), await typesAt(some), await typesAt(off)]).toEqual([
        ['sync.failed', 'sync.completed'],
        ['sync.failed'],
        [],
      ])
    })

    test('of many processes one makes each attempt, until its lease ends', async () => {
      let now = 2_000_000_000_000
      const clock = { now: () => now }
      const openings = [await subject().open({ clock }), await subject().open({ clock })]
      const webhook = await storedWebhook(openings[0] ?? store())
      const place = placeOf(webhook)
      for (let i = 0; i < 12; i++) await openings[0]?.events.append(eventInput(webhook))
      const taken = (
        await Promise.all(
          openings.flatMap((opened) =>
            [1, 2, 3, 4].map(() => opened.webhooks.take(place, 2, 60_000)),
          ),
        )
      ).flat()
      expect(new Set(taken.map(({ event }) => event.seq)).size).toBe(taken.length)
      for (const more of await openings[1]!.webhooks.take(place, 100, 60_000)) taken.push(more)
      expect(taken.map(({ event }) => event.seq).sort((a, b) => a - b)).toEqual(
        Array.from({ length: 12 }, (_, index) => index + 1),
      )
      expect(await openings[0]!.webhooks.due(100, [])).not.toContainEqual(place)

      now += 60_000
      const { webhooks } = openings[0]!
      expect(await webhooks.due(100, [])).toContainEqual(place)
      expect(await webhooks.due(100, [webhook.id])).not.toContainEqual(place)
      const [again] = await webhooks.take(place, 1, 60_000)
      expect(again).toMatchObject({ attempts: 0, fence: 2 })
      const late = taken.find(({ event }) => event.seq === again?.event.seq)
      expect(await webhooks.finish(late!, delivered)).toBe(false)
      expect(await webhooks.finish(again!, delivered)).toBe(true)
      expect(await webhooks.finish(again!, delivered)).toBe(false)
    })

    test('an attempt that failed is due again after its wait, one that was given back at once', async () => {
      let now = 2_100_000_000_000
      const { webhooks, events } = await subject().open({ clock: { now: () => now } })
      const webhook = await storedWebhook({ webhooks })
      const place = placeOf(webhook)
      const event = await events.append(eventInput(webhook))
      const [first] = await webhooks.take(place, 10, 60_000)
      expect(first).toEqual({ ...place, event, attempts: 0, fence: 1 })
      const failure = { state: 'pending', delayMs: 5000, status: 503, error: null } as const
      await webhooks.finish(first!, failure)
      now += 4999
      expect(await webhooks.take(place, 10, 60_000)).toEqual([])
      now += 1
      const [second] = await webhooks.take(place, 10, 60_000)
      expect(second).toMatchObject({ attempts: 1, fence: 2 })
      await webhooks.giveBack(second!)
      const [third] = await webhooks.take(place, 10, 60_000)
      expect(third).toMatchObject({ attempts: 1, fence: 3 })
      await webhooks.finish(third!, { ...failure, state: 'failed', status: null, error: 'why' })
      expect(await webhooks.deliveries(place, { limit: 10 })).toEqual([
        {
          eventId: event.id,
          type: event.type,
          seq: 1,
          state: 'failed',
          attempts: 2,
          nextAt: now + 5000,
          lastAt: now,
          lastStatus: null,
          lastError: 'why',
          at: event.at,
          data: event.data,
        },
      ])
    })

    test('a webhook that is switched off gets nothing, also when it is switched on again', async () => {
      const { webhooks, events } = store()
      const webhook = await storedWebhook(store())
      const place = placeOf(webhook)
      const audit = organizationEntry(webhook.organizationId)
      await events.append(eventInput(webhook))
      const [running] = await webhooks.take(place, 1, 60_000)
      await events.append(eventInput(webhook))
      expect([
        await webhooks.switchOff(place, audit),
        await webhooks.switchOff(place, audit),
      ]).toEqual([true, false])
      expect(await webhooks.get(place)).toMatchObject({
        disabledAt: expect.any(Number),
        disabledReason: 'gone',
      })
      await events.append(eventInput(webhook))
      expect(await webhooks.finish(running!, delivered)).toBe(false)
      expect(await webhooks.due(1000, [])).not.toContainEqual(place)
      expect(await webhooks.update(place, { enabled: true }, audit)).toMatchObject({
        disabledAt: null,
        disabledReason: null,
      })
      expect(await webhooks.take(place, 10, 60_000)).toEqual([])
      await events.append(eventInput(webhook))
      await webhooks.update(place, { enabled: true }, audit) // on already: what waits goes on waiting
      expect(await webhooks.take(place, 10, 60_000)).toHaveLength(1)
    })

    test('redelivery begins at the first attempt, for one webhook or for all that want the type', async () => {
      const { webhooks, events } = store()
      const webhook = await storedWebhook(store())
      const { organizationId } = webhook
      const place = placeOf(webhook)
      const audit = organizationEntry(organizationId)
      const event = await events.append(eventInput({ organizationId, type: 'sync.completed' }))
      const [first] = await webhooks.take(place, 1, 60_000)
      await webhooks.finish(first!, { ...delivered, state: 'failed' })
      const later = await storedWebhook(store(), { organizationId })
      const picky = await storedWebhook(store(), { organizationId, eventTypes: ['sync.failed'] })
      expect([
        await events.redeliver(organizationId, 'unknown', null, audit),
        await events.redeliver(unique('other'), event.id, null, audit),
        await events.redeliver(organizationId, event.id, null, audit),
      ]).toEqual([null, null, 2])
      for (const each of [place, placeOf(later)]) {
        const [again] = await webhooks.take(each, 10, 60_000)
        expect(again).toMatchObject({ attempts: 0, event })
      }
      expect(await webhooks.take(placeOf(picky), 10, 60_000)).toEqual([])
      expect(await events.redeliver(organizationId, event.id, picky.id, audit)).toBe(1)
      expect(await webhooks.take(placeOf(picky), 10, 60_000)).toHaveLength(1)
      await webhooks.update(placeOf(picky), { enabled: false }, audit)
      expect(await events.redeliver(organizationId, event.id, picky.id, audit)).toBe(0)
    })

    test('a webhook that is deleted takes its deliveries along', async () => {
      const { webhooks, events } = store()
      const webhook = await storedWebhook(store())
      const place = placeOf(webhook)
      await events.append(eventInput(webhook))
      expect(await webhooks.delete(place, organizationEntry(webhook.organizationId))).toBe(true)
      expect([await webhooks.get(place), await webhooks.deliveries(place, { limit: 1 })]).toEqual([
        null,
        [],
      ])
      expect(await webhooks.due(1000, [])).not.toContainEqual(place)
    })
  })
}

const delivered: DeliveryResult = { state: 'delivered', delayMs: 0, status: 200, error: null }

export function placeOf({ organizationId, id }: WebhookInput): WebhookPlace {
  return { organizationId, webhookId: id }
}

export function eventInput(changes: Partial<EventInput> = {}): EventInput {
  const { organizationId = 'acme', instanceId = 'i', type = 'sync.completed', data = {} } = changes
  return {
    organizationId,
    externalUserId: 'user-42',
    connectorType: 'gong',
    instanceId,
    type,
    data,
  }
}

export function webhookInput(changes: Partial<WebhookInput> = {}): WebhookInput {
  return {
    organizationId: unique('org'),
    url: 'https://app.example.com/hooks',
    description: '',
    eventTypes: null,
    secret: { sealed: new Uint8Array([1, 2]), generation: 1 },
    ...changes,
    id: unique('webhook'),
  }
}

export async function storedWebhook(
  { webhooks }: Pick<Store, 'webhooks'>,
  changes: Partial<WebhookInput> = {},
): Promise<WebhookInput> {
  const webhook = webhookInput(changes)
  await webhooks.insert(webhook, 100, organizationEntry(webhook.organizationId))
  return webhook
}

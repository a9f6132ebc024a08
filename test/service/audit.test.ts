// The audit log: every route that changes something leaves one event, names and no values.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditedUser } from '../../src/service/audit.ts'
import type { AuditEvent } from '../../src/service/store/audit.ts'
import { type RunningService, runService } from '../fixtures/running-service.ts'

let world: RunningService

beforeAll(async () => {
  world = await runService()
})
afterAll(() => world[Symbol.asyncDispose]())

const COLLECTION = '/v1/integrations/connectors'

test('A1 every change is one event, with who, what and which members', async () => {
  const gong = await world.connect('gong')
  const jira = await world.connect('jira')
  const created = world.vendor('jira').example('issues.create')
  await world.call('PATCH', `${COLLECTION}/${gong}`, { name: 'secret-name' })
  await world.call('POST', `/api/v1/connectors/sources/${gong}/execute`, {
    entity: 'call_audio',
    action: 'download',
    params: world.vendor('gong').example('call_audio.download'),
  })
  await world.call('POST', `/api/v1/connectors/sources/${jira}/execute`, {
    entity: 'issues',
    action: 'create',
    params: created,
  })
  await world.call('POST', `/api/v1/connectors/sources/${jira}/execute`, {
    entity: 'issues',
    action: 'delete',
    params: { issueIdOrKey: 'OPS-999999' },
  })
  await world.call('DELETE', `${COLLECTION}/${gong}`)
  const { store } = world.service
  const owner = { organizationId: 'default' }
  const eventsOf = async (instanceId: string) =>
    (await store.audit.list(owner, { instanceId, limit: 100 }))
      .toReversed()
      .map(({ action, target, outcome, members, actor }) => [
        action,
        target,
        outcome,
        members,
        actor,
      ])
  const of = (id: string) => [
    'instance.create',
    id,
    'done',
    ['external_user_id', 'connector_type', 'name', 'credentials', 'config'],
    'default',
  ]
  expect(await eventsOf(jira)).toEqual([
    of(jira),
    // The check of the one who connected it has proved its credentials.
    ['instance.state', jira, 'active', ['from pending'], 'default'],
    ['execute.create', 'issues.create', 'done', [], 'default'],
    ['execute.delete', 'issues.delete', 'upstream_not_found', [], 'default'],
  ])
  expect(await store.audit.verify()).toBe(null)
  const above = await store.audit.list(owner, { limit: 100 })
  expect(new Set(above.map(({ action }) => action))).toEqual(
    new Set(['application.create', 'token.mint']),
  )
  expect(JSON.stringify([await eventsOf(jira), above])).not.toContain('secret-name')
})

const OPERATOR = { organizationId: '' }
const toldOf = (events: readonly AuditEvent[]): readonly unknown[] =>
  events.map(({ actor, action, target, outcome, members }) => [
    actor,
    action,
    target,
    outcome,
    members,
  ])

test('A1 a start is an event of the operator, with the settings that are not the default', async () => {
  const { store } = world.service
  const [start] = (await store.audit.list(OPERATOR, { limit: 10 })).toReversed()
  expect(start).toMatchObject({ actor: 'service', action: 'service.start', outcome: 'sandbox' })
  expect(start?.members).toEqual(['TENON_PORT', 'TENON_DATA', 'TENON_JOBS'])
})

test('A1 a change that failed midway, or whose answer was lost, says so, and what was applied', async () => {
  const id = await world.connect('jira')
  const execute = (action: string, params: object) =>
    world.call('POST', `/api/v1/connectors/sources/${id}/execute`, {
      entity: 'issues',
      action,
      params,
    })
  const update = (more: object) =>
    execute('update', { issueIdOrKey: 'OPS-1', fields: { labels: ['a'] }, ...more })
  const partly = await update({ transition: { id: '999999' } })
  expect(partly.body).toMatchObject({
    outcome: 'uncertain',
    steps: [
      { name: 'edit', outcome: 'applied' },
      { name: 'transition', outcome: 'not_applied' },
    ],
  })
  world.vendor('jira').fail('issues.create', { mode: 'reset-after-apply' })
  await execute('create', world.vendor('jira').example('issues.create'))
  await update({ fields: { nonsense: 1 } })
  const events = await world.service.store.audit.list(
    { organizationId: 'default' },
    { instanceId: id, limit: 3 },
  )
  expect(events.map(({ target, outcome, members }) => [target, outcome, members])).toEqual([
    ['issues.update', 'upstream_rejected', []],
    ['issues.create', 'upstream_unreachable, uncertain', []],
    ['issues.update', 'upstream_rejected, applied in part', ['edit']],
  ])
})

test('A1 a value that does not open is an event of its instance', async () => {
  const id = await world.connect('jira')
  const { DatabaseSync } = await import('node:sqlite')
  // The service writes there, too.
  const file = new DatabaseSync(`${world.folder}/state.sqlite`, { timeout: 60_000 })
  file.exec(
    `update credential set sealed = (select sealed from credential where instance_id <> '${id}' limit 1) where instance_id = '${id}'`,
  )
  file.close()
  // As after a restart: nothing of it is in memory.
  world.service.connections.forget(id)
  const { body } = await world.call('POST', `${COLLECTION}/${id}/check`)
  expect(body).toMatchObject({ result: 'inconclusive', error: { code: 'internal_error' } })
  const events = (): Promise<readonly AuditEvent[]> =>
    world.service.store.audit.list({ organizationId: 'default' }, { instanceId: id, limit: 10 })
  await expect
    .poll(async () => toldOf(await events()))
    .toContainEqual(['service', 'value.tampered', 'credential', 'refused', []])
})

test('A1 who checks, synchronizes and pauses is in the log, each call once, and words find it', async () => {
  const id = await world.connect('gong')
  const ask = (method: string, path: string, body?: object) =>
    world.call(method, `${COLLECTION}/${id}${path}`, body)
  world.vendor('gong').fail('*', { mode: 'status', status: 401, times: 1 })
  await ask('POST', '/check')
  await ask('POST', '/check')
  await ask('POST', '/sync')
  await ask('POST', '/sync', { entities: ['calls'], mode: 'full' })
  await ask('PATCH', '', { sync: { entities: { calls: { enabled: false } } } })
  await ask('PATCH', '', { sync: { entities: { calls: { enabled: true } } }, enabled: false })
  // It was not made: the account is disabled.
  await ask('POST', '/check')
  const events = await world.service.store.audit.list(
    { organizationId: 'default' },
    { instanceId: id, limit: 20 },
  )
  const told = toldOf(events.toReversed().slice(2))
  const by = (action: string, outcome: string, ...members: readonly string[]) => [
    'default',
    action,
    id,
    outcome,
    members,
  ]
  expect(told).toEqual([
    by('instance.check', 'credentials_refused'),
    by('instance.state', 'auth_error', 'from active', 'credentials_refused', 'status 401'),
    by('instance.check', 'done'),
    by('instance.state', 'active', 'from auth_error'),
    by('sync.start', 'done'),
    by('sync.start', 'done', 'full', 'calls'),
    by('instance.update', 'done', 'sync of calls paused'),
    by('instance.update', 'done', 'sync of calls resumed', 'enabled from yes to no'),
  ])
  expect(events.filter(({ address, requestId }) => address === null || requestId === null)).toEqual(
    [],
  )
  const { body } = await world.call('GET', `/v1/audit?connector_id=${id}&text=check`)
  expect(
    (body as { readonly data: readonly { action: string }[] }).data.map(({ action }) => action),
  ).toEqual(['instance.check', 'instance.check'])
})

/** The entry itself bears the time at which it was written. */
const LAST_AT = /^last at \d{4}-\d\d-\d\dT[\d:.]+Z$/
const FIRST_AT = /^first at \d{4}-\d\d-\d\dT[\d:.]+Z$/

test('A1 refused access is counted, and told without what was sent', async () => {
  const scoped = await world.scoped({ external_user_id: 'user-1', manage: false })
  for (const as of ['tenon_at_wrong', 'tenon_at_wrong', null])
    await world.call('GET', COLLECTION, undefined, { as })
  for (const client_id of ['default', 'default', 'nobody'])
    await world.call(
      'POST',
      '/api/v1/account/applications/token',
      { client_id, client_secret: 'tenon_cs_wrong' },
      { as: null },
    )
  const mine = await world.connect('jira', { external_user_id: 'user-1' })
  for (const id of [mine, mine, '0199f3b2-6f0e-7c31-9a57-2f4f5d1f9a10'])
    await world.call('DELETE', `${COLLECTION}/${id}`, undefined, {
      as: scoped,
      headers: { 'x-request-id': `refused-${id === mine ? 'mine' : 'unknown'}` },
    })
  await world.service.refusals.close()
  const { audit } = world.service.store
  const unknown = await audit.list(OPERATOR, { limit: 10 })
  expect(toldOf(unknown)).toContainEqual([
    'unknown',
    'access.refuse',
    'listConnectorInstances',
    'token_invalid, 3 times',
    [expect.stringMatching(FIRST_AT), expect.stringMatching(LAST_AT)],
  ])
  const told = async (instanceId?: string): Promise<readonly unknown[]> => {
    const filter = { limit: 10, ...(instanceId === undefined ? {} : { instanceId }) }
    const events = await audit.list({ organizationId: 'default' }, filter)
    return events
      .filter(({ target }) => target === 'deleteConnectorInstance')
      .map(({ requestId, address, ...event }) => [
        ...toldOf([event as AuditEvent]),
        requestId,
        address,
      ])
  }
  const refused = ['default', 'access.refuse', 'deleteConnectorInstance']
  const user = `token for ${auditedUser('default', 'user-1')}`
  const why =
    'this token was minted with "manage": false and may not create, change, delete, connect or synchronize'
  const first = expect.stringMatching(FIRST_AT)
  const last = expect.stringMatching(LAST_AT)
  // An end user's address is not kept; whose account it is stands in its own chain.
  expect([await told(mine), await told()]).toEqual([
    [[[...refused, 'scope_denied, 2 times', [first, last, user, why]], 'refused-mine', null]],
    [[[...refused, 'scope_denied, 1 time', [first, user, why]], 'refused-unknown', null]],
  ])
  const above = await audit.list({ organizationId: 'default' }, { limit: 10 })
  // A client id is no proof: the organization it is of hears of a wrong secret, and from where.
  expect(above.find(({ target }) => target === 'mintApplicationToken')).toMatchObject({
    actor: 'unknown',
    outcome: 'client_invalid, 2 times',
    members: [first, last, 'wrong secret of first application (default)'],
    address: '127.0.0.1',
  })
  expect(unknown.find(({ action }) => action === 'access.refuse')).toMatchObject({
    address: '127.0.0.1',
    token: null,
  })
})

test('an event says from where it came and with which token; words are looked for in all that is shown', async () => {
  const id = await world.connect('jira', { external_user_id: 'user-9', name: 'Northwind' })
  const read = async (query: string): Promise<readonly AuditAnswer[]> => {
    const { body } = await world.call('GET', `/v1/audit?${query}`)
    return (body as { data: readonly AuditAnswer[] }).data
  }
  const [made] = await read(`connector_id=${id}&action=instance.create`)
  expect(made).toMatchObject({
    address: '127.0.0.1',
    token: expect.stringMatching(/^[0-9a-f]{12}$/),
  })
  const { chain = '', seq = 0, token, request_id: request } = made ?? {}
  const actions = (events: readonly AuditAnswer[]): readonly string[] =>
    events.map(({ action }) => action)
  expect(actions(await read('text=northwind connected an'))).toEqual(['instance.create'])
  expect(actions(await read(`text=${id} first application connect`))).toEqual(['instance.create'])
  expect(await read('text=northwind nowhere')).toEqual([])
  expect(await read(`chain=${chain}&seq=${seq}`)).toEqual([made])
  expect(actions(await read(`request_id=${request}`))).toContain('instance.create')
  const alike = await read(`token=${token}&address=127.0.0.1&limit=200`)
  expect(alike).toContainEqual(made)
  expect(new Set(alike.map((each) => each.token))).toEqual(new Set([token]))
  const cut = await world.call('GET', '/v1/audit?text=instance&limit=1')
  expect(cut.body).toMatchObject({ meta: { has_more: true, searched_to: null } })
})

interface AuditAnswer {
  readonly action: string
  readonly chain: string
  readonly seq: number
  readonly token: string
  readonly request_id: string
}

test('A1 an event that was altered is found', async () => {
  const { store } = world.service
  const { DatabaseSync } = await import('node:sqlite')
  const file = new DatabaseSync(`${world.folder}/state.sqlite`, { timeout: 60_000 })
  file.exec(`update audit_event set outcome = 'other' where seq = 1`)
  file.close()
  expect(await store.audit.verify()).toMatchObject({ seq: 1, problem: 'changed' })
})

test('events have the names of who did it and of what it was done on, as they are called now', async () => {
  const id = await world.connect('jira', { external_user_id: 'user-1', name: 'Sales' })
  const { body } = await world.call('GET', `/v1/audit?action=instance.create&connector_id=${id}`)
  expect(body).toMatchObject({
    data: [
      {
        actor: 'default',
        actor_name: 'first application',
        target: id,
        target_name: 'Sales',
        connector_id: id,
        connector_name: 'Sales',
      },
    ],
  })
  await world.call('DELETE', `/v1/integrations/connectors/${id}`)
  const after = await world.call('GET', `/v1/audit?action=instance.create&connector_id=${id}`)
  expect(after.body).toMatchObject({ data: [{ target_name: null, connector_name: null }] })
})

test('a token for an end user names the user while there is an account, and minted ones can be left out', async () => {
  await world.connect('jira', { external_user_id: 'contoso' })
  for (const user of ['contoso', 'nobody-here']) await world.scoped({ external_user_id: user })
  const names = async (query: string) => {
    const { body } = await world.call('GET', `/v1/audit?limit=200&${query}`)
    const { data } = body as { readonly data: readonly Readonly<Record<string, string>>[] }
    return data.map(({ action, target_name: name }) => [action, name])
  }
  expect((await names('action=token.mint_scoped')).slice(0, 2)).toEqual([
    ['token.mint_scoped', null],
    ['token.mint_scoped', 'contoso'],
  ])
  const left = (await names('without=token.mint,token.mint_scoped')).map(([action]) => action)
  expect(left).not.toContain('token.mint_scoped')
  expect(left).toContain('instance.create')
})

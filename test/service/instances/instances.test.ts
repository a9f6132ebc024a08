// Instances over HTTP: created, listed, changed, checked, deleted, and their states told truly.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createService } from '../../../src/hosting/service.ts'
import { type RunningService, runService } from '../../fixtures/running-service.ts'

let world: RunningService

beforeAll(async () => {
  world = await runService()
})
afterAll(() => world[Symbol.asyncDispose]())

const COLLECTION = '/v1/integrations/connectors'
const ID = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/)
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

function problem(code: string): object {
  return expect.objectContaining({ code, type: `urn:tenon:problem:${code}` })
}

describe('create', () => {
  test('the credentials form answers the whole instance and no secret', async () => {
    const { credentials } = world.vendor('gong').options()
    const answer = await world.call('POST', COLLECTION, {
      external_user_id: 'user-42',
      connector_type: 'gong',
      name: 'Gong of ACME',
      credentials,
    })
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 201,
      body: {
        id: ID,
        connector_id: ID,
        external_user_id: 'user-42',
        connector_type: 'gong',
        connector_version: '1.0.0',
        served_version: '1.0.0',
        name: 'Gong of ACME',
        state: 'active',
        state_reason: null,
        enabled: true,
        auth_method: 'access_key',
        granted_scopes: null,
        config: { api_base_url: 'https://api.gong.io' },
        sync: { enabled: true, interval_seconds: 900 },
        created_at: TIME,
        updated_at: TIME,
        last_checked_at: TIME,
        next_refresh_at: null,
      },
    })
    const { id } = answer.body as { id: string }
    expect(answer.headers.get('location')).toBe(`${world.url}/v1/integrations/connectors/${id}`)
    expect(answer.text).not.toContain(String(Object.values(credentials)[1]))
  })

  test('advertising marketing needs replication_config.account_ids, and shows it again', async () => {
    const { credentials } = world.vendor('facebook-marketing').options()
    const body = {
      external_user_id: 'user-42',
      connector_type: 'facebook-marketing',
      name: 'Ads',
      credentials,
    }
    const without = await world.call('POST', COLLECTION, body)
    expect({ status: without.status, body: without.body }).toEqual({
      status: 400,
      body: expect.objectContaining({
        code: 'config_invalid',
        errors: [expect.objectContaining({ code: 'required' })],
      }),
    })
    const answer = await world.call('POST', COLLECTION, {
      ...body,
      replication_config: { account_ids: '1001' },
    })
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 201,
      body: expect.objectContaining({
        replication_config: { account_ids: '1001' },
        config: expect.objectContaining({ account_ids: '1001' }),
      }),
    })
  })

  test('the token method of call analytics is refused for advertising marketing', async () => {
    const answer = await world.call('POST', COLLECTION, {
      external_user_id: 'user-42',
      connector_type: 'facebook-marketing',
      name: 'Ads',
      credentials: { access_key: 'a', access_key_secret: 'b' },
      replication_config: { account_ids: '1' },
    })
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 400,
      body: problem('credentials_invalid'),
    })
  })

  test('credentials that the third party refuses leave nothing behind', async () => {
    const before = await world.call('GET', `${COLLECTION}?external_user_id=user-bad`)
    const answer = await world.call('POST', COLLECTION, {
      external_user_id: 'user-bad',
      connector_type: 'gong',
      name: 'wrong',
      credentials: { access_key: 'wrong', access_key_secret: 'wrong-secret' },
    })
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 424,
      body: expect.objectContaining({
        code: 'credentials_refused',
        origin: 'connector',
        upstream: expect.objectContaining({ status: 401 }),
      }),
    })
    const after = await world.call('GET', `${COLLECTION}?external_user_id=user-bad`)
    expect([before.body, after.body]).toEqual([
      { data: [], meta: { has_more: false, next_cursor: null } },
      { data: [], meta: { has_more: false, next_cursor: null } },
    ])
  })

  test('?check=false stores without asking: pending', async () => {
    const answer = await world.call('POST', `${COLLECTION}?check=false`, {
      external_user_id: 'user-unchecked',
      connector_type: 'gong',
      name: 'unchecked',
      credentials: { access_key: 'wrong', access_key_secret: 'wrong-secret' },
    })
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 201,
      body: expect.objectContaining({ state: 'pending', last_checked_at: null }),
    })
  })

  test('a third party that cannot answer does not block onboarding: pending', async () => {
    world.vendor('gong').fail('users.list', { mode: 'status', status: 503, times: 3 })
    const id = await world.connect('gong', { external_user_id: 'user-outage' })
    const shown = await world.call('GET', `${COLLECTION}/${id}`)
    expect(shown.body).toMatchObject({ state: 'pending', state_reason: null })
  })

  test('both forms at once, and neither, are refused', async () => {
    const base = { external_user_id: 'u', connector_type: 'gong', name: 'x' }
    const both = await world.call('POST', COLLECTION, {
      ...base,
      credentials: {},
      server_side_oauth_secret_id: 'tenon_os_x',
    })
    const neither = await world.call('POST', COLLECTION, base)
    expect([both.status, both.body, neither.status, neither.body]).toEqual([
      400,
      problem('request_malformed'),
      400,
      problem('request_malformed'),
    ])
  })

  test('auth_method says nothing beside a consent, and settings nothing of entities without a copy', async () => {
    const body = { external_user_id: 'user-1', connector_type: 'gong', name: 'x' }
    const { credentials } = world.vendor('gong').options()
    const answers = [
      await world.call('POST', COLLECTION, {
        ...body,
        server_side_oauth_secret_id: 'tenon_os_x',
        auth_method: 'oauth',
      }),
      await world.call('POST', COLLECTION, {
        ...body,
        credentials,
        sync: { entities: { workspaces: { enabled: false } } },
      }),
    ]
    const pointers = answers.map(({ status, body: problems }) => [
      status,
      (problems as { errors: readonly { pointer: string }[] }).errors[0]?.pointer,
    ])
    expect(pointers).toEqual([
      [400, '/auth_method'],
      [400, '/sync/entities/workspaces'],
    ])
  })

  test('the same Idempotency-Key creates one instance and answers twice', async () => {
    const { credentials } = world.vendor('gong').options()
    const body = {
      external_user_id: 'user-once',
      connector_type: 'gong',
      name: 'once',
      credentials,
    }
    const options = { headers: { 'idempotency-key': 'create-1' } }
    const first = await world.call('POST', COLLECTION, body, options)
    const second = await world.call('POST', COLLECTION, body, options)
    const other = await world.call('POST', COLLECTION, { ...body, name: 'other' }, options)
    const list = await world.call('GET', `${COLLECTION}?external_user_id=user-once`)
    expect([first.status, second.status, other.status]).toEqual([201, 201, 422])
    expect(second.body).toEqual(first.body)
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    expect(second.headers.get('location')).toBe(first.headers.get('location'))
    expect((list.body as { data: unknown[] }).data).toHaveLength(1)
  })

  test('workspace_name and customer_name are other names of external_user_id', async () => {
    const { credentials } = world.vendor('gong').options()
    const body = { connector_type: 'GONG', name: 'alias', credentials }
    const alias = await world.call('POST', COLLECTION, { ...body, workspace_name: 'user-alias' })
    const clash = await world.call('POST', COLLECTION, {
      ...body,
      workspace_name: 'a',
      external_user_id: 'b',
    })
    expect(alias.body).toMatchObject({ external_user_id: 'user-alias', connector_type: 'gong' })
    expect({ status: clash.status, body: clash.body }).toEqual({
      status: 400,
      body: problem('request_malformed'),
    })
  })
})

describe('list', () => {
  test('pages by cursor, in the order of the ids, with a limit of at most 200', async () => {
    const ids: string[] = []
    for (const name of ['a', 'b', 'c', 'd', 'e'])
      ids.push(await world.connect('gong', { external_user_id: 'user-list', name }))
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const query: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
      const page = await world.call(
        'GET',
        `${COLLECTION}?external_user_id=user-list&limit=2${query}`,
      )
      const { data, meta } = page.body as {
        data: { id: string }[]
        meta: { next_cursor: string | null; has_more: boolean }
      }
      seen.push(...data.map(({ id }) => id))
      expect(meta.has_more).toBe(meta.next_cursor !== null)
      cursor = meta.next_cursor
    }
    const tooMany = await world.call('GET', `${COLLECTION}?limit=201`)
    expect(seen).toEqual(ids.toSorted())
    expect([tooMany.status, tooMany.body]).toEqual([400, problem('request_malformed')])
  })

  test('T5 a cursor opens no other listing', async () => {
    for (const name of ['a', 'b'])
      await world.connect('gong', { external_user_id: 'user-cursor', name })
    const page = await world.call('GET', `${COLLECTION}?external_user_id=user-cursor&limit=1`)
    const cursor = (page.body as { meta: { next_cursor: string } }).meta.next_cursor
    // Another letter in the middle, since the last ones may have bits that say nothing.
    const middle = Math.floor(cursor.length / 2)
    const spoilt = `${cursor.slice(0, middle)}${cursor[middle] === 'A' ? 'B' : 'A'}${cursor.slice(middle + 1)}`
    const other = await world.call(
      'GET',
      `${COLLECTION}?external_user_id=user-list&limit=1&cursor=${encodeURIComponent(cursor)}`,
    )
    const altered = await world.call(
      'GET',
      `${COLLECTION}?external_user_id=user-cursor&limit=1&cursor=${encodeURIComponent(spoilt)}`,
    )
    expect([other.status, other.body, altered.status, altered.body]).toEqual([
      400,
      problem('cursor_invalid'),
      400,
      problem('cursor_invalid'),
    ])
  })
})

describe('change', () => {
  test('name, sync and enabled are patched; disabled refuses to run', async () => {
    const id = await world.connect('gong')
    const patched = await world.call('PATCH', `${COLLECTION}/${id}`, {
      name: 'new name',
      sync: { interval_seconds: 60 },
      enabled: false,
    })
    expect(patched.body).toMatchObject({
      name: 'new name',
      sync: { enabled: true, interval_seconds: 60 },
      enabled: false,
      state: 'disabled',
    })
    const run = await world.call('POST', `/api/v1/connectors/sources/${id}/execute`, {
      entity: 'users',
      action: 'list',
    })
    expect([run.status, run.body]).toEqual([409, problem('instance_disabled')])
    const again = await world.call('PATCH', `${COLLECTION}/${id}`, { enabled: true })
    expect(again.body).toMatchObject({ enabled: true, state: 'pending' })
  })

  test('external_user_id and connector_type cannot change', async () => {
    const id = await world.connect('gong')
    const answer = await world.call('PATCH', `${COLLECTION}/${id}`, { external_user_id: 'other' })
    expect([answer.status, answer.body]).toEqual([400, problem('request_malformed')])
  })

  test('what a change cannot do is refused, never ignored', async () => {
    const id = await world.connect('gong')
    const answers = [
      await world.call('PATCH', `${COLLECTION}/${id}`, { server_url: 'http://127.0.0.1:9' }),
      await world.call('PATCH', `${COLLECTION}/${id}`, { auth_method: 'oauth' }),
      await world.call('PATCH', `${COLLECTION}/${id}`, { sync: { entities: { cals: {} } } }),
    ]
    const seen = answers.map(({ status, body }) => {
      const { code, errors } = body as { code: string; errors: readonly { pointer: string }[] }
      return [status, code, ...errors.map(({ pointer }) => pointer)]
    })
    expect(seen).toEqual([
      [400, 'request_malformed', '/server_url'],
      [400, 'request_malformed', '/auth_method'],
      [400, 'request_malformed', '/sync/entities/cals'],
    ])
    expect(answers[2]?.body).toMatchObject({
      errors: [
        {
          detail: 'gong synchronizes no such entity, did you mean "calls"?',
          allowed: [
            'users',
            'calls',
            'calls_extensive',
            'settings_scorecards',
            'stats_activity_scorecards',
          ],
        },
      ],
    })
  })

  test('the settings of an entity come and go', async () => {
    const id = await world.connect('gong', { sync: { entities: { calls: { enabled: false } } } })
    const change = async (entities: object | null) =>
      (await world.call('PATCH', `${COLLECTION}/${id}`, { sync: { entities } })).body
    const sync = { enabled: true, interval_seconds: 900 }
    expect(await change({ users: { interval_seconds: 60 } })).toMatchObject({
      sync: { ...sync, entities: { calls: { enabled: false }, users: { interval_seconds: 60 } } },
    })
    expect(await change({ calls: null })).toHaveProperty('sync', {
      ...sync,
      entities: { users: { interval_seconds: 60 } },
    })
    const own = { entities: { users: { enabled: false, interval_seconds: null } } }
    const mine = await world.call('PATCH', `${COLLECTION}/${id}`, {
      sync: { ...own, interval_seconds: 60 },
    })
    expect(mine.body).toHaveProperty('sync', {
      ...sync,
      interval_seconds: 60,
      entities: { users: { enabled: false } },
    })
    await world.call('PATCH', `${COLLECTION}/${id}`, { sync: { interval_seconds: null } })
    expect(await change(null)).toHaveProperty('sync', sync)
  })

  test('changes of sync that come at once keep what each of them set', async () => {
    const id = await world.connect('gong')
    const changes = [
      { enabled: false },
      { interval_seconds: 60 },
      { entities: { users: { enabled: false } } },
      { entities: { calls: { interval_seconds: 120 } } },
    ]
    const answers = await Promise.all(
      changes.map((sync) => world.call('PATCH', `${COLLECTION}/${id}`, { sync })),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect((await world.call('GET', `${COLLECTION}/${id}`)).body).toHaveProperty('sync', {
      enabled: false,
      interval_seconds: 60,
      entities: { users: { enabled: false }, calls: { interval_seconds: 120 } },
    })
  })

  test('new credentials are checked; refused ones change nothing', async () => {
    const id = await world.connect('gong')
    const refused = await world.call('PATCH', `${COLLECTION}/${id}`, {
      credentials: { access_key: 'wrong', access_key_secret: 'wrong-secret' },
    })
    const run = await world.call('POST', `/api/v1/connectors/sources/${id}/execute`, {
      entity: 'users',
      action: 'list',
    })
    const shown = await world.call('GET', `${COLLECTION}/${id}`)
    expect([refused.status, refused.body, run.status, shown.body]).toEqual([
      424,
      problem('credentials_refused'),
      200,
      expect.objectContaining({ state: 'active' }),
    ])
  })

  test('new credentials re-authenticate in place', async () => {
    const { credentials } = world.vendor('gong').options()
    const created = await world.call('POST', `${COLLECTION}?check=false`, {
      external_user_id: 'user-1',
      connector_type: 'gong',
      name: 'x',
      credentials: { access_key: 'wrong', access_key_secret: 'wrong-secret' },
    })
    const { id } = created.body as { id: string }
    const checked = await world.call('POST', `${COLLECTION}/${id}/check`)
    expect(checked.body).toMatchObject({
      result: 'refused',
      state: 'auth_error',
      error: { code: 'credentials_refused' },
    })
    const run = await world.call('POST', `/api/v1/connectors/sources/${id}/execute`, {
      entity: 'users',
      action: 'list',
    })
    expect([run.status, run.body]).toEqual([424, problem('reauthorization_required')])
    const patched = await world.call('PATCH', `${COLLECTION}/${id}`, { credentials })
    expect([patched.status, patched.body]).toEqual([
      200,
      expect.objectContaining({ id, state: 'active', state_reason: null }),
    ])
    const events = await world.service.store.audit.list(
      { organizationId: 'default' },
      { instanceId: id, limit: 10 },
    )
    const states = events.filter(({ action }) => action === 'instance.state')
    expect(states.map(({ outcome, members, requestId }) => [outcome, members, requestId])).toEqual([
      ['active', ['from pending'], ID],
      ['auth_error', ['from pending', 'credentials_refused', 'status 401'], ID],
    ])
  })
})

describe('delete', () => {
  test('answers 204 once, and the instance is unknown afterwards on every route', async () => {
    const id = await world.connect('gong')
    const deleted = await world.call('DELETE', `${COLLECTION}/${id}`)
    const again = await world.call('DELETE', `${COLLECTION}/${id}`)
    const run = await world.call('POST', `/api/v1/connectors/sources/${id}/execute`, {
      entity: 'users',
      action: 'list',
    })
    expect([deleted.status, deleted.text, again.status, run.status]).toEqual([204, '', 404, 404])
    expect(run.body).toEqual(problem('instance_unknown'))
  })
})

test('settings change one by one, and null takes one away', async () => {
  const id = await world.connect('jira')
  const path = `${COLLECTION}/${id}`
  const set = await world.call('PATCH', path, { config: { issues_expand: 'changelog' } })
  const taken = await world.call('PATCH', path, { config: { issues_expand: null } })
  const needed = await world.call('PATCH', path, { config: { subdomain: null } })
  expect([set.body, taken.body, needed.body]).toEqual([
    expect.objectContaining({
      config: { subdomain: 'tallow-demo', issues_expand: 'changelog' },
    }),
    expect.objectContaining({ config: { subdomain: 'tallow-demo' } }),
    expect.objectContaining({ code: 'config_invalid' }),
  ])
})

describe('check', () => {
  test('says ok, when and how long', async () => {
    const id = await world.connect('jira')
    const answer = await world.call('POST', `${COLLECTION}/${id}/check`)
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        result: 'ok',
        state: 'active',
        checked_at: TIME,
        took_ms: expect.any(Number),
        upstream_requests: 1,
        error: null,
      },
    ])
  })

  test('a third party that is down changes no state', async () => {
    const id = await world.connect('jira')
    world.vendor('jira').fail('*', { mode: 'status', status: 500, times: 3 })
    const answer = await world.call('POST', `${COLLECTION}/${id}/check`, undefined, {
      headers: { prefer: 'wait=5' },
    })
    expect([answer.status, answer.body]).toEqual([
      200,
      expect.objectContaining({ result: 'inconclusive', state: 'active' }),
    ])
    expect(answer.headers.get('preference-applied')).toBe('wait=5')
  })

  test('that sends nothing, because the third party is left alone, is not noted', async () => {
    const id = await world.connect('stripe')
    world.vendor('stripe').fail('*', { mode: 'status', status: 500, times: 100 })
    const checkedAt = async (): Promise<unknown> => {
      const { body } = await world.call('GET', `${COLLECTION}/${id}`)
      return (body as { readonly last_checked_at: string }).last_checked_at
    }
    const codeOfCheck = async (): Promise<string> => {
      const { body } = await world.call('POST', `${COLLECTION}/${id}/check`, undefined, {
        headers: { prefer: 'wait=5' },
      })
      return (body as { readonly error: { readonly code: string } }).error.code
    }
    while ((await codeOfCheck()) !== 'upstream_suspended');
    const before = await checkedAt()
    const { body } = await world.call('POST', `${COLLECTION}/${id}/check`)
    expect(body).toMatchObject({ upstream_requests: 0, error: { code: 'upstream_suspended' } })
    expect(await checkedAt()).toBe(before)
  })

  test('is noted with its time where the third party has answered it', async () => {
    const id = await world.connect('gong')
    const checkedAt = async (): Promise<unknown> => {
      const { body } = await world.call('GET', `${COLLECTION}/${id}`)
      return (body as { readonly last_checked_at: string }).last_checked_at
    }
    const before = await checkedAt()
    const ok = await world.call('POST', `${COLLECTION}/${id}/check`)
    const afterOk = await checkedAt()
    world.vendor('gong').fail('*', { mode: 'status', status: 500, times: 3 })
    const unclear = await world.call('POST', `${COLLECTION}/${id}/check`, undefined, {
      headers: { prefer: 'wait=5' },
    })
    const afterUnclear = await checkedAt()
    // What it found out before stays known with its own time.
    expect([before === afterOk, afterUnclear === afterOk]).toEqual([false, true])
    expect([ok.body, unclear.body]).toMatchObject([
      { result: 'ok', checked_at: afterOk, upstream_requests: 1 },
      { result: 'inconclusive', upstream_requests: 3 },
    ])
    const { checked_at: madeAt } = unclear.body as { readonly checked_at: string }
    expect(madeAt > String(afterOk)).toBe(true)
  })
})

test('a second service on the same folder is refused', async () => {
  await expect(
    createService({ data: world.folder, mode: 'dev', port: 0, logLevel: 'silent' }),
  ).rejects.toMatchObject({
    code: 'config_invalid',
    message: expect.stringContaining(`another service uses the folder ${world.folder}`),
  })
})

describe('a PATCH with credentials and other members', () => {
  const OTHERS = { name: 'renamed', sync: { interval_seconds: 600 } }

  /** What was written of an instance after a number of rows: actions of the audit log, types and states of events. */
  async function writtenOf(id: string) {
    const { audit, events } = world.service.store
    const owner = { organizationId: 'default' }
    const rows = await audit.list(owner, { instanceId: id, limit: 100 })
    const all = []
    for (let afterSeq = 0; ;) {
      const page = await events.list(owner, { afterSeq, limit: 200 })
      all.push(...page.events.filter(({ instanceId }) => instanceId === id))
      const last = page.events.at(-1)
      if (last === undefined) break
      afterSeq = last.seq
    }
    return {
      audited: rows.map(({ action }) => action).toSorted(),
      events: all.map(({ type, data }) => [type, data['name'], data['state']]),
    }
  }

  async function changed(query: string, more: object) {
    const id = await world.connect('gong', { name: 'before' })
    const before = await writtenOf(id)
    const { credentials } = world.vendor('gong').options()
    const answer = await world.call('PATCH', `${COLLECTION}/${id}${query}`, {
      credentials,
      ...more,
    })
    const after = await writtenOf(id)
    const audited = [...after.audited]
    for (const action of before.audited) audited.splice(audited.indexOf(action), 1)
    return { answer, audited, events: after.events.slice(before.events.length) }
  }

  test('is one row of the audit log and one event', async () => {
    const { answer, audited, events } = await changed('?check=false', OTHERS)
    expect(answer.body).toMatchObject({ ...OTHERS, state: 'pending' })
    expect({ audited, events }).toEqual({
      audited: ['instance.update'],
      events: [['connector.updated', 'renamed', 'pending']],
    })
  })

  test('that proves them adds the event of the state alone', async () => {
    const { answer, audited, events } = await changed('', OTHERS)
    expect(answer.body).toMatchObject({ ...OTHERS, state: 'active' })
    expect({ audited, events }).toEqual({
      audited: ['instance.state', 'instance.update'],
      events: [
        ['connector.updated', 'renamed', 'pending'],
        ['connector.updated', 'renamed', 'active'],
      ],
    })
  })

  test('that disables the instance tries nothing', async () => {
    const { answer, audited, events } = await changed('', { ...OTHERS, enabled: false })
    expect(answer.body).toMatchObject({ ...OTHERS, state: 'disabled', enabled: false })
    expect({ audited, events }).toEqual({
      audited: ['instance.update'],
      events: [['connector.updated', 'renamed', 'disabled']],
    })
  })

  test('that are refused puts all members back, as one row and one event', async () => {
    const credentials = { access_key: 'wrong-key', access_key_secret: 'wrong-secret' }
    const { answer, audited, events } = await changed('', { ...OTHERS, credentials })
    expect([answer.status, answer.body]).toEqual([424, problem('credentials_refused')])
    expect({ audited, events }).toEqual({
      audited: ['instance.credentials_put_back', 'instance.update'],
      events: [
        ['connector.updated', 'renamed', 'pending'],
        ['connector.updated', 'before', 'active'],
      ],
    })
  })
})

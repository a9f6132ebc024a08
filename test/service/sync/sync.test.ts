// The copies over HTTP: filled by themselves, searched, kept up with own writes, paused, purged.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serviceClient } from '../../../src/client/service-client.ts'
import { type RunningService, runService } from '../../fixtures/running-service.ts'
import { eventually } from '../../faults/resources.ts'
import { IS_FULL } from '../../fixtures/sizes.ts'

let world: RunningService
beforeAll(async () => {
  world = await runService({ jobs: true })
})
afterAll(() => world[Symbol.asyncDispose]())

interface Status {
  readonly entity: string
  readonly state: string
  readonly complete: boolean
  readonly records: number
}
interface Found {
  readonly hits: readonly { readonly id: string; readonly data: Record<string, unknown> }[]
  readonly next_cursor: string | null
  readonly replica: {
    readonly complete: boolean
    readonly stale: boolean
    readonly records: number
  }
}

/** A machine that tests much at once may be too busy for a moment. */
async function call(
  ...given: Parameters<RunningService['call']>
): ReturnType<RunningService['call']> {
  let answer = await world.call(...given)
  if (answer.status === 503)
    await eventually(async () => (answer = await world.call(...given)).status !== 503)
  return answer
}

async function connect(type: string, more: object = {}): Promise<string> {
  const { credentials, config } = world.vendor(type).options()
  const body = { external_user_id: 'user-1', connector_type: type, name: type, credentials, config }
  const answer = await call('POST', '/v1/integrations/connectors', { ...body, ...more })
  if (answer.status !== 201) throw new Error(answer.text)
  return (answer.body as { readonly id: string }).id
}

async function status(id: string): Promise<readonly Status[]> {
  const answer = await call('GET', `/v1/integrations/connectors/${id}/sync`)
  return (answer.body as { readonly data: readonly Status[] }).data
}

async function untilSynced(id: string): Promise<void> {
  await eventually(async () => {
    const all = await status(id)
    const failed = all.filter(({ state }) => state === 'error')
    if (failed.length > 0) throw new Error(JSON.stringify(failed))
    return all.length > 0 && all.every(({ complete }) => complete)
  }, 240_000)
}

async function execute(id: string, entity: string, action: string, params: object) {
  return await call('POST', `/api/v1/connectors/sources/${id}/execute`, {
    entity,
    action,
    params,
  })
}

async function search(
  id: string,
  entity: string,
  filter: object,
  more: object = {},
): Promise<Found> {
  const answer = await execute(id, entity, 'search', { query: { filter }, ...more })
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body as Found
}

interface Changes {
  readonly data: readonly {
    readonly change: string
    readonly id: string
    readonly data: Record<string, unknown> | null
  }[]
  readonly meta: {
    readonly has_more: boolean
    readonly next_cursor: string
    readonly reset: boolean
  }
}

async function changes(id: string, query: Readonly<Record<string, string>>): Promise<Changes> {
  const asked = new URLSearchParams(query).toString()
  const answer = await call('GET', `/v1/connectors/${id}/changes?${asked}`)
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body as Changes
}

/** An answer waits 250 ms for the copy: on a busy machine the copy has the write right behind it. */
async function finds(read: () => Promise<unknown>, want: unknown): Promise<void> {
  await expect.poll(read).toEqual(want)
}

describe('jira', () => {
  let id: string
  beforeAll(async () => {
    id = await connect('jira')
    await untilSynced(id)
  })

  test('an active instance fills its copies by itself', async () => {
    const all = await status(id)
    const records = Object.fromEntries(all.map((each) => [each.entity, each.records]))
    const vendor = world.vendor('jira')
    expect(records['issues']).toBe(vendor.records('issues').length)
    expect(records['issue_comments']).toBe(vendor.records('issue_comments').length)
    expect(records['projects']).toBe(vendor.records('projects').length)
    expect(all.map(({ state }) => state)).toEqual(all.map(() => 'ready'))
  })

  test('a copy is searched by several operators', async () => {
    const [any] = (await search(id, 'issues', {}, { limit: 1 })).hits
    const fields = any?.data['fields'] as { summary: string; status: { name: string } }
    const word = fields.summary.split(' ').find((each) => /^\p{L}{5,}$/u.test(each)) ?? ''
    const ids = async (filter: object): Promise<readonly string[]> =>
      (await search(id, 'issues', filter)).hits.map((hit) => hit.id)
    for (const filter of [
      { eq: { id: any?.id } },
      { in: { id: [any?.id, 'none'] } },
      { keyword: { 'fields.summary': word } },
      { fuzzy: { 'fields.summary': word.slice(1) } },
      { like: { 'fields.summary': `%${word}%` } },
      {
        and: [{ eq: { 'fields.status.name': fields.status.name } }, { keyword: { fields: word } }],
      },
      { not: { eq: { id: 'none' } } },
      { gte: { updated: '2000-01-01T00:00:00Z' } },
    ])
      expect([filter, await ids(filter)]).toEqual([
        filter,
        expect.arrayContaining([any?.id]) as unknown,
      ])
    const page = await search(id, 'issues', {}, { limit: 2, fields: ['key'] })
    expect(page.hits.map(({ data }) => Object.keys(data))).toEqual([['key'], ['key']])
    expect(page.next_cursor).not.toBe(null)
    expect(page.replica).toMatchObject({ complete: true, stale: false })
  })

  test('a wrong search is refused with pointers', async () => {
    const answer = await execute(id, 'issues', 'search', {
      query: { filter: { eqq: { key: 'x' } } },
    })
    expect([answer.status, answer.body]).toEqual([
      400,
      expect.objectContaining({ code: 'params_invalid' }),
    ])
    const none = await execute(id, 'issues_assignee', 'search', { query: {} })
    expect([none.status, none.body]).toEqual([
      400,
      expect.objectContaining({ code: 'operation_unknown' }),
    ])
  })

  test('own writes are found at once', async () => {
    const [issue] = (await search(id, 'issues', {}, { limit: 1 })).hits
    const key = issue?.data['key']
    const summary = async (text: string): Promise<readonly string[]> =>
      (await search(id, 'issues', { keyword: { 'fields.summary': text } })).hits.map(
        (hit) => hit.id,
      )

    const update = { issueIdOrKey: key, fields: { summary: 'quicksilver thermometer' } }
    expect((await execute(id, 'issues', 'update', update)).status).toBe(200)
    await finds(() => summary('quicksilver'), [issue?.id])

    const created = await execute(id, 'issues', 'create', {
      ...world.vendor('jira').example('issues.create'),
    })
    expect(created.status).toBe(200)
    const made = (created.body as { data: { id: string } }).data.id
    const keys = async (): Promise<readonly unknown[]> =>
      (await search(id, 'issues', { eq: { id: made } })).hits.map(({ data }) => data['key'])
    await finds(keys, [expect.any(String)])

    const [issueIdOrKey] = await keys()
    const gone = await execute(id, 'issues', 'delete', { issueIdOrKey })
    expect(gone.status).toBe(200)
    await finds(keys, [])
  })

  test('own writes that change the copy are told, with what they were asked with', async () => {
    const [issue] = (await search(id, 'issues', {}, { limit: 1 })).hits
    const write = async (requestId: string, action: string, params: object): Promise<unknown> => {
      const { body } = await call(
        'POST',
        `/api/v1/connectors/sources/${id}/execute`,
        { entity: 'issues', action, params },
        { headers: { 'x-request-id': requestId } },
      )
      return (body as { readonly data: unknown }).data
    }
    const update = { issueIdOrKey: issue?.data['key'], fields: { summary: 'told once' } }
    await write('own-update', 'update', update)
    const made = await write('own-create', 'create', {
      ...world.vendor('jira').example('issues.create'),
    })
    const { key } = made as { readonly key: string }
    await write('own-delete', 'delete', { issueIdOrKey: key })
    const told = async (): Promise<readonly unknown[]> => {
      const seen: { readonly type: string; readonly data: Record<string, unknown> }[] = []
      for (let cursor = ''; ;) {
        const { body } = await call('GET', `/v1/events?limit=200${cursor}`)
        const { data, meta } = body as {
          readonly data: typeof seen
          readonly meta: { readonly has_more: boolean; readonly next_cursor: string }
        }
        seen.push(...data)
        if (!meta.has_more) break
        cursor = `&cursor=${meta.next_cursor}`
      }
      return seen
        .filter(({ data: { request_id: by } }) => typeof by === 'string' && by.startsWith('own-'))
        .map(({ type, data }) => [type, data])
    }
    const about = { connector_id: id, connector_type: 'jira', entity: 'issues', changed: 1 }
    await expect
      .poll(told)
      .toMatchObject(
        ['own-update', 'own-create', 'own-delete'].map((request_id) => [
          'records.changed',
          { ...about, request_id },
        ]),
      )
  })

  test('changes of a copy are told page by page, own writes at once, and in one order', async () => {
    const first = await changes(id, { entity: 'projects', limit: '1' })
    expect(first).toMatchObject({
      data: [{ change: 'added', data: { id: expect.any(String) } }],
      meta: { has_more: true, reset: true },
      replica: { complete: true, stale: false, records: expect.any(Number) },
    })
    const all = [...first.data]
    let { meta } = first
    while (meta.has_more) {
      const page = await changes(id, { entity: 'projects', since: meta.next_cursor, limit: '3' })
      all.push(...page.data)
      expect(page.meta.reset).toBe(false)
      meta = page.meta
    }
    const { hits } = await search(id, 'projects', {})
    const byId = (one: { readonly id: string }, other: { readonly id: string }): number =>
      one.id < other.id ? -1 : 1
    expect(all.map(({ id, data }) => ({ id, data })).sort(byId)).toEqual(
      hits.map(({ id, data }) => ({ id, data })).sort(byId),
    )
    const since = (await changes(id, { entity: 'issues' })).meta.next_cursor
    const [issue] = (await search(id, 'issues', {}, { limit: 1 })).hits
    const update = { issueIdOrKey: issue?.data['key'], fields: { summary: 'told as a change' } }
    await execute(id, 'issues', 'update', update)
    await execute(id, 'issues', 'delete', { issueIdOrKey: issue?.data['key'] })
    await finds(async () => {
      const { data } = await changes(id, { entity: 'issues', since })
      return data.map((each) => [each.change, each.id, each.data])
    }, [['removed', issue?.id, null]])
  })

  test.for([
    ['no entity', {}, 400, 'request_malformed', '/entity'],
    ['an unknown one', { entity: 'tickets' }, 400, 'operation_unknown', '/entity'],
    [
      'one that is not searched',
      { entity: 'issues_assignee' },
      400,
      'operation_unknown',
      '/action',
    ],
    ['no page', { entity: 'issues', limit: '0' }, 400, 'request_malformed', '/limit'],
    ['too long a page', { entity: 'issues', limit: '10001' }, 400, 'request_malformed', '/limit'],
    ['an invented cursor', { entity: 'issues', since: 'abc' }, 400, 'cursor_invalid', '/since'],
    [
      'a cursor of others',
      { entity: 'issues', since: 'projects' },
      400,
      'cursor_invalid',
      '/since',
    ],
  ] as const)('changes of %s are refused', async ([, given, status, code, pointer]) => {
    const query: Record<string, string> = { ...given }
    if (query['since'] === 'projects')
      query['since'] = (await changes(id, { entity: 'projects' })).meta.next_cursor
    const answer = await call(
      'GET',
      `/v1/connectors/${id}/changes?${new URLSearchParams(query).toString()}`,
    )
    const { errors } = answer.body as { readonly errors?: readonly { readonly pointer: string }[] }
    expect([answer.status, answer.body, errors?.[0]?.pointer]).toEqual([
      status,
      expect.objectContaining({ code }),
      pointer,
    ])
  })

  test('a host app mirrors a copy with its client, and finds its own writes in it', async () => {
    await using client = serviceClient({ baseUrl: world.url, token: world.token })
    const mirror = new Map<string, unknown>()
    const over = new AbortController()
    const options = { limit: 3, everyMs: 20, signal: over.signal }
    const following = (async () => {
      for await (const page of client.changes.follow(id, 'issues', options)) {
        if (page.meta.reset) mirror.clear()
        for (const { change, id, data } of page.records)
          if (change === 'removed') mirror.delete(id)
          else mirror.set(id, data)
        expect(page.meta.replica.stale).toBe(false)
      }
    })()
    const copy = async (): Promise<ReadonlyMap<string, unknown>> =>
      new Map((await search(id, 'issues', {})).hits.map((hit) => [hit.id, hit.data]))
    const isEqual = async (): Promise<boolean> => isDeepStrictEqual(mirror, await copy())
    await eventually(isEqual)
    const example = world.vendor('jira').example('issues.create')
    const made = await execute(id, 'issues', 'create', { ...example })
    const { id: issueId, key } = (made.body as { data: { id: string; key: string } }).data
    await eventually(async () => mirror.has(issueId) && (await isEqual()))
    await execute(id, 'issues', 'delete', { issueIdOrKey: key })
    await eventually(async () => !mirror.has(issueId) && (await isEqual()))
    over.abort()
    await following
    const listed = await client.changes.list(id, 'issues', { limit: 3 }).toArray({ limit: 1_000 })
    expect(listed.map((each) => each.id).sort()).toEqual([...mirror.keys()].sort())
  })

  test('changes are for who may search', async () => {
    const mint = async (actions: readonly string[]): Promise<string> => {
      const wish = { external_user_id: 'user-1', actions }
      const minted = await call('POST', '/api/v1/account/applications/scoped-token', wish)
      return (minted.body as { readonly token: string }).token
    }
    const path = `/v1/connectors/${id}/changes?entity=projects`
    const ask = async (actions: readonly string[]) =>
      await call('GET', path, undefined, { as: await mint(actions) })
    const token = await mint(['projects.search'])
    await using client = serviceClient({ baseUrl: world.url, token })
    expect((await client.changes.list(id, 'projects', { limit: 1 })).records.length).toBe(1)
    const refused = await ask(['projects.list', 'issues.search'])
    expect([refused.status, refused.body]).toMatchObject([403, { code: 'scope_denied' }])
  })

  test('a comment made through execute is found with its issue', async () => {
    const [issue] = (await search(id, 'issues', {}, { limit: 1 })).hits
    const created = await execute(id, 'issue_comments', 'create', {
      ...world.vendor('jira').example('issue_comments.create'),
      issueIdOrKey: issue?.data['key'],
    })
    expect([created.status, created.text]).toEqual([200, created.text])
    const made = (created.body as { data: { id: string } }).data.id
    await finds(async () => {
      const { hits } = await search(id, 'issue_comments', { eq: { id: made } })
      return hits.map(({ data }) => data['issueId'])
    }, [issue?.id])
  })

  test('a write that answers with less than a listing takes nothing out of the copy', async () => {
    const [issue] = (await search(id, 'issues', {}, { limit: 1 })).hits
    const issueIdOrKey = issue?.data['key']
    const text = (words: string): object => ({
      type: 'doc',
      version: 1,
      content: [{ type: 'paragraph', content: [{ type: 'text', text: words }] }],
    })
    const made = await execute(id, 'issue_comments', 'create', {
      issueIdOrKey,
      body: text('wombat crate'),
    })
    const { id: commentId } = (made.body as { data: { id: string } }).data
    const rendered = async (words: string): Promise<unknown> =>
      (await search(id, 'issue_comments', { keyword: { renderedBody: words } })).hits.map(
        (hit) => hit.id,
      )
    await finds(() => rendered('wombat crate'), [commentId])
    await execute(id, 'issue_comments', 'update', {
      issueIdOrKey,
      commentId,
      body: text('numbat crate'),
    })
    await finds(() => rendered('numbat'), [commentId])
    expect(await rendered('wombat')).toEqual([])
    const fields = { description: text('zebra finch') }
    await execute(id, 'issues', 'update', { issueIdOrKey, fields, returnIssue: true })
    const described = { keyword: { 'renderedFields.description': 'zebra finch' } }
    await finds(
      async () => (await search(id, 'issues', described)).hits.map((hit) => hit.id),
      [issue?.id],
    )
  })

  test('a run on demand can be waited for, and is in the history', async () => {
    const answer = await call(
      'POST',
      `/v1/integrations/connectors/${id}/sync`,
      { entities: ['projects'], mode: 'full' },
      { headers: { prefer: 'wait=120' } },
    )
    expect([answer.status, answer.body]).toMatchObject([
      200,
      { data: [{ entity: 'projects', state: 'done' }] },
    ])
    const { body } = await call(
      'GET',
      `/v1/integrations/connectors/${id}/sync?entity=projects&history=true`,
    )
    const { data } = body as { data: readonly { runs: readonly { kind: string }[] }[] }
    expect(data).toHaveLength(1)
    expect(data[0]?.runs.map(({ kind }) => kind)).toEqual(['full', 'initial'])
    const unknown = await call('GET', `/v1/integrations/connectors/${id}/sync?entity=project`)
    expect([unknown.status, unknown.body]).toMatchObject([
      400,
      { code: 'request_malformed', errors: [{ pointer: '/entity', code: 'unknown' }] },
    ])
    const refused = await call('POST', `/v1/integrations/connectors/${id}/sync`, {
      entities: ['calls'],
    })
    expect([refused.status, refused.body]).toMatchObject([
      400,
      { code: 'request_malformed', errors: [{ pointer: '/entities/0' }] },
    ])
  })

  test('metrics tell how old copies get', async () => {
    const path = `/v1/integrations/connectors/${id}/sync`
    await call('POST', path, { entities: ['projects'] }, { headers: { prefer: 'wait=120' } })
    const { text } = await world.call('GET', '/metrics')
    expect(text).toMatch(
      /tenon_sync_lag_seconds_count\{connector_type="jira",entity="projects"\} [1-9]/,
    )
    expect(text).toMatch(
      /tenon_sync_waited_seconds_total\{connector_type="jira",entity="projects"\} \d/,
    )
  })

  test('what is switched off is not synchronized on demand either', async () => {
    const sync = { entities: { projects: { enabled: false } } }
    const mine = await connect('jira', { name: 'without projects', sync })
    const path = `/v1/integrations/connectors/${mine}/sync`
    const named = await call('POST', path, { entities: ['users', 'projects'] })
    expect([named.status, named.body]).toMatchObject([
      400,
      { code: 'request_malformed', errors: [{ pointer: '/entities/1', code: 'disabled' }] },
    ])
    const all = await call('POST', path, {})
    const { data } = all.body as { readonly data: readonly { readonly entity: string }[] }
    expect(all.status).toBe(202)
    expect(data.map(({ entity }) => entity)).not.toContain('projects')
    await call('PATCH', `/v1/integrations/connectors/${mine}`, { sync: { enabled: false } })
    const none = await call('POST', path, {})
    expect([none.status, none.body]).toMatchObject([400, { errors: [{ code: 'disabled' }] }])
    await call('DELETE', `/v1/integrations/connectors/${mine}`)
  })

  test('other times of one entity run that one alone; the rest keeps its own', async () => {
    const mine = await connect('jira', { name: 'rescheduled' })
    await untilSynced(mine)
    const dueAt = async (): Promise<Readonly<Record<string, number | null>>> => {
      const answer = await call('GET', `/v1/integrations/connectors/${mine}/sync`)
      const { data } = answer.body as {
        readonly data: readonly { readonly entity: string; readonly next_run_at: string | null }[]
      }
      return Object.fromEntries(
        data
          // Records below issues are due again whenever one of those changes.
          .filter(({ entity }) => ['users', 'projects', 'issue_fields'].includes(entity))
          .map(({ entity, next_run_at: at }) => [entity, at === null ? null : Date.parse(at)]),
      )
    }
    const set = async (entities: object): Promise<void> => {
      const path = `/v1/integrations/connectors/${mine}`
      expect((await call('PATCH', path, { sync: { entities } })).status).toBe(200)
    }
    const before = await dueAt()
    await set({ users: { enabled: false }, projects: { interval_seconds: 60 } })
    // What follows from a change is done behind its answer.
    const soon = async (): Promise<readonly unknown[]> => {
      const { users, projects } = await dueAt()
      return [users, (projects ?? Infinity) <= Date.now() + 60_000]
    }
    await expect.poll(soon).toEqual([null, true])
    const paused = await dueAt()
    expect(paused).toEqual({ ...before, users: null, projects: paused['projects'] })
    await set({ users: { enabled: true } })
    // Due at once; when it has run it is due in six hours, later than it was before it was switched off.
    await eventually(async () => ((await dueAt())['users'] ?? 0) > (before['users'] ?? 0))
    expect(await dueAt()).toEqual({ ...paused, users: expect.any(Number) as number })
    await call('DELETE', `/v1/integrations/connectors/${mine}`)
  })

  test('a paused instance keeps its copies; a deleted one leaves nothing', async () => {
    const mine = await connect('jira', { name: 'short-lived' })
    await untilSynced(mine)
    await world.service.store.instances.setState(mine, {
      from: ['active'],
      to: 'auth_error',
      reason: { code: 'revoked_upstream', detail: 'gone', since: 0, upstreamStatus: 401 },
    })
    // What was looked up of an instance is believed for half a second.
    await expect.poll(async () => (await search(mine, 'issues', {})).replica.stale).toBe(true)
    expect((await status(mine)).map(({ state }) => state)).toContain('paused')
    const file = join(world.folder, 'copies', `${mine}.sqlite`)
    expect(existsSync(file)).toBe(true)
    await call('PATCH', `/v1/integrations/connectors/${mine}`, { enabled: false })
    const disabled = await execute(mine, 'issues', 'search', { query: {} })
    expect([disabled.status, disabled.body]).toMatchObject([409, { code: 'instance_disabled' }])
    await call('DELETE', `/v1/integrations/connectors/${mine}`)
    await expect.poll(() => existsSync(file)).toBe(false)
    await expect.poll(() => world.service.store.jobs.list(mine)).toEqual([])
    expect(existsSync(file)).toBe(false)
  })
})

test('before the first record a search is not ready', async () => {
  await using quiet = await runService()
  const id = await quiet.connect('gong')
  const answer = await quiet.call('POST', `/api/v1/connectors/sources/${id}/execute`, {
    entity: 'users',
    action: 'search',
    params: { query: {} },
  })
  expect([answer.status, answer.body]).toMatchObject([409, { code: 'search_not_ready' }])
})

// Reports are listed day by day for three years, account by account: some two thousand listings, most of them empty. What
// the copies of every manifest hold is looked at in `contracts/manifest-copies.test.ts`.
const filled = IS_FULL ? ['gong', 'facebook-marketing'] : ['gong']

test.for(filled)(
  'every entity of %s is filled as its vendor has it',
  // The one test that needs minutes of a busy machine.
  { timeout: 600_000 },
  async (type) => {
    const id = await connect(type)
    await untilSynced(id)
    const all = await status(id)
    const records = Object.fromEntries(all.map((each) => [each.entity, each.records]))
    const vendor = Object.fromEntries(
      all.map(({ entity }) => [entity, world.vendor(type).records(entity).length]),
    )
    expect(records).toEqual(vendor)
  },
)

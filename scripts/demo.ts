// The main job from end to end, as a user would see it: both connectors against local vendors made from their manifests.
// Every step prints what it found and checks it; the exit code is 1 when one fails. Nothing leaves this machine.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { connect } from '../src/client/connect.ts'
import type { Client } from '../src/client/client.ts'
import { formatBytes } from '../src/cli/progress.ts'
import { tableFor } from '../src/cli/table.ts'
import { type ErrorCode, isConnectorError, type ConnectorError } from '../src/errors.ts'
import type { Json, JsonObject } from '../src/language/json/json.ts'
import { serve } from '../src/hosting/server.ts'
import { createService } from '../src/hosting/service.ts'
import { loadManifestFile, requireManifest } from '../src/language/manifest/load.ts'
import { sandbox } from '../src/sandbox/open-sandbox.ts'
import type { Sandbox } from '../src/sandbox/sandbox.ts'

const color = process.stdout.isTTY && (process.env['NO_COLOR'] ?? '') === ''
const paint = (code: number, text: string): string =>
  color ? `\u001B[${code}m${text}\u001B[0m` : text

let passed = 0
let failed = 0

/** Runs one step; what it returns is shown. A step that throws has failed. */
async function step(title: string, run: () => Promise<string>): Promise<void> {
  const started = performance.now()
  try {
    const shown = await run()
    passed++
    console.log(
      `${paint(32, '✓')} ${paint(1, title)}  ${paint(2, `${(performance.now() - started).toFixed(0)} ms`)}`,
    )
    console.log(indented(shown))
  } catch (error) {
    failed++
    console.log(`${paint(31, '✗')} ${paint(1, title)}`)
    console.log(indented(error instanceof Error ? (error.stack ?? error.message) : String(error)))
  }
}

function indented(text: string): string {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n')
}

function expect(what: string, found: unknown, wanted: unknown): void {
  if (!isDeepStrictEqual(found, wanted)) {
    throw new Error(`${what}: expected ${JSON.stringify(wanted)}, found ${JSON.stringify(found)}`)
  }
}

async function refusal(code: ErrorCode, run: () => Promise<unknown>): Promise<ConnectorError> {
  try {
    await run()
  } catch (error) {
    if (isConnectorError(error, code)) return error
    throw error
  }
  throw new Error(`expected ${code}, but the call succeeded`)
}

/** A client of the packaged manifest against its sandbox. The limits of a vendor's accounts do not hold there. */
async function clientOf(vendor: Sandbox, more: object = {}): Promise<Client> {
  const manifest = requireManifest(await loadManifestFile(`manifests/${vendor.type}.yaml`))
  return connect(manifest, { ...vendor.options(), limits: null, ...more })
}

/** As wide as the answers are shown. */
const TERMINAL = { isTerminal: true, columns: 96 }

/** A member of a record that must be there. */
function at(value: unknown, ...names: (string | number)[]): Json {
  const found = names.reduce<unknown>(
    (inside, name) => (inside as JsonObject | undefined)?.[name],
    value,
  )
  if (found === undefined) throw new Error(`there is no ${names.join('.')}`)
  return found as Json
}

/** The same as text. */
function textAt(value: unknown, ...names: (string | number)[]): string {
  const found = at(value, ...names)
  return typeof found === 'string' ? found : JSON.stringify(found)
}

function table(records: readonly unknown[], ...names: string[]): string {
  const rows = records.map((record) =>
    Object.fromEntries(
      names.map((name) => [name.split('.').at(-1) ?? name, at(record, ...name.split('.'))]),
    ),
  )
  return tableFor({ isTerminal: true, columns: 110 }, rows)
}

function text(words: string): JsonObject {
  return {
    type: 'doc',
    version: 1,
    content: [{ type: 'paragraph', content: [{ type: 'text', text: words }] }],
  }
}

async function jiraWalk(): Promise<void> {
  await using vendor = await sandbox('jira')
  await using jira = await clientOf(vendor)
  console.log(paint(1, `\nIssue tracking (Jira Cloud) at ${vendor.url}\n`))

  await step('check the connection', async () => {
    const { result } = await jira.check()
    expect('check', result, 'ok')
    return 'the account answers: ok'
  })
  const jql = 'project = OPS ORDER BY created DESC'
  await step('issues.api_search: the first page', async () => {
    const page = await jira.execute('issues', 'api_search', { jql, maxResults: 5 })
    expect('records', page.records.length, 5)
    expect('has_more', page.meta.has_more, true)
    return `${table(page.records, 'key', 'fields.summary')}\nmeta ${JSON.stringify(page.meta)}`
  })
  await step('issues.api_search: every page to the last', async () => {
    let pages = 0
    const keys = new Set<Json>()
    for await (const page of jira
      .execute('issues', 'api_search', { jql, maxResults: 20 })
      .pages()) {
      pages++
      for (const record of page.records) keys.add(at(record, 'key'))
    }
    const all = vendor.records('issues').filter((issue) => textAt(issue, 'key').startsWith('OPS-'))
    expect('issues', keys.size, all.length)
    return `${keys.size} issues on ${pages} pages, none twice`
  })
  let key = ''
  await step('issues.create', async () => {
    const { data } = await jira.execute('issues', 'create', {
      fields: {
        project: { key: 'OPS' },
        issuetype: { name: 'Task' },
        summary: 'Oil the hinge',
        description: text('It squeaks.'),
        labels: ['door'],
      },
    })
    key = textAt(data, 'key')
    return JSON.stringify(data)
  })
  await step('issues.get', async () => {
    const { data } = await jira.execute('issues', 'get', { issueIdOrKey: key })
    expect('summary', at(data, 'fields', 'summary'), 'Oil the hinge')
    return `${key}: ${textAt(data, 'fields', 'summary')}, ${textAt(data, 'fields', 'status', 'name')}`
  })
  await step('issues.update: an edit and a transition, two requests', async () => {
    const change = {
      issueIdOrKey: key,
      fields: { labels: ['door', 'squeak'] },
      transition: { id: '31' },
      returnIssue: true,
    }
    const { requests } = await jira.preview('issues', 'update', change)
    const { data } = await jira.execute('issues', 'update', change)
    expect('labels', at(data, 'fields', 'labels'), ['door', 'squeak'])
    expect('status', at(data, 'fields', 'status', 'name'), 'Done')
    return `${requests.map(({ curl }) => curl.slice(0, 104)).join('\n')}\nnow ${textAt(data, 'fields', 'status', 'name')}`
  })
  await step('issue_comments.create and list', async () => {
    await jira.execute('issue_comments', 'create', { issueIdOrKey: key, body: text('Oiled.') })
    const page = await jira.execute('issue_comments', 'list', { issueIdOrKey: key })
    expect('comments', page.records.length, 1)
    return `1 comment, total ${textAt(page.meta, 'total')}`
  })
  await step('issues_assignee.update: null reaches the wire and unassigns', async () => {
    await jira.execute('issues_assignee', 'update', { issueIdOrKey: key, accountId: null })
    const { data } = await jira.execute('issues', 'get', { issueIdOrKey: key })
    expect('assignee', at(data, 'fields', 'assignee'), null)
    return 'assignee: nobody'
  })
  await step('issues.delete, and it is gone', async () => {
    const { data } = await jira.execute('issues', 'delete', { issueIdOrKey: key })
    expect('data', data, null)
    const error = await refusal('upstream_not_found', () =>
      jira.execute('issues', 'get', { issueIdOrKey: key }),
    )
    return error.message
  })
  await step(
    'a mistake in the parameters is refused before anything is sent, all of it at once',
    async () => {
      const before = vendor.requests().length
      const error = await refusal(
        'params_invalid',
        async () =>
          await jira.execute('issues', 'api_search', { jql, maxResults: 9000, expnd: 'names' }),
      )
      expect('requests', vendor.requests().length, before)
      expect('problems', error.errors.length, 2)
      return error.errors.map(({ pointer, detail }) => `${pointer}  ${detail}`).join('\n')
    },
  )
  await step('an unbounded query is rejected by the vendor: 400', async () => {
    const error = await refusal(
      'upstream_rejected',
      async () => await jira.execute('issues', 'api_search', { jql: 'ORDER BY created' }),
    )
    expect('status', error.status, 400)
    return error.message
  })
}

async function gongWalk(): Promise<void> {
  await using vendor = await sandbox('gong', { fileBytes: 3_000_000 })
  await using gong = await clientOf(vendor)
  console.log(paint(1, `\nCall analytics (Gong) at ${vendor.url}\n`))

  let call = ''
  await step('calls.list: the first page', async () => {
    const page = await gong.execute('calls', 'list')
    call = textAt(page.records, 0, 'id')
    return `${table(page.records.slice(0, 4), 'id', 'title', 'started', 'duration')}\nmeta ${JSON.stringify(page.meta['pagination' as keyof typeof page.meta]).slice(0, 100)}`
  })
  await step('calls.list: every page to the last', async () => {
    const calls = await gong.execute('calls', 'list').toArray({ limit: 10_000 })
    expect(
      'calls',
      new Set(calls.map((record) => at(record, 'id'))).size,
      vendor.records('calls').length,
    )
    return `${calls.length} calls, none twice`
  })
  await step('stats_activity_scorecards.list: ids of 19 digits, every digit kept', async () => {
    const page = await gong.execute('stats_activity_scorecards', 'list', {})
    const ids = page.records.slice(0, 3).map((record) => at(record, 'answeredScorecardId'))
    for (const id of ids)
      if (typeof id !== 'string' || id.length < 17)
        throw new Error(`lost digits: ${JSON.stringify(id)}`)
    return JSON.stringify(ids)
  })
  await step(
    'calls_extensive.list: what matches nothing is an empty list, although the vendor answers 404',
    async () => {
      const page = await gong.execute('calls_extensive', 'list', { filter: { callIds: ['1'] } })
      expect('records', page.records, [])
      return JSON.stringify(page.meta)
    },
  )
  const media = { filter: { callIds: [call] }, contentSelector: { exposedFields: { media: true } } }
  await step('call_audio.download: a range of the file', async () => {
    const audio = await gong.execute('call_audio', 'download', {
      ...media,
      filter: { callIds: [call] },
      range_header: 'bytes=0-65535',
    })
    const bytes = await audio.toBytes({ maxBytes: 100_000 })
    expect('status', audio.status, 206)
    expect('bytes', bytes.length, 65_536)
    return `206, ${audio.contentType ?? ''}, ${formatBytes(bytes.length)} of ${formatBytes(audio.contentRange?.size ?? 0)}, as a stream`
  })
  await step('a download without media: true is refused before anything is sent', async () => {
    const error = await refusal('params_invalid', () =>
      gong.execute('call_audio', 'download', {
        filter: { callIds: [call] },
        contentSelector: { exposedFields: { media: false } },
      }),
    )
    return error.errors.map(({ pointer, detail }) => `${pointer}  ${detail}`).join('\n')
  })
}

async function refreshWalk(): Promise<void> {
  await using vendor = await sandbox('gong')
  console.log(paint(1, '\nSingle-use refresh tokens\n'))
  const saved: JsonObject[] = []
  await using gong = await clientOf(vendor, {
    ...vendor.options('oauth'),
    onCredentials: async (next: JsonObject) => {
      await Promise.resolve()
      saved.push(next)
    },
  })
  await step(
    '20 calls after the access token died: one refresh, saved before it is used',
    async () => {
      await gong.execute('users', 'list')
      const savedBefore = saved.length
      vendor.expireTokens()
      const pages = await Promise.all(
        Array.from({ length: 20 }, async () => await gong.execute('users', 'list')),
      )
      expect('answers', pages.filter((page) => page.records.length > 0).length, 20)
      expect('refreshes', saved.length - savedBefore, 1)
      return `20 answers, ${saved.length - savedBefore} refresh, the new pair was handed over`
    },
  )
}

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: JsonObject
}

/** The service as an operator and a host app see it, over HTTP: a folder of its own, local vendors, everything thrown away. */
async function serviceWalk(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'tenon-demo-'))
  const service = await createService({
    mode: 'sandbox',
    port: 0,
    data: folder,
    logLevel: 'silent',
    redirectUrls: ['http://localhost:3000/connected'],
  })
  const server = await serve(service)
  console.log(paint(1, `\nThe service, listening on ${server.url}\n`))
  let token = ''

  async function call(method: string, path: string, body?: object): Promise<Answer> {
    const response = await fetch(server.url + path, {
      method,
      headers: {
        ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      body: (text === '' ? {} : JSON.parse(text)) as JsonObject,
    }
  }

  const created: string[] = []
  const create = async (body: object): Promise<JsonObject> => {
    const answer = await call('POST', '/v1/integrations/connectors', {
      external_user_id: 'user-42',
      ...body,
    })
    expect('status', answer.status, 201)
    created.push(textAt(answer.body, 'id'))
    return answer.body
  }

  try {
    await step('the application mints a token for one of its users', async () => {
      const { clientId = '', clientSecret = '' } = service.firstApplication ?? {}
      const application = await call('POST', '/api/v1/account/applications/token', {
        client_id: clientId,
        client_secret: clientSecret,
      })
      token = textAt(application.body, 'access_token')
      const scoped = await call('POST', '/api/v1/account/applications/scoped-token', {
        external_user_id: 'user-42',
      })
      token = textAt(scoped.body, 'token')
      return `${token.slice(0, 12)}…, good for ${textAt(scoped.body, 'expires_in')} s`
    })
    const ids = new Map<string, string>()
    await step('instances of all kinds, with credentials; each is tried once', async () => {
      for (const [type, vendor] of service.sandboxes ?? []) {
        const { credentials, config } = vendor.options()
        const ads = type === 'facebook-marketing'
        const instance = await create({
          connector_type: type,
          name: `${type} of the demo`,
          credentials,
          ...(ads ? { replication_config: { account_ids: '1101' } } : { config }),
        })
        ids.set(type, textAt(instance, 'id'))
      }
      const list = await call('GET', '/v1/integrations/connectors')
      return tableFor(
        TERMINAL,
        (list.body['data'] as JsonObject[]).map(({ connector_type, name, state, auth_method }) => ({
          connector_type: connector_type ?? null,
          name: name ?? null,
          state: state ?? null,
          auth_method: auth_method ?? null,
        })),
      )
    })
    // By its type: a checkout may have manifests of its own.
    const jira = ids.get('jira') ?? ''
    const ask = async (query: object, fields: readonly string[]): Promise<Answer> =>
      await call('POST', `/api/v1/connectors/sources/${jira}/execute`, {
        entity: 'issues',
        action: 'search',
        params: { query, fields, limit: 3 },
      })
    await step('the copy of Jira fills by itself', async () => {
      for (;;) {
        const status = await call('GET', `/v1/integrations/connectors/${jira}/sync`)
        const copies = status.body['data'] as JsonObject[]
        const issues = copies.find(({ entity }) => entity === 'issues')
        if (issues?.['complete'] === true) {
          return copies
            .filter(({ records }) => Number(records) > 0)
            .map((copy) => `${textAt(copy, 'entity')} ${textAt(copy, 'records')}`)
            .join(', ')
        }
        await sleep(50)
      }
    })
    await step(
      'search asks it what the vendor cannot answer: a misspelt word, newest first',
      async () => {
        const answer = await ask(
          { filter: { fuzzy: { 'fields.summary': 'delivries' } }, sort: [{ updated: 'desc' }] },
          ['key', 'fields.summary', 'updated'],
        )
        expect('status', answer.status, 200)
        const hits = answer.body['hits'] as JsonObject[]
        expect('hits', hits.length, 3)
        return `${tableFor(
          TERMINAL,
          hits.map((hit) => ({
            key: at(hit, 'data', 'key'),
            summary: at(hit, 'data', 'fields', 'summary'),
            updated: at(hit, 'data', 'updated'),
          })),
        )}${textAt(answer.body, 'took_ms')} ms, ${textAt(answer.body, 'replica', 'lag_seconds')} s behind`
      },
    )
    await step('a change through execute is found at once', async () => {
      const word = 'zephyrine'
      await call('POST', `/api/v1/connectors/sources/${jira}/execute`, {
        entity: 'issues',
        action: 'update',
        params: { issueIdOrKey: 'OPS-1', fields: { summary: `A ${word} hinge` } },
      })
      for (let left = 20; ; left--) {
        const answer = await ask({ filter: { keyword: { 'fields.summary': word } } }, [
          'key',
          'fields.summary',
        ])
        const [hit] = answer.body['hits'] as JsonObject[]
        if (hit !== undefined) return JSON.stringify(hit['data'])
        if (left === 0) throw new Error('the change is not in the copy')
        await sleep(50)
      }
    })
    await step('a user connects Gong by OAuth: initiate, consent, callback, create', async () => {
      const begun = await call('POST', '/v1/integrations/connectors/oauth/initiate', {
        external_user_id: 'user-42',
        connector_type: 'gong',
        redirect_url: 'http://localhost:3000/connected',
      })
      const consent = await visit(textAt(begun.body, 'consent_url'))
      const vendor = await visit(consent.location)
      const back = await visit(vendor.location, consent.cookie)
      const secret = new URL(back.location).searchParams.get('secret_id')
      const instance = await create({
        connector_type: 'gong',
        name: 'Gong by consent',
        server_side_oauth_secret_id: secret,
      })
      expect('state', instance['state'], 'active')
      return `calls go to ${textAt(instance, 'config', 'api_base_url')}, which the token answer named`
    })
    const [gong = ''] = created.slice(-1)
    const execute = async (body: object): Promise<Answer> =>
      await call('POST', `/api/v1/connectors/sources/${gong}/execute`, body)
    await step('execute: one page, with what it cost', async () => {
      const answer = await execute({ entity: 'users', action: 'list' })
      expect('status', answer.status, 200)
      return `${(answer.body['data'] as Json[]).length} users, ${textAt(answer.body, 'execution', 'upstream_requests')} upstream request`
    })
    await step('30 calls after the access token died: one refresh', async () => {
      const vendor = service.sandboxes?.get('gong')
      const before = vendor?.requests('oauth.token').length ?? 0
      vendor?.expireTokens()
      const answers = await Promise.all(
        Array.from({ length: 30 }, async () => await execute({ entity: 'users', action: 'list' })),
      )
      expect('answers', answers.filter(({ status }) => status === 200).length, 30)
      expect('refreshes', (vendor?.requests('oauth.token').length ?? 0) - before, 1)
      return '30 answers, 1 refresh, committed before anybody used the new token'
    })
    await step('a download, streamed through with its range', async () => {
      const params = service.sandboxes?.get('gong')?.example('call_audio.download')
      const response = await fetch(`${server.url}/api/v1/connectors/sources/${gong}/execute`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          range: 'bytes=0-65535',
        },
        body: JSON.stringify({ entity: 'call_audio', action: 'download', params }),
      })
      const bytes = (await response.arrayBuffer()).byteLength
      expect('status', response.status, 206)
      return `${formatBytes(bytes)} of ${response.headers.get('content-range') ?? ''}`
    })
    await step('what goes wrong says who has to act, and how', async () => {
      const answer = await execute({ entity: 'call', action: 'list' })
      expect('code', answer.body['code'], 'operation_unknown')
      return `${answer.status} ${textAt(answer.body, 'code')} (${textAt(answer.body, 'origin')}): ${textAt(answer.body, 'detail')}`
    })
    await step('delete: the credentials are gone with the answer', async () => {
      const deleted = await call('DELETE', `/v1/integrations/connectors/${gong}`)
      const after = await execute({ entity: 'users', action: 'list' })
      expect('statuses', [deleted.status, after.status], [204, 404])
      return `afterwards: ${textAt(after.body, 'code')}`
    })
  } finally {
    await server.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** A browser that follows no redirect by itself. */
async function visit(
  url: string,
  cookie = '',
): Promise<{ readonly location: string; readonly cookie: string }> {
  const response = await fetch(url, {
    redirect: 'manual',
    headers: cookie === '' ? {} : { cookie },
  })
  await response.arrayBuffer()
  return {
    location: response.headers.get('location') ?? '',
    cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '',
  }
}

console.log('Tenon: one manifest per connector, one engine for all.')
await jiraWalk()
await gongWalk()
await refreshWalk()
await serviceWalk()
console.log(`\n${passed} steps passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

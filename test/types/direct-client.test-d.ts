// What must compile with the direct client, and what must not. The compiler is the test: `tsc` checks this file.
import type { Hash } from 'node:crypto'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { trace } from '@opentelemetry/api'
import { connect, consoleLogger, isConnectorError, loadManifest } from 'tenon'
import type { Connectors, ErrorCode, Page } from 'tenon'
import { sandbox } from '../../src/sandbox/open-sandbox.ts'
import type { Acme, AcmeSettings } from './generated/acme.ts'

declare const apiToken: string
declare const hash: Hash
declare const response: Writable
declare const jql: string
declare const id: string
declare const from: string
declare const to: string
declare function show(pointer: string, detail: string): void

/** Holds when the two types are the same. */
function same<A, B>(
  _same: (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false,
): void {}

export async function connecting(): Promise<void> {
  const jira = await connect('jira', {
    credentials: { username: 'ada@example.com', password: apiToken },
    config: { subdomain: 'acme' },
  })
  same<typeof jira, Connectors['jira']>(true)
  await connect('gong', { credentials: () => ({ refresh_token: 'r', client_id: 'c' }) })
  await connect('gong', {
    credentials: async () => ({ access_key: 'a', access_key_secret: 's' }),
    onCredentials: async (next, { previous, reason }) => show(reason, `${next} ${previous}`),
    withRefreshLock: async (run) => await run(),
    logger: consoleLogger(),
    hooks: { onRetry: ({ attempt, waitMs }) => show(String(attempt), String(waitMs)) },
    tracer: trace.getTracer('app'),
    timeoutMs: 10_000,
    retries: 0,
  })
  // @ts-expect-error no such connector, and direct mode needs its manifest
  await connect('acme', { credentials: { api_key: 'k' } })
  // @ts-expect-error a misspelt credential
  await connect('gong', { credentials: { access_key: 'a', acces_key_secret: 's' } })
  await connect('jira', {
    credentials: { username: 'a', password: 'b' },
    // @ts-expect-error a misspelt setting
    config: { subdomian: 'a' },
  })
  // @ts-expect-error a misspelt option
  await connect('gong', { credentials: { access_key: 'a', access_key_secret: 's' }, timeout: 5 })
}

export async function ownManifest(): Promise<void> {
  const acme = await loadManifest<Acme, AcmeSettings>('manifests/acme.yaml', { sha256: '9f3c' })
  const client = await connect(acme, { credentials: { api_key: 'k' }, config: { region: 'eu' } })
  same<typeof client, Acme>(true)
  for await (const customer of client.customers.list({ limit: 10 })) show(customer.id ?? '', '')
  // @ts-expect-error the manifest requires config.region
  await connect(acme, { credentials: { api_key: 'k' } })
  // @ts-expect-error no such region
  await connect(acme, { credentials: { api_key: 'k' }, config: { region: 'mars' } })
  const untyped = await connect(await loadManifest({ manifest: 1 }), { credentials: {} })
  await untyped.execute('anything', 'get', { id })
  // @ts-expect-error without types a client has no entities
  await untyped.customers.list()
}

export async function calling(jira: Connectors['jira'], gong: Connectors['gong']): Promise<void> {
  const { data: issue } = await jira.issues.get({ issueIdOrKey: 'ACME-7' })
  same<(typeof issue)['key'], string | undefined>(true)
  const created = await jira.issues.create({
    fields: { project: { key: 'ACME' }, issuetype: { name: 'Task' }, summary: 'Oil the hinge' },
  })
  await jira.issues_assignee.update({ issueIdOrKey: created.data.key, accountId: null })
  await gong.coaching.list({ 'workspace-id': '1', 'manager-id': '2', from, to })
  await jira.issues.get(
    { issueIdOrKey: 'ACME-7' },
    { signal: AbortSignal.timeout(5), timeoutMs: 10, retries: 1, requestId: 'r' },
  )
  const { data: removed } = await jira.issues.delete({ issueIdOrKey: 'ACME-7' })
  same<typeof removed, null>(true)
  // @ts-expect-error no such entity
  await jira.isues.get({ issueIdOrKey: 'ACME-7' })
  // @ts-expect-error no such action
  await jira.issues.remove({ issueIdOrKey: 'ACME-7' })
  // @ts-expect-error misspelt parameter
  await jira.issues.get({ issueIdOrKey: 'ACME-7', expnd: 'names' })
  // @ts-expect-error wrong type
  await jira.issues.api_search({ jql, maxResults: '50' })
  // @ts-expect-error a required parameter is missing
  await jira.issues.get({})
  // @ts-expect-error required parameters are missing
  await jira.issues.get()
  // @ts-expect-error the wire spells it with hyphens
  await gong.coaching.list({ workspace_id: '1', manager_id: '2', from, to })
  // @ts-expect-error null is a value only where the manifest says so
  await jira.issues.get({ issueIdOrKey: null })
  // @ts-expect-error headers cannot be sent along
  await jira.issues.get({ issueIdOrKey: 'ACME-7' }, { headers: {} })
}

export async function dynamicCalls(jira: Connectors['jira']): Promise<void> {
  const { data } = await jira.execute('issues', 'get', { issueIdOrKey: 'ACME-7' })
  same<(typeof data)['id'], string | undefined>(true)
  const { requests } = await jira.preview('issues', 'update', {
    issueIdOrKey: 'ACME-7',
    fields: { labels: ['a'] },
    transition: { id: '31' },
  })
  show(requests[0]?.curl ?? '', requests[1]?.after ?? '')
  for await (const user of jira.execute('users', 'list')) show(user.accountId ?? '', '')
  // @ts-expect-error no such action
  await jira.execute('issues', 'remove', { issueIdOrKey: 'ACME-7' })
  // @ts-expect-error no such entity
  await jira.execute('isues', 'get', { issueIdOrKey: 'ACME-7' })
  // @ts-expect-error misspelt parameter
  await jira.execute('issues', 'get', { issueIdOrKe: 'ACME-7' })
  // @ts-expect-error a required parameter is missing
  await jira.preview('issues', 'get')
  // @ts-expect-error no such entity
  jira.describe('isues')
}

export async function pages(jira: Connectors['jira'], gong: Connectors['gong']): Promise<void> {
  const page = await jira.issues.api_search({ jql })
  same<(typeof page.meta)['has_more'], boolean>(true)
  const next: typeof page | null = await page.next()
  show(String(next?.records.length), String(page.data.length))
  for await (const issue of jira.issues.api_search({ jql })) show(issue.key ?? '', '')
  for await (const each of jira.issues.api_search({ jql }).pages())
    show('', String(each.meta.total))
  const first500 = await jira.issues.api_search({ jql }).toArray({ limit: 500 })
  show(first500[0]?.id ?? '', '')
  const fields = await jira.issue_fields.api_search({ query: 'x' })
  same<typeof fields.data.isLast, boolean>(true)
  const calls = await gong.calls.list({ fromDateTime: from })
  same<number | undefined, NonNullable<typeof calls.meta.pagination>['totalRecords'] | undefined>(
    true,
  )
  const anyPage: Page = page
  show(String(anyPage.meta.next), '')
  // @ts-expect-error a limit is required
  await jira.issues.api_search({ jql }).toArray()
}

export async function downloads(gong: Connectors['gong']): Promise<void> {
  const audio = await gong.call_audio.download({
    filter: { callIds: [id] },
    contentSelector: { exposedFields: { media: true } },
  })
  show(String(audio.status), `${audio.contentType} ${audio.contentLength} ${audio.etag}`)
  for await (const chunk of audio) hash.update(chunk)
  await pipeline(audio.body, response)
  await audio.toFile('call.mp3')
  // @ts-expect-error how many bytes may be held in memory must be said
  await audio.toBytes()
}

export async function search(gong: Connectors['gong']): Promise<void> {
  const { hits, next_cursor: cursor } = await gong.calls.search({
    query: {
      filter: { and: [{ gte: { duration: 600 } }, { keyword: { title: 'renewal' } }] },
      sort: [{ started: 'desc' }],
    },
    fields: ['id', 'title'],
  })
  show(hits[0]?.id ?? '', String(cursor))
  for await (const hit of gong.calls.search({ query: {} })) show(hit.id, String(hit.data.title))
  // @ts-expect-error no such field
  await gong.calls.search({ query: { filter: { eq: { titel: 'x' } } } })
  // @ts-expect-error an integer has no words
  await gong.calls.search({ query: { filter: { keyword: { duration: 'x' } } } })
  // @ts-expect-error no such operator
  await gong.calls.search({ query: { filter: { near: { title: 'x' } } } })
  // @ts-expect-error of another type
  await gong.calls.search({ query: { filter: { gt: { duration: 'long' } } } })
  // @ts-expect-error no such direction
  await gong.calls.search({ query: { sort: [{ started: 'down' }] } })
  // @ts-expect-error this entity has no searchable fields
  await gong.coaching.search({ query: {} })
}

export async function errors(jira: Connectors['jira']): Promise<void> {
  try {
    await jira.issues.create({
      fields: { project: { id: '1' }, issuetype: { id: '1' }, summary: '' },
    })
  } catch (error) {
    if (isConnectorError(error, 'params_invalid')) {
      same<typeof error.code & string, 'params_invalid'>(true)
      for (const problem of error.errors) show(problem.pointer, problem.detail)
    } else if (isConnectorError(error) && error.retryable)
      show(String(error.retryAfterMs ?? 1000), '')
    else throw error
  }
  const code: ErrorCode = 'upstream_failed'
  show(code, '')
  // @ts-expect-error no such code
  isConnectorError(null, 'params_wrong')
}

export async function testing(): Promise<void> {
  const manifest = await loadManifest<Acme, AcmeSettings>('manifests/acme.yaml')
  await using vendor = await sandbox(manifest)
  await using acme = await connect(manifest, vendor.options())
  same<typeof acme, Acme>(true)
  await using jira = await sandbox('jira')
  await connect('jira', jira.options())
}

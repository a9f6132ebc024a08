import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { connect } from '../../src/client/connect.ts'
import { isConnectorError } from '../../src/errors.ts'
import type { FaultMode } from '../../src/sandbox/faults.ts'
import { sandbox } from '../../src/sandbox/open-sandbox.ts'

const create = { fields: { project: { key: 'OPS' }, issuetype: { name: 'Task' }, summary: 'Once' } }

describe('U10 a write whose answer is lost is never sent again', () => {
  test.for<{ mode: FaultMode; code: string }>([
    { mode: 'status-after-apply', code: 'upstream_failed' },
    { mode: 'reset-after-apply', code: 'upstream_unreachable' },
    { mode: 'hang-after-apply', code: 'upstream_timeout' },
  ])('$mode', async ({ mode, code }) => {
    await using vendor = await sandbox('jira')
    vendor.fail('issues.create', { mode })
    await using jira = await connect('jira', {
      ...vendor.options(),
      limits: null,
      timeoutMs: 3_000,
    })
    const before = vendor.records('issues').length
    const error: unknown = await jira
      .execute('issues', 'create', create)
      .catch((reason: unknown) => reason)
    expect(isConnectorError(error) && [error.code, error.outcome, error.retryable]).toEqual([
      code,
      'uncertain',
      false,
    ])
    expect(vendor.records('issues').length - before).toBe(1)
    expect(vendor.requests('issues.create')).toHaveLength(1)
  })

  test.for<{ mode: FaultMode }>([{ mode: 'rate-limited' }])(
    'but one that was refused for its rate is: $mode',
    async ({ mode }) => {
      await using vendor = await sandbox('jira')
      vendor.fail('issues.create', { mode, retryAfter: 1 })
      await using jira = await connect('jira', { ...vendor.options(), limits: null })
      await jira.execute('issues', 'create', create)
      expect(vendor.requests('issues.create')).toHaveLength(2)
    },
  )
})

describe('a read survives one failure', () => {
  test.for<{ mode: FaultMode }>([{ mode: 'status' }, { mode: 'reset' }, { mode: 'rate-limited' }])(
    '$mode',
    async ({ mode }) => {
      await using vendor = await sandbox('gong')
      vendor.fail('users.list', { mode, ...(mode === 'rate-limited' ? { retryAfter: 1 } : {}) })
      await using gong = await connect('gong', { ...vendor.options(), limits: null })
      expect((await gong.execute('users', 'list')).records.length).toBeGreaterThan(0)
      expect(vendor.requests('users.list')).toHaveLength(2)
    },
  )
})

describe('an answer that cannot be read is no empty list', () => {
  test.for<{ mode: FaultMode }>([{ mode: 'html' }, { mode: 'malformed' }])(
    '$mode',
    async ({ mode }) => {
      await using vendor = await sandbox('gong')
      vendor.fail('users.list', { mode, times: 3 })
      await using gong = await connect('gong', { ...vendor.options(), limits: null })
      await expect(gong.execute('users', 'list')).rejects.toMatchObject({
        code: 'upstream_malformed',
        retryable: false,
      })
    },
  )
})

test('a delete whose answer is lost is repeated, and its 404 is a success', async () => {
  await using vendor = await sandbox('jira')
  await using jira = await connect('jira', { ...vendor.options(), limits: null })
  const { data } = await jira.execute('issues', 'create', create)
  vendor.fail('issues.delete', { mode: 'status-after-apply' })
  expect(
    await jira.execute('issues', 'delete', { issueIdOrKey: (data as { key: string }).key }),
  ).toEqual({ data: null, meta: {} })
  expect(vendor.requests('issues.delete')).toHaveLength(2)
})

test('wrong credentials are refused at once, without a storm of repetitions', async () => {
  await using vendor = await sandbox('gong')
  await using gong = await connect('gong', {
    ...vendor.options(),
    limits: null,
    credentials: { access_key: 'wrong', access_key_secret: 'wrong-secret' },
  })
  await expect(gong.execute('users', 'list')).rejects.toMatchObject({
    code: 'credentials_refused',
    status: 424,
    retryable: false,
  })
  expect(vendor.requests()).toHaveLength(1)
})

test('M1 a file that breaks off is an error with the bytes that came, never a short clean end', async () => {
  await using vendor = await sandbox('gong', { fileBytes: 1_000_000 })
  await using gong = await connect('gong', { ...vendor.options(), limits: null })
  const [call] = await gong.execute('calls', 'list').toArray({ limit: 1 })
  vendor.fail('file', { mode: 'cut', bytes: 300_000 })
  const file = await gong.execute('call_audio', 'download', {
    filter: { callIds: [(call as { id: string }).id] },
    contentSelector: { exposedFields: { media: true } },
  })
  await expect(file.toBytes({ maxBytes: 2_000_000 })).rejects.toMatchObject({
    code: 'download_interrupted',
  })
})

test('K5 no canary of the credentials appears in errors, previews, hooks or logs', async () => {
  await using vendor = await sandbox('jira')
  const shown: unknown[] = []
  const log = (...words: unknown[]): void => void shown.push(words)
  await using jira = await connect('jira', {
    ...vendor.options(),
    limits: null,
    credentials: { username: 'canary.user@example.com', password: 'canary-pass-9f3c/+ü"' },
    logger: { debug: log, info: log, warn: log, error: log },
    hooks: { onRequest: log, onResponse: log, onRetry: log, onError: log },
  })
  await jira.execute('issues', 'get', { issueIdOrKey: 'canary-pass-9f3c/+ü"' }).catch(log)
  shown.push(await jira.preview('issues', 'get', { issueIdOrKey: 'canary-pass-9f3c/+ü"' }))
  const text = JSON.stringify(shown, (_, value: unknown) =>
    value instanceof Error ? [value.message, value.stack, inspect(value, { depth: 5 })] : value,
  )
  const secret = 'canary-pass-9f3c/+ü"'
  for (const form of [
    secret,
    encodeURIComponent(secret),
    Buffer.from(`canary.user@example.com:${secret}`).toString('base64'),
  ]) {
    expect(text).not.toContain(form)
  }
})

import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { connect } from '../../../src/client/connect.ts'
import { sandbox } from '../../../src/sandbox/open-sandbox.ts'
import { recorder } from '../../../src/sandbox/testing/recorder.ts'

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
}

test('a recording replays without the third party, and holds no credentials', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'tenon-tape-'))
  const vendor = await sandbox('jira')
  const options = { ...vendor.options(), limits: null }
  const { username, password } = options.credentials as { username: string; password: string }
  const operation = ['issues', 'api_search', { jql: 'project = OPS', maxResults: 3 }] as const

  const tape = await recorder('jira search', {
    dir,
    mode: 'record',
    env: { JIRA_USER: username, JIRA_TOKEN: password },
  })
  const live = await connect('jira', {
    ...options,
    credentials: { username: tape.value('JIRA_USER'), password: tape.secret('JIRA_TOKEN') },
    dispatcher: tape.dispatcher,
  })
  const recorded = await live.execute(...operation)
  await live.close()
  await tape.stop()
  await vendor.close()

  await using replayed = await recorder('jira search', { dir, mode: 'replay' })
  await using client = await connect('jira', {
    ...options,
    credentials: { username: 'someone@example.com', password: replayed.secret('JIRA_TOKEN') },
    dispatcher: replayed.dispatcher,
  })
  expect((await client.execute(...operation)).records).toEqual(recorded.records)

  const [text = ''] = filesBelow(dir)
  expect(text).toContain('/rest/api/3/search/jql')
  expect(text.toLowerCase()).not.toContain('authorization')
  expect(text).not.toContain(password)
  expect(text).not.toContain(Buffer.from(`${username}:${password}`).toString('base64'))
})

test('a request that the recording lacks is a failure, never a live call', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'tenon-tape-'))
  await using vendor = await sandbox('jira')
  await using tape = await recorder('empty', { dir, mode: 'replay' })
  await using client = await connect('jira', {
    ...vendor.options(),
    limits: null,
    retries: 0,
    dispatcher: tape.dispatcher,
  })
  await expect(client.execute('issue_fields', 'list')).rejects.toMatchObject({
    code: 'upstream_unreachable',
  })
  expect(vendor.requests()).toEqual([])
})

test('a recording without its variables is refused by name', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'tenon-tape-'))
  await using tape = await recorder('nameless', { dir, mode: 'record', env: {} })
  expect(() => tape.secret('GONG_SECRET')).toThrow('GONG_SECRET')
})

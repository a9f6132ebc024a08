// The official client of the protocol, with `tenon mcp` as its process.
import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tenonHere } from '../../cli/run-here.ts'
import { tenon } from '../../cli/run-tenon.ts'
import { bareEnvironment } from '../../fixtures/bare-environment.ts'

const root = process.cwd()
const folder = mkdtempSync(join(tmpdir(), 'tenon-mcp-'))

interface Spoken {
  readonly client: Client
  readonly errors: () => string
}

async function start(
  args: readonly string[],
  options: ConstructorParameters<typeof Client>[1] = {},
): Promise<Spoken> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(root, 'bin/tenon.js'), 'mcp', ...args],
    env: bareEnvironment,
    cwd: folder,
    stderr: 'pipe',
  })
  let errors = ''
  transport.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  const client = new Client({ name: 'test', version: '1' }, options)
  await client.connect(transport)
  return { client, errors: () => errors }
}

/** What an agent reads: the structured answer, which is the text as well. */
async function call(
  { client }: Spoken,
  name: string,
  input: Record<string, unknown> = {},
): Promise<{ readonly isError: boolean; readonly content: Record<string, unknown> }> {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: input })
  const [text] = content as readonly { readonly text?: string }[]
  expect(JSON.parse(text?.text ?? '')).toEqual(structuredContent)
  return { isError: isError === true, content: structuredContent as Record<string, unknown> }
}

describe('one tool per action', () => {
  let jira: Spoken
  beforeAll(async () => {
    jira = await start([
      'jira',
      '--sandbox',
      '--all-tools',
      '--allow-writes',
      '--max-answer',
      '4000',
    ])
  })
  afterAll(() => jira.client.close())

  test('tools tell what they take and what they do', async () => {
    const { tools } = await jira.client.listTools()
    expect(tools).toHaveLength(20)
    expect(tools.find(({ name }) => name === 'jira_issues_delete')).toMatchObject({
      title: 'jira issues delete',
      inputSchema: { type: 'object', required: ['issueIdOrKey'] },
      annotations: {
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: true,
        openWorldHint: true,
      },
    })
  })

  test('the server tells how to use it', () => {
    expect(jira.client.getServerVersion()).toMatchObject({ name: 'tenon' })
    expect(jira.client.getInstructions()).toContain('answer_cursor')
  })

  test('an agent finds, reads, changes and reads again', async () => {
    const found = await call(jira, 'jira_issues_api_search', {
      jql: 'project = OPS ORDER BY created',
      maxResults: 2,
      answer_fields: ['key'],
    })
    expect(found.isError).toBe(false)
    const [first] = found.content['data'] as readonly { readonly key: string }[]
    const key = first?.key
    const changed = await call(jira, 'jira_issues_update', {
      issueIdOrKey: key,
      fields: { summary: 'Oil the hinge' },
    })
    expect(changed.isError).toBe(false)
    expect(
      await call(jira, 'jira_issues_get', {
        issueIdOrKey: key,
        answer_fields: ['fields.summary'],
      }),
    ).toEqual({ isError: false, content: { data: { fields: { summary: 'Oil the hinge' } } } })
  })

  test('L4 the cursor goes through all records once, however small the answers are', async () => {
    const input = { jql: 'project = OPS ORDER BY created', maxResults: 20 }
    const keys: unknown[] = []
    let cursor: unknown
    let answers = 0
    do {
      const { content } = await call(jira, 'jira_issues_api_search', {
        ...input,
        ...(cursor === undefined ? {} : { answer_cursor: cursor }),
      })
      expect(JSON.stringify(content).length).toBeLessThanOrEqual(4000)
      keys.push(...(content['data'] as readonly { readonly key: string }[]).map(({ key }) => key))
      cursor = content['answer_cursor']
      answers++
    } while (typeof cursor === 'string')
    expect(cursor).toBeNull()
    expect(answers).toBeGreaterThan(3)
    expect(new Set(keys).size).toBe(keys.length)
    const all = await tenonHere([
      'try',
      'jira',
      'issues.api_search',
      '--params',
      JSON.stringify({ jql: input.jql }),
      '--all',
      '--json',
      '--sandbox',
    ])
    expect(keys.length).toBe(all.out.trim().split('\n').length)
  })

  test('a mistake is an answer that tells how to mend it', async () => {
    const { isError, content } = await call(jira, 'jira_issues_get', { issueIdOrKey: 'NONE-1' })
    expect(isError).toBe(true)
    expect(content).toMatchObject({
      error: { code: 'upstream_not_found', third_party: { status: 404 } },
      how_to_mend:
        'There is no such record, or it is not visible. Look the id up with a listing or a search action.',
    })
  })

  test('fields that are not there are answered with those that are', async () => {
    const { content } = await call(jira, 'jira_projects_get', {
      projectIdOrKey: 'OPS',
      answer_fields: ['titel'],
    })
    expect(content['note']).toMatch(/^no record here has titel; there is .*\bkey\b/)
  })

  test('a field that is not there is told beside those that are', async () => {
    const { content } = await call(jira, 'jira_issues_get', {
      issueIdOrKey: 'OPS-1',
      answer_fields: ['key', 'fields.sumary'],
    })
    expect(content).toEqual({
      data: { key: 'OPS-1', fields: {} },
      note: 'no record here has fields.sumary',
    })
  })

  test('a page that was cut to fit has no token of the third party that would skip the rest of it', async () => {
    const { content } = await call(jira, 'jira_issues_api_search', {
      jql: 'project = OPS ORDER BY created',
      maxResults: 20,
    })
    expect(Object.keys(content)).toEqual(['data', 'answer_cursor', 'note'])
    expect(content['note']).toMatch(
      /more records of this page did not fit; with few answer_fields more of them fit$/,
    )
  })

  test('a refusal tells what the param takes that was given', async () => {
    const { content } = await call(jira, 'jira_issues_api_search', { jql: 'projct = ' })
    expect(content['how_to_mend']).toContain('jql: Query, for example: project = ACME')
  })

  test('a change that failed midway tells what was done and what is left', async () => {
    const { content } = await call(jira, 'jira_issues_update', {
      issueIdOrKey: 'OPS-3',
      fields: { summary: 'Oil the hinge' },
      transition: { id: '999' },
    })
    expect(content).toMatchObject({
      error: {
        outcome: 'uncertain',
        steps: [
          { step: 'edit', outcome: 'applied' },
          { step: 'transition', outcome: 'not_applied' },
        ],
      },
      how_to_mend: expect.stringMatching(/^Done: edit; .* Not done: transition; /) as unknown,
    })
  })

  test('a problem tells the form with an example, and what else the tool takes', async () => {
    const { content } = await call(jira, 'jira_issues_update', {
      issueIdOrKey: 'OPS-1',
      fields: { description: 'text' },
      sumary: 'x',
    })
    expect(content).toMatchObject({
      error: {
        problems: [
          { at: '/sumary', allowed: expect.arrayContaining(['answer_fields']) as unknown },
          {
            at: '/fields/description',
            detail: expect.stringContaining('{"type":"doc","version":1,') as unknown,
          },
        ],
      },
    })
  })

  test.for([{ answer_fields: 'key' }, { answer_cursor: 7 }, { answer_cursor: 'next' }])(
    '%o is refused',
    async (wrong) => {
      const { isError, content } = await call(jira, 'jira_issues_api_search', {
        jql: 'x',
        ...wrong,
      })
      expect(isError).toBe(true)
      expect(content['error']).toMatchObject({
        code: expect.stringMatching(/_invalid$/) as unknown,
      })
    },
  )

  test('a tool that is not there is an error of the protocol', async () => {
    await expect(jira.client.callTool({ name: 'jira_issues_remove' })).rejects.toMatchObject({
      code: -32602,
    })
  })
})

describe('three tools for two connectors', () => {
  let both: Spoken
  beforeAll(async () => {
    both = await start(['jira', 'calls=gong', '--sandbox', '--mode', 'three', '--allow-writes'])
  })
  afterAll(() => both.client.close())

  test('describe tells what there is, step by step', async () => {
    const all = await call(both, 'describe')
    expect(all.content).toMatchObject({
      connectors: { jira: { issues_assignee: ['update'] }, calls: { workspaces: ['list'] } },
    })
    const entity = await call(both, 'describe', { connector: 'jira', entity: 'issues' })
    expect(entity.content).toMatchObject({
      entity: 'issues',
      actions: { create: expect.stringContaining('(changes data)') as unknown },
      record: { key: 'string' },
    })
    const action = await call(both, 'describe', {
      connector: 'jira',
      entity: 'issues',
      action: 'get',
    })
    expect(action.content).toMatchObject({
      changes_data: false,
      params: { required: ['issueIdOrKey'] },
    })
  })

  test('execute runs what describe told', async () => {
    expect(
      await call(both, 'execute', {
        connector: 'jira',
        entity: 'issues',
        action: 'get',
        params: { issueIdOrKey: 'OPS-1' },
        answer_fields: ['key'],
      }),
    ).toEqual({ isError: false, content: { data: { key: 'OPS-1' } } })
  })

  test('a cursor is refused where nothing goes on', async () => {
    const { content } = await call(both, 'execute', {
      connector: 'jira',
      entity: 'issues',
      action: 'get',
      params: { issueIdOrKey: 'OPS-1' },
      answer_cursor: 'x',
    })
    expect(content).toMatchObject({
      error: {
        code: 'params_invalid',
        problems: [{ at: '/answer_cursor', detail: 'goes with list, api_search, search only' }],
      },
    })
  })

  test('search says that it needs the service, and what to do instead', async () => {
    const { isError, content } = await call(both, 'search', {
      connector: 'jira',
      entity: 'issues',
      filter: { eq: { key: 'OPS-1' } },
    })
    expect(isError).toBe(true)
    expect(content).toEqual({
      error: {
        code: 'search_needs_hosted_mode',
        message: expect.stringContaining('connectHosted') as unknown,
        retryable: false,
      },
      how_to_mend:
        'Search works on the synchronized copy that the hosted service keeps; this connection is direct. Use a list or api_search action and its own filters instead.',
    })
  })

  test('names that are not there come back with those that are', async () => {
    const { content } = await call(both, 'execute', {
      connector: 'jira',
      entity: 'issue',
      action: 'get',
    })
    expect(content).toMatchObject({
      error: {
        code: 'operation_unknown',
        problems: [
          {
            at: '/entity',
            detail: expect.stringContaining('did you mean "issues"') as unknown,
            allowed: expect.arrayContaining(['issues', 'projects']) as unknown,
          },
        ],
      },
    })
  })
})

test('both eras of the protocol are served', async () => {
  for (const mode of ['legacy', { pin: '2026-07-28' }] as const) {
    const spoken = await start(['gong', '--sandbox', '--all-tools'], {
      versionNegotiation: { mode },
    })
    const { tools } = await spoken.client.listTools()
    expect(tools.length).toBe(18)
    const { content } = await call(spoken, 'gong_users_list', { answer_fields: ['id'] })
    expect((content['data'] as unknown[]).length).toBeGreaterThan(0)
    await spoken.client.close()
    expect(spoken.errors()).toBe('')
  }
})

test('L1 writes are off unless they are allowed', async () => {
  const perAction = await start(['jira', '--sandbox', '--mode', 'actions'])
  const { tools } = await perAction.client.listTools()
  expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true)
  await expect(
    perAction.client.callTool({ name: 'jira_issues_delete', arguments: { issueIdOrKey: 'OPS-1' } }),
  ).rejects.toMatchObject({ code: -32602 })
  await perAction.client.close()

  const three = await start(['jira', '--sandbox'])
  const refused = await call(three, 'execute', {
    entity: 'issues',
    action: 'delete',
    params: { issueIdOrKey: 'OPS-1' },
  })
  expect(refused).toMatchObject({ isError: true, content: { error: { code: 'scope_denied' } } })
  await three.client.close()
})

test('a file is stored where the user said, and its path is told', async () => {
  const gong = await start(['gong', '--sandbox', '--all-tools', '--downloads', 'files'])
  const users = await call(gong, 'gong_calls_list', { answer_fields: ['id'] })
  const [first] = users.content['data'] as readonly { readonly id: string }[]
  const { content } = await call(gong, 'gong_call_audio_download', {
    filter: { callIds: [first?.id] },
    contentSelector: { exposedFields: { media: true } },
  })
  const { saved_as: path } = content['data'] as { readonly saved_as: string }
  expect(readdirSync(join(folder, 'files')).map((name) => join(folder, 'files', name))).toEqual([
    path,
  ])
  await gong.client.close()
})

describe('the command', () => {
  test('--list tells tools and their size, and needs no credentials', async () => {
    const { code, out, err } = await tenon(['mcp', 'jira', '--list', '--json'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const { tools, tokens } = JSON.parse(out) as { tools: { name: string }[]; tokens: number }
    expect(tools.map(({ name }) => name)).toEqual(['describe', 'execute', 'search'])
    expect(tokens).toBeLessThanOrEqual(1500)
    const text = await tenonHere(['mcp', 'jira', '--list', '--all-tools'])
    expect(text.out).toMatch(/^jira_issues_get +reads +\d+$/m)
    // A script reads each line but the last as a tool; names may be long.
    const long = 'a'.repeat(44)
    const { out: listed } = await tenonHere(['mcp', `${long}=gong`, '--list', '--mode', 'actions'])
    const lines = listed.trimEnd().split('\n').slice(0, -1)
    expect(lines.filter((line) => !/^a{44}_\w+ +(reads|changes) +\d+$/.test(line))).toEqual([])
  })

  test('L3 with several connectors a variable without a name counts for none', async () => {
    const env = { TENON_TRY_USERNAME: 'a', TENON_TRY_PASSWORD: 'b', TENON_TRY_SUBDOMAIN: 'c' }
    const { code, err } = await tenonHere(['mcp', 'jira', 'gong'], { env })
    expect([code, err]).toEqual([3, expect.stringContaining('TENON_TRY_JIRA_PASSWORD')])
  })

  test.for([
    { args: ['jira'], code: 3, says: 'TENON_TRY_USERNAME' },
    { args: ['jira', 'gong'], code: 3, says: 'TENON_TRY_JIRA_USERNAME' },
    { args: ['jira', 'jira', '--sandbox'], code: 2, says: 'a=<type> b=<type>' },
    { args: ['jira', 'gong', '--credentials', '@x.json'], code: 2, says: '--credentials jira=' },
    { args: ['jira', '--sandbox', '--entities', 'isues'], code: 2, says: 'did you mean "issues"' },
    { args: ['jira', '--sandbox', '--mode', 'four'], code: 2, says: 'Allowed choices' },
    { args: ['jira', '--all-tools', '--mode', 'three'], code: 2, says: 'exclude each other' },
    { args: ['jra', '--sandbox'], code: 2, says: 'jira' },
  ])('$args ends with $code', async ({ args, code, says }) => {
    const ended = await tenonHere(['mcp', ...args])
    expect(ended).toEqual({ code, out: '', err: expect.stringContaining(says) as unknown })
  })

  test('--json is for --list, and told as JSON too', async () => {
    const says = expect.stringContaining('--list') as unknown
    const { code, out, err } = await tenonHere(['mcp', 'jira', '--sandbox', '--json'])
    expect({ code, err, out: JSON.parse(out) as unknown }).toEqual({
      code: 2,
      err: says,
      out: { error: expect.objectContaining({ message: says }) as unknown },
    })
  })
})

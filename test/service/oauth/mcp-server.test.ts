// A service and the official MCP server behind OAuth: registered, consented, called, refreshed, synchronized and searched.
import { createHash, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import type { Sandbox } from '../../../src/sandbox/sandbox.ts'
import { eventually } from '../../faults/resources.ts'
import { methodFile } from '../../fixtures/method-manifest.ts'
import { type McpFixture, startMcpServer } from '../../fixtures/mcp-server.ts'
import { type RunningService, runService } from '../../fixtures/running-service.ts'

const SECRET = { type: 'string', writeOnly: true }
const RESOURCE = 'https://mcp.acme.example/mcp'
const LOGIN = 'https://login.acme.example'
const TEXT = { type: 'string' }
const TOOLS = {
  check: { entity: 'notes', action: 'list' },
  server: { url: RESOURCE },
  entities: {
    notes: {
      record: { required: ['id'], properties: { id: TEXT, title: TEXT } },
      actions: {
        list: {
          summary: 'List notes',
          params: { properties: { cursor: TEXT } },
          request: { mcp: 'list_notes', reads: true },
          response: { records: '$.notes' },
          pagination: { type: 'cursor', param: 'cursor', next: '$.next', silent_end: true },
        },
        create: {
          summary: 'Add a note',
          params: { required: ['title'], properties: { title: TEXT } },
          request: { mcp: 'add_note' },
        },
      },
      search: { fields: 'all' },
      sync: { primary_key: 'id', action: 'list' },
    },
  },
}
const METHOD = {
  credentials: {
    required: ['access_token'],
    properties: { access_token: SECRET, refresh_token: SECRET, client_id: TEXT },
  },
  apply: { bearer: '{{ credentials.access_token }}' },
  oauth2: {
    client: 'registered',
    register: { url: `${LOGIN}/register`, name: 'My app' },
    authorize: { url: `${LOGIN}/authorize`, scopes: ['notes'], params: { resource: RESOURCE } },
    token: { url: `${LOGIN}/token`, client_auth: 'none', params: { resource: RESOURCE } },
    refresh: { params: { resource: RESOURCE } },
    rotates_refresh_token: true,
  },
}

/** An authorization server as the protocol wants it: RFC 7591, RFC 7636 with S256 only, RFC 8707, refresh tokens used once. */
class Issuer {
  readonly clients = new Set<string>()
  readonly access = new Set<string>()
  readonly seen: string[] = []
  #refresh: string | null = null
  readonly #codes = new Map<string, URLSearchParams>()

  readonly takes = (request: IncomingMessage, response: ServerResponse): boolean => {
    const { pathname, searchParams } = new URL(request.url ?? '', LOGIN)
    if (pathname === '/mcp') return false
    void this.#answer(pathname, searchParams, request, response)
    return true
  }

  async #answer(
    path: string,
    query: URLSearchParams,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const body = Buffer.concat(await request.toArray()).toString()
    const say = (status: number, value: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    }
    if (path === '/register') {
      const { redirect_uris: uris } = JSON.parse(body) as { readonly redirect_uris: string[] }
      const id = randomUUID()
      this.clients.add(id)
      this.seen.push('register')
      return say(201, {
        client_id: id,
        redirect_uris: uris,
        // Metadata that leads elsewhere: nobody has asked for it, and nobody may go there.
        registration_client_uri: 'http://169.254.169.254/latest',
        token_endpoint: 'http://169.254.169.254/token',
      })
    }
    if (path === '/authorize') {
      const isWhole =
        this.clients.has(query.get('client_id') ?? '') &&
        query.get('code_challenge_method') === 'S256' &&
        query.get('resource') === RESOURCE
      if (!isWhole) return say(400, { error: 'invalid_request' })
      const code = randomUUID()
      this.#codes.set(code, query)
      const back = new URL(query.get('redirect_uri') ?? '')
      back.searchParams.set('code', code)
      back.searchParams.set('state', query.get('state') ?? '')
      this.seen.push('authorize')
      return void response.writeHead(302, { location: back.href }).end()
    }
    const form = new URLSearchParams(body)
    const grant = form.get('grant_type')
    const isOurs =
      this.clients.has(form.get('client_id') ?? '') && form.get('resource') === RESOURCE
    const isGranted =
      grant === 'refresh_token' ? form.get('refresh_token') === this.#refresh : this.#redeem(form)
    if (path !== '/token' || !isOurs || !isGranted) return say(400, { error: 'invalid_grant' })
    const [access, refresh] = [randomUUID(), randomUUID()]
    this.access.add(access)
    this.#refresh = refresh
    this.seen.push(grant ?? '')
    say(200, {
      access_token: access,
      refresh_token: refresh,
      token_type: 'Bearer',
      expires_in: 3600,
    })
  }

  #redeem(form: URLSearchParams): boolean {
    const code = form.get('code') ?? ''
    const asked = this.#codes.get(code)
    this.#codes.delete(code)
    const proof = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    return (
      asked?.get('code_challenge') === proof &&
      asked.get('redirect_uri') === form.get('redirect_uri')
    )
  }
}

/** The service finds another server where its sandbox would stand. */
function standInFor(world: RunningService, { url }: McpFixture): void {
  const sandboxes = world.service.sandboxes as Map<string, Sandbox>
  const acme = world.vendor('acme')
  const moved = new Proxy(acme, {
    get: (target, name) => (name === 'url' ? url : Reflect.get(target, name, target)),
  })
  sandboxes.set('acme', moved)
}

async function visit(url: string, cookie?: string): Promise<{ location: string; cookie: string }> {
  const headers = cookie === undefined ? {} : { cookie }
  const response = await fetch(url, { redirect: 'manual', headers })
  const set = response.headers.get('set-cookie')?.split(';')[0]
  return { location: response.headers.get('location') ?? '', cookie: set ?? '' }
}

test('from the registration of a client to a search in the copy', async () => {
  const notes = ['first', 'second', 'third'].map((title, index) => ({ id: String(index), title }))
  const issuer = new Issuer()
  await using server = await startMcpServer('sessions', {
    tools: ['list_notes', 'add_note'].map((name) => ({ name, inputSchema: { type: 'object' } })),
    takes: issuer.takes,
    token: (given) => issuer.access.has(given),
    call(name, { cursor, title }) {
      if (name === 'add_note') notes.push({ id: String(notes.length), title: String(title) })
      const from = Number(cursor ?? 0)
      const page = {
        notes: notes.slice(from, from + 2),
        ...(from + 2 < notes.length && { next: String(from + 2) }),
      }
      const value = name === 'add_note' ? notes.at(-1) : page
      return { content: [], structuredContent: value as Record<string, unknown> }
    },
  })
  await using file = await methodFile({ oauth: METHOD }, TOOLS)
  await using world = await runService({ manifests: [file.path], connectors: ['acme'], jobs: true })
  standInFor(world, server)

  const started = await world.call('POST', '/v1/integrations/connectors/oauth/initiate', {
    external_user_id: 'user-1',
    connector_type: 'acme',
    redirect_url: 'http://localhost:3000/connected',
  })
  const { consent_url: consent } = started.body as { readonly consent_url: string }
  const begun = await visit(consent)
  const agreed = await visit(begun.location)
  const back = new URL((await visit(agreed.location, begun.cookie)).location)
  const created = await world.call('POST', '/v1/integrations/connectors', {
    external_user_id: 'user-1',
    connector_type: 'acme',
    name: 'acme',
    server_side_oauth_secret_id: back.searchParams.get('secret_id'),
  })
  expect([created.status, created.body]).toMatchObject([201, { state: 'active' }])
  expect(issuer.seen).toEqual(['register', 'authorize', 'authorization_code'])
  const { id } = created.body as { readonly id: string }

  const run = async (action: string, params: object = {}) =>
    await world.call('POST', `/api/v1/connectors/sources/${id}/execute`, {
      entity: 'notes',
      action,
      params,
    })
  const listed = await run('list')
  expect([listed.status, listed.body]).toMatchObject([
    200,
    { data: notes.slice(0, 2), meta: { has_more: true, next: { cursor: '2' } } },
  ])
  const titles = async (): Promise<readonly string[]> => {
    const { body } = await run('search', { query: { filter: {} }, limit: 100 })
    const { hits = [] } = body as {
      readonly hits?: readonly { readonly data: { readonly title: string } }[]
    }
    return hits.map(({ data }) => data.title).toSorted()
  }
  await eventually(async () => (await titles()).length === 3)
  expect(await titles()).toEqual(['first', 'second', 'third'])

  // The server ends all tokens and forgets all sessions: one refresh, one handshake, one call of the tool.
  const before = notes.length
  issuer.access.clear()
  server.forget()
  const added = await run('create', { title: 'fourth' })
  expect([added.status, notes.length - before]).toEqual([200, 1])
  expect(issuer.seen.slice(3)).toEqual(['refresh_token'])

  const shown = JSON.stringify([world.lines, created.body, listed.body, added.body])
  for (const token of issuer.access) expect(shown).not.toContain(token)
})

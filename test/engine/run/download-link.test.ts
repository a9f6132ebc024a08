// A link to a file that is refused: told as that, where the host that refused it was given no credentials.
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { connect } from '../../../src/client/connect.ts'
import type { Transport } from '../../../src/engine/exchange/transport.ts'
import { loadManifest, requireManifest } from '../../../src/language/manifest/load.ts'

const API = 'https://api.acme.example/v1'
const MEDIA = 'https://media.acme.example/a.mp3?signature=abc'

/** The error rule is about the API; a media host that answers 402 says nothing about the account. */
const MANIFEST = `
manifest: 1
connector: { type: acme, title: Acme, version: 1.0.0 }
server: { url: ${API} }
auth:
  oauth:
    credentials:
      required: [access_token, refresh_token]
      properties:
        access_token: { type: string, writeOnly: true }
        refresh_token: { type: string, writeOnly: true }
    apply: { bearer: '{{ credentials.access_token }}' }
    oauth2:
      authorize: { url: https://api.acme.example/authorize }
      token: { url: https://api.acme.example/token, client_auth: none }
defaults: { errors: [{ when: { status: 402 }, then: reauthorize }] }
entities:
  profile: { actions: { get: { request: { http: GET /profile } } } }
  linked: { actions: { download: { scopes: [files.read], request: { http: GET /files }, download: { url: $.url } } } }
  trusted: { actions: { download: { scopes: [files.read], request: { http: GET /files }, download: { url: $.url, auth: same } } } }
  direct: { actions: { download: { scopes: [files.read], request: { http: GET /files, redirects: 1 }, download: { types: [audio/*] } } } }
`
const manifest = requireManifest(loadManifest({ file: 'acme.yaml', text: MANIFEST }))

interface Given {
  readonly entity: string
  /** Where the record says that the file is. */
  readonly link: string
  readonly status: number
  /** Where a redirect led, if there was one. */
  readonly answeredBy?: string
}

/** The failure of a download, what was asked, and whether the account is still trusted. */
async function outcomeOf({ entity, link, status, answeredBy }: Given) {
  const asked: string[] = []
  const transport: Transport = {
    send: async ({ url, method }) => {
      asked.push(`${method} ${url}`)
      const body = url.endsWith('/files') ? { url: link } : {}
      return {
        status: 200,
        headers: { 'content-type': 'application/json' },
        url,
        body: Buffer.from(JSON.stringify(body)),
      }
    },
    stream: async ({ url, method }) => {
      asked.push(`${method} ${url}`)
      return {
        status,
        headers: { 'content-type': 'text/plain' },
        url: answeredBy ?? url,
        body: Readable.from([Buffer.from('no')]),
      }
    },
    close: async () => {},
  }
  await using client = await connect(manifest, {
    credentials: { access_token: 'demo-access', refresh_token: 'demo-refresh' },
    transport,
    onCredentials: () => {},
  })
  const error: unknown = await client.execute(entity, 'download', {}).catch((e: unknown) => e)
  const { code, status: told, retryable, details, upstream } = error as Record<string, unknown>
  const sent = [...asked]
  await client.execute('profile', 'get')
  return { error: { code, status: told, retryable, details, upstream }, sent }
}

const UPSTREAM = { requestId: null, body: 'no' }

test.for([
  { name: 'a link that a media host refuses', entity: 'linked', link: MEDIA, status: 403 },
  {
    name: 'also with the status for missing credentials',
    entity: 'linked',
    link: MEDIA,
    status: 401,
  },
  {
    name: 'also where a rule reads it as the end of a connection',
    entity: 'linked',
    link: MEDIA,
    status: 402,
  },
  {
    name: 'also on the host of the API',
    entity: 'linked',
    link: `${API}/a.mp3?sig=abc`,
    status: 403,
  },
])('$name is no refusal of the credentials', async (given) => {
  const { entity, link, status } = given
  expect(await outcomeOf(given)).toEqual({
    error: {
      code: 'download_link_refused',
      status: 502,
      retryable: true,
      details: { entity, action: 'download' },
      upstream: { status, ...UPSTREAM },
    },
    sent: [`GET ${API}/files`, `GET ${link}`],
  })
})

test('the host behind a redirect was given none either', async () => {
  const given = { entity: 'direct', link: '', status: 403, answeredBy: MEDIA }
  expect(await outcomeOf(given)).toEqual({
    error: {
      code: 'download_link_refused',
      status: 502,
      retryable: true,
      details: { entity: 'direct', action: 'download' },
      upstream: { status: 403, ...UPSTREAM },
    },
    sent: [`GET ${API}/files`],
  })
})

test.for([
  { name: 'a file of the API itself', entity: 'direct', link: '' },
  { name: 'a link that is followed with credentials', entity: 'trusted', link: `${API}/a.mp3` },
])('$name is refused for a missing permission', async ({ entity, link }) => {
  const { error } = await outcomeOf({ entity, link, status: 403 })
  expect(error).toEqual({
    code: 'upstream_forbidden',
    status: 424,
    retryable: false,
    details: { entity, action: 'download', scopes: ['files.read'] },
    upstream: { status: 403, ...UPSTREAM },
  })
})

test('other failures of a media host stay what they are', async () => {
  const { error } = await outcomeOf({ entity: 'linked', link: MEDIA, status: 404 })
  expect(error).toMatchObject({ code: 'upstream_not_found', retryable: false })
})

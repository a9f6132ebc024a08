// A small connector whose users consent by OAuth 1.0a, and a browser that follows no redirect.

/** Every word of the block that a vendor needs only sometimes is in tests of its own. */
export const OAUTH1 = {
  request_token: { url: 'https://api.acme.example/oauth/request_token' },
  authorize: {
    url: 'https://acme.example/oauth/authorize',
    params: { name: 'Acme app' },
    store: { 'config.realm_id': '$callback.realmId' },
  },
  access_token: { url: 'https://api.acme.example/oauth/access_token' },
  store: { 'config.user_id': '$.user_id' },
}

export const METHOD = {
  credentials: {
    required: ['access_token', 'token_secret'],
    properties: {
      access_token: { type: 'string', writeOnly: true },
      token_secret: { type: 'string', writeOnly: true },
    },
  },
  apply: {
    oauth1: {
      consumer_key: '{{ client.id }}',
      consumer_secret: '{{ client.secret }}',
      token: '{{ credentials.access_token }}',
      token_secret: '{{ credentials.token_secret }}',
    },
  },
  oauth1: OAUTH1,
}

export const SERVER = {
  server: { url: 'https://api.acme.example/v3/{{ config.realm_id }}' },
  entities: {
    things: {
      record: { properties: { id: { type: 'string' } } },
      actions: {
        list: {
          summary: 'List things',
          request: { http: 'GET /users/{{ config.user_id }}/things' },
          response: { records: '$.things' },
          pagination: { type: 'none', reason: 'there are few' },
        },
      },
    },
  },
  config: {
    properties: {
      realm_id: { type: 'string', pattern: '^demo-[a-z-]+$' },
      user_id: { type: 'string' },
    },
  },
}

export interface Visited {
  readonly status: number
  readonly location: string
  readonly cookie: string
  readonly text: string
}

/** What a browser gets that follows no redirect. `form`: what it posts. */
export async function visit(
  url: string,
  cookie?: string,
  form?: Readonly<Record<string, string>>,
): Promise<Visited> {
  const response = await fetch(url, {
    redirect: 'manual',
    headers: cookie === undefined ? {} : { cookie },
    ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
  })
  return {
    status: response.status,
    location: response.headers.get('location') ?? '',
    cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '',
    text: await response.text(),
  }
}

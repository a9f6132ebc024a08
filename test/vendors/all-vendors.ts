// How each vendor behaves beyond its document: pages, expired tokens, its form of errors. Written from the vendor's own
// documentation, never from a manifest.
import type { Json, JsonObject } from '../../src/language/json/json.ts'
import type { Peculiarities, Seen } from './vendor-document.ts'
import type { Samples } from './sample-params.ts'

type Members = Record<string, Json | undefined>

export interface Vendor extends Peculiarities {
  readonly type: string
  /** What stands in an address before the paths of the document. */
  readonly base: RegExp
  readonly connection: {
    readonly credentials: JsonObject
    readonly config?: JsonObject
    readonly authMethod: string
  }
  /** The token request, and what answers it; null: this vendor renews no tokens. */
  readonly token: { readonly path: string; readonly answer: JsonObject } | null
  /** Whether a request carries this access token. */
  readonly carries: (headers: Readonly<Record<string, string>>, token: string) => boolean
  /** Which page a request asks for, from 1. */
  readonly pageOf: (seen: Seen) => number
  /** An answer as page 1 of 2 or as the last one. */
  readonly turn: (answer: Json, page: number) => Json
  /** Headers of an answer, where they lead to the next page. */
  readonly headers?: (seen: Seen, page: number) => Readonly<Record<string, string>>
  /** Addresses of files that its document does not speak of. */
  readonly files?: RegExp
  readonly error: { readonly status: number; readonly body: Json; readonly says: string }
  readonly samples?: Samples
  /** By action, where what a caller gives depends on more than schemas can say. */
  readonly paramsOf?: Readonly<Record<string, JsonObject>>
}

/** Every object of this vendor lies at `/{id}`: what it is follows from its id. */
const IDS = {
  campaign_id: '1201',
  adset_id: '1301',
  ad_id: '1401',
  creative_id: '1501',
  pixel_id: '1601',
  report_run_id: '1701',
} as const

export const VENDORS: readonly Vendor[] = [
  {
    type: 'jira',
    base: /^\/ex\/jira\/[0-9a-f-]+/,
    connection: {
      credentials: { access_token: 'old', refresh_token: 'r1', client_id: 'c', client_secret: 's' },
      config: { cloud_id: '11111111-2222-3333-4444-555555555555' },
      authMethod: 'oauth',
    },
    token: {
      path: '/oauth/token',
      answer: { access_token: 'new', refresh_token: 'r2', expires_in: 3600, token_type: 'Bearer' },
    },
    carries: (headers, token) => headers['authorization'] === `Bearer ${token}`,
    pageOf: ({ url }) =>
      url.searchParams.has('nextPageToken') || Number(url.searchParams.get('startAt') ?? 0) > 0
        ? 2
        : 1,
    turn(answer, page) {
      if (Array.isArray(answer)) return page === 1 ? answer : []
      const body: Members = { ...(answer as JsonObject) }
      const isLast = page === 2
      if ('nextPageToken' in body || 'isLast' in body) body['isLast'] = isLast
      if ('nextPageToken' in body && isLast) delete body['nextPageToken']
      if ('startAt' in body) Object.assign(body, { startAt: page - 1, maxResults: 1, total: 2 })
      return body as JsonObject
    },
    error: {
      status: 400,
      body: { errorMessages: ['Der Wert "Zoë" ist falsch.'], errors: {} },
      says: 'Der Wert "Zoë" ist falsch.',
    },
  },
  {
    type: 'gong',
    base: /^$/,
    connection: {
      credentials: { access_token: 'old', refresh_token: 'r1', client_id: 'c', client_secret: 's' },
      authMethod: 'oauth',
    },
    token: {
      path: '/oauth2/generate-customer-token',
      answer: {
        access_token: 'new',
        refresh_token: 'r2',
        expires_in: 86_400,
        token_type: 'Bearer',
        api_base_url_for_customer: 'https://us-1.api.gong.io',
      },
    },
    carries: (headers, token) => headers['authorization'] === `Bearer ${token}`,
    pageOf: ({ url, body }) =>
      url.searchParams.has('cursor') || (body as JsonObject | null)?.['cursor'] !== undefined
        ? 2
        : 1,
    texts: { audioUrl: 'https://vendor.example/a.mp3', videoUrl: 'https://vendor.example/v.mp4' },
    // Ids are digits; filters that the vendor lacks keep its record.
    samples: {
      'workspace-id': '9007199254740993',
      'manager-id': '9007199254740993',
      callIds: ['9007199254740993'],
      reviewerUserIds: ['9007199254740993'],
    },
    turn(answer, page) {
      const body: Members = { ...(answer as JsonObject) }
      if (body['records'] === undefined) return answer
      body['records'] = {
        totalRecords: 2,
        currentPageSize: 1,
        currentPageNumber: page - 1,
        ...(page === 1 && { cursor: 'eyJ+/=' }),
      }
      return body as JsonObject
    },
    error: {
      status: 400,
      body: { requestId: '4al0', errors: ['Der Wert "Zoë" ist falsch.'] },
      says: 'Der Wert "Zoë" ist falsch.',
    },
  },
  {
    type: 'github',
    base: /^$/,
    connection: {
      credentials: { access_token: 'old', refresh_token: 'r1', client_id: 'c', client_secret: 's' },
      authMethod: 'github_app_user',
    },
    token: {
      path: '/login/oauth/access_token',
      answer: {
        access_token: 'new',
        expires_in: 28_800,
        refresh_token: 'r2',
        refresh_token_expires_in: 15_811_200,
        scope: '',
        token_type: 'bearer',
      },
    },
    carries: (headers, token) => headers['authorization'] === `Bearer ${token}`,
    pageOf: ({ url }) => Number(url.searchParams.get('page') ?? 1),
    turn: (answer) => answer,
    headers({ url }, page) {
      if (page > 1) return {}
      const next = new URL(url)
      next.searchParams.set('page', '2')
      return { link: `<${next.href}>; rel="next", <${url.href}>; rel="first"` }
    },
    // Colours and lists of words, paths, and texts in Base64.
    samples: { color: 'fbca04', affiliation: 'owner,collaborator' },
    paramsOf: { 'contents.list': { path: 'docs/images' } },
    spans: ['path', 'ref', 'branch'],
    error: {
      status: 400,
      body: { message: 'Der Wert "Zoë" ist falsch.', documentation_url: 'https://docs.github.com' },
      says: 'Der Wert "Zoë" ist falsch.',
    },
  },
  {
    type: 'stripe',
    base: /^$/,
    connection: {
      credentials: { access_token: 'old', refresh_token: 'r1', client_id: 'c', client_secret: 's' },
      authMethod: 'app_oauth',
    },
    token: {
      path: '/v1/oauth/token',
      answer: {
        access_token: 'new',
        refresh_token: 'r2',
        token_type: 'bearer',
        scope: 'stripe_apps',
        livemode: false,
        stripe_user_id: 'acct_1',
        stripe_publishable_key: 'pk_test_1',
      },
    },
    carries: (headers, token) => headers['authorization'] === `Bearer ${token}`,
    pageOf: ({ url }) =>
      url.searchParams.has('starting_after') || url.searchParams.has('page') ? 2 : 1,
    files: /^https:\/\/files\.stripe\.com\/v1\/files\/[^/]+\/contents$/,
    samples: { currency: 'eur', invoice_prefix: 'ACME', content: 'JVBERi0=' },
    turn(answer, page) {
      const body: Members = { ...(answer as JsonObject) }
      if (!Array.isArray(body['data'])) return answer
      body['has_more'] = page === 1
      if ('next_page' in body) body['next_page'] = page === 1 ? 'eyJ+/=' : null
      return body as JsonObject
    },
    error: {
      status: 400,
      body: {
        error: {
          type: 'invalid_request_error',
          code: 'parameter_invalid_integer',
          param: 'limit',
          message: 'Der Wert "Zoë" ist falsch.',
        },
      },
      says: 'Der Wert "Zoë" ist falsch.',
    },
  },
  {
    type: 'slack',
    base: /^\/api/,
    connection: {
      credentials: {
        access_token: 'xoxb-old',
        refresh_token: 'r1',
        client_id: 'c',
        client_secret: 's',
      },
      config: { team_id: 'T012AB3CD' },
      authMethod: 'oauth',
    },
    token: {
      path: '/api/oauth.v2.access',
      answer: {
        ok: true,
        access_token: 'xoxb-new',
        refresh_token: 'r2',
        expires_in: 43_200,
        token_type: 'bot',
        team: { id: 'T012AB3CD' },
      },
    },
    carries: (headers, token) => headers['authorization'] === `Bearer xoxb-${token}`,
    pageOf: ({ url }) =>
      url.searchParams.has('cursor') || url.searchParams.get('page') === '2' ? 2 : 1,
    samples: { ts: '1512085950.000216', timestamp: '1512085950.000216', content: 'aGk=' },
    paramsOf: {
      'reactions.get': { channel: 'C012AB3CD', timestamp: '1512085950.000216' },
      'reactions.delete': { channel: 'C012AB3CD', timestamp: '1512085950.000216' },
    },
    texts: {
      ts: '1512085950.000216',
      upload_url: 'https://files.slack.com/upload/v1/CwABAAAAWgoAAZnBg',
      url_private_download: 'https://files.slack.com/files-pri/T1-F1/download/a.txt',
    },
    files: /^https:\/\/files\.slack\.com\//,
    turn(answer, page) {
      const body: Members = { ...(answer as JsonObject), ok: true }
      const paging = { count: 1, total: 2, page, pages: 2 }
      // The last page of messages lacks the cursor, that of others has an empty one.
      if ('has_more' in body) body['has_more'] = page === 1
      if ('has_more' in body && page === 2) delete body['response_metadata']
      else body['response_metadata'] = { next_cursor: page === 1 ? 'dGVhbTpDMDYxRkE1UEI=' : '' }
      if ('paging' in body) body['paging'] = paging
      const found = body['messages']
      if (typeof found === 'object' && found !== null && 'matches' in found)
        body['messages'] = { ...found, paging, total: 2 }
      return body as JsonObject
    },
    error: {
      status: 200,
      body: {
        ok: false,
        error: 'invalid_arguments',
        response_metadata: { messages: ['[ERROR] "Zoë" ist falsch.'] },
      },
      says: 'invalid_arguments [ERROR] "Zoë" ist falsch.',
    },
  },
  {
    type: 'facebook-marketing',
    base: /^\/v24\.0/,
    connection: {
      credentials: { access_token: 'old' },
      config: { account_ids: '1101' },
      authMethod: 'oauth',
    },
    token: null,
    carries: (headers, token) => headers['authorization'] === `Bearer ${token}`,
    ids: IDS,
    // What the manifest leaves open and the document lists.
    samples: {
      ...IDS,
      account_id: '1101',
      date_preset: 'today',
      effective_status: ['ACTIVE'],
      bid_strategy: 'COST_CAP',
      objective: 'OUTCOME_LEADS',
      special_ad_categories: ['NONE'],
      optimization_goal: 'LINK_CLICKS',
      destination_type: 'WEBSITE',
      billing_event: 'IMPRESSIONS',
      breakdowns: ['age'],
      action_breakdowns: ['action_type'],
      action_attribution_windows: ['1d_click'],
      action_report_time: 'mixed',
      aggregation: 'event',
    },
    paramsOf: { 'ad_sets.list': { date_preset: 'TODAY' } },
    texts: { async_status: 'Job Completed', report_run_id: IDS.report_run_id },
    pageOf: ({ url }) => (url.searchParams.has('after') ? 2 : 1),
    turn(answer, page) {
      const body: Members = { ...(answer as JsonObject) }
      if (body['paging'] === undefined) return answer
      body['paging'] = {
        cursors: { before: 'QVFI', after: `MAZD${page}` },
        ...(page === 1 && { next: 'https://graph.facebook.com/v24.0/next?access_token=old' }),
      }
      return body as JsonObject
    },
    error: {
      status: 400,
      body: {
        error: { message: 'Der Wert "Zoë" ist falsch.', type: 'OAuthException', code: 100 },
      },
      says: 'Der Wert "Zoë" ist falsch.',
    },
  },
]

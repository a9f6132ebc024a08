// /manifests: versions of connectors that are published while the service runs.
import { bodyText } from '../body-text.ts'
import type { Cursors } from '../cursors.ts'
import type { JsonObject } from '../../language/json/json.ts'
import type { JsonSchema } from '../../language/manifest/manifest.ts'
import { showComparison } from '../manifests/manifest-reader.ts'
import type { Publication, PublishedManifests, Version } from '../manifests/published-manifests.ts'
import type { Done, Intent, Publishing } from '../manifests/publishing.ts'
import { type Handler, json, type Route, routes, type ServiceRequest } from '../route.ts'
import { timeText } from '../store/instance-view.ts'
import { limitIn, pageOf } from './pages.ts'
import * as s from './schemas.ts'

export interface PublishedRoutePorts {
  readonly published: PublishedManifests
  readonly publishing: Publishing
  readonly cursors: Cursors
}

export const MANIFEST_TEXT = { type: 'string', minLength: 1, maxLength: 900_000 } as const

export const COMPARISON: JsonSchema = s.open({
  ...s.each(['from', 'to', 'needed', 'made'], { type: 'string' }),
  refused: {
    type: 'boolean',
    description: 'Whether something breaks although the version does not say so.',
  },
  changes: s.listOf(
    s.open({
      class: { enum: ['breaking', 'additive', 'cosmetic'] },
      ...s.each(['path', 'change'], { type: 'string' }),
    }),
  ),
})

const PUBLISHED = {
  ...s.each(['connector_type', 'version', 'manifest_hash'], { type: 'string' }),
  published_by: { type: 'string', description: 'As the audit log names them.' },
  published_at: s.TIME,
  note: s.orNull({ type: 'string' }),
  current: { type: 'boolean', description: 'Whether it is the published version of its major.' },
  served: { type: 'boolean', description: 'Whether instances of its major run on it.' },
  hidden_by: {
    enum: ['file', 'setting', 'invalid', null],
    description:
      'Why it is current and not served: a file of the operator goes before it, TENON_CONNECTORS leaves its type out, or this version of the program cannot read it.',
  },
} as const

const REPLACED = s.orNull(
  s.open({ version: { type: 'string' }, origin: { enum: ['packaged', 'published', 'file'] } }),
)

const RESULT = s.open({
  ...PUBLISHED,
  before: { ...REPLACED, description: 'What instances of its major ran on before; null: nothing.' },
  after: { ...REPLACED, description: 'What they run on now; null: nothing.' },
  changes: {
    ...s.orNull(COMPARISON),
    description: 'Compared with the version that it follows; null: it follows none.',
  },
  instances: {
    type: ['integer', 'null'],
    description: 'Instances of its major; null: a part of the store does not respond.',
  },
  refusals: {
    ...s.listOf(s.open(s.each(['code', 'detail'], { type: 'string' }))),
    description: 'For a dry run: why it would be refused.',
  },
  warnings: s.listOf({ type: 'string' }),
  dry_run: { type: 'boolean' },
})

const CHOICES = {
  accept_breaking: {
    type: 'boolean',
    description: 'Publish even if running instances lose what callers rely on.',
  },
  dry_run: { type: 'boolean', description: 'Report what would happen, and change nothing.' },
} as const

const EXAMPLE = `manifest: 1
connector: { type: acme, title: Acme, version: 1.0.0 }
server: { url: https://api.acme.example }
auth:
  key:
    credentials: { required: [api_key], properties: { api_key: { type: string, writeOnly: true } } }
    apply: { bearer: "{{ credentials.api_key }}" }
entities:
  customers:
    record: { properties: { id: { type: string } } }
    actions:
      list:
        summary: List customers
        request: { http: GET /customers }
        response: { records: $.items }
        pagination: { type: none, reason: there are few }
`

export function publishedRoutes(ports: PublishedRoutePorts): readonly Route[] {
  const { publishing, published } = ports
  return routes('application', [
    {
      name: 'listManifests',
      at: 'GET /manifests',
      queryExample: { connector_type: 'gong' },
      summary: 'List the published versions of connectors, newest first',
      query: s.closed({
        connector_type: s.TEXT,
        cursor: { type: 'string', maxLength: 500 },
        limit: s.LIMIT,
      }),
      success: s.answersPage('The versions, without their texts.', s.open(PUBLISHED)),
      errors: ['cursor_invalid'],
      handle: (request) => list(ports, request),
    },
    {
      name: 'publishManifest',
      at: 'POST /manifests',
      manage: true,
      summary: 'Publish a version of a connector for all organisations',
      body: s.requiredBody(['text'], {
        text: MANIFEST_TEXT,
        note: { type: 'string', maxLength: 1000, description: 'What is new, in words.' },
        ...CHOICES,
      }),
      example: { text: EXAMPLE, note: 'Customers' },
      success: [
        ...s.answers(201, 'Published.', RESULT),
        ...s.answers(200, 'For a dry run.', RESULT),
      ],
      errors: ['manifest_refused'],
      async handle(request) {
        const { body } = request
        const { note } = body
        const given = { text: bodyText(body, 'text'), note: typeof note === 'string' ? note : null }
        const intent = intentOf(request, body)
        const done = await publishing.publish(given, intent)
        return json(intent.isTrial ? 200 : 201, showDone(done, intent))
      },
    },
    {
      name: 'getManifest',
      at: 'GET /manifests/{connector_type}/versions/{version}',
      summary: 'Get a published version with its text',
      success: s.answers(200, 'The version.', s.open({ ...PUBLISHED, text: { type: 'string' } })),
      errors: ['manifest_unknown'],
      async handle({ principal, path }) {
        published.requirePublisher(principal)
        const { text, ...publication } = await published.get(versionIn(path, path['version']))
        return json(200, { ...show(publication), text })
      },
    },
    {
      name: 'rollBackManifest',
      at: 'POST /manifests/{connector_type}/rollback',
      manage: true,
      summary: 'Roll back to an earlier published version of the same major',
      body: s.requiredBody(['version'], { version: s.TEXT, ...CHOICES }),
      example: { version: '1.0.1' },
      success: s.answers(200, 'As it is now.', RESULT),
      errors: ['manifest_unknown', 'manifest_refused'],
      async handle(request) {
        const { path, body } = request
        const intent = intentOf(request, body)
        const done = await publishing.rollBack(versionIn(path, bodyText(body, 'version')), intent)
        return json(200, showDone(done, intent))
      },
    },
    {
      name: 'unpublishManifest',
      at: 'DELETE /manifests/{connector_type}/versions/{version}',
      manage: true,
      summary: 'Stop serving a current version; the packaged one comes back',
      query: s.closed({ accept_breaking: { type: 'boolean' }, dry_run: { type: 'boolean' } }),
      success: s.answers(200, 'As it is now. Its row is kept.', RESULT),
      errors: ['manifest_unknown', 'manifest_refused'],
      async handle(request) {
        const { path, query } = request
        const intent = intentOf(request, {
          accept_breaking: query['accept_breaking'] === 'true',
          dry_run: query['dry_run'] === 'true',
        })
        const done = await publishing.unpublish(versionIn(path, path['version']), intent)
        return json(200, showDone(done, intent))
      },
    },
  ])
}

const list: Handler<PublishedRoutePorts> = async ({ published, cursors }, request) => {
  const { principal, query } = request
  published.requirePublisher(principal)
  const { connector_type: connectorType, cursor } = query
  const limit = limitIn(query['limit'])
  const purpose = `manifests:${connectorType ?? ''}`
  const beforeId = cursor === undefined ? undefined : await cursors.open(principal, cursor, purpose)
  const found = await published.list({ connectorType, beforeId, limit: limit + 1 })
  const { rows, meta } = await pageOf(found, limit, ({ manifestId }) =>
    cursors.seal(principal, manifestId, purpose),
  )
  return json(200, { data: rows.map(show), meta })
}

function intentOf({ principal, requestId }: ServiceRequest, choices: JsonObject): Intent {
  const { accept_breaking: acceptsBreaking, dry_run: isTrial } = choices
  return {
    principal,
    requestId,
    acceptsBreaking: acceptsBreaking === true,
    isTrial: isTrial === true,
  }
}

function versionIn(path: ServiceRequest['path'], version = ''): Version {
  return { type: path['connector_type'] ?? '', version }
}

function show(publication: Publication): object {
  const { connectorType, version, hash, publishedBy, publishedAt, note } = publication
  return {
    connector_type: connectorType,
    version,
    manifest_hash: hash,
    published_by: publishedBy,
    published_at: timeText(publishedAt),
    note,
    current: publication.isCurrent,
    served: publication.isServed,
    hidden_by: publication.hiddenBy,
  }
}

function showDone({ publication, replacement }: Done, { isTrial }: Intent): object {
  const { comparison, refusals, ...rest } = replacement
  return {
    ...show(publication),
    ...rest,
    changes: comparison && showComparison(comparison),
    refusals: refusals.map(({ code, detail }) => ({ code, detail })),
    dry_run: isTrial,
  }
}

// /manifests: the workshop for connector authors. Served in development, and in production to those who may publish: a
// manifest is the operator's, not a caller's.
import { bodyText } from '../body-text.ts'
import { ConnectorError } from '../../errors.ts'
import type { JsonObject } from '../../language/json/json.ts'
import { isJsonObject } from '../../language/json/members.ts'
import type { Manifest } from '../../language/manifest/manifest.ts'
import { json, type Route, routes } from '../route.ts'
import { type DraftRunPorts, previewDraft, runDraft } from '../run-draft.ts'
import { COMPARISON, MANIFEST_TEXT } from '../routes/published-routes.ts'
import * as s from '../routes/schemas.ts'
import type { Principal } from '../tokens/principal.ts'

export interface Workshop {
  /** The text of a served type; null: there is no such type, or its file is not here. */
  textOf(type: string): Promise<string | null>
  /** Findings, what it describes, and what it changes against the served version of its type. */
  check(text: string): Promise<JsonObject>
  /**
   * A manifest drafted from an OpenAPI document, with what was guessed, what a person must decide, and what is missing.
   * Throws `request_malformed` where nothing can be drafted.
   */
  draft(text: string, file: string): Promise<JsonObject>
  /** TypeScript of a sound manifest. Throws `manifest_invalid`. */
  types(text: string): Promise<string>
  /**
   * What an operation would send to the third party, secrets masked, and its parameters: those given, or an example
   * with which the local vendor succeeds. Nothing is sent. Throws what the operation throws.
   */
  preview(text: string, operation: WorkshopOperation): Promise<DraftPreview>
  /** The local vendor's answer to an operation. Throws what the operation throws. */
  run(text: string, operation: WorkshopOperation): Promise<object>
  /** A manifest with nothing but an operation and those that it calls. Throws `operation_unknown`. */
  narrowed(text: string, operation: OperationName): Promise<Manifest>
}

export interface DraftPreview {
  readonly params: JsonObject
  readonly requests: readonly { readonly curl: string; readonly after: string | null }[]
}

export interface OperationName {
  readonly entity: string
  readonly action: string
}

export interface WorkshopOperation extends OperationName {
  readonly params: JsonObject | null
}

const CHECK = s.open({
  problems: s.listOf(
    s.open({
      ...s.each(['line', 'column', 'length'], { type: 'integer' }),
      ...s.each(['path', 'rule', 'message'], { type: 'string' }),
      severity: { enum: ['error', 'warning'] },
      hint: s.orNull({ type: 'string' }),
    }),
  ),
  is_part: {
    type: 'boolean',
    description:
      'Errors kept a phase from looking at all: once they are mended, more may be found.',
  },
  connector: s.orNull(
    s.open({
      ...s.each(['connector_type', 'title', 'version'], { type: 'string' }),
      operations: s.listOf(s.open(s.each(['entity', 'action'], { type: 'string' }))),
    }),
  ),
  changes: {
    description: 'Against the served version; null: there is none, or the manifest has errors.',
    ...s.orNull(COMPARISON),
  },
})

const DRAFT = s.open({
  ...s.each(['connector_type', 'text'], { type: 'string' }),
  report: s.open({
    ...s.each(['entities', 'actions'], { type: 'integer' }),
    ...s.each(['guessed', 'undecided', 'missing'], s.listOf({ type: 'string' })),
  }),
})

/** Why nothing of a draft may be sent for an account. */
const BEFORE_SENDING = [
  'instance_unknown',
  'operation_unknown',
  'params_invalid',
  'destination_refused',
  'instance_disabled',
  'reauthorization_required',
] as const

const RUN = s.answersWith(200, 'The answer, and what was sent and came back for it.', {
  answer: { type: 'object' },
  exchanges: s.listOf(
    s.open({
      curl: { type: 'string' },
      status: s.orNull({ type: 'integer' }),
      ...s.each(['content_type', 'body'], s.orNull({ type: 'string' })),
      cut: s.YES_NO,
    }),
  ),
})

/** `requireRight` throws for a caller whom the workshop is not for. */
export function manifestRoutes(
  workshop: Workshop,
  drafts: DraftRunPorts,
  requireRight: (principal: Principal) => void = () => {},
): readonly Route[] {
  const texts = s.requiredBody(['text'], { text: MANIFEST_TEXT })
  const operationMembers = {
    text: MANIFEST_TEXT,
    ...s.each(['entity', 'action'], s.TEXT),
    params: { type: 'object' },
  }
  const operation = s.requiredBody(['text', 'entity', 'action'], operationMembers)
  const previewed = s.answersWith(200, 'The parameters, and the requests, secrets masked.', {
    params: { type: 'object' },
    requests: s.REQUESTS,
  })
  const readIn = (body: JsonObject): Promise<Manifest> =>
    workshop.narrowed(bodyText(body, 'text'), operationIn(body))
  const entries = routes('application', [
    {
      name: 'consoleManifest',
      at: 'GET /manifests/{connector_type}',
      summary: 'The text of a served manifest',
      success: s.answersWith(200, 'The text.', { text: { type: 'string' } }),
      handle: async ({ path }) => {
        const text = await workshop.textOf(path['connector_type'] ?? '')
        if (text === null)
          throw new ConnectorError('route_unknown', 'the file of this manifest is not here')
        return json(200, { text })
      },
    },
    {
      name: 'consoleManifestCheck',
      at: 'POST /manifests/check',
      summary: 'Lint a manifest, and compare it with the served one',
      body: texts,
      success: s.answers(200, 'Findings with their places.', CHECK),
      handle: async ({ body }) => json(200, await workshop.check(bodyText(body, 'text'))),
    },
    {
      name: 'consoleManifestDraft',
      at: 'POST /manifests/draft',
      summary: 'Draft a manifest from an OpenAPI document',
      body: s.requiredBody(['text', 'file'], { text: MANIFEST_TEXT, file: s.TEXT }),
      success: s.answers(200, 'The draft, and what became of the document.', DRAFT),
      handle: async ({ body }) =>
        json(200, await workshop.draft(bodyText(body, 'text'), bodyText(body, 'file'))),
    },
    {
      name: 'consoleManifestTypes',
      at: 'POST /manifests/types',
      summary: 'TypeScript of a manifest',
      body: texts,
      success: s.answersWith(200, 'The text.', { types: { type: 'string' } }),
      handle: async ({ body }) =>
        json(200, { types: await workshop.types(bodyText(body, 'text')) }),
    },
    {
      name: 'consoleManifestPreview',
      at: 'POST /manifests/preview',
      summary: 'What an operation of a manifest would send, with its parameters or an example',
      body: operation,
      success: previewed,
      errors: ['operation_unknown', 'params_invalid'],
      handle: async ({ body }) =>
        json(200, await workshop.preview(bodyText(body, 'text'), operationIn(body))),
    },
    {
      name: 'consoleManifestRun',
      at: 'POST /manifests/run',
      summary: 'Run an operation of a manifest against a local vendor made of it',
      body: operation,
      success: RUN,
      errors: ['operation_unknown', 'params_invalid'],
      handle: async ({ body }) =>
        json(200, await workshop.run(bodyText(body, 'text'), operationIn(body))),
    },
    {
      name: 'consoleManifestTry',
      at: 'POST /manifests/try',
      summary: 'Run an operation of a manifest on an account, with the credentials it has there',
      body: s.requiredBody(['text', 'entity', 'action', 'connector_id'], {
        ...operationMembers,
        connector_id: s.TEXT,
        confirmed: s.YES_NO,
      }),
      success: RUN,
      errors: [...BEFORE_SENDING, 'deadline_exceeded'],
      handle: (request) =>
        runDraft(drafts, request, {
          operation: operationIn(request.body),
          read: () => readIn(request.body),
        }),
    },
    {
      name: 'consoleManifestTryPreview',
      at: 'POST /manifests/try/preview',
      summary: 'What an operation of a manifest would send for an account; nothing is sent',
      body: s.requiredBody(['text', 'entity', 'action', 'connector_id'], {
        ...operationMembers,
        connector_id: s.TEXT,
      }),
      success: previewed,
      errors: BEFORE_SENDING,
      handle: (request) => {
        const { body } = request
        const operation = operationIn(body)
        return previewDraft(drafts, request, {
          operation,
          read: () => readIn(body),
          example: async () => (await workshop.preview(bodyText(body, 'text'), operation)).params,
        })
      },
    },
  ])
  return entries.map((route) => ({
    ...route,
    async handle(request) {
      requireRight(request.principal)
      return await route.handle(request)
    },
  }))
}

function operationIn(body: JsonObject): WorkshopOperation {
  const params = isJsonObject(body['params']) ? body['params'] : null
  return { entity: bodyText(body, 'entity'), action: bodyText(body, 'action'), params }
}
